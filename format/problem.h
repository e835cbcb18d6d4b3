/* SPDX-License-Identifier: BSD-2-Clause */
/* problem.h: inside the trace library: what is wrong with a trace, in its status. */
#ifndef NETCOST_PROBLEM_H
#define NETCOST_PROBLEM_H

#include "reader_impl.h"

/* The first one of a part is what its status names. Returns err. */
__attribute__((format(printf, 4, 5))) int
reader_problem(struct trace_reader *r, enum trace_problem p, int err, const char *fmt, ...);
int reader_cut(struct trace_reader *r);
int reader_damaged(struct trace_reader *r, const char *what);
/* An offence of a record in a sound frame. */
int reader_broken(struct trace_reader *r, const char *what);
int reader_no_memory(struct trace_reader *r);
void reader_set_problem(struct trace_reader *r, const struct trace_status *offence);
/* Frames are missing between two that are sound. */
void reader_gap(struct trace_reader *r, const char *what);

#endif
