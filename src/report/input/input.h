/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * input.h: a trace from the command line. A file may hold several traces, one after another: its parts. What is
 * done with a trace is then done with each part. What goes wrong is reported on stderr, in one line.
 */
#ifndef NETCOST_REPORT_INPUT_H
#define NETCOST_REPORT_INPUT_H

#include <stdbool.h>

#include "report/analysis/intervals.h"
#include "report/base/text.h"
#include "report/model/filter.h"
#include "report/model/model.h"

struct input {
	const char *name;
	int fd;
	struct trace_reader *reader;
	unsigned int number; /* of the part that is being read, from 1 on; 0: none yet */
	char host[sizeof(((struct part *)0)->name)];
	uint64_t memory; /* bytes: see spec.h */
	bool reported;	 /* why reading cannot go on */
	bool several; /* the file has several parts, even if the reader has not come to the next one */
};

/* What to call a file in messages: "-" is stdin. */
const char *input_name(const char *file);
/* Something else stands in the place of stdin, and is to be called that; it must outlive all inputs. */
void input_call_stdin(const char *name);

/* Whether a command would overwrite what it reads, even through a link; reported. what: "trace", "rules file". */
bool input_is_output(const char *in, const char *what, const char *out);

/* memory: what --memory says. False: reported, and there is nothing to close. */
bool input_open(struct input *in, const char *file, uint64_t memory);
void input_close(struct input *in);

/* So that it can be read more than once: keeps what comes from a pipe in an unnamed file. The reader is of no use then. False: reported. */
bool input_make_seekable(struct input *in);

/* Reads HEADER of the next part. 1; 0: there are no more parts; or an error of trace_reader_next(). */
int input_next(struct input *in, struct trace_record *header);

/* The same of the next part that `select` names: see input_each(). */
int input_next_selected(struct input *in, const char *select, struct trace_record *header);
/* Reports that the file has no such part. Returns false. */
bool input_tell_no_part(const struct input *in, const char *select);

/* Keeps what comes from a pipe in an unnamed file, to be read more than once. Nothing has been read yet. False: reported. */
bool input_make_seekable(struct input *in);

/* The part that has been read. select: what --part says, or NULL. */
struct part input_part(const struct input *in, const char *select);

/* Reports how reading a part ended: err is of trace_reader_next() or model_feed(). True: it can be used. */
bool input_ended(struct input *in, int err, const struct model *m);

/* Does something with a part, whose HEADER has been read. False: it failed, and that was reported. */
typedef bool input_fn(void *ctx, struct input *in, const struct trace_record *header);
typedef bool input_model_fn(void *ctx, const struct model *m, const struct part *part);

/* What a report wants of a file. */
struct input_wanted {
	const char *file, *select;
	const char *name;	     /* what to call the file; NULL: as it is called */
	const char *rules;	     /* a file, NULL: the built-in ones */
	uint64_t memory;	     /* what --memory says */
	unsigned int keep;	     /* enum model_keep */
	const uint8_t *ask;	     /* types, as model_ask() has them; NULL: none */
	const struct filter *filter; /* NULL: all */
	struct intervals *intervals; /* to fill for each part, which is then read twice; NULL: none */
};

/*
 * Calls fn for each part of a file, or for those that `select` names: a number from 1 on, or the host's
 * name; NULL: all. False: something failed, but fn was called for all parts that can be read.
 */
bool input_each(const struct input_wanted *wanted, bool recover, input_fn *fn, void *ctx);

/* As models. */
bool input_each_model(const struct input_wanted *wanted, input_model_fn *fn, void *ctx);

#endif
