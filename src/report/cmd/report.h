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
	const char *every;  /* NULL: each tick */
	const char *color;  /* of terminal_colors; NULL: auto */
	bool wide;	    /* text with all columns and digits */
};

/* For all that print reports. */
#define OPT_COLOR                                                                                  \
	OPT_WORD(struct report_options, color, "color", "WHEN", terminal_colors,                   \
		 "colours and bars: where stdout is a terminal that has them (auto), always, "     \
		 "never")

/* Likewise; some tables fit 100 columns also in a file: doc_fit.h. */
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
	const char *csv;   /* the table that --format=csv prints; NULL: a row for each value */
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

/* In that format; NULL: text. csv: the table that CSV prints; NULL: a row for each value. */
struct doc report_begin(const char *format, const char *csv, const struct part *part);
/* Likewise, and as the other options want it. */
struct doc report_begin_as(const struct report_options *o, const char *csv,
			   const struct part *part);

/* Builds the command's report from an empty model, without options: for the schema. -ENOMEM. */
int report_describe(struct doc *d, const struct model *empty, const struct command *c);

extern const char *const report_formats[]; /* text, json, csv */

#endif
