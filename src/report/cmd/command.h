/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * command.h: the commands of netcost-report. main.c has the table of commands, and the code that all commands share:
 * parsing, usage, checks. command_options.c has the table of options. Commands that show reports have rows of struct
 * report; other commands have a function.
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
	EXIT_FAILED = 1, /* the error is reported on stderr */
	EXIT_USAGE = 2,
	EXIT_CUT = 3,	/* verify: the trace is valid, but its end is missing */
	EXIT_WORSE = 4, /* diff: a cost grew by more than --fail-above allows */
	/*
	 * diff: no cost grew by more than --fail-above, but such a rise could be hidden in noise
	 */
	EXIT_UNSURE = 5,
};

#define OPTION_UNSET UINT64_MAX

/* Index of a word in an option's list, beginning with 1; 0 if the option was not given. */
typedef unsigned int option_word;

/*
 * Values of options. Unless noted otherwise, NULL, 0 or false means that the option was not given.
 */
struct options {
	const char *file; /* the first operand that is a file, or the default file */
	const char *const *operand;
	size_t noperands;

	uint64_t memory; /* value of --memory in bytes; 0 for the default */
	const char *part;
	const char *rules; /* rules file; NULL for the built-in rules */
	/*
	 * time range, CPUs, tasks and cgroup that the user selects, and values that the user
	 * supplies
	 */
	struct filter filter;
	/* table: name of the table for CSV, or REPORT_ALL; NULL for the main table */
	const char *output, *table;
	uint64_t every_ns; /* length of an interval; 0: each tick begins an interval */
	uint64_t last_ns;  /* length of the window of `live`; 0 for the default */
	unsigned long rows;
	option_word format, by, sort, per, weight, histogram, of;
	const char *color, *latency, *ddl;
	const char *by_names, *sort_name; /* options of `counts` */
	/* record types for model_ask(); set by the command, not by an option */
	const uint8_t *ask;
	const char *host, *keep, *only;
	uint64_t precision, fail_above; /* shares in millionths; OPTION_UNSET if not given */
	bool wide, full, all, all_cpus, other, tail, context, no_pager;
	bool per_cpu, idle, icicle, no_charts, script, zstd;
	bool samples, recover, quiet;
	const char *listen; /* for export openmetrics: address at which the metrics are served */
};

/* Returns the index of the word, beginning with 0; 0 if no word was given. */
unsigned int word_index(option_word word);
/* Returns true if only some CPUs, tasks or cgroups are selected. */
bool options_select(const struct options *o);

/* The samples that --only selects. Without --only, all samples of the given leaves. */
struct chosen {
	struct model_choice of;
	bool category[RULES_MAX_CATEGORIES];
	/* for example "socket receive only: 4.1 % of CPU time" */
	char title[RULES_MAX_TITLE * 4 + 80];
};
/* Finds the samples of --only. With --only, the model must not have MODEL_BY_STACK. Returns 0 or -ENOMEM. */
int options_choose(const struct options *o, const struct model *m, const struct part *part,
		   unsigned int leaves, struct chosen *c);

/* ---- reports ------------------------------------------------------------------------------ */

enum report_format { REPORT_TEXT = 1, REPORT_JSON, REPORT_CSV };
extern const char *const report_formats[]; /* names, in the order of enum report_format */

#define REPORT_ALL "all" /* value of --table that makes CSV print all values, one per row */

