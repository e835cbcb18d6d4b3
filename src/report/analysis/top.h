/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * top.h: functions, by how much of the samples they have: themselves (innermost) and with all that
 * they call. From the counts of stacks: how many samples there are makes no difference.
 */
#ifndef NETCOST_REPORT_TOP_H
#define NETCOST_REPORT_TOP_H

#include <stdint.h>

#include "report/model/model.h"
#include "report/rules/rules.h"

struct top_share {
	uint64_t samples;
	double share, ci95; /* of the samples counted; NaN: there are none */
};

struct top_row {
	const char *name, *module; /* name "": not known; module "": the kernel itself */
	struct top_share self, inclusive;
	/* The category that most of its samples are in, and their share. */
	const struct rules_category *category;
	double category_share;
};

struct top {
	const struct model *m;
	uint64_t samples, of; /* counted, of all */
	struct top_row *row;  /* the largest self first */
	size_t n;	      /* rows */
	size_t functions;     /* that there are */
	uint64_t rest;	      /* own samples of functions that have no row */
};

/* leaves: only stacks of these; n: at most so many rows. Needs MODEL_MODULES. -ENOMEM. */
int top_make(struct top *t, const struct model *m, unsigned int leaves, size_t n);
void top_free(struct top *t);

#endif
