// SPDX-License-Identifier: BSD-2-Clause
/* From cells to the numbers of `netcost-report accuracy`. */
#include "accuracy.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/analysis/summary.h"
#include "report/model/filter.h"

#define POINTS 100.0 /* percentage points in a share of 1 */

/* ---- one cell ---------------------------------------------------------------------------- */

/* A cell on one basis, as one sampler has it. */
struct view {
	struct split_input in;
	struct split_cpu rests_on; /* samples and basis */
	const uint32_t *count;
};

static struct view look(const struct accuracy *a, size_t cell, enum accuracy_basis basis,
			unsigned int track)
{
	struct view v = { .in = interval_input(&a->bins->iv->cell[cell], a->m),
			  .count = accuracy_bins_count(a->bins, cell, track) };
	bool idle_known;

	if (basis == ACCURACY_ALONE)
		v.in.exact_ns[NETCOST_EV_IDLE] = NAN;
	idle_known = !isnan(v.in.exact_ns[NETCOST_EV_IDLE]);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		v.in.samples[l] = v.count[l];
	v.in.samples_rest = v.count[ACCURACY_REST] - (idle_known ? v.count[ACCURACY_REST_IDLE] : 0);
	v.in.samples_expected /= decimate_factor[decimate_track[track].factor];
	split_find_basis(&v.rests_on, &v.in);
	return v;
}

/*
 * Leaves that are in the event TASK: those without an event of their own, and whose event is not
 * counted.
 */
static bool is_in_task(const struct split_input *in, unsigned int leaf)
{
	int event = leaf_desc[leaf].event;

	return leaf != LEAF_IDLE && leaf != LEAF_TASK && (event < 0 || isnan(in->exact_ns[event]));
}

static double count_of(const struct split_input *in, const double count[ACCURACY_ITEMS],
		       unsigned int item)
{
	double sum = 0;

	if (item != LEAF_TASK)
		return count[item];
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (is_in_task(in, l))
			sum += count[l];
	return sum;
}

/* A share of CPU time by samples; NaN: not known by them. */
static double sampled_share(const struct split_input *in, const struct split_cpu *rests_on,
			    const double count[ACCURACY_ITEMS], unsigned int item)
{
	if (!(rests_on->samples > 0))
		return NAN;
	if (item == LEAF_IDLE && !isnan(in->exact_ns[NETCOST_EV_IDLE]))
		return NAN;
	return count_of(in, count, item) / rests_on->samples * rests_on->basis;
}

static double view_share(const struct view *v, unsigned int item)
{
	double count[ACCURACY_ITEMS];

	for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
		count[i] = v->count[i];
	return sampled_share(&v->in, &v->rests_on, count, item);
}

/* Exact times are of all tasks. */
static double exact_ns(const struct accuracy *a, size_t cell, unsigned int item)
{
	const struct split_input in = interval_input(&a->bins->iv->cell[cell], a->m);

	if (in.only_samples)
		return NAN;
	if (item >= ACCURACY_OWN)
		return accuracy_bins_part_ns(a->bins, cell, item);
	return leaf_desc[item].event < 0 ? NAN : in.exact_ns[leaf_desc[item].event];
}

/* ---- which cells ------------------------------------------------------------------------- */

static double samples_due(const struct accuracy *a, const struct view *v)
{
	double idle_ns = v->in.exact_ns[NETCOST_EV_IDLE];

	return v->in.samples_expected -
	       (isnan(idle_ns) ? 0 : idle_ns * 1e-9 * (double)a->m->header.sample_hz);
}

/* Samples inside the network are scaled to its exact time: to hold them against that would be a circle. */
static bool tells_of_time(const struct split_input *in)
{
	return in->of == SPLIT_OF_TIME ||
	       (in->of == SPLIT_OF_CYCLES && !isnan(in->exact_ns[NETCOST_EV_IDLE]));
}

/* ACCURACY_REASONS: it is taken. */
static enum accuracy_reason why_not(const struct accuracy *a, size_t cell, const struct view *v)
{
	const struct interval *row = &a->bins->iv->row[cell / a->bins->iv->ncpus];

	if (!(v->in.wall_ns > 0))
		return ACCURACY_NO_TIME;
	if ((double)(row->end_ns - row->begin_ns) * 1e-9 < a->piece_s / 2)
		return ACCURACY_SHORT;
	if (!tells_of_time(&v->in))
		return ACCURACY_NOT_TIME;
	if (v->rests_on.samples > 0)
		return ACCURACY_REASONS;
	return samples_due(a, v) < 1 ? ACCURACY_NONE_DUE : ACCURACY_NONE_TAKEN;
}

