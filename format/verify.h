/* SPDX-License-Identifier: BSD-2-Clause */
/* verify.h: inside the trace library: what is in a frame. */
#ifndef NETCOST_VERIFY_H
#define NETCOST_VERIFY_H

#include "reader_impl.h"

/* All of the frame in r->cur is checked before its first record is handed out. */
int reader_verify_frame(struct trace_reader *r, struct trace_record *scratch);

#endif
