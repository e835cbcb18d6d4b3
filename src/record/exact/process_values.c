// SPDX-License-Identifier: BSD-2-Clause
#include "process_values.h"

#include <linux/types.h> /* the wire structs' __u64 */

#include "bpf/wire.h"

struct values process_values_of(const struct netcost_process_counts *c,
				const struct netcost_pmu *pmu)
{
	struct values to;

#define X(key, event, of, counts) to.v[VALUE_##key] = (int64_t)(counts);
	COLUMNS(X)
#undef X
#define X(key, events, counts) to.v[VALUE_##key] = (int64_t)pmu->counts;
	PMU_COLUMNS(X)
#undef X
	to.v[VALUE_UNCOUNTED] = (int64_t)c->uncounted;
	return to;
}

void values_add(struct values *to, const struct values *more)
{
	for (int i = 0; i < VALUES; i++)
		to->v[i] += more->v[i];
}

void values_take_away(struct values *from, const struct values *less)
{
	for (int i = 0; i < VALUES; i++)
		from->v[i] -= less->v[i];
}

struct values values_difference(const struct values *now, const struct values *before)
{
	struct values d = *now;

	values_take_away(&d, before);
	return d;
}

bool values_is_zero(const struct values *values)
{
	for (int i = 0; i < VALUES; i++)
		if (values->v[i])
			return false;
	return true;
}

bool values_has_less(const struct values *row, const struct values *than)
{
	for (int i = 0; i < VALUES; i++)
		if (than->v[i] > 0 && row->v[i] < than->v[i])
			return true;
	return false;
}
