// SPDX-License-Identifier: BSD-2-Clause
#include "diff_shown.h"

#include <math.h>
#include <string.h>

bool diff_is_told_apart(enum diff_verdict v)
{
	return v >= DIFF_MORE;
}

bool diff_function_is_told_apart(const struct diff_function *f)
{
	return diff_is_told_apart(f->self.verdict) || diff_is_told_apart(f->inclusive.verdict);
}

/* ---- what is hidden ---------------------------------------------------------------------- */

static bool is_asked_for(const struct diff_row *r, const char *only)
{
	return !strcmp(r->key, "network") || (only && diff_is_watched(r, only));
}

static void count(struct diff *d, enum diff_verdict v)
{
	if (v == DIFF_SAME || v == DIFF_NOT_TESTED)
		d->within_noise++;
	else if (!diff_is_told_apart(v))
		d->not_alike++;
}

/* Backwards: a row stays if one that stays is a part of it. */
static void hide_rows(struct diff *d, const char *only)
{
	const struct diff_row *below = NULL; /* the last one that stays */

	for (size_t i = d->nrows; i-- > 0;) {
		struct diff_row *r = &d->row[i];
		bool is_part = below && below->table == r->table && below->leaf == r->leaf &&
			       below->depth > r->depth;

		r->hidden = !diff_is_told_apart(r->c.verdict) && !is_part && !is_asked_for(r, only);
		if (r->hidden)
			count(d, r->c.verdict);
		else
			below = r;
	}
}

void diff_hide(struct diff *d, const char *only, bool all)
{
	d->all = all;
	d->within_noise = d->not_alike = 0;
	if (all)
		return;
	hide_rows(d, only);
	for (size_t i = 0; i < d->nshown; i++)
		if (!diff_function_is_told_apart(&d->function[i]))
			count(d, d->function[i].inclusive.verdict);
	for (size_t i = 0; i < d->latency.n; i++)
		count(d, d->latency.row[i].c.verdict);
	for (size_t i = 0; i < d->stages.npaths; i++)
		count(d, d->stages.path[i].verdict);
	for (size_t i = 0; i < d->stages.n; i++)
		count(d, d->stages.row[i].c.verdict);
}

size_t diff_told_apart(const struct diff *diff)
{
	size_t n = 0;

	for (size_t i = 0; i < diff->nrows; i++)
		n += diff_is_told_apart(diff->row[i].c.verdict);
	for (size_t i = 0; i < diff->nfunctions; i++)
		n += diff_is_told_apart(diff->function[i].self.verdict) +
		     diff_is_told_apart(diff->function[i].inclusive.verdict);
	return n;
}

/* ---- the largest ------------------------------------------------------------------------- */

enum rank { RANK_NONE, RANK_CATEGORY, RANK_KERNEL, RANK_NETWORK, RANK_LEAF };

/* What idle time gains others have lost: they say more. */
static enum rank rank_of(const struct diff_row *r)
{
	const struct leaf_node *n = leaf_node;

	if (!diff_is_told_apart(r->c.verdict))
		return RANK_NONE;
	if (r->table != DIFF_MAIN)
		return RANK_CATEGORY;
	while (strcmp(n->key, r->key))
		n++;
	if (n->leaves == LEAF_BIT(IDLE))
		return RANK_NONE;
	if (n->leaves == LEAF_KERNEL)
		return RANK_KERNEL;
	return n->leaves == LEAF_NETWORK ? RANK_NETWORK : RANK_LEAF;
}

const struct diff_row *diff_largest(const struct diff *d)
{
	const struct diff_row *largest = NULL;
	enum rank best = RANK_NONE;

	for (size_t i = 0; i < d->nrows; i++) {
		const struct diff_row *r = &d->row[i];
		enum rank rank = rank_of(r);

		if (rank == RANK_NONE || rank < best)
			continue;
		if (rank > best || fabs(r->c.change) > fabs(largest->c.change))
			largest = r;
		best = rank;
	}
	return largest;
}

const struct diff_row *diff_largest_inside(const struct diff *d, const struct diff_row *leaf)
{
	const struct diff_row *largest = NULL;

	for (size_t i = 0; i < d->nrows; i++) {
		const struct diff_row *r = &d->row[i];

		if (r->table == DIFF_MAIN || r->c.verdict != leaf->c.verdict)
			continue;
		if ((r->leaf && !strcmp(r->leaf, leaf->key)) &&
		    (!largest || fabs(r->c.change) > fabs(largest->c.change)))
			largest = r;
	}
	return largest;
}