/* ---- all of the recording ---------------------------------------------------------------- */

/* Of a CPU, over the cells that are taken. */
struct total {
	struct split_input in;
	double exact_ns[ACCURACY_ITEMS], count[ACCURACY_ITEMS];
};

static void add_cell(const struct accuracy *a, struct total *t, size_t cell, const struct view *v)
{
	t->in.wall_ns += v->in.wall_ns;
	t->in.samples_expected += v->in.samples_expected;
	t->in.samples_rest += v->in.samples_rest;
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
		t->in.exact_ns[e] += v->in.exact_ns[e];
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		t->in.samples[l] += v->in.samples[l];
	for (unsigned int i = 0; i < ACCURACY_ITEMS; i++) {
		t->count[i] += v->count[i];
		t->exact_ns[i] += exact_ns(a, cell, i);
	}
}

static void note_item(struct accuracy_item *item, double exact, double count)
{
	item->exact |= !isnan(exact);
	item->seen |= exact > 0 || count > 0;
}

static void take_bins(struct accuracy *a, enum accuracy_basis basis, struct total *total)
{
	struct accuracy_side *side = &a->side[basis];

	for (size_t cell = 0; cell < a->bins->n; cell++) {
		struct view v = look(a, cell, basis, 0);
		enum accuracy_reason why = why_not(a, cell, &v);

		if (why < ACCURACY_REASONS) {
			side->left_out[why]++;
			continue;
		}
		side->taken++;
		add_cell(a, &total[cell % a->bins->iv->ncpus], cell, &v);
		for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
			note_item(&side->item[i], exact_ns(a, cell, i), view_share(&v, i));
	}
}

static void whole_of(struct accuracy_whole *w, const struct total *total,
		     const struct split_cpu *cpu, const struct split_cpu *all, size_t n,
		     unsigned int item)
{
	double exact = 0, sampled = 0;

	for (size_t i = 0; i < n; i++) {
		if (!(total[i].in.wall_ns > 0))
			continue;
		exact += total[i].exact_ns[item];
		sampled += sampled_share(&total[i].in, &cpu[i], total[i].count, item) *
			   total[i].in.wall_ns;
	}
	w->exact = exact / all->wall_ns;
	w->sampled = sampled / all->wall_ns;
	w->ci95 = isnan(w->sampled) ? NAN : split_share_ci95(all, fmin(w->sampled, 1));
}

static int make_whole(struct accuracy *a, enum accuracy_basis basis)
{
	size_t n = a->bins->iv->ncpus;
	struct total *total = calloc(n + 1, sizeof(*total));
	struct split_cpu *cpu = calloc(n + 1, sizeof(*cpu)), all;

	if (total && cpu) {
		take_bins(a, basis, total);
		for (size_t i = 0; i < n; i++) {
			cpu[i].wall_ns = total[i].in.wall_ns;
			split_find_basis(&cpu[i], &total[i].in);
		}
		split_sum_cpus(&all, cpu, n);
		for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
			whole_of(&a->side[basis].item[i].whole, total, cpu, &all, n, i);
	}
	free(cpu);
	free(total);
	return total && cpu ? 0 : -ENOMEM;
}

/* ---- pairs ------------------------------------------------------------------------------- */

/*
 * Of a share `truth`, as often as not; `against`: samples that it is known by itself, INFINITY
 * where exactly.
 */
static double binomial_variance(const struct split_cpu *rests_on, double truth, double against)
{
	double q = fmin(truth / rests_on->basis, 1);

	return POINTS * POINTS * rests_on->basis * rests_on->basis * q * (1 - q) *
	       (1 / rests_on->samples - 1 / against);
}

/* Nothing is known of a value without samples, but that it is no more than there is to sample. */
static void add_missing(const struct accuracy *a, struct accuracy_stat *s, const struct view *v)
{
	double idle_ns = v->in.exact_ns[NETCOST_EV_IDLE];

	s->missing++;
	s->judged++;
	s->within += !isnan(idle_ns) && POINTS * (1 - idle_ns / v->in.wall_ns) <= a->precision;
}

