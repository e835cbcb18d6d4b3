/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * command.h: the commands of netcost-report. main.c has the table of commands and the table of options, and does what is the
 * same for all: parsing, usage, checks. A command that shows reports has rows of struct report; others have a function.
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
	EXIT_CUT = 3,	/* verify: only the end is missing */
	EXIT_WORSE = 4, /* diff: something costs more than --fail-above allows */
};

#define OPTION_UNSET UINT64_MAX

/* Number of a word in the list that an option takes, from 1 on; 0: the option was not given. */
typedef unsigned int option_word;

/* Values of options. NULL, 0 or false: not given, unless noted. */
struct options {
	const char *file; /* the first operand that names one, or the default */
	const char *const *operand;
	size_t noperands;

	uint64_t memory; /* bytes for names and ids; 0: the usual */
	const char *part;
	const char *rules;    /* NULL: the built-in ones */
	struct filter filter; /* the time range, CPUs, tasks, cgroup; and what is taken as known */
	const char *output, *table; /* table: that CSV prints, or REPORT_ALL; NULL: the main one */
	uint64_t every_ns;	    /* 0: each tick */
	unsigned long rows;
	option_word format, by, sort, per, weight, histogram, of;
	const char *color, *latency, *ddl;
	const char *by_names, *sort_name; /* of counts */
	const uint8_t *ask; /* no option: what models are asked for, see model_ask() */
	const char *host, *keep, *only;
	uint64_t precision, fail_above; /* millionths; OPTION_UNSET: not given */
	bool wide, full, all, all_cpus, other, tail, context, no_pager;
	bool per_cpu, idle, no_idle, icicle, no_charts, script, zstd;
	bool samples, recover, quiet;
};

/* From 0 on: the first word, if none was given. */
unsigned int word_index(option_word word);
/* Are only some CPUs, tasks or cgroups selected? */
bool options_select(const struct options *o);

/* ---- reports ------------------------------------------------------------------------------ */

enum report_format { REPORT_TEXT = 1, REPORT_JSON, REPORT_CSV };
extern const char *const report_formats[]; /* in this order */

#define REPORT_ALL "all" /* --table: CSV has a row for each value */

/* What a report collects while the trace is read, beside the model. */
enum collect {
	COLLECT_NOTHING,
	COLLECT_BINS,
	COLLECT_LATENCY, /* merged, of one hook, in pieces of time */
	COLLECT_LATENCY_TIMES,
	COLLECT_LATENCY_BY_TIMES,
	COLLECT_LATENCY_MAP,
	COLLECT_PROCESS_TIMES,
	COLLECT_TAIL,
	COLLECT_VIEW, /* with --every: in pieces of time */
};

union collected {
	struct accuracy_bins bins;
	struct latency_times latency_times;
	struct latency_history latency_map;
	struct process_times process_times;
	struct tail_seen tail;
	struct view_times view_times;
};

/* The intervals call what is set as their watch; the options are those of the command. NULL: no memory. */
union collected *collected_new(enum collect what, const struct options *o, struct intervals *iv);
void collected_free(enum collect what, union collected *c); /* takes NULL */

/* What is printed of one part. */
struct report_part {
	const struct model *m;
	const struct part *part;
	const struct intervals
		*intervals; /* without ticks if the report is not about pieces of time */
	const struct options *options;
	const union collected *collected;
};

struct report {
	const char *name; /* in the schema; NULL: another report has the same form */
	/* 0; -ENOMEM; -ECANCELED: there is no report of that part, and that was reported. */
	int (*build)(struct doc *d, const struct report_part *p);
	/* Why the trace has no data for the report (info_doc.h), in buf; NULL: it has. Without these functions every trace has. */
	const char *(*lacks)(const struct model *m, char *buf);
	const char *(*lacks_for)(const struct model *m, const struct options *o, char *buf);
	const char *csv;   /* the main table, which CSV prints without --table; NULL: REPORT_ALL */
	unsigned int keep; /* enum model_keep */
	option_word by;	   /* --by in the schema */
	bool intervals;	   /* it is about pieces of time: --every */
	bool by_samples;   /* what another command prints, and this one if there are only samples */
	size_t rows; /* without --every text has at most this many pieces, an even number; 0: one for each tick */
	bool verbatim; /* its text is for programs, too: the same on a terminal */
	enum collect collect;
	bool (*exists)(const struct report *r); /* NULL: it does */
};

/* The view of `counts` that the options ask for, and its rows. False: err, of VIEW_WRONG bytes, says what is wrong. */
#define VIEW_WRONG 1024
bool options_view(const struct options *o, struct view *v, struct view_order *order, char *err);

enum exit_status report_run(const struct report *r, const struct options *o);

