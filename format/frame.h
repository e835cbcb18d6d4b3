/* SPDX-License-Identifier: BSD-2-Clause */
/* frame.h: inside the trace library: the containers of frames. */
#ifndef NETCOST_FRAME_H
#define NETCOST_FRAME_H

#include "reader_impl.h"

/* 1: a frame of data begins at r->in. */
int reader_next_frame(struct trace_reader *r);
/* 1: all of the frame at r->in has been read, and its content is in r->cur. */
int reader_read_frame(struct trace_reader *r);
/* Tells who watches of the frame at r->in. */
void reader_watch_frame(const struct trace_reader *r, uint64_t size, uint64_t content);

#endif
