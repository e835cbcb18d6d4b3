// SPDX-License-Identifier: BSD-2-Clause
#include "series.h"

#include <netcost/array.h>

int series_grow(struct series *s, size_t n)
{
	size_t had = s->n;
	int err = array_reserve(&s->last, &s->n, n, sizeof(*s->last));

	for (size_t i = had; i < s->n; i++)
		s->last[i] = TRACE_NIL;
	return err;
}

size_t series_of(const struct trace_record *rec, const struct schema_key *k)
{
	bool part = rec->type == TRACE_EXACT_PART;
	uint64_t of;

	if (rec->type != TRACE_EXACT && !part)
		return (size_t)(k - schema_keys);
	of = trace_record_uint(rec, part ? TRACE_EXACT_PART_PART : TRACE_EXACT_EVENT, UINT64_MAX);
	if (of >= (part ? NETCOST_PART_COUNT : NETCOST_EV_COUNT) || k->key >= SERIES_KEYS)
		return SERIES_COUNT;
	return SERIES_MAX_ROWS + (part ? NETCOST_EV_COUNT + of : of) * SERIES_KEYS + k->key;
}
