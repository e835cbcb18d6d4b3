/* SPDX-License-Identifier: BSD-2-Clause */
/* window.h: inside the trace library: the next frame of a part of the time. */
#ifndef NETCOST_WINDOW_H
#define NETCOST_WINDOW_H

#include "reader_impl.h"

/* Finds out whether INDEX can be relied on. Begins at the file's first byte again. */
void window_begin(struct trace_reader *r, struct trace_record *scratch);
/* If it can: as reader_read_on(), the next frame that is wanted. */
int window_next(struct trace_reader *r, struct trace_record *scratch);
/* The frame in r->cur is not in the window: it is empty now, and its base known. Or an error: none is. */
bool window_leaves_out(struct trace_reader *r, struct trace_record *scratch);

#endif
