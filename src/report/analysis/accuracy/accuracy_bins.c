// SPDX-License-Identifier: BSD-2-Clause
#include "accuracy_bins.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/model/filter.h"
#include "report/rules/stack_class.h"

/* ---- memory ------------------------------------------------------------------------------ */

void accuracy_bins_free(struct accuracy_bins *b)
{
	free(b->count);
	free(b->parts);
	free(b->before);
	free(b->cpu);
	*b = (struct accuracy_bins){ .watch = b->watch };
}

static bool begin(void *ctx, const struct intervals *iv)
{
	struct accuracy_bins *b = ctx;

	accuracy_bins_free(b);
	b->iv = iv;
	b->n = iv->n * iv->ncpus;
	if (b->n > ACCURACY_MAX)
		return true;
	b->tracks = b->n > ACCURACY_DECIMATED_MAX ? 1 : DECIMATE_TRACKS;
	b->count = calloc(b->n * b->tracks + 1, ACCURACY_COUNTS * sizeof(*b->count));
	b->parts = calloc(b->n + 1, sizeof(*b->parts));
	b->before = calloc(iv->ncpus + 1, sizeof(*b->before));
	b->cpu = calloc(iv->ncpus + 1, sizeof(*b->cpu));
	return b->count && b->parts && b->before && b->cpu;
}

const uint32_t *accuracy_bins_count(const struct accuracy_bins *b, size_t bin, unsigned int track)
{
	return b->count + (bin * b->tracks + track) * ACCURACY_COUNTS;
}

/* ---- exact times of parts ---------------------------------------------------------------- */

static double sum_of(const struct counter *c)
{
	return c->readings && !c->unknown ? (double)c->sum : NAN;
}

static struct accuracy_bins_parts parts_of(const struct model_cpu *c)
{
	struct accuracy_bins_parts p;

	for (unsigned int i = 0; i < NETCOST_PART_COUNT; i++) {
		p.ns[i] = c ? sum_of(&c->part_ns[i]) : NAN;
		p.ns[NETCOST_PART_COUNT + i] = c ? sum_of(&c->part_total_ns[i]) : NAN;
	}
	return p;
}

static void edge(void *ctx, const struct model *m, size_t at)
{
	struct accuracy_bins *b = ctx;

	for (size_t i = 0; b->tracks && i < b->iv->ncpus; i++) {
		struct accuracy_bins_parts now = parts_of(m->cpu[b->iv->number[i]]);

		for (unsigned int p = 0; at && p < 2 * NETCOST_PART_COUNT; p++)
			b->parts[(at - 1) * b->iv->ncpus + i].ns[p] =
				now.ns[p] - b->before[i].ns[p];
		b->before[i] = now;
	}
}

/* ---- samples ----------------------------------------------------------------------------- */

#define ITEM(i) (UINT64_C(1) << (i))

/* The part that has the category's key, or NETCOST_PART_COUNT. */
static unsigned int part_of(const struct rules_category *category)
{
	unsigned int p = 0;

	while (p < NETCOST_PART_COUNT && strcmp(model_part_key(p), category->key))
		p++;
	return p;
}

/* The innermost part is that of the category, or of the nearest category around it. */
static uint64_t find_items(const struct model *m, unsigned int class)
{
	const struct rules *r = m->classes ? classifier_rules(m->classes->classifier) : NULL;
	unsigned int own;
	enum leaf leaf;
	uint64_t items;

	/* Exact times are compared as they were measured: with what own programs took. */
	if (m->classes)
		class = stack_classes_measured(m->classes, class);
	leaf = model_leaf(m, class);
	items = ITEM(leaf);

	if (!r || leaf != LEAF_RX_SOFTIRQ)
		return items;
	for (own = m->classes->at[class].category; own >= LEAF_COUNT;
	     own = r->category[own].parent) {
		if (part_of(&r->category[own]) == NETCOST_PART_COUNT)
			continue;
		items |= ITEM(ACCURACY_OWN + part_of(&r->category[own]));
		break;
	}
	for (unsigned int i = LEAF_COUNT; i < r->ncategories; i++)
		if (r->category[i].leaf == leaf && stack_class_is_in(&m->classes->at[class], i) &&
		    part_of(&r->category[i]) < NETCOST_PART_COUNT)
			items |= ITEM(ACCURACY_WITH_ALL + part_of(&r->category[i]));
	return items;
}

bool accuracy_bins_has_item(const struct model *m, unsigned int item)
{
	const struct rules *r = m->classes ? classifier_rules(m->classes->classifier) : NULL;
	bool with_all = item >= ACCURACY_WITH_ALL;

	if (item < ACCURACY_OWN)
		return true;
	if (!r || (with_all && m->classes->full))
		return false;
	for (unsigned int i = LEAF_COUNT; i < r->ncategories; i++)
		if (r->category[i].leaf == LEAF_RX_SOFTIRQ &&
		    part_of(&r->category[i]) == (item - ACCURACY_OWN) % NETCOST_PART_COUNT)
			return true;
	return false;
}

static uint64_t items_of(struct accuracy_bins *b, const struct model *m,
			 const struct intervals_sample *s)
{
	uint64_t *items = &b->class_items[s->class];

	if (!s->selected)
		return ITEM(ACCURACY_REST) |
		       (model_leaf(m, s->class) == LEAF_IDLE ? ITEM(ACCURACY_REST_IDLE) : 0);
	if (!*items)
		*items = find_items(m, s->class);
	return *items;
}

bool accuracy_bins_by_time(const struct model *m)
{
	return m->header.sample_hz && m->header.sample_hz <= 1000000000u &&
	       !strcmp(model_string(m, m->header.sample_event), "cpu-clock");
}

/* As the kernel rounds it. */
static uint64_t period_ns(const struct model *m)
{
	return accuracy_bins_by_time(m) ? 1000000000u / m->header.sample_hz : 0;
}

static void sample(void *ctx, const struct model *m, const struct intervals_sample *s)
{
	struct accuracy_bins *b = ctx;
	uint32_t *count;
	uint64_t items;
	uint32_t taken;

	if (!b->tracks)
		return;
	items = items_of(b, m, s);
	count = b->count + s->cell * b->tracks * ACCURACY_COUNTS;
	taken = b->tracks > 1 ? decimate_sample(&b->cpu[s->slot], period_ns(m), s->time_ns) : 1;
	for (; taken; taken &= taken - 1) {
		uint32_t *to = count + (unsigned int)__builtin_ctz(taken) * ACCURACY_COUNTS;

		for (uint64_t left = items; left; left &= left - 1)
			to[__builtin_ctzll(left)]++;
	}
}

void accuracy_bins_init(struct accuracy_bins *b)
{
	*b = (struct accuracy_bins){
		.watch = { .ctx = b, .begin = begin, .edge = edge, .sample = sample },
	};
}
