/* SPDX-License-Identifier: BSD-2-Clause */
/* seek.h: inside the trace library: the next frame of a part of the time, by INDEX if that can be relied on. */
#ifndef NETCOST_SEEK_H
#define NETCOST_SEEK_H

#include "reader_impl.h"

/* Finds out whether INDEX can be relied on. Begins at the file's first byte again. */
void seek_begin(struct trace_reader *r, struct trace_record *scratch);
/* If it can: as reader_read_on(), the next frame that is wanted. */
int seek_next(struct trace_reader *r, struct trace_record *scratch);
/* The frame in r->cur is not in the window: it is empty now. */
bool seek_leaves_out(struct trace_reader *r);

#endif
