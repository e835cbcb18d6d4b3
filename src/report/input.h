/* SPDX-License-Identifier: BSD-2-Clause */
/* input.h: a trace from the command line. What goes wrong is told on stderr, in one line. */
#ifndef NETCOST_REPORT_INPUT_H
#define NETCOST_REPORT_INPUT_H

#include <stdbool.h>

#include "model.h"

struct input {
	const char *name;
	int fd;
	struct trace_reader *reader;
};

/* What to call a file in messages: "-" is stdin. */
const char *input_name(const char *file);

/* False: told, nothing to close. */
bool input_open(struct input *in, const char *file);
void input_close(struct input *in);

/* Tells how reading ended: err from trace_reader_next() or model_feed(). True: there is a report. */
bool input_ended(const struct input *in, int err, const struct model *m);

/* All of a trace as a model. keep: enum model_keep. NULL: told. */
struct model *input_model(const char *file, unsigned int keep);

/* One line on stderr: FILE: what. */
__attribute__((format(printf, 2, 3))) void input_tell(const char *file, const char *fmt, ...);

#endif
