// SPDX-License-Identifier: BSD-2-Clause
/* Compares exact times with samples of the same recording, and with slower samplers. */
#include "accuracy.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/model/filter.h"
#include "report/rules/rules.h"

/* ---- slower samplers --------------------------------------------------------------------- */

const unsigned int decimate_factor[DECIMATE_FACTORS] = { 1, 2, 5, 10, 20, 50, 100 };

#define FIVE_PHASES(factor, k)                                                                     \
	{ factor, 0 }, { factor, (k) / 5 }, { factor, 2 * (k) / 5 }, { factor, 3 * (k) / 5 },      \
	{                                                                                          \
		factor, 4 * (k) / 5                                                                \
	}

const struct decimate_track decimate_track[DECIMATE_TRACKS] = {
	{ 0, 0 },	    { 1, 0 },		{ 1, 1 },	    FIVE_PHASES(2, 5),
	FIVE_PHASES(3, 10), FIVE_PHASES(4, 20), FIVE_PHASES(5, 50), FIVE_PHASES(6, 100),
};

unsigned int decimate_phases(unsigned int factor)
{
	unsigned int k = decimate_factor[factor];

	return k < DECIMATE_PHASES ? k : DECIMATE_PHASES;
}

/*
 * Divisors of the sampling period. If two samples are one period apart, to within period / NEAR, both were most likely
 * taken on time. The later sample then fixes the grid, even if the first sample of the CPU was late. A sample that is
 * early by up to period / EARLY belongs to the next period.
 */
#define NEAR 32
#define EARLY 8

static uint64_t number_of(const struct decimate *d, uint64_t period_ns, uint64_t time_ns)
{
	if (!period_ns)
		return d->count;
	if (time_ns < d->due_ns)
		return d->due_number;
	return d->due_number + (time_ns - d->due_ns + period_ns / EARLY) / period_ns;
}

static bool is_in_time(const struct decimate *d, uint64_t period_ns, uint64_t time_ns)
{
	uint64_t near = period_ns / NEAR, apart = time_ns - d->before_ns;

	return time_ns > d->before_ns && apart >= period_ns - near && apart <= period_ns + near;
}

uint32_t decimate_sample(struct decimate *d, uint64_t period_ns, uint64_t time_ns)
{
	uint32_t taken = 1;
	uint64_t now;

	if (!d->count)
		d->due_ns = time_ns;
	now = number_of(d, period_ns, time_ns);
	if (d->count && period_ns && is_in_time(d, period_ns, time_ns)) {
		d->due_ns = time_ns;
		d->due_number = now;
	}
	d->before_ns = time_ns;
	d->count++;
	for (unsigned int i = 1; i < DECIMATE_TRACKS; i++) {
		const struct decimate_track *t = &decimate_track[i];
		unsigned int k = decimate_factor[t->factor];

		if (now < t->phase || now - t->phase < d->next[i])
			continue;
		taken |= UINT32_C(1) << i;
		d->next[i] = ((now - t->phase) / k + 1) * k;
	}
	return taken;
}

/* ---- samples and exact times of each cell ------------------------------------------------ */

void accuracy_bins_free(struct accuracy_bins *b)
{
	free(b->count);
	free(b->parts);
	free(b->before);
	free(b->cpu);
	*b = (struct accuracy_bins){ .watch = b->watch };
}

static bool bins_begin(void *ctx, const struct intervals *iv)
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

static const uint32_t *bins_count(const struct accuracy_bins *b, size_t bin, unsigned int track)
{
	return b->count + (bin * b->tracks + track) * ACCURACY_COUNTS;
}

static double counter_sum(const struct counter *c)
{
	return c->readings && !c->unknown ? (double)c->sum : NAN;
}

static struct accuracy_bins_parts bins_parts(const struct model_cpu *c)
{
	struct accuracy_bins_parts p;

	for (unsigned int i = 0; i < NETCOST_PART_COUNT; i++) {
		p.ns[i] = c ? counter_sum(&c->part_ns[i]) : NAN;
		p.ns[NETCOST_PART_COUNT + i] = c ? counter_sum(&c->part_total_ns[i]) : NAN;
	}
	return p;
}

static void bins_edge(void *ctx, const struct model *m, size_t at)
{
	struct accuracy_bins *b = ctx;

	for (size_t i = 0; b->tracks && i < b->iv->ncpus; i++) {
		struct accuracy_bins_parts now = bins_parts(m->cpu[b->iv->number[i]]);

		for (unsigned int p = 0; at && p < 2 * NETCOST_PART_COUNT; p++)
			b->parts[(at - 1) * b->iv->ncpus + i].ns[p] =
				now.ns[p] - b->before[i].ns[p];
		b->before[i] = now;
	}
}

