/* SPDX-License-Identifier: BSD-2-Clause */
/* tail.h: what the slowest packets waited for (record --tail). */
#ifndef NETCOST_REPORT_TAIL_H
#define NETCOST_REPORT_TAIL_H

#include "report/model/model.h"

/* The shares of one hook, the largest first. */
struct tail {
	const struct model_culprit *row[MODEL_CULPRITS];
	size_t n;
	double packets, mean_ns;	 /* NaN: there are none */
	double p99_9_ns;		 /* of all of its packets; NaN: not known */
	double ns;			 /* what the shares are of */
	double before_mean, before_most; /* packets, in their queue; NaN: not known of any */
};

/* From where they were known to be to where they were known to be next. */
struct tail_step {
	enum netcost_latency hook;
	unsigned int from, to; /* enum netcost_latency; from: or MODEL_ENTRY */
	double packets, ns, share_percent;
};

extern const char *const tail_keys[]; /* of enum netcost_culprit; NULL after the last one */

/* The model needs MODEL_LATENCY. */
void tail_of(struct tail *t, const struct model *m, enum netcost_latency hook);
/* Of `from` and `to` in it. Is there any? */
bool tail_step(struct tail_step *s, const struct model *m, enum netcost_latency hook);
/* For people: what it was. Returns buf. */
char *tail_text(char *buf, size_t size, const struct model *m, const struct model_culprit *c);
#define TAIL_TEXT_SIZE 160

#endif
