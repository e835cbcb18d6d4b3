/* SPDX-License-Identifier: BSD-2-Clause */
/* drops.h: packets that the kernel dropped, by reason, on all CPUs that a report is about. */
#ifndef NETCOST_REPORT_DROPS_H
#define NETCOST_REPORT_DROPS_H

#include "report/model/model.h"

struct drops_row {
	const char *reason;
	double packets;
};

struct drops {
	struct drops_row *row; /* most packets first */
	size_t n;
	double packets; /* of all reasons; NaN: not measured */
	double seconds; /* between the first reading and the last; NaN: not measured */
};

/* -ENOMEM: then there is nothing to free. The model must outlive it. */
int drops_make(struct drops *d, const struct model *m);
void drops_free(struct drops *d);

#endif
