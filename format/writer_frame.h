/* SPDX-License-Identifier: BSD-2-Clause */
/* writer_frame.h: inside the trace library: frames into the file. */
#ifndef NETCOST_WRITER_FRAME_H
#define NETCOST_WRITER_FRAME_H

#include "writer_impl.h"

/* Begins a frame. */
void writer_frame_reset(struct trace_writer *w);
/* Of data, in this part so far: without the magic. */
size_t writer_frames(const struct trace_writer *w);
/* Bytes that are no frame of data. 0, or an error, which is kept. */
int writer_emit(struct trace_writer *w, const uint8_t *p, size_t n);

#endif
