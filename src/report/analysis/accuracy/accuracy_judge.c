// SPDX-License-Identifier: BSD-2-Clause
/* What the numbers of `netcost-report accuracy` come to: names, the rate that is enough. */
#include <math.h>

#include "accuracy.h"

/* ---- names ------------------------------------------------------------------------------- */

const char *const accuracy_reason_key[ACCURACY_REASONS] = {
	[ACCURACY_PAUSED] = "paused",
	[ACCURACY_NO_TIME] = "no_time",
	[ACCURACY_SHORT] = "short",
	[ACCURACY_NOT_TIME] = "samples_not_of_time",
	[ACCURACY_NONE_DUE] = "no_sample_due",
	[ACCURACY_NONE_TAKEN] = "no_sample_taken",
};

const char *const accuracy_reason_title[ACCURACY_REASONS] = {
	[ACCURACY_PAUSED] = "in which exact counting was paused, to keep to the budget",
	[ACCURACY_NO_TIME] = "of CPUs that were offline, or whose time is not known",
	[ACCURACY_SHORT] = "less than half as long as the others",
	[ACCURACY_NOT_TIME] =
		"whose samples do not tell of time, being cycles, or of the network only",
	[ACCURACY_NONE_DUE] = "in which no sample was due",
	[ACCURACY_NONE_TAKEN] = "without a sample where some would be expected",
};

const char *accuracy_key(unsigned int item)
{
	return item < ACCURACY_OWN ? leaf_desc[item].key :
				     model_part_key((item - ACCURACY_OWN) % NETCOST_PART_COUNT);
}

const char *accuracy_title(unsigned int item)
{
	return item < ACCURACY_OWN ? leaf_desc[item].title :
				     model_part_title((item - ACCURACY_OWN) % NETCOST_PART_COUNT);
}

const char *accuracy_kind(unsigned int item)
{
	return item < ACCURACY_OWN ? "event" : item < ACCURACY_WITH_ALL ? "part" : "part_with_all";
}

double accuracy_hz(const struct accuracy *a, unsigned int factor)
{
	return (double)a->m->header.sample_hz / decimate_factor[factor];
}

/* ---- which rate is enough ---------------------------------------------------------------- */

double accuracy_theory(const struct accuracy_stat *s)
{
	return s->pairs.n ? sqrt(s->variance / (double)s->pairs.n) : NAN;
}

/* Of the full rate's values, if not exact. */
static double theory_full(const struct accuracy_item *item)
{
	return item->bins ? sqrt(item->variance / (double)item->bins) : NAN;
}

#define MAIN_SHARE 0.001 /* of CPU time */

bool accuracy_is_main(const struct accuracy *a, unsigned int item)
{
	const struct accuracy_item *i = &a->item[item];

	return item < ACCURACY_OWN && item != LEAF_TASK && i->rate && i->exact && i->bins &&
	       (i->whole.exact >= MAIN_SHARE || i->whole.sampled >= MAIN_SHARE);
}

#define ENOUGH_SHARE 0.95

static bool is_enough(const struct accuracy_stat *s)
{
	return (double)s->within >= ENOUGH_SHARE * (double)s->judged;
}

static double enough_by_theory(const struct accuracy *a, const struct accuracy_item *item)
{
	double ratio = STATS_Z95 * theory_full(item) / a->precision;
	double hz = (double)a->m->header.sample_hz * ratio * ratio;

	if (!item->exact)
		return hz;
	return ratio > 1 && fabs(stats_bias(&item->rate[0].pairs)) <= a->precision ? hz : NAN;
}

struct accuracy_enough accuracy_enough(const struct accuracy *a, unsigned int which)
{
	const struct accuracy_item *item = &a->item[which];
	struct accuracy_enough e = { .hz = NAN, .by_theory = NAN };

	if (!item->rate)
		return e;
	for (unsigned int f = item->exact ? 0 : 1;
	     f < DECIMATE_FACTORS && item->rate[f].judged && is_enough(&item->rate[f]); f++)
		e.hz = accuracy_hz(a, f);
	if (isnan(e.hz))
		e.by_theory = enough_by_theory(a, item);
	return e;
}

/* A rate that is not known, or that no rate is enough, counts as more than any rate. */
static bool asks_for_more(const struct accuracy_enough *a, const struct accuracy_enough *than)
{
	if (isnan(a->hz) != isnan(than->hz))
		return isnan(a->hz);
	if (!isnan(a->hz))
		return a->hz > than->hz;
	return !isnan(than->by_theory) && !(a->by_theory <= than->by_theory);
}

bool accuracy_is_asked_for(const struct accuracy *a, unsigned int item)
{
	const struct accuracy_item *i = &a->item[item];

	for (unsigned int k = 0; k < ACCURACY_OWN; k++)
		if (accuracy_is_main(a, k))
			return accuracy_is_main(a, item);
	return item < ACCURACY_OWN && i->rate && i->seen && i->bins;
}

struct accuracy_enough accuracy_enough_all(const struct accuracy *a, unsigned int *which)
{
	struct accuracy_enough all = { .hz = NAN, .by_theory = NAN };

	*which = ACCURACY_ITEMS;
	for (unsigned int i = 0; i < ACCURACY_OWN; i++) {
		struct accuracy_enough e;

		if (!accuracy_is_asked_for(a, i))
			continue;
		e = accuracy_enough(a, i);
		if (*which < ACCURACY_ITEMS && !asks_for_more(&e, &all))
			continue;
		all = e;
		*which = i;
	}
	return all;
}
