/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report.h: what commands that report on traces have in common: the filter, pieces of time, the format. A command
 * builds a document; text, JSON and CSV are made from that.
 */
#ifndef NETCOST_REPORT_REPORT_H
#define NETCOST_REPORT_REPORT_H

#include "command.h"
#include "report/analysis/intervals.h"
#include "report/base/doc.h"
#include "report/model/model.h"

/* The first member of the options of these commands. */
struct report_options {
	struct trace_options trace;
	const char *format; /* NULL: text */
	const char *table;  /* that CSV prints, or REPORT_ALL; NULL: the main one */
	const char *every;  /* NULL: each tick */
	const char *color;  /* of terminal_colors; NULL: auto */
	bool wide;	    /* text with all columns and digits */
};

#define REPORT_ALL "all" /* tables: CSV has a row for each value */

/* For all that print reports. main() refuses --table without --format=csv. */
#define OPT_FORMAT                                                                                 \
	OPT_WORD(struct report_options, format, "format", NULL, report_formats,                    \
		 "output format (text)"),                                                          \
		OPT_TEXT(struct report_options, table, "table", "NAME",                            \
			 "with --format=csv: print the table of this JSON key instead of the "     \
			 "main one, or all values, one per row (all)")
#define OPT_COLOR                                                                                  \
	OPT_WORD(struct report_options, color, "color", "WHEN", terminal_colors,                   \
		 "colours and bars: where stdout is a terminal that has them (auto), always, "     \
		 "never")

/* Likewise; some tables fit 100 columns also in a file: doc_fitted(). */
#define OPT_WIDE(help_) OPT_SWITCH(struct report_options, wide, "wide", help_)

/* What is printed of one part. */
struct report_part {
	const struct model *m;
	const struct part *part;
	const struct intervals *intervals;    /* NULL: not asked for */
	const struct report_options *options; /* the first member of the command's own */
	const void *ctx;
};

struct report {
	/* 0; -ENOMEM; -ECANCELED: there is no report of that part, and that was reported. */
	int (*build)(struct doc *d, const struct report_part *p);
	/* Why the trace has no data for the report (lacks.h), in buf; NULL: it has. Without this function every trace has. */
	const char *(*lacks)(const struct model *m, const struct report_options *o, char *buf);
	const char *csv;   /* the main table, which CSV prints without --table; NULL: REPORT_ALL */
	unsigned int keep; /* enum model_keep */
	bool intervals;	   /* it is about pieces of time: --every */
	bool verbatim;	   /* its text is for programs, too: the same on a terminal */
	/* Of the intervals; NULL: none. With a second one the trace is read twice also if it is about all of the time. */
	const struct intervals_watch *watch, *second;
	bool window_ticks; /* pieces begin and end with these, too: see intervals.h */
	const void *ctx;
};

/* cfg: the first member of struct report_options. */
enum exit_status report_run(const struct report *r, const struct config *cfg);

/*
 * For commands that run a report themselves: the table that CSV prints, "" for all values. EXIT_USAGE: the report, built
 * from an empty model with these options, has no table --table, which is reported with a list of its tables.
 */
enum exit_status report_table(const struct report *r, const struct report_options *o,
			      char path[JSON_PATH]);
/* A document in the format that the options name, and as wide and coloured as they say unless the report is verbatim. */
struct doc report_begin(const struct report *r, const struct report_options *o, const char *table,
			const struct part *part);
/* False: the trace lacks the table --table; reported. */
bool report_end(struct doc *d, const struct report_options *o);

/* Builds the command's report from an empty model, without options: for the schema. -ENOMEM. */
int report_describe(struct doc *d, const struct model *empty, const struct command *c);

extern const char *const report_formats[]; /* text, json, csv */

#endif
