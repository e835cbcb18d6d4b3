/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scrub.h: what is private in a trace, and what stands for it. Which key is private the
 * registry says. The same name has the same pseudonym in all of a file, of whatever part.
 */
#ifndef NETCOST_REPORT_SCRUB_H
#define NETCOST_REPORT_SCRUB_H

#include <netcost/trace.h>

#include "scrub_class.h"

struct scrub;

/* keep: classes that stay as they are. NULL: no memory. */
struct scrub *scrub_new(unsigned int keep, unsigned long memory);
void scrub_free(struct scrub *s); /* takes NULL */

/* A copy_edit_fn: ctx is a struct scrub. What the record then points to lives until the next call. */
int scrub_edit(void *ctx, struct trace_record *rec);

#endif