#define ITEM(i) (UINT64_C(1) << (i))

/* Returns the part with the same key as the category, or NETCOST_PART_COUNT if there is no such part. */
static unsigned int part_of_category(const struct rules_category *category)
{
	unsigned int p = 0;

	while (p < NETCOST_PART_COUNT && strcmp(model_part_key(p), category->key))
		p++;
	return p;
}

/*
 * Returns the set of items that count a sample of the class. The innermost part is the part of the class's category, or
 * of the nearest enclosing category that has a part.
 */
static uint64_t find_class_items(const struct model *m, unsigned int class)
{
	const struct rules *r = m->classes ? classifier_rules(m->classes->classifier) : NULL;
	unsigned int own;
	enum leaf leaf;
	uint64_t items;

	/* Exact times include the recorder's own part, so the samples must include it, too. */
	if (m->classes)
		class = stack_classes_measured(m->classes, class);
	leaf = model_leaf(m, class);
	items = ITEM(leaf);

	if (!r || leaf != LEAF_RX_SOFTIRQ)
		return items;
	for (own = m->classes->at[class].category; own >= LEAF_COUNT;
	     own = r->category[own].parent) {
		if (part_of_category(&r->category[own]) == NETCOST_PART_COUNT)
			continue;
		items |= ITEM(ACCURACY_OWN + part_of_category(&r->category[own]));
		break;
	}
	for (unsigned int i = LEAF_COUNT; i < r->ncategories; i++)
		if (r->category[i].leaf == leaf && stack_class_is_in(&m->classes->at[class], i) &&
		    part_of_category(&r->category[i]) < NETCOST_PART_COUNT)
			items |= ITEM(ACCURACY_WITH_ALL + part_of_category(&r->category[i]));
	return items;
}

/* Returns true if samples can be counted for the item. A user's rules may lack the item's category. */
static bool bins_have_item(const struct model *m, unsigned int item)
{
	const struct rules *r = m->classes ? classifier_rules(m->classes->classifier) : NULL;
	bool with_all = item >= ACCURACY_WITH_ALL;

	if (item < ACCURACY_OWN)
		return true;
	if (!r || (with_all && m->classes->full))
		return false;
	for (unsigned int i = LEAF_COUNT; i < r->ncategories; i++)
		if (r->category[i].leaf == LEAF_RX_SOFTIRQ &&
		    part_of_category(&r->category[i]) == (item - ACCURACY_OWN) % NETCOST_PART_COUNT)
			return true;
	return false;
}

static uint64_t bins_items(struct accuracy_bins *b, const struct model *m,
			   const struct intervals_sample *s)
{
	uint64_t *items = &b->class_items[s->class];

	if (!s->selected)
		return ITEM(ACCURACY_REST) |
		       (model_leaf(m, s->class) == LEAF_IDLE ? ITEM(ACCURACY_REST_IDLE) : 0);
	if (!*items)
		*items = find_class_items(m, s->class);
	return *items;
}

/* Returns true if samples are taken by time and not by another event. */
static bool bins_by_time(const struct model *m)
{
	return m->header.sample_hz && m->header.sample_hz <= 1000000000u &&
	       !strcmp(model_string(m, m->header.sample_event), "cpu-clock");
}

/* Returns the sampling period as rounded by the kernel, or 0 if samples are not taken by time. */
static uint64_t period_ns(const struct model *m)
{
	return bins_by_time(m) ? 1000000000u / m->header.sample_hz : 0;
}

static void bins_sample(void *ctx, const struct model *m, const struct intervals_sample *s)
{
	struct accuracy_bins *b = ctx;
	uint32_t *count;
	uint64_t items;
	uint32_t taken;

	if (!b->tracks)
		return;
	items = bins_items(b, m, s);
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
		.watch = { .ctx = b, .begin = bins_begin, .edge = bins_edge, .sample = bins_sample },
	};
}

#define POINTS 100.0 /* a share of 1 is 100 percentage points */

/* ---- one bin ----------------------------------------------------------------------------- */

/* One bin of one sampler, or the sum of all bins of a CPU. */
struct view {
	struct split_input in;
	/* number of samples, and the share of CPU time that they represent */
	struct split_cpu rests_on;
	double exact_ns[ACCURACY_ITEMS], count[ACCURACY_ITEMS];
};

static double exact_ns(const struct accuracy *a, const struct split_input *in, size_t bin,
		       unsigned int item)
{
	if (in->only_samples) /* exact times include the tasks that the filter excludes */
		return NAN;
	if (item >= ACCURACY_OWN)
		return a->bins->parts[bin].ns[item - ACCURACY_OWN];
	return leaf_desc[item].event < 0 ? NAN : in->exact_ns[leaf_desc[item].event];
}

