/* SPDX-License-Identifier: BSD-2-Clause */
/* reader_tick.h: inside the trace library: ticks that are differences from a base. */
#ifndef NETCOST_READER_TICK_H
#define NETCOST_READER_TICK_H

#include "reader_impl.h"

void reader_ticks_free(struct reader_tick *t);
void reader_ticks_reset(struct reader_tick *t); /* another part */
void reader_ticks_frame(struct reader_tick *t); /* another frame */
/* 1: rec is to be handed out before the next one of the file. 0: none is, or an error. */
int reader_tick_due(struct trace_reader *r, struct trace_record *rec);
/* Of the record that has been read from r->cur, where it began. 1: it is to be handed out as it is now. */
int reader_tick_take(struct trace_reader *r, struct trace_record *rec, const uint8_t *object);
/* Takes in the base of a frame that is not handed out. 0, or an error. */
int reader_tick_skim(struct trace_reader *r, struct trace_record *scratch);

#endif
