/* SPDX-License-Identifier: BSD-2-Clause */
/* pprof_write.h: a profile as bytes, in gzip. */
#ifndef NETCOST_REPORT_PPROF_WRITE_H
#define NETCOST_REPORT_PPROF_WRITE_H

#include "sample_counts.h"
#include "report/analysis/functions.h"
#include "weights.h"

/* What a profile is of. */
struct pprof_profile {
	const struct model *m;
	const struct functions *functions;
	const struct sample_count *count; /* n of them */
	size_t n;
	struct weights *weights; /* complete */
	bool idle;		 /* with idle time */
	uint64_t begin_real_ns;	 /* 0: not known */
	double seconds;		 /* NaN: likewise */
};

/* -ENOMEM; errors of out stay with out. */
int pprof_write(FILE *out, const struct pprof_profile *p);

#endif
