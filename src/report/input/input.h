/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * input.h: a trace from the command line. A file may hold several traces, one after another: its
 * parts. A command processes each part. Errors are reported on stderr, one line each.
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
	unsigned int number; /* of the current part, from 1 on; 0: none yet */
	char host[sizeof(((struct part *)0)->name)];
	uint64_t memory; /* bytes: see spec.h */
	bool reported;	 /* the reason why reading cannot continue was reported */
	/* the file has several parts, even if the reader has not reached the next one */
	bool several;
};

/* Returns the name of a file for messages: "-" is stdin. */
const char *input_name(const char *file);
/* Sets the name of stdin for messages when another file replaces it; the name must outlive all inputs. */
void input_call_stdin(const char *name);

/* Returns whether a command would overwrite its input, even through a link; reported. what: "trace", "rules file". */
bool input_is_output(const char *in, const char *what, const char *out);

/* memory: the value of --memory. Returns false if it failed: reported, and there is nothing to close. */
bool input_open(struct input *in, const char *file, uint64_t memory);
void input_close(struct input *in);

/*
 * Makes the input readable more than once: copies a pipe to an unnamed file. Its reader cannot be
 * used afterwards. Returns false if it failed; reported.
 */
bool input_make_seekable(struct input *in);

/* Reads HEADER of the next part. Returns 1; 0 after the last part; or an error of trace_reader_next(). */
int input_next(struct input *in, struct trace_record *header);

/* The same for the next part that `select` names: see input_each(). */
int input_next_selected(struct input *in, const char *select, struct trace_record *header);
/* Reports that the file has no such part. Returns false. */
bool input_tell_no_part(const struct input *in, const char *select);

bool input_make_seekable(struct input *in);

/* Describes the part that has been read. select: the value of --part, or NULL. */
struct part input_part(const struct input *in, const char *select);

/*
 * Reports how reading a part ended: err is of trace_reader_next() or model_feed(). Returns true if
 * the part can be used.
 */
bool input_ended(struct input *in, int err, const struct model *m);

/* Processes a part whose HEADER has been read. Returns false if it failed; reported. */
typedef bool input_fn(void *ctx, struct input *in, const struct trace_record *header);
typedef bool input_model_fn(void *ctx, const struct model *m, const struct part *part);

/* A report's requests for a file. */
struct input_wanted {
	const char *file, *select;
	const char *name;	     /* name of the file in messages; NULL: its own */
	const char *rules;	     /* a file; NULL: the built-in rules */
	uint64_t memory;	     /* value of --memory */
	unsigned int keep;	     /* enum model_keep */
	const uint8_t *ask;	     /* types for model_ask(); NULL: none */
	const struct filter *filter; /* NULL: everything */
	/* to fill for each part, which is then read twice; NULL: none */
	struct intervals *intervals;
};

/*
 * Calls fn for each part of a file, or for those that `select` names: a number from 1 on, or the host's name; NULL:
 * all. Returns false if something failed; fn was called for all parts that can be read.
 */
bool input_each(const struct input_wanted *wanted, bool recover, input_fn *fn, void *ctx);

/* The same with a model of each part. */
bool input_each_model(const struct input_wanted *wanted, input_model_fn *fn, void *ctx);

#endif