static void add_value(const struct accuracy *a, struct accuracy_stat *s, const struct view *v,
		      double truth, double value, double against)
{
	double error = POINTS * (value - truth);

	stats_pairs_add(&s->pairs, POINTS * truth, POINTS * value);
	s->variance += binomial_variance(&v->rests_on, truth, against);
	s->held += fabs(value - truth) <= split_share_ci95(&v->rests_on, fmin(value, 1));
	s->judged++;
	s->within += fabs(error) <= a->precision;
	histogram_add(&s->value, POINTS * value);
	histogram_add(&s->error, error);
}

static void compare_item(const struct accuracy *a, struct accuracy_item *item, unsigned int i,
			 size_t cell, const struct view view[DECIMATE_TRACKS])
{
	double wall_ns = view[0].in.wall_ns, full = view_share(&view[0], i);
	double truth = item->exact ? exact_ns(a, cell, i) / wall_ns : full;
	double against = item->exact ? INFINITY : view[0].rests_on.samples;

	if (isnan(truth) || isnan(full))
		return;
	item->bins++;
	item->variance += binomial_variance(&view[0].rests_on, truth, INFINITY);
	for (unsigned int t = item->exact ? 0 : 1; t < a->bins->tracks; t++) {
		struct accuracy_stat *s = &item->rate[decimate_track[t].factor];
		double value = view_share(&view[t], i);

		if (isnan(value))
			add_missing(a, s, &view[t]);
		else
			add_value(a, s, &view[t], truth, value, against);
	}
}

static void compare_bins(struct accuracy *a, enum accuracy_basis basis)
{
	struct view view[DECIMATE_TRACKS];

	for (size_t cell = 0; cell < a->bins->n; cell++) {
		view[0] = look(a, cell, basis, 0);
		if (why_not(a, cell, &view[0]) < ACCURACY_REASONS)
			continue;
		for (unsigned int t = 1; t < a->bins->tracks; t++)
			view[t] = look(a, cell, basis, t);
		for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
			if (a->side[basis].item[i].rate)
				compare_item(a, &a->side[basis].item[i], i, cell, view);
	}
}

/* Idle time that is known exactly is no matter of samples. */
static bool is_compared(const struct accuracy *a, enum accuracy_basis basis, unsigned int i)
{
	const struct accuracy_item *item = &a->side[basis].item[i];

	if (basis == ACCURACY_REPORTED && i == LEAF_IDLE && item->exact)
		return false;
	if (!accuracy_bins_has_item(a->m, i) || (i == LEAF_TASK && !item->exact))
		return false;
	return item->exact || item->seen;
}

static int make_side(struct accuracy *a, enum accuracy_basis basis)
{
	int err = make_whole(a, basis);

	for (unsigned int i = 0; !err && i < ACCURACY_ITEMS; i++) {
		struct accuracy_item *item = &a->side[basis].item[i];

		if (!is_compared(a, basis, i))
			continue;
		item->rate = calloc(DECIMATE_FACTORS, sizeof(*item->rate));
		if (!item->rate)
			err = -ENOMEM;
	}
	if (!err)
		compare_bins(a, basis);
	return err;
}

/* ---- all --------------------------------------------------------------------------------- */

static const char *find_none(const struct model *m)
{
	if (!m->header.sample_hz)
		return "there are no samples: recorded with -F 0";
	if (summary_names_hidden(m))
		return "the host hid the names of functions: samples cannot be told apart";
	return NULL;
}

static double mean_piece_s(const struct intervals *iv)
{
	return iv->n ? (double)(iv->row[iv->n - 1].end_ns - iv->row[0].begin_ns) * 1e-9 /
			       (double)iv->n :
		       NAN;
}

int accuracy_make(struct accuracy **made, const struct model *m, const struct accuracy_bins *bins,
		  double precision)
{
	struct accuracy *a = calloc(1, sizeof(*a));
	int err = 0;

	if (!a)
		return -ENOMEM;
	a->m = m;
	a->bins = bins;
	a->precision = precision;
	a->piece_s = mean_piece_s(bins->iv);
	a->by_time = accuracy_bins_by_time(m);
	a->none = find_none(m);
	for (unsigned int b = 0; !err && !a->none && b < ACCURACY_BASES; b++)
		err = make_side(a, b);
	if (err) {
		accuracy_free(a);
		a = NULL;
	}
	*made = a;
	return err;
}

void accuracy_free(struct accuracy *a)
{
	for (unsigned int b = 0; a && b < ACCURACY_BASES; b++)
		for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
			free(a->side[b].item[i].rate);
	free(a);
}
