/* SPDX-License-Identifier: BSD-2-Clause */
/* firefox_write.h: a "processed profile" as JSON: of the first versions that can weigh samples, which newer ones read. */
#ifndef NETCOST_REPORT_FIREFOX_WRITE_H
#define NETCOST_REPORT_FIREFOX_WRITE_H

#include "report/analysis/functions.h"
#include "sample_counts.h"
#include "weights.h"

struct firefox_profile {
	const struct model *m;
	const struct intervals *iv;
	const struct functions *functions;
	const struct sample_counts *counts; /* by CPU, then piece */
	const struct sample_apart *apart;   /* how long pieces are */
	struct weights *weights;	    /* complete */
	bool idle;			    /* with idle time */
};

/* -ENOMEM; errors of out stay with out. */
int firefox_write(FILE *out, const struct firefox_profile *p);

#endif
