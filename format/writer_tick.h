/* SPDX-License-Identifier: BSD-2-Clause */
/* writer_tick.h: inside the trace library: the records of a tick, one behind the other, and the fields of the last one. */
#ifndef NETCOST_WRITER_TICK_H
#define NETCOST_WRITER_TICK_H

#include "writer_impl.h"

void writer_hold_record(struct trace_writer *w, enum trace_type type, unsigned int nfields);
void writer_hold_uint(struct trace_writer *w, unsigned int key, uint64_t v);
void writer_hold_uints(struct trace_writer *w, unsigned int key, const uint64_t *v, size_t n);
void writer_hold_u32s(struct trace_writer *w, unsigned int key, const uint32_t *v, size_t n);
void writer_hold_column(struct trace_writer *w, unsigned int key, struct trace_column c);
/* Packs them, if there are any. */
void writer_tick_end(struct trace_writer *w);
/* Begins a part: there is no base. */
void writer_ticks_reset(struct trace_writer *w);
void held_free(struct held *h);

#endif
