/* SPDX-License-Identifier: BSD-2-Clause */
/* writer_record.h: inside the trace library: records of any type. */
#ifndef NETCOST_WRITER_RECORD_H
#define NETCOST_WRITER_RECORD_H

#include "writer_impl.h"

/* Begins a record of any type, FRAME and END too. */
void writer_begin(struct trace_writer *w, enum trace_type type, unsigned int nfields);

#endif
