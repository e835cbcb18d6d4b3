/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * input.h: a trace from the command line. A file may hold several, one behind the other: those that read
 * one are called for each of its parts. What goes wrong is told on stderr, in one line.
 */
#ifndef NETCOST_REPORT_INPUT_H
#define NETCOST_REPORT_INPUT_H

#include <stdbool.h>

#include "report/analysis/intervals.h"
#include "report/base/part.h"
#include "report/model/filter.h"
#include "report/model/model.h"

struct input {
	const char *name;
	int fd;
	struct trace_reader *reader;
	unsigned int number; /* of the part that is being read, from 1 on; 0: none yet */
	char host[sizeof(((struct part *)0)->name)];
	bool told;    /* why reading cannot go on */
	bool several; /* parts are in the file, whatever the reader has seen of it */
};

/* What to call a file in messages: "-" is stdin. */
const char *input_name(const char *file);

/* False: told, nothing to close. */
bool input_open(struct input *in, const char *file);
void input_close(struct input *in);

/* Reads HEADER of the next part. 1; 0: there is no other part; or an error of trace_reader_next(). */
int input_next(struct input *in, struct trace_record *header);

/* Whether that part is the one that is asked for: see input_each(). */
bool input_is_selected(const struct input *in, const char *select);

/* The part that has been read. select: what --part says, or NULL. */
struct part input_part(const struct input *in, const char *select);

/* Tells how reading a part ended: err from trace_reader_next() or model_feed(). True: there is a report. */
bool input_ended(struct input *in, int err, const struct model *m);

/* What is made of a part: false: it failed, and that was told. The HEADER has been read. */
typedef bool input_fn(void *ctx, struct input *in, const struct trace_record *header);
typedef bool input_model_fn(void *ctx, const struct model *m, const struct part *part);

/*
 * Calls fn for each part of a file, or for those that `select` names: a number from 1 on, or the host's
 * name; NULL: all. False: something failed; all parts that can be reported on have been.
 */
bool input_each(const char *file, const char *select, bool recover, input_fn *fn, void *ctx);

/* What a report wants of a file. */
struct input_wanted {
	const char *file, *select;
	const char *rules;	     /* a file, NULL: the built-in ones */
	unsigned int keep;	     /* enum model_keep */
	const struct filter *filter; /* NULL: all */
	struct intervals *intervals; /* to fill, part by part: each is read twice then; NULL: none */
};

/* As models. */
bool input_each_model(const struct input_wanted *wanted, input_model_fn *fn, void *ctx);

#endif
