/* SPDX-License-Identifier: BSD-2-Clause */
/* writer_pack.h: inside the trace library: values into the frame being filled. */
#ifndef NETCOST_WRITER_PACK_H
#define NETCOST_WRITER_PACK_H

#include "writer_impl.h"

/* Keeps the first failure. */
void writer_fail(struct trace_writer *w, int err);
/* msgpack's way into a buffer: as msgpack_sbuffer_write(), but a failure is kept. data is the writer. */
int writer_body_write(void *data, const char *buf, size_t len);

void pack_int(struct trace_writer *w, int64_t v);
void pack_str(struct trace_writer *w, const char *s);
void pack_u32s(struct trace_writer *w, const uint32_t *v, size_t n);
void pack_i32s(struct trace_writer *w, const int32_t *v, size_t n);

#endif
