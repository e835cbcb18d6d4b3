/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * command.h: the commands of netcost-report. main.c has the table of commands, the table of
 * options, and what all commands share: parsing, usage, checks. Commands that show reports have
 * rows of struct report; other commands have a function.
 */
#ifndef NETCOST_REPORT_COMMAND_H
#define NETCOST_REPORT_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "report/analysis/accuracy.h"
#include "report/analysis/intervals.h"
#include "report/analysis/latency.h"
#include "report/analysis/processes.h"
#include "report/analysis/view.h"
#include "report/base/doc.h"
#include "report/base/outfile.h"
#include "report/input/input.h"
#include "report/model/filter.h"
#include "report/model/model.h"
#include "report/rewrite/rewrite.h"

enum exit_status {
	EXIT_DONE = 0,
	EXIT_FAILED = 1, /* reported on stderr */
	EXIT_USAGE = 2,
	EXIT_CUT = 3,	 /* verify: only the end of the trace is missing */
	EXIT_WORSE = 4,	 /* diff: a cost grew by more than --fail-above allows */
	EXIT_UNSURE = 5, /* diff: none did, but such a rise would not have been seen */
};

#define OPTION_UNSET UINT64_MAX

#define ONLY_UNKNOWN                                                                               \
	"--only: '%.*s' is not a category; the rules name them, and there are network and kernel"

/* Index of a word in an option's list, from 1 on; 0: the option was not given. */
typedef unsigned int option_word;

/* Values of options. NULL, 0 or false: not given, unless noted. */
struct options {
	const char *file; /* the first operand that is a file, or the default */
	const char *const *operand;
	size_t noperands;

	uint64_t memory; /* bytes for names and ids; 0: the default */
	const char *part;
	const char *rules; /* NULL: the built-in rules */
	/* the time range, CPUs, tasks, cgroup; and values that the user supplies */
	struct filter filter;
	const char *output, *table; /* table: for CSV, or REPORT_ALL; NULL: the main table */
	uint64_t every_ns;	    /* 0: each tick */
	uint64_t last_ns;	    /* of live; 0: the default */
	unsigned long rows;
	option_word format, by, sort, per, weight, histogram, of;
	const char *color, *latency, *ddl;
	const char *by_names, *sort_name; /* for counts */
	const uint8_t *ask;		  /* not an option: types for model_ask() */
	const char *host, *keep, *only;
	uint64_t precision, fail_above; /* in millionths; OPTION_UNSET: not given */
	bool wide, full, all, all_cpus, other, tail, context, no_pager;
	bool per_cpu, idle, icicle, no_charts, script, zstd;
	bool samples, recover, quiet;
	const char *listen; /* of export openmetrics: serve it there */
};

/* Returns the index from 0 on; the first word if none was given. */
unsigned int word_index(option_word word);
/* True if only some CPUs, tasks or cgroups are selected. */
bool options_select(const struct options *o);

/* The samples that --only selects; all of some leaves without it. */
struct chosen {
	struct model_choice of;
	bool category[RULES_MAX_CATEGORIES];
	/* "socket receive only: 4.1 % of CPU time" */
	char title[RULES_MAX_TITLE * 4 + 80];
};
/* Needs a model without MODEL_BY_STACK if --only is given. -ENOMEM. */
int options_choose(const struct options *o, const struct model *m, const struct part *part,
		   unsigned int leaves, struct chosen *c);

/* ---- reports ------------------------------------------------------------------------------ */

enum report_format { REPORT_TEXT = 1, REPORT_JSON, REPORT_CSV };
extern const char *const report_formats[]; /* in the order of enum report_format */

#define REPORT_ALL "all" /* value of --table: CSV has a row for each value */