/*
 * For commands that run a report themselves: the table that CSV prints, "" for all values. EXIT_USAGE: the report, built
 * from an empty model with these options, has no table --table, which is reported with a list of its tables.
 */
enum exit_status report_table(const struct report *r, const struct options *o,
			      char path[JSON_PATH]);
/* A document in the format that the options name, and as wide and coloured as they say unless the report is verbatim. */
struct doc report_begin(const struct report *r, const struct options *o, const char *table,
			const struct part *part);
/* False: the trace lacks the table --table; reported. */
bool report_end(struct doc *d, const struct options *o);

/* Builds the report from an empty model, without options: for the schema. -ENOMEM. */
int report_describe(struct doc *d, const struct model *empty, const struct report *r);

/* ---- models ------------------------------------------------------------------------------- */

/*
 * Calls fn with the model of each part of the file that the options select. keep: enum model_keep; intervals: to fill, or
 * NULL.
 */
enum exit_status models_each(const struct options *o, const char *file, unsigned int keep,
			     struct intervals *intervals, input_model_fn *fn, void *ctx);

/* Calls fn with the model of no trace, for what is known of a report without one. EXIT_FAILED: no memory; reported. */
enum exit_status models_empty(enum exit_status (*fn)(void *ctx, const struct model *empty),
			      void *ctx);

/* For commands that show one trace: is this part the first one? Counts parts in *seen; reports that there are more. */
bool models_is_first(unsigned int *seen, const struct part *part, const char *verb);

/* -ECANCELED, which is returned, after a message. */
int intervals_tell_too_many(const struct part *part);
/* False: there are no rows to print, or too many; reported. */
bool intervals_fit(const struct intervals *iv, const struct part *part);

/* ---- output ------------------------------------------------------------------------------- */

bool command_to_stdout(const char *name);
/* Reports that the first operand is none of the names. what: what they are, such as "chart". */
void command_tell_unknown(const char *command, const char *what, const char *given,
			  const char *const *names);
/* name: what --output says; NULL, "-": stdout. NULL: it cannot be written, and that was reported. */
FILE *command_open(struct outfile *o, const char *name);
/* Ends the output and reports what went wrong. name: of the file, NULL for stdout. */
enum exit_status command_close(FILE *out, const char *name);
/* The same for what command_open() opened. If not ok, or not written in full, there is no new file. */
enum exit_status command_end(struct outfile *o, FILE *out, const char *name, bool ok);

/* ---- traces that are written --------------------------------------------------------------- */

struct copy_input {
	const char *file;
	struct copy_options options;
};

/*
 * Copies all parts of the inputs into an open file, called name in messages. What goes wrong is reported, what was done is
 * not. False: something failed; what can be saved is.
 */
bool copy_to_fd(const struct copy_input *in, size_t n, int fd, const char *name);

/*
 * Makes one trace of files of one recording, or one for each run of them where files are missing, and puts it in the place of
 * standard input, under the names of the first and the last. EXIT_USAGE: they are of several recordings; reported.
 */
enum exit_status joined_stdin(const char *const *file, size_t n, uint64_t memory);

/* All parts of the input. quiet: nothing if all is right. EXIT_DONE, EXIT_CUT, EXIT_FAILED. */
enum exit_status verify_input(struct doc *d, struct input *in, bool quiet);

/* ---- commands ------------------------------------------------------------------------------ */

/* Rows end with one that has no build function. */
extern const struct report summary_reports[], timeline_reports[], top_reports[], who_reports[],
	counts_reports[], latency_reports[], path_reports[], diff_reports[], accuracy_reports[],
	info_reports[], rules_reports[], verify_reports[];

/* Which of its reports a command shows. */
typedef size_t choose_fn(const struct options *o);
choose_fn summary_choose, timeline_choose, latency_choose, path_choose, info_choose;

/* Which options do not go together, in words; NULL: they do. */
typedef const char *wrong_fn(const struct options *o);
wrong_fn summary_wrong, timeline_wrong, latency_wrong, rules_wrong, folded_wrong, diff_wrong;

typedef enum exit_status run_fn(const struct options *o);
run_fn counts_run, folded_run, flamegraph_run, diff_run, plot_run, html_run, export_run, dump_run,
	verify_run, recover_run, cut_run, scrub_run, bugreport_run, merge_run, rules_run;

extern const char *const folded_weights[]; /* --weight; the last one is NULL */
/* --of: which samples functions are of */
enum { SAMPLES_NETWORK = 1, SAMPLES_ALL };
extern const char *const samples_of[];

/* For usage texts. */
void counts_list(FILE *out);
void plot_list_charts(FILE *out);
void export_list_formats(FILE *out);

/* What the first operand can be; the last one is NULL. */
const char *const *counts_names(void);
const char *const *plot_chart_names(void);
const char *const *export_format_names(void);

#endif
