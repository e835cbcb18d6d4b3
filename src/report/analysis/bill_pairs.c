// SPDX-License-Identifier: BSD-2-Clause
#include "bill_pairs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "known.h"

static int by_name(const void *pa, const void *pb)
{
	const struct bill_pair *a = pa, *b = pb;
	int order = strcmp(a->name, b->name);

	return order ? order : strcmp(a->kind, b->kind);
}

static double dearer(const struct bill_pair *p)
{
	return fmax(0, fmax(p->side[BILL_BEFORE].share, p->side[BILL_AFTER].share));
}

static int by_share(const void *pa, const void *pb)
{
	double a = dearer(pa), b = dearer(pb);

	return a != b ? (a < b ? 1 : -1) : by_name(pa, pb);
}

/* A pair of which one side is not there. */
static struct bill_pair single(const struct bill_row *r, unsigned int side)
{
	static const struct bill_pair_side none = { NAN, NAN, NAN };
	struct bill_pair p = { .name = r->name,
			       .kind = r->kind,
			       .on_the_way = r->on_the_way,
			       .side = { none, none } };

	p.side[side] = (struct bill_pair_side){ r->runs_per_s, r->ns_per_run, r->share };
	return p;
}

static void add_side(struct bill_pair_side *to, const struct bill_pair_side *s)
{
	double ns = NAN;

	known_add(&ns, to->ns_per_run * to->runs_per_s);
	known_add(&ns, s->ns_per_run * s->runs_per_s);
	known_add(&to->runs_per_s, s->runs_per_s);
	known_add(&to->share, s->share);
	to->ns_per_run = known_ratio(ns, to->runs_per_s);
}

static void merge(struct bill_pairs *p)
{
	size_t n = 0;

	qsort(p->at, p->n, sizeof(*p->at), by_name);
	for (size_t i = 0; i < p->n; i++) {
		if (!n || by_name(&p->at[n - 1], &p->at[i])) {
			p->at[n++] = p->at[i];
			continue;
		}
		for (unsigned int k = 0; k < BILL_SIDES; k++)
			add_side(&p->at[n - 1].side[k], &p->at[i].side[k]);
	}
	p->n = n;
	qsort(p->at, p->n, sizeof(*p->at), by_share);
}

static int join(struct bill_pairs *p, const struct bill *bill)
{
	p->at = malloc((bill[BILL_BEFORE].n + bill[BILL_AFTER].n + 1) * sizeof(*p->at));
	if (!p->at)
		return -ENOMEM;
	for (unsigned int side = 0; side < BILL_SIDES; side++)
		for (size_t i = 0; i < bill[side].n; i++)
			p->at[p->n++] = single(&bill[side].row[i], side);
	merge(p);
	return 0;
}

int bill_pairs_make(struct bill_pairs *p, const struct summary *before, const struct summary *after)
{
	struct bill bill[BILL_SIDES];
	int err;

	*p = (struct bill_pairs){ 0 };
	err = bill_make(&bill[BILL_BEFORE], before);
	if (err)
		return err;
	err = bill_make(&bill[BILL_AFTER], after);
	if (!err) {
		err = join(p, bill);
		bill_free(&bill[BILL_AFTER]);
	}
	bill_free(&bill[BILL_BEFORE]);
	return err;
}

void bill_pairs_free(struct bill_pairs *p)
{
	free(p->at);
}