/* Data that a report collects while the trace is read, in addition to the model. */
enum collect {
	COLLECT_NOTHING,
	COLLECT_BINS,
	COLLECT_LATENCY, /* merged, or of one checkpoint, by interval */
	COLLECT_LATENCY_TIMES,
	COLLECT_LATENCY_BY_TIMES,
	COLLECT_LATENCY_MAP,
	COLLECT_PROCESS_TIMES,
	COLLECT_TAIL,
	COLLECT_VIEW, /* with --every: by interval */
};

union collected {
	struct accuracy_bins bins;
	struct latency_times latency_times;
	struct latency_history latency_map;
	struct process_times process_times;
	struct tail_seen tail;
	struct view_times view_times;
};

/*
 * Creates it and sets it as the intervals' watch; o: the command's options. Returns NULL if out of
 * memory.
 */
union collected *collected_new(enum collect what, const struct options *o, struct intervals *iv);
void collected_free(enum collect what, union collected *c); /* accepts NULL */

/* The data of one part that a report prints. */
struct report_part {
	const struct model *m;
	const struct part *part;
	const struct intervals *intervals; /* has no ticks if the report does not use intervals */
	const struct options *options;
	const union collected *collected;
};

struct report {
	const char *name; /* in the schema; NULL: another report has the same structure */
	/* Returns 0; -ENOMEM; -ECANCELED: there is no report for that part, which was reported. */
	int (*build)(struct doc *d, const struct report_part *p);
	/*
	 * Returns in buf why the trace has no data for the report (info_doc.h); NULL: it has data.
	 * A report without such functions has data in every trace.
	 */
	const char *(*lacks)(const struct model *m, char *buf);
	const char *(*lacks_for)(const struct model *m, const struct options *o, char *buf);
	const char *csv;   /* the main table, for CSV without --table; NULL: REPORT_ALL */
	unsigned int keep; /* enum model_keep */
	option_word by;	   /* value of --by in the schema */
	bool intervals;	   /* the report uses intervals: --every */
	/* another command prints this report; this command does so if there are only samples */
	bool by_samples;
	/*
	 * largest number of intervals in text without --every, an even number; 0: one for each
	 * tick
	 */
	size_t rows;
	bool verbatim; /* its text is also for programs: a terminal changes nothing */
	enum collect collect;
	bool (*exists)(const struct report *r); /* NULL: the report exists */
};

/*
 * Makes the view of `counts` that the options select, and its rows. Returns false if they are
 * invalid: err, of VIEW_WRONG bytes, has the reason.
 */
#define VIEW_WRONG 1024
bool options_view(const struct options *o, struct view *v, struct view_order *order, char *err);

enum exit_status report_run(const struct report *r, const struct options *o);

/*
 * For commands that run a report themselves: sets path to the table for CSV, "" for all values.
 * EXIT_USAGE: the report, built from an empty model with these options, has no table --table;
 * reported with a list of its tables.
 */
enum exit_status report_table(const struct report *r, const struct options *o,
			      char path[JSON_PATH]);
/*
 * Begins a document in the format, width and colours of the options; a verbatim report ignores
 * width and colours.
 */
struct doc report_begin(const struct report *r, const struct options *o, const char *table,
			const struct part *part);
/* Returns false if the trace lacks the table --table; reported. */
bool report_end(struct doc *d, const struct options *o);

/* Builds the report from an empty model, without options, for the schema. -ENOMEM. */
int report_describe(struct doc *d, const struct model *empty, const struct report *r);

/* ---- models ------------------------------------------------------------------------------- */

/*
 * Calls fn with the model of each part of the file that the options select. keep: enum model_keep;
 * intervals: to fill, or NULL.
 */
enum exit_status models_each(const struct options *o, const char *file, unsigned int keep,
			     struct intervals *intervals, input_model_fn *fn, void *ctx);

/*
 * Calls fn with an empty model, for what is known of a report without a trace. EXIT_FAILED: out of
 * memory; reported.
 */
enum exit_status models_empty(enum exit_status (*fn)(void *ctx, const struct model *empty),
			      void *ctx);

/*
 * For commands that show one trace: true for the first part. Counts the parts in *seen; reports
 * that there are more.
 */
