/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * window.h: the input as a file that can be read more than once, and a part of its time as a trace
 * of its own. Unnamed files hold what is needed for that. What goes wrong is told.
 */
#ifndef NETCOST_REPORT_WINDOW_H
#define NETCOST_REPORT_WINDOW_H

#include "input.h"
#include "report/rewrite/cut.h"

/* What comes from a pipe is kept in an unnamed file. The reader is of no use then. */
bool window_make_seekable(struct input *in);

/*
 * The window of a part, as cut makes it. Returns a file of one part, to be closed, and what its times
 * are to be said from; or -1.
 */
int window_cut(struct input *in, unsigned int part, const struct time_arg *from,
	       const struct time_arg *to, uint64_t *origin_ns);

#endif
