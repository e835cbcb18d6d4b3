/* SPDX-License-Identifier: BSD-2-Clause */
/* bytes.h: inside the trace library: the bytes of the file. */
#ifndef NETCOST_BYTES_H
#define NETCOST_BYTES_H

#include "reader_impl.h"

#define READ_CHUNK (64u << 10)

/* At least n bytes buffered? 1, 0 at the end of the file. */
int reader_want(struct trace_reader *r, size_t n);
void reader_consume(struct trace_reader *r, size_t n);
/* Goes on at that place of the file. False: there is no way there. */
bool reader_go_to(struct trace_reader *r, uint64_t offset);

#endif