/* Data that a report collects while the trace is read, in addition to the model. */
enum collect {
	COLLECT_NOTHING,
	COLLECT_BINS,
	COLLECT_LATENCY, /* latency by interval, of one checkpoint or merged over several */
	COLLECT_LATENCY_TIMES,
	COLLECT_LATENCY_BY_TIMES,
	COLLECT_LATENCY_MAP,
	COLLECT_PROCESS_TIMES,
	COLLECT_TAIL,
	COLLECT_VIEW, /* by interval, with --every */
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
 * Allocates the collected data and registers it as a watch of the intervals. o: the command's options. Returns NULL if
 * out of memory.
 */
union collected *collected_new(enum collect what, const struct options *o, struct intervals *iv);
void collected_free(enum collect what, union collected *c); /* c may be NULL */

/* The data that a report prints about one part of a file. */
struct report_part {
	const struct model *m;
	const struct part *part;
	const struct intervals *intervals; /* has no ticks if the report does not use intervals */
	const struct options *options;
	const union collected *collected;
};

struct report {
	const char *name; /* name in the schema; NULL if another report has the same structure */
	/*
	 * Builds the report of a part. Returns 0, -ENOMEM, or -ECANCELED after an error message if the part has no
	 * report.
	 */
	int (*build)(struct doc *d, const struct report_part *p);
	/*
	 * Returns a message in buf that says why the trace has no data for the report (info_doc.h), or NULL if the
	 * trace has data. If the member is NULL, every trace has data for the report.
	 */
	const char *(*lacks)(const struct model *m, char *buf);
	const char *(*lacks_for)(const struct model *m, const struct options *o, char *buf);
	const char *csv;   /* main table, for CSV without --table; NULL for REPORT_ALL */
	unsigned int keep; /* bits of enum model_keep */
	option_word by;	   /* word of --by that this report belongs to; used for the schema */
	bool intervals;	   /* the report uses intervals, as set by --every */
	/*
	 * this command prints the report only for a trace that has nothing but samples; otherwise another command does
	 */
	bool by_samples;
	/* largest number of intervals in text without --every, an even number; 0: each tick is an interval */
	size_t rows;
	bool verbatim; /* programs also read the text, so it does not depend on the terminal */
	enum collect collect;
	/* returns true if the report exists; NULL if it always does */
	bool (*exists)(const struct report *r);
};

/*
 * Makes the view and the rows that the options of `counts` select. If the options are invalid,
 * returns false and writes the reason to err, which has VIEW_WRONG bytes.
 */
#define VIEW_WRONG 1024
bool options_view(const struct options *o, struct view *v, struct view_order *order, char *err);

enum exit_status report_run(const struct report *r, const struct options *o);

/*
 * Finds the table that CSV prints and sets path to it, or to "" for all values. It is for commands that do not use
 * report_run(). Returns EXIT_USAGE if --table names no table of the report; a message then lists the tables. To find
 * the tables, the report is built from an empty model with these options.
 */
enum exit_status report_table(const struct report *r, const struct options *o,
			      char path[JSON_PATH]);
/*
 * Begins a document in the format, width and colours that the options select. A verbatim report
 * ignores width and colours.
 */
struct doc report_begin(const struct report *r, const struct options *o, const char *table,
			const struct part *part);
/* Ends the document. Returns false if the trace lacks the table --table, which is reported. */
bool report_end(struct doc *d, const struct options *o);

/* Builds the report from an empty model, without options, for the schema. Returns 0 or -ENOMEM. */
int report_describe(struct doc *d, const struct model *empty, const struct report *r);

/* ---- models ------------------------------------------------------------------------------- */

/*
 * Calls fn with the model of each part of the file that the options select. keep: bits of enum
 * model_keep; intervals: the intervals to fill, or NULL.
 */
enum exit_status models_each(const struct options *o, const char *file, unsigned int keep,
			     struct intervals *intervals, input_model_fn *fn, void *ctx);

/*
 * Calls fn with an empty model, for reports that are built without a trace. Returns EXIT_FAILED if
 * out of memory, which is reported.
 */
enum exit_status models_empty(enum exit_status (*fn)(void *ctx, const struct model *empty),
			      void *ctx);

/*
 * For commands that show one trace: returns true for the first part. Counts the parts in *seen, and reports an error at
 * the second part.
 */
bool models_is_first(unsigned int *seen, const struct part *part, const char *verb);

/* Reports that there are too many intervals. Returns -ECANCELED. */
int intervals_tell_too_many(const struct part *part);
/* Returns false if there are no rows to print, or too many rows, which is reported. */
bool intervals_fit(const struct intervals *iv, const struct part *part);

/* ---- output ------------------------------------------------------------------------------- */

bool command_to_stdout(const char *name);
/* Reports that the first operand is not a valid name. what: the kind of name, such as "chart". */
void command_tell_unknown(const char *command, const char *what, const char *given,
			  const char *const *names);
/*
 * Opens an output file. name: the value of --output; NULL or "-" is stdout. Returns NULL if the
 * file cannot be written, which is reported.
 */
FILE *command_open(struct outfile *o, const char *name);
/* Ends the output and reports errors. name: the name of the file; NULL for stdout. */
enum exit_status command_close(FILE *out, const char *name);
/*
 * Ends the output to a file of command_open() and reports errors. If ok is false, or if writing
 * failed, no file is made.
 */
enum exit_status command_end(struct outfile *o, FILE *out, const char *name, bool ok);
/* Returns false, with a message, if the output's name has the extension of another format, such as .png. */
bool command_is_named(const struct options *o, const char *ending);
/*
 * Reports the name and size of the file that was written. Prints nothing for stdout or with
 * --quiet.
 */
void command_wrote(const struct options *o);

/* ---- writing traces ----------------------------------------------------------------- */

struct copy_input {
	const char *file;
	struct copy_options options;
};

/*
 * Copies all parts of the inputs into an open file, which messages call `name`. Reports errors, but no results. Returns
 * false on an error; the copy then contains the records that could be read.
 */
bool copy_to_fd(const struct copy_input *in, size_t n, int fd, const char *name);

/*
 * Joins the files of one recording into one trace or, if files are missing in between, into one trace per run of
 * consecutive files. The result replaces standard input. Messages call the result "FIRST to LAST", after the first and
 * last file. Returns EXIT_USAGE if the files belong to several recordings, which is reported.
 */
enum exit_status joined_stdin(const char *const *file, size_t n, uint64_t memory);

/*
 * Verifies all parts of the input. quiet: prints nothing if there is no error. Returns EXIT_DONE,
 * EXIT_CUT or EXIT_FAILED.
 */
enum exit_status verify_input(struct doc *d, struct input *in, bool quiet);

/* ---- commands ------------------------------------------------------------------------------ */

/* Each list ends with a row without a build function. */
extern const struct report summary_reports[], timeline_reports[], top_reports[], who_reports[],
	counts_reports[], latency_reports[], path_reports[], diff_reports[], accuracy_reports[],
	info_reports[], rules_reports[], verify_reports[];

/* Returns the index of the report that a command shows. */
typedef size_t choose_fn(const struct options *o);
choose_fn summary_choose, timeline_choose, latency_choose, path_choose, info_choose;

/* Returns a message about options that cannot be combined, or NULL. */
typedef const char *wrong_fn(const struct options *o);
wrong_fn summary_wrong, timeline_wrong, latency_wrong, rules_wrong, only_wrong, folded_wrong,
	diff_wrong, who_wrong;

typedef enum exit_status run_fn(const struct options *o);
run_fn counts_run, sql_run, folded_run, flamegraph_run, diff_run, plot_run, html_run, export_run,
	dump_run, verify_run, recover_run, cut_run, scrub_run, bugreport_run, merge_run, rules_run,
	live_run, who_run;

extern const char *const folded_weights[]; /* words of --weight, NULL-terminated */
/* indexes of the words of --of, which selects the samples whose functions are shown */
enum { SAMPLES_NETWORK = 1, SAMPLES_ALL };
extern const char *const samples_of[];

/* listen.c: serves the newest metrics of a trace that is being written, as export openmetrics formats them. */
enum exit_status listen_serve(const struct options *o);
/* The child of netcost-record --ring. argv: the six arguments after --ring. */
int blackbox_main(char **argv);

/* For usage texts. */
void counts_list(FILE *out);
void diff_explain(FILE *out);
void plot_list_charts(FILE *out);
void export_list_formats(FILE *out);

/* Returns the valid first operands of `counts`, NULL-terminated. */
const char *const *counts_names(void);
const char *const *plot_chart_names(void);
const char *const *export_format_names(void);

/* Writes why the first item of a list of --only does not name one thing. r may be NULL. Returns dst. */
char *only_error(char *dst, size_t size, const struct rules *r, const char *list);
/*
 * Reports items of a valid list that select less than the user may expect: a word from the title of a leaf, such as
 * "receive", that is also a category.
 */
void only_explain(const struct rules *r, const char *list);

#endif