/*
 * Returns true if the leaf is part of the event TASK. This is the case if the leaf has no event, or if its event is not
 * counted.
 */
static bool is_in_task(const struct split_input *in, unsigned int leaf)
{
	int event = leaf_desc[leaf].event;

	return leaf != LEAF_IDLE && leaf != LEAF_TASK && (event < 0 || isnan(in->exact_ns[event]));
}

static struct view look(const struct accuracy *a, size_t bin, unsigned int track)
{
	const uint32_t *count = bins_count(a->bins, bin, track);
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

/* Returns an item's share of CPU time by samples. NaN: unknown. */
static double sampled_share(const struct view *v, unsigned int item)
{
	if (!(v->rests_on.samples > 0) || item == LEAF_HARDIRQ_NET)
		return NAN;
	if (item == LEAF_IDLE && !isnan(v->in.exact_ns[NETCOST_EV_IDLE]))
		return NAN;
	return count_of(v, item) / v->rests_on.samples * v->rests_on.basis;
}

/* ---- choice of bins ---- */

static double samples_due(const struct accuracy *a, const struct view *v)
{
	double idle_ns = v->in.exact_ns[NETCOST_EV_IDLE];

	return v->in.samples_expected -
	       (isnan(idle_ns) ? 0 : idle_ns * 1e-9 * (double)a->m->header.sample_hz);
}

/*
 * Returns true if samples represent time. Samples inside the network are scaled to its exact time, so comparing the
 * samples with that time would be circular.
 */
static bool represents_time(const struct split_input *in)
{
	return in->of == SPLIT_OF_TIME ||
	       (in->of == SPLIT_OF_CYCLES && !isnan(in->exact_ns[NETCOST_EV_IDLE]));
}

/* Returns the reason for leaving out a bin, or ACCURACY_REASONS if the bin is compared. */
static enum accuracy_reason why_not(const struct accuracy *a, size_t bin, const struct view *v)
{
	const struct interval *row = &a->bins->iv->row[bin / a->bins->iv->ncpus];