bool models_is_first(unsigned int *seen, const struct part *part, const char *verb);

/* Prints an error and returns -ECANCELED. */
int intervals_tell_too_many(const struct part *part);
/* Returns false if there are no rows to print, or too many; reported. */
bool intervals_fit(const struct intervals *iv, const struct part *part);

/* ---- output ------------------------------------------------------------------------------- */

bool command_to_stdout(const char *name);
/*
 * Reports that the first operand is not one of the names. what: the kind of name, such as "chart".
 */
void command_tell_unknown(const char *command, const char *what, const char *given,
			  const char *const *names);
/*
 * name: the value of --output; NULL or "-": stdout. Returns NULL if it cannot be written;
 * reported.
 */
FILE *command_open(struct outfile *o, const char *name);
/* Ends the output and reports errors. name: of the file, NULL for stdout. */
enum exit_status command_close(FILE *out, const char *name);
/*
 * The same for a file of command_open(). If !ok, or not everything was written, there is no new
 * file.
 */
enum exit_status command_end(struct outfile *o, FILE *out, const char *name, bool ok);
/* Reports the file that was written, and its size, unless it is stdout or --quiet was given. */
void command_wrote(const struct options *o);

/* ---- writing traces ----------------------------------------------------------------- */

struct copy_input {
	const char *file;
	struct copy_options options;
};

/*
 * Copies all parts of the inputs into an open file, called `name` in messages. Errors are
 * reported, results are not. Returns false if something failed; the rest is saved.
 */
bool copy_to_fd(const struct copy_input *in, size_t n, int fd, const char *name);

/*
 * Joins files of one recording into one trace, or one per consecutive run of files if some are
 * missing. The result replaces standard input, under the names of the first and the last file.
 * EXIT_USAGE: the files belong to several recordings; reported.
 */
enum exit_status joined_stdin(const char *const *file, size_t n, uint64_t memory);

/*
 * Verifies all parts of the input. quiet: prints nothing if there is no error. Returns EXIT_DONE,
 * EXIT_CUT or EXIT_FAILED.
 */
enum exit_status verify_input(struct doc *d, struct input *in, bool quiet);

/* ---- commands ------------------------------------------------------------------------------ */

/* Terminated by a row without a build function. */
extern const struct report summary_reports[], timeline_reports[], top_reports[], who_reports[],
	counts_reports[], latency_reports[], path_reports[], diff_reports[], accuracy_reports[],
	info_reports[], rules_reports[], verify_reports[];

/* Returns the index of the report that a command shows. */
typedef size_t choose_fn(const struct options *o);
choose_fn summary_choose, timeline_choose, latency_choose, path_choose, info_choose;

/* Returns a message about options that cannot be combined; NULL: they can. */
typedef const char *wrong_fn(const struct options *o);
wrong_fn summary_wrong, timeline_wrong, latency_wrong, rules_wrong, only_wrong, folded_wrong,
	diff_wrong;

typedef enum exit_status run_fn(const struct options *o);
run_fn counts_run, sql_run, folded_run, flamegraph_run, diff_run, plot_run, html_run, export_run,
	dump_run, verify_run, recover_run, cut_run, scrub_run, bugreport_run, merge_run, rules_run,
	live_run;

extern const char *const folded_weights[]; /* --weight; NULL-terminated */
/* --of: the samples whose functions are shown */
enum { SAMPLES_NETWORK = 1, SAMPLES_ALL };
extern const char *const samples_of[];

/* listen.c: serves what export openmetrics would write of a trace that is being written. */
enum exit_status listen_serve(const struct options *o);

/* For usage texts. */
void counts_list(FILE *out);
void diff_explain(FILE *out);
void plot_list_charts(FILE *out);
void export_list_formats(FILE *out);

/* Returns the valid first operands, NULL-terminated. */
const char *const *counts_names(void);
const char *const *plot_chart_names(void);
const char *const *export_format_names(void);

#endif
