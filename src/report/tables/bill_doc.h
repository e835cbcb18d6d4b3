/* SPDX-License-Identifier: BSD-2-Clause */
/* bill_doc.h: what the host's other BPF programs cost. */
#ifndef NETCOST_REPORT_BILL_DOC_H
#define NETCOST_REPORT_BILL_DOC_H

#include "report/analysis/bill.h"
#include "report/base/doc.h"

/* -ENOMEM. People see those on the packets' way that ran, and the others' sum. */
int bill_doc(struct doc *d, const struct summary *s);

#endif
