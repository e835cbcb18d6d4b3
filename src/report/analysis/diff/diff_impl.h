/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_impl.h: what the files of diff share. */
#ifndef NETCOST_REPORT_DIFF_IMPL_H
#define NETCOST_REPORT_DIFF_IMPL_H

#include "diff.h"

/* Notes what is different about the two recordings themselves. */
void diff_take_notes(struct diff *d);

/* What was set otherwise. -ENOMEM. */
int diff_take_settings(struct diff *d);

#endif