	if (v->in.paused_ns > 0)
		return ACCURACY_PAUSED;
	if (!(v->in.wall_ns > 0))
		return ACCURACY_NO_TIME;
	if ((double)(row->end_ns - row->begin_ns) * 1e-9 < a->piece_s / 2)
		return ACCURACY_SHORT;
	if (!represents_time(&v->in))
		return ACCURACY_NOT_TIME;
	if (v->rests_on.samples > 0)
		return ACCURACY_REASONS;
	return samples_due(a, v) < 1 ? ACCURACY_NONE_DUE : ACCURACY_NONE_TAKEN;
}

/* ---- the whole recording ---- */

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

/*
 * Counts the bins that are compared and those that are left out. `total` is the sum of the compared bins for each CPU.
 */
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

/* ---- pairs of exact and sampled values --------------------------------------------------- */

/*
 * Returns the variance of an estimate of the share `truth`. `against` is the number of samples on which `truth` is
 * based; INFINITY means that `truth` is exact.
 */
static double binomial_variance(const struct split_cpu *rests_on, double truth, double against)
{
	double q = fmin(truth / rests_on->basis, 1);

	return POINTS * POINTS * rests_on->basis * rests_on->basis * q * (1 - q) *
	       (1 / rests_on->samples - 1 / against);
}

/*
 * Counts a value for which the sampler took no samples. The error is at most the busy time, because a single sample
 * would represent all of the busy time.
 */
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

/* Returns true if an item is compared. Exact idle time is not compared, because samples do not estimate idle time. */
static bool is_compared(const struct accuracy *a, unsigned int i)
{
	const struct accuracy_item *item = &a->item[i];

	if (i == LEAF_IDLE && item->exact)
		return false;
	if (i == LEAF_HARDIRQ_NET) /* no samples are taken in hard interrupts */
		return false;
	if (!bins_have_item(a->m, i) || (i == LEAF_TASK && !item->exact))
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

/* ---- the comparison ---------------------------------------------------------------------- */

static const char *find_none(const struct model *m)
{
	if (!m->header.sample_hz)
		return "there are no samples: recorded with -F 0";
	if (summary_names_hidden(m))
		return "no symbols (kptr_restrict): samples cannot be classified";
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

/* ---- names ------------------------------------------------------------------------------- */

const char *const accuracy_reason_key[ACCURACY_REASONS] = {
	[ACCURACY_PAUSED] = "paused",
	[ACCURACY_NO_TIME] = "no_time",
	[ACCURACY_SHORT] = "short",
	[ACCURACY_NOT_TIME] = "samples_not_of_time",
	[ACCURACY_NONE_DUE] = "no_sample_due",
	[ACCURACY_NONE_TAKEN] = "no_sample_taken",
};

const char *const accuracy_reason_title[ACCURACY_REASONS] = {
	[ACCURACY_PAUSED] = "in which exact counting was paused to stay within the budget",
	[ACCURACY_NO_TIME] = "of CPUs that were offline, or whose time is unknown",
	[ACCURACY_SHORT] = "shorter than half the usual length",
	[ACCURACY_NOT_TIME] =
		"whose samples do not measure time, because they count cycles or only the network",
	[ACCURACY_NONE_DUE] = "in which no sample was due",
	[ACCURACY_NONE_TAKEN] = "in which samples were expected, but none were taken",
};

const char *accuracy_key(unsigned int item)
{
	return item < ACCURACY_OWN ? leaf_desc[item].key :
				     model_part_key((item - ACCURACY_OWN) % NETCOST_PART_COUNT);
}

const char *accuracy_title(unsigned int item)
{
	return item < ACCURACY_OWN ? leaf_desc[item].title :
				     model_part_title((item - ACCURACY_OWN) % NETCOST_PART_COUNT);
}

const char *accuracy_kind(unsigned int item)
{
	return item < ACCURACY_OWN ? "event" : item < ACCURACY_WITH_ALL ? "part" : "part_with_all";
}

double accuracy_hz(const struct accuracy *a, unsigned int factor)
{
	return (double)a->m->header.sample_hz / decimate_factor[factor];
}

/* ---- sufficient rate ---- */

double accuracy_theory(const struct accuracy_stat *s)
{
	return s->pairs.n ? sqrt(s->variance / (double)s->pairs.n) : NAN;
}

/* Returns the error that theory predicts for the values at the full rate. */
static double theory_full(const struct accuracy_item *item)
{
	return item->bins ? sqrt(item->variance / (double)item->bins) : NAN;
}

#define MAIN_SHARE 0.001 /* fraction of CPU time */

bool accuracy_is_main(const struct accuracy *a, unsigned int item)
{
	const struct accuracy_item *i = &a->item[item];

	return item < ACCURACY_OWN && item != LEAF_TASK && i->rate && i->exact && i->bins &&
	       (i->whole.exact >= MAIN_SHARE || i->whole.sampled >= MAIN_SHARE);
}

#define ENOUGH_SHARE 0.95

static bool is_enough(const struct accuracy_stat *s)
{
	return (double)s->within >= ENOUGH_SHARE * (double)s->judged;
}

static double enough_by_theory(const struct accuracy *a, const struct accuracy_item *item)
{
	double ratio = STATS_Z95 * theory_full(item) / a->precision;
	double hz = (double)a->m->header.sample_hz * ratio * ratio;

	if (!item->exact)
		return hz;
	return ratio > 1 && fabs(stats_bias(&item->rate[0].pairs)) <= a->precision ? hz : NAN;
}

struct accuracy_enough accuracy_enough(const struct accuracy *a, unsigned int which)
{
	const struct accuracy_item *item = &a->item[which];
	struct accuracy_enough e = { .hz = NAN, .by_theory = NAN };

	if (!item->rate)
		return e;
	for (unsigned int f = item->exact ? 0 : 1;
	     f < DECIMATE_FACTORS && item->rate[f].judged && is_enough(&item->rate[f]); f++)
		e.hz = accuracy_hz(a, f);
	if (isnan(e.hz))
		e.by_theory = enough_by_theory(a, item);
	return e;
}

/* Compares two rates. An unknown rate counts as higher than any known rate. */

static bool asks_for_more(const struct accuracy_enough *a, const struct accuracy_enough *than)
{
	if (isnan(a->hz) != isnan(than->hz))
		return isnan(a->hz);
	if (!isnan(a->hz))
		return a->hz > than->hz;
	return !isnan(than->by_theory) && !(a->by_theory <= than->by_theory);
}

bool accuracy_is_asked_for(const struct accuracy *a, unsigned int item)
{
	const struct accuracy_item *i = &a->item[item];

	for (unsigned int k = 0; k < ACCURACY_OWN; k++)
		if (accuracy_is_main(a, k))
			return accuracy_is_main(a, item);
	return item < ACCURACY_OWN && i->rate && i->seen && i->bins;
}

struct accuracy_enough accuracy_enough_all(const struct accuracy *a, unsigned int *which)
{
	struct accuracy_enough all = { .hz = NAN, .by_theory = NAN };

	*which = ACCURACY_ITEMS;
	for (unsigned int i = 0; i < ACCURACY_OWN; i++) {
		struct accuracy_enough e;

		if (!accuracy_is_asked_for(a, i))
			continue;
		e = accuracy_enough(a, i);
		if (*which < ACCURACY_ITEMS && !asks_for_more(&e, &all))
			continue;
		all = e;
		*which = i;
	}
	return all;
}
