/* SPDX-License-Identifier: BSD-2-Clause */
/* breakdown_impl.h: between the files that make rows. */
#ifndef NETCOST_REPORT_BREAKDOWN_IMPL_H
#define NETCOST_REPORT_BREAKDOWN_IMPL_H

#include "breakdown.h"

#define BREAKDOWN_TASK_ROWS 20

/* -ENOMEM. */
int breakdown_make_tasks(struct breakdown *b, size_t n);
int breakdown_sum(struct breakdown_row *sum, const struct breakdown_row *row, size_t n);

#endif
