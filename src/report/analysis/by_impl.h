/* SPDX-License-Identifier: BSD-2-Clause */
/* by_impl.h: between the files that make rows. */
#ifndef NETCOST_REPORT_BY_IMPL_H
#define NETCOST_REPORT_BY_IMPL_H

#include "by.h"

#define BY_TASK_ROWS 20

/* -ENOMEM. */
int by_make_tasks(struct by *by, size_t n);
int by_sum(struct by_row *sum, const struct by_row *row, size_t n);

#endif
