/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * input.h: a trace that is given on the command line. A file may contain several traces one after another. These traces
 * are called the parts of the file. A command processes each part. Errors are reported on stderr, one line each.
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
	unsigned int number; /* number of the current part, from 1 on; 0: no part has been read */
	char host[sizeof(((struct part *)0)->name)];
	uint64_t memory; /* limit in bytes, see spec.h */
	bool reported;	 /* the reason why reading cannot continue was already reported */
	/* The file has several parts, even if the reader has not reached the next one. */
	bool several;
};

/* Returns the name of a file for messages. "-" means stdin. */
const char *input_name(const char *file);
/* Sets the name of stdin for messages, for use when another file replaces stdin. The name must outlive all inputs. */
void input_call_stdin(const char *name);

/*
 * Returns true if a command would overwrite its input, even through a link. If so, an error is reported. `what` is the
 * kind of input: "trace" or "rules file".
 */
bool input_is_output(const char *in, const char *what, const char *out);

/*
 * Opens a file. `memory` is the value of --memory. On an error, the function reports it and returns false, and there is
 * nothing to close.
 */
bool input_open(struct input *in, const char *file, uint64_t memory);
void input_close(struct input *in);

/*
 * Makes it possible to read the input more than once. A pipe is copied to an unnamed file. The input's previous reader
 * cannot be used afterwards. If this fails, the function reports an error and returns false.
 */
bool input_make_seekable(struct input *in);

/* Reads the HEADER of the next part that `select` names: see input_each(). Same results as input_next(). */
int input_next_selected(struct input *in, const char *select, struct trace_record *header);
/* Reports that the file does not have the part that `select` names. Returns false. */
bool input_tell_no_part(const struct input *in, const char *select);

bool input_make_seekable(struct input *in);

/* Describes the part that has been read. `select` is the value of --part, or NULL. */
struct part input_part(const struct input *in, const char *select);

/*
 * Reports how the reading of a part ended. `err` is the result of trace_reader_next() or model_feed(). Returns true if
 * the part can be used.
 */
bool input_ended(struct input *in, int err, const struct model *m);

/* Processes a part whose HEADER has been read. Reports errors, and returns false if there was an error. */
typedef bool input_fn(void *ctx, struct input *in, const struct trace_record *header);
typedef bool input_model_fn(void *ctx, const struct model *m, const struct part *part);

/* The data that a report requests from a file. */
struct input_wanted {
	const char *file, *select;
	const char *name;	     /* name of the file in messages; NULL: the file's own name */
	const char *rules;	     /* name of a rules file; NULL: the built-in rules */
	uint64_t memory;	     /* value of --memory */
	unsigned int keep;	     /* enum model_keep */
	const uint8_t *ask;	     /* types for model_ask(); NULL: no types */
	const struct filter *filter; /* NULL: no filter */
	/* Intervals to be filled for each part, which is then read twice. NULL: no intervals. */
	struct intervals *intervals;
};

/*
 * Calls fn for each part of a file that `select` names. `select` is a number from 1 on, or the name of a host; NULL
 * means all parts. Returns false if there was an error. Even in this case, fn was called for all parts that can be
 * read.
 */
bool input_each(const struct input_wanted *wanted, bool recover, input_fn *fn, void *ctx);

/* Calls fn with a model of each part, like input_each(). */
bool input_each_model(const struct input_wanted *wanted, input_model_fn *fn, void *ctx);

#endif
