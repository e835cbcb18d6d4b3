// SPDX-License-Identifier: BSD-2-Clause
/* From bins to the numbers of `netcost-report accuracy`. */
#include "accuracy.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/analysis/summary.h"
#include "report/model/filter.h"

#define POINTS 100.0 /* percentage points in a share of 1 */

/* ---- one bin ---------------------------------------------------------------------------- */

/* A bin, as one sampler has it; or all bins of a CPU. */
struct view {
	struct split_input in;
	struct split_cpu rests_on; /* samples and basis */
	double exact_ns[ACCURACY_ITEMS], count[ACCURACY_ITEMS];
};

static double exact_ns(const struct accuracy *a, const struct split_input *in, size_t bin,
		       unsigned int item)
{
	if (in->only_samples) /* exact times are of all tasks */
		return NAN;
	if (item >= ACCURACY_OWN)
		return a->bins->parts[bin].ns[item - ACCURACY_OWN];
	return leaf_desc[item].event < 0 ? NAN : in->exact_ns[leaf_desc[item].event];
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

static struct view look(const struct accuracy *a, size_t bin, unsigned int track)
{
	const uint32_t *count = accuracy_bins_count(a->bins, bin, track);
	struct view v = { .in = interval_input(a->bins->iv, bin, a->m) };

	for (unsigned int i = 0; i < ACCURACY_ITEMS; i++) {
		v.exact_ns[i] = exact_ns(a, &v.in, bin, i);
		v.count[i] = count[i];
	}
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		v.in.samples[l] = count[l];
	v.in.samples_rest = count[ACCURACY_REST];
	if (!isnan(v.in.exact_ns[NETCOST_EV_IDLE]))
		v.in.samples_rest -= count[ACCURACY_REST_IDLE];
	v.in.samples_expected /= decimate_factor[decimate_track[track].factor];
	split_find_basis(&v.rests_on, &v.in);
	return v;
}

static double count_of(const struct view *v, unsigned int item)
{
	double sum = 0;

	if (item != LEAF_TASK)
		return v->count[item];
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (is_in_task(&v->in, l))
			sum += v->count[l];
	return sum;
}

/* A share of CPU time by samples; NaN: not known by them. */
static double sampled_share(const struct view *v, unsigned int item)
{
	if (!(v->rests_on.samples > 0) || item == LEAF_HARDIRQ_NET)
		return NAN;
	if (item == LEAF_IDLE && !isnan(v->in.exact_ns[NETCOST_EV_IDLE]))
		return NAN;
	return count_of(v, item) / v->rests_on.samples * v->rests_on.basis;
}

/* ---- which bins ------------------------------------------------------------------------- */

static double samples_due(const struct accuracy *a, const struct view *v)
{
	double idle_ns = v->in.exact_ns[NETCOST_EV_IDLE];

	return v->in.samples_expected -
	       (isnan(idle_ns) ? 0 : idle_ns * 1e-9 * (double)a->m->header.sample_hz);
}

/* Samples inside the network are scaled to its exact time: to compare them with that would be circular. */
static bool tells_of_time(const struct split_input *in)
{
	return in->of == SPLIT_OF_TIME ||
	       (in->of == SPLIT_OF_CYCLES && !isnan(in->exact_ns[NETCOST_EV_IDLE]));
}

/* ACCURACY_REASONS: it is taken. */
static enum accuracy_reason why_not(const struct accuracy *a, size_t bin, const struct view *v)
{
	const struct interval *row = &a->bins->iv->row[bin / a->bins->iv->ncpus];

	if (v->in.paused_ns > 0)
		return ACCURACY_PAUSED;
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

static void add_bin(struct view *t, const struct view *v)
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
		t->exact_ns[i] += v->exact_ns[i];
	}
}

static void note_item(struct accuracy_item *item, double exact, double sampled)
{
	item->exact |= !isnan(exact);
	item->seen |= exact > 0 || sampled > 0;
}

/* total: of each CPU, over the bins that are taken. */
static void take_bins(struct accuracy *a, struct view *total)
{
	for (size_t bin = 0; bin < a->bins->n; bin++) {
		struct view v = look(a, bin, 0);
		enum accuracy_reason why = why_not(a, bin, &v);

		if (why < ACCURACY_REASONS) {
			a->left_out[why]++;
			continue;
		}
		a->taken++;
		add_bin(&total[bin % a->bins->iv->ncpus], &v);
		for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
			note_item(&a->item[i], v.exact_ns[i], sampled_share(&v, i));
	}
}

