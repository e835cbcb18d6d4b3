// SPDX-License-Identifier: BSD-2-Clause
#include "drops.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "known.h"
#include "report/model/filter.h"

static int by_reason(const void *a, const void *b)
{
	return strcmp(((const struct drops_row *)a)->reason, ((const struct drops_row *)b)->reason);
}

static int by_packets(const void *a, const void *b)
{
	const struct drops_row *x = a, *y = b;

	if (x->packets != y->packets)
		return x->packets < y->packets ? 1 : -1;
	return by_reason(a, b);
}

/* One row for each reason. */
static void merge(struct drops *d)
{
	size_t n = 0;

	qsort(d->row, d->n, sizeof(*d->row), by_reason);
	for (size_t i = 0; i < d->n; i++) {
		if (n && !strcmp(d->row[n - 1].reason, d->row[i].reason))
			d->row[n - 1].packets += d->row[i].packets;
		else
			d->row[n++] = d->row[i];
	}
	d->n = n;
}

int drops_make(struct drops *d, const struct model *m)
{
	double seconds = counter_moved(&m->drops_at_ns) * 1e-9;

	*d = (struct drops){ .packets = isnan(seconds) ? NAN : 0, .seconds = seconds };
	d->row = malloc((m->ndrops + 1) * sizeof(*d->row));
	if (!d->row)
		return -ENOMEM;
	for (size_t i = 0; i < m->ndrops; i++) {
		double packets = counter_moved(&m->drop[i].packets);

		if (!filter_takes_cpu(m->filter, m->drop[i].cpu) || !(packets > 0))
			continue;
		d->row[d->n++] = (struct drops_row){ model_string(m, m->drop[i].reason), packets };
		known_add(&d->packets, packets);
	}
	merge(d);
	qsort(d->row, d->n, sizeof(*d->row), by_packets);
	return 0;
}

void drops_free(struct drops *d)
{
	free(d->row);
}
