// SPDX-License-Identifier: BSD-2-Clause
#include "accuracy_bins.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/model/filter.h"
#include "report/rules/stack_class.h"

/* ---- memory ------------------------------------------------------------------------------ */

static void release(struct accuracy_bins *c)
{
	free(c->count);
	free(c->parts);
	free(c->before);
	free(c->cpu);
	c->count = NULL;
	c->parts = c->before = NULL;
	c->cpu = NULL;
	c->tracks = 0;
	c->n = 0;
	memset(c->class_items, 0, sizeof(c->class_items));
}

static bool begin(void *ctx, const struct intervals *iv)
{
	struct accuracy_bins *c = ctx;

	release(c);
	c->iv = iv;
	c->n = iv->n * iv->ncpus;
	if (c->n > ACCURACY_MAX)
		return true;
	c->tracks = c->n > ACCURACY_DECIMATED_MAX ? 1 : DECIMATE_TRACKS;
	c->count = calloc(c->n * c->tracks + 1, ACCURACY_COUNTS * sizeof(*c->count));
	c->parts = calloc(c->n + 1, sizeof(*c->parts));
	c->before = calloc(iv->ncpus + 1, sizeof(*c->before));
	c->cpu = calloc(iv->ncpus + 1, sizeof(*c->cpu));
	return c->count && c->parts && c->before && c->cpu;
}

void accuracy_bins_free(struct accuracy_bins *c)
{
	release(c);
}

const uint32_t *accuracy_bins_count(const struct accuracy_bins *c, size_t cell, unsigned int track)
{
	return c->count + (cell * c->tracks + track) * ACCURACY_COUNTS;
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
	struct accuracy_bins *c = ctx;

	for (size_t i = 0; c->tracks && i < c->iv->ncpus; i++) {
		struct accuracy_bins_parts now = parts_of(m->cpu[c->iv->number[i]]);

		for (unsigned int p = 0; at && p < 2 * NETCOST_PART_COUNT; p++)
			c->parts[(at - 1) * c->iv->ncpus + i].ns[p] =
				now.ns[p] - c->before[i].ns[p];
		c->before[i] = now;
	}
}

double accuracy_bins_part_ns(const struct accuracy_bins *c, size_t cell, unsigned int item)
{
	return c->parts[cell].ns[item - ACCURACY_OWN];
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

/* The innermost part is the category's own, or that of what it lies in. */
static uint64_t find_items(const struct model *m, unsigned int class)
{
	enum leaf leaf = model_leaf(m, class);
	const struct rules *r = m->classes ? classifier_rules(m->classes->classifier) : NULL;
	uint64_t items = ITEM(leaf);
	unsigned int own;

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

static uint64_t items_of(struct accuracy_bins *c, const struct model *m,
			 const struct intervals_sample *s)
{
	uint64_t *items = &c->class_items[s->class];

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
	struct accuracy_bins *c = ctx;
	uint32_t *count;
	uint64_t items;
	uint32_t taken;

	if (!c->tracks)
		return;
	items = items_of(c, m, s);
	count = c->count + s->cell * c->tracks * ACCURACY_COUNTS;
	taken = c->tracks > 1 ? decimate_sample(&c->cpu[s->slot], period_ns(m), s->time_ns) : 1;
	for (; taken; taken &= taken - 1) {
		uint32_t *to = count + (unsigned int)__builtin_ctz(taken) * ACCURACY_COUNTS;

		for (uint64_t left = items; left; left &= left - 1)
			to[__builtin_ctzll(left)]++;
	}
}

void accuracy_bins_init(struct accuracy_bins *c)
{
	*c = (struct accuracy_bins){
		.watch = { .ctx = c, .begin = begin, .edge = edge, .sample = sample },
	};
}
