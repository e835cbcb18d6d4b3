// SPDX-License-Identifier: BSD-2-Clause
#include "diff_latency.h"

#include <math.h>

#include "diff_side.h"
#include "report/analysis/latency_history.h"

static struct diff_quantile value_of(const struct diff_side *s, enum netcost_latency hook,
				     enum dist_quantile quantile)
{
	if (!model_is_measured(s->m, NETCOST_OF_LATENCY, hook))
		return (struct diff_quantile){ NAN, NAN, NAN };
	return diff_quantile_of(&s->m->latency[hook].dist, s->latency->bucket[hook], s->latency->n,
				quantile);
}

static void add(struct diff_latency *d, const struct diff_side *before,
		const struct diff_side *after, enum netcost_latency hook,
		enum dist_quantile quantile)
{
	struct diff_latency_row *r = &d->row[d->n];

	*r = (struct diff_latency_row){ .hook = hook, .quantile = quantile };
	r->c.before = value_of(before, hook, quantile);
	r->c.after = value_of(after, hook, quantile);
	diff_quantile_compare(&r->c);
	d->n += !isnan(r->c.before.ns) ||
		!isnan(r->c.after.ns); /* otherwise there are no packets */
}

static bool has(const struct diff_side *s)
{
	return s->latency && model_has_probes(s->m, NETCOST_OF_LATENCY) && model_is_of_all(s->m);
}

int diff_latency_make(struct diff_latency *d, const struct diff_side *before,
		      const struct diff_side *after)
{
	struct diff_quantile_change *all[sizeof(d->row) / sizeof(*d->row)];

	*d = (struct diff_latency){ .there = has(before) && has(after) };
	for (enum netcost_latency h = 0; d->there && h < NETCOST_LATENCY_COUNT; h++)
		for (enum dist_quantile q = 0; q < DIFF_LATENCY_QUANTILES; q++)
			add(d, before, after, h, q);
	for (size_t i = 0; i < d->n; i++)
		all[i] = &d->row[i].c;
	return diff_quantile_correct(all, d->n, &d->tested);
}