static struct accuracy_whole whole_of(const struct view *total, size_t n,
				      const struct split_cpu *all, unsigned int item)
{
	double exact = 0, sampled = 0;

	for (size_t i = 0; i < n; i++) {
		if (!(total[i].in.wall_ns > 0))
			continue;
		exact += total[i].exact_ns[item];
		sampled += sampled_share(&total[i], item) * total[i].in.wall_ns;
	}
	exact /= all->wall_ns;
	sampled /= all->wall_ns;
	return (struct accuracy_whole){
		.exact = exact,
		.sampled = sampled,
		.ci95 = isnan(sampled) ? NAN : split_share_ci95(all, fmin(sampled, 1)),
	};
}

static int make_whole(struct accuracy *a)
{
	size_t n = a->bins->iv->ncpus;
	struct view *total = calloc(n + 1, sizeof(*total));
	struct split_cpu *cpu = calloc(n + 1, sizeof(*cpu)), all;

	if (total && cpu) {
		take_bins(a, total);
		for (size_t i = 0; i < n; i++) {
			split_find_basis(&total[i].rests_on, &total[i].in);
			cpu[i] = total[i].rests_on;
			cpu[i].wall_ns = total[i].in.wall_ns;
		}
		split_sum_cpus(&all, cpu, n);
		for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
			a->item[i].whole = whole_of(total, n, &all, i);
	}
	free(cpu);
	free(total);
	return total && cpu ? 0 : -ENOMEM;
}

/* ---- pairs ------------------------------------------------------------------------------- */

/*
 * Of an estimate of the share `truth`. against: the samples that `truth` itself is known by; INFINITY:
 * exactly.
 */
static double binomial_variance(const struct split_cpu *rests_on, double truth, double against)
{
	double q = fmin(truth / rests_on->basis, 1);

	return POINTS * POINTS * rests_on->basis * rests_on->basis * q * (1 - q) *
	       (1 / rests_on->samples - 1 / against);
}

/* All that is known of a value without samples is that it is no more than there is to sample. */
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
	s->judged++;
	s->within += fabs(error) <= a->precision;
	histogram_add(&s->error, error);
}

static void compare_item(const struct accuracy *a, struct accuracy_item *item, unsigned int i,
			 const struct view view[DECIMATE_TRACKS])
{
	double wall_ns = view[0].in.wall_ns, full = sampled_share(&view[0], i);
	double truth = item->exact ? view[0].exact_ns[i] / wall_ns : full;
	double against = item->exact ? INFINITY : view[0].rests_on.samples;

	if (isnan(truth) || isnan(full))
		return;
	item->bins++;
	item->variance += binomial_variance(&view[0].rests_on, truth, INFINITY);
	for (unsigned int t = item->exact ? 0 : 1; t < a->bins->tracks; t++) {
		struct accuracy_stat *s = &item->rate[decimate_track[t].factor];
		double value = sampled_share(&view[t], i);

		if (isnan(value))
			add_missing(a, s, &view[t]);
		else
			add_value(a, s, &view[t], truth, value, against);
	}
}

static void compare_bins(struct accuracy *a)
{
	struct view view[DECIMATE_TRACKS];

	for (size_t bin = 0; bin < a->bins->n; bin++) {
		view[0] = look(a, bin, 0);
		if (why_not(a, bin, &view[0]) < ACCURACY_REASONS)
			continue;
		for (unsigned int t = 1; t < a->bins->tracks; t++)
			view[t] = look(a, bin, t);
		for (unsigned int i = 0; i < ACCURACY_ITEMS; i++)
			if (a->item[i].rate)
				compare_item(a, &a->item[i], i, view);
	}
}

/* Idle time that is known exactly is not estimated by samples. */
static bool is_compared(const struct accuracy *a, unsigned int i)
{
	const struct accuracy_item *item = &a->item[i];

	if (i == LEAF_IDLE && item->exact)
		return false;
	if (i == LEAF_HARDIRQ_NET) /* no sample tells of it */
		return false;
	if (!accuracy_bins_has_item(a->m, i) || (i == LEAF_TASK && !item->exact))
		return false;
	return item->exact || item->seen;
}

static int compare(struct accuracy *a)
{
	int err = make_whole(a);

	for (unsigned int i = 0; !err && i < ACCURACY_ITEMS; i++) {
		struct accuracy_item *item = &a->item[i];

		if (!is_compared(a, i))
			continue;
		item->rate = calloc(DECIMATE_FACTORS, sizeof(*item->rate));
		if (!item->rate)
			err = -ENOMEM;
	}
	if (!err)
		compare_bins(a);
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
	a->none = find_none(m);
	if (!a->none)
		err = compare(a);
	if (err) {
		accuracy_free(a);
		a = NULL;
	}
	*made = a;
	return err;
}

void accuracy_free(struct accuracy *a)
{
	for (unsigned int i = 0; a && i < ACCURACY_ITEMS; i++)
		free(a->item[i].rate);
	free(a);
}
