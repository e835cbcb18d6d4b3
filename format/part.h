/* SPDX-License-Identifier: BSD-2-Clause */
/* part.h: inside the trace library: several traces in a file. */
#ifndef NETCOST_PART_H
#define NETCOST_PART_H

#include "reader_impl.h"

/* Whether the frame in r->cur ends this part, by beginning another one. */
bool reader_part_begins(const struct trace_reader *r);
/* Verifies it, and keeps it for trace_reader_part(). 0, or an error; a problem is one of this part. */
int reader_begin_part(struct trace_reader *r, struct trace_record *scratch);

#endif
