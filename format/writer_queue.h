/* SPDX-License-Identifier: BSD-2-Clause */
/* writer_queue.h: inside the trace library: keeps what the reader of a pipe does not take at once. */
#ifndef NETCOST_WRITER_QUEUE_H
#define NETCOST_WRITER_QUEUE_H

#include "writer_impl.h"

int writer_queue_put(struct trace_writer *w, const uint8_t *p, size_t n);

#endif
