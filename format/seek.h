/* SPDX-License-Identifier: BSD-2-Clause */
/* seek.h: internal to the trace library: finds the next frame of a part of the time, by INDEX if INDEX is reliable. */
#ifndef NETCOST_SEEK_H
#define NETCOST_SEEK_H

#include "reader_impl.h"

/* Determines whether INDEX is reliable, and returns to the first byte of the file. */
void seek_begin(struct trace_reader *r, struct trace_record *scratch);
/* Finds the next needed frame by INDEX, if INDEX is reliable. Returns the same as reader_read_on(). */
int seek_next(struct trace_reader *r, struct trace_record *scratch);
/* Returns whether the frame in r->cur is outside the window. If so, removes all records from r->cur. */
bool seek_leaves_out(struct trace_reader *r);

#endif
