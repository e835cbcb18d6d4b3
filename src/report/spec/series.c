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

size_t series_of(const struct trace_record *rec, const struct trace_key_desc *k)
{
	const struct trace_key_desc *first = trace_key_desc(rec->type, 1);
	uint64_t about = 0;

	if (first->known)
		about = trace_record_about(rec);
	if (first->known && about >= first->known)
		return SERIES_COUNT;
	if (first->flags & TRACE_KEY_ABOUT && first->kind == TRACE_UINT && first->ids)
		return SERIES_COUNT; /* there may be any number of these */
	return trace_key_row(k) * TRACE_KNOWN_MAX + (size_t)about;
}
