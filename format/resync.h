/* SPDX-License-Identifier: BSD-2-Clause */
/* resync.h: inside the trace library: the next frame, after damage. */
#ifndef NETCOST_RESYNC_H
#define NETCOST_RESYNC_H

#include "reader_impl.h"

/* As reader_read_on(), and if that fails, the next sound frame. */
int reader_recover(struct trace_reader *r, struct trace_record *scratch);

#endif
