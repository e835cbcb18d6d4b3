/* SPDX-License-Identifier: BSD-2-Clause */
/* sequential.h: inside the trace library: the next frame. */
#ifndef NETCOST_SEQUENTIAL_H
#define NETCOST_SEQUENTIAL_H

#include "reader_impl.h"

/*
 * 1: the frame at r->frame is sound, and the next to be handed out. 0 without a problem: so it is, but
 * of the next part.
 */
int reader_try_frame(struct trace_reader *r, struct trace_record *scratch);
/* The same of the next frame of data. */
int reader_read_on(struct trace_reader *r, struct trace_record *scratch);

#endif
