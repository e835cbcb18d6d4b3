// SPDX-License-Identifier: BSD-2-Clause
#include "idmend.h"

#include <errno.h>
#include <stdlib.h>

#include <netcost/array.h>
#include <netcost/trace.h>

void idmend_init(struct idmend *d)
{
	*d = (struct idmend){ .next = 1, .out_next = 1 };
}

void idmend_free(struct idmend *d)
{
	free(d->range);
}

bool idmend_may_define(const struct idmend *d, uint64_t first, uint32_t n)
{
	return (first == d->next || (d->open && first > d->next)) && first <= TRACE_MAX_ID &&
	       first + n <= TRACE_MAX_ID;
}

static int add_range(struct idmend *d, uint32_t first, uint32_t n)
{
	struct idmend_range *last = d->nranges ? &d->range[d->nranges - 1] : NULL;

	if (last && last->first + last->n == first && last->out + last->n == d->out_next) {
		last->n += n;
		return 0;
	}
	if (array_reserve(&d->range, &d->size, d->nranges + 1, sizeof(*d->range)))
		return -ENOMEM;
	d->range[d->nranges++] = (struct idmend_range){ first, n, d->out_next };
	return 0;
}

int idmend_define(struct idmend *d, uint32_t first, uint32_t n, bool kept)
{
	int err = kept && n ? add_range(d, first, n) : 0;

	if (err)
		return err;
	d->open = false;
	d->next = first + n;
	d->out_next += kept ? n : 0;
	d->shifted |= d->next != d->out_next;
	return 0;
}

/* The last range that begins at or before id. */
static const struct idmend_range *range_of(const struct idmend *d, uint32_t id)
{
	size_t low = 0, high = d->nranges;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (d->range[middle].first <= id)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &d->range[low - 1] : NULL;
}

enum idmend_found idmend_find(const struct idmend *d, uint64_t id, uint32_t *out)
{
	const struct idmend_range *r;

	*out = 0;
	if (!id)
		return IDMEND_OK;
	if (id >= TRACE_MAX_ID || (id >= d->next && !d->open))
		return IDMEND_UNDEFINED;
	r = range_of(d, (uint32_t)id);
	if (!r || id - r->first >= r->n)
		return IDMEND_LOST;
	*out = r->out + (uint32_t)(id - r->first);
	return IDMEND_OK;
}
