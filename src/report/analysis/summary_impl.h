/* SPDX-License-Identifier: BSD-2-Clause */
/* summary_impl.h: what the files of the summary share. */
#ifndef NETCOST_REPORT_SUMMARY_IMPL_H
#define NETCOST_REPORT_SUMMARY_IMPL_H

#include "summary.h"

/* Both splits, and how many samples were idle. -ENOMEM: then there is nothing to free. */
int summary_make_split(struct summary *s);

#endif
