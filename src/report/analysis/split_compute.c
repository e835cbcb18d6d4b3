// SPDX-License-Identifier: BSD-2-Clause
/*
 * Computes the split of CPUs whose exact counting was paused, from the counted time and the pauses.
 */
#include "split.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/stats.h"

static bool measured(double v)
{
	return !isnan(v);
}

/* Returns the number of samples expected in the pauses. NaN: unknown. */
static double due_in_pauses(const struct split_input *in, const struct split_cpu *counted)
{
	if (in->of == SPLIT_OF_TIME)
		return in->paused_expected;
	if (in->of == SPLIT_OF_CYCLES && !in->stat.there && counted->samples > 0)
		return counted->samples / (counted->basis * counted->wall_ns) * in->paused_ns;
	return NAN;
}

/* Splits the time of the pauses by samples and /proc/stat. `counted` is the split of the CPU's other time. */
static void split_paused_part(struct split_cpu *c, const struct split_input *in,
			      const struct split_cpu *counted)
{
	struct split_input p = { .cpu = in->cpu,
				 .wall_ns = in->paused_ns,
				 .samples_rest = in->paused_rest,
				 .only_samples = in->only_samples,
				 .samples_expected = due_in_pauses(in, counted),
				 .samples_lost = in->paused_lost,
				 .stat = in->stat };

	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		p.exact_ns[e] = NAN;
	memcpy(p.samples, in->paused, sizeof(p.samples));
	/* No probes run in pauses, so only samples have a cost. */
	p.own.there = in->own.there;
	p.own.sample_ns = in->own.sample_ns;
	p.own.sample_ci95_ns = in->own.sample_ci95_ns;
	p.own.at_least = in->own.at_least;
	p.own.lacks = in->own.lacks;
	p.own_samples.known = in->own_samples.known;
	memcpy(p.own_samples.all, in->own_samples.paused, sizeof(p.own_samples.all));
	if (in->of == SPLIT_OF_NETWORK || (isnan(p.samples_expected) && !p.stat.there)) {
		memset(p.samples, 0, sizeof(p.samples)); /* the samples do not represent time */
		p.stat.there = false;
	}
	split_part(c, &p);
}

/*
 * Sums the counted time and the pauses. A leaf that was measured in only one of these parts becomes a lower bound. If
 * one part has no samples at all, the samples of the other part represent both.
 */
static void join_parts(struct split_cpu *c, const struct split_cpu part[2])
{
	split_sum_cpus(c, part, 2);
	c->cpu = part[0].cpu;
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		const struct split_value *a = &part[0].leaf[l], *b = &part[1].leaf[l];

		if ((a->how == SPLIT_NOT_MEASURED) != (b->how == SPLIT_NOT_MEASURED))
			c->leaf[l].how = SPLIT_AT_LEAST;
		if ((!measured(a->sampled) && part[0].samples > 0) ||
		    (!measured(b->sampled) && part[1].samples > 0))
			c->leaf[l].sampled = c->leaf[l].sampled_ci95 = NAN;
	}
}

/* ---- windows and samples, combined -------------------------------------------------------- */

/* The leaves that are defined in the same way by samples and by exact times. */
#define COMBINED                                                                                   \
	(LEAF_BIT(SOCK_SEND) | LEAF_BIT(SOCK_RECV) | LEAF_BIT(RX_SOFTIRQ) | LEAF_BIT(TX_SOFTIRQ) | \
	 LEAF_BIT(SOCK_LOCAL) | LEAF_BIT(IO_WORKER))

#define WINDOWS_LEAST 3 /* fewest windows; with fewer windows, their variance is unknown */
#define SAMPLES_LEAST                                                                              \
	25 /* fewest samples; with fewer samples, it is unknown whether windows are representative of the pauses */

/* The time of a leaf in the pauses, and the variance of its error. NaN: unknown. */
struct estimate {
	double ns, variance;
};

static double square(double v)
{
	return v * v;
}

/*
 * Returns the relative difference between the leaf's time in windows and in pauses, according to the samples in both.
 * Returns 0 if the difference is not significant, and NaN if there are too few samples.
 */
static double unlike(const struct split *s, const struct split_input *in, size_t n,
		     unsigned int leaf)
{
	double counted = 0, paused = 0, expected;

	for (size_t i = 0; i < n; i++) {
		counted += (double)in[i].samples[leaf];
		paused += (double)in[i].paused[leaf];
	}
	expected = paused * s->counted.wall_ns / s->paused.wall_ns;
	if (!(expected >= SAMPLES_LEAST))
		return NAN;
	return square(counted - expected) > 4 * expected * (1 + expected / paused) ?
		       counted / expected - 1 :
		       0;
}

/*
 * Estimates the time of a leaf in the pauses from windows. Windows begin at random times, so the leaf is expected to
 * have the same share of the windows as of the pauses. The error is the larger of two values. The first value is the
 * spread of the windows and of the pauses, plus the time that probes take from the load while counting. The spread is
 * by a t distribution, because a few windows may be alike by chance. The second value is the difference between windows
 * and pauses according to samples.
 */
static struct estimate by_windows(const struct split *s, const struct split_input *in, size_t n,
				  const struct split_windows *w, unsigned int leaf)
{
	const struct split_cpu *c = &s->counted;
	double wall_ns = 0, ns = 0, measured_ns = 0, df, variance, more = unlike(s, in, n, leaf);
	struct estimate e = { NAN, NAN };

	for (size_t i = 0; i < w->n; i++) {
		wall_ns += w->wall_ns[i];
		ns += w->ns[leaf][i];
	}
	for (size_t i = 0; i < n; i++)
		if (in[i].wall_ns > 0)
			measured_ns += in[i].exact_ns[leaf_desc[leaf].event];
	if (w->n < WINDOWS_LEAST || !(ns > 0) || !(c->leaf[leaf].ns > 0))
		return e;
	variance = stats_ratio_variance(w->ns[leaf], w->wall_ns, w->n, &df) / square(ns / wall_ns);
	variance *= square(stats_t95(df) / STATS_Z95) * (1 + wall_ns / s->paused.wall_ns);
	variance += square(c->leaf[LEAF_OWN].ns / (c->wall_ns - c->leaf[LEAF_IDLE].ns));
	e.ns = ns / wall_ns * c->leaf[leaf].ns / measured_ns * s->paused.wall_ns;
	e.variance = fmax(e.ns * e.ns * variance, square(more * s->paused.leaf[leaf].ns)) +
		     square(c->leaf[leaf].own_ci95_ns / STATS_Z95);
	return isnan(more + variance) ? (struct estimate){ NAN, NAN } : e;
}

void split_combine(struct split_combined *to, const struct split *s, const struct split_input *in,
		   size_t n, const struct split_windows *windows)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		const struct split_value *v = &s->paused.leaf[l];
		double weight, variance = square(v->ci95_ns / STATS_Z95);
		struct estimate w = { NAN, NAN };

		if (COMBINED & 1u << l && s->counted.leaf[l].how == SPLIT_EXACT && v->ns > 0)
			w = by_windows(s, in, n, windows, l);
		weight = variance / (variance + w.variance);
		to->ratio[l] = 1 + weight * (w.ns / v->ns - 1);
		to->gain_per_ns[l] = weight / v->estimated_ns;
	}
}

/*
 * Sets the combined times. The leaves that are known only from samples share the remaining time in proportion to their
 * samples. If the remaining time is negative, the times stay as they are.
 */
static void combine(struct split_cpu *c, const struct split_combined *with)
{
	double moved_ns = 0, rest_ns = 0, factor;

	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		const struct split_value *v = &c->leaf[l];

		if (!measured(v->estimated_ns) || l == LEAF_OWN || l == LEAF_IDLE)
			continue;
		if (measured(with->ratio[l]))
			moved_ns += v->ns * (with->ratio[l] - 1);
		else
			rest_ns += v->ns;
	}
	if (!(rest_ns > fmax(moved_ns, 0)))
		return;
	factor = 1 - moved_ns / rest_ns;
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		struct split_value *v = &c->leaf[l];
		bool known = measured(with->ratio[l]);

		if (!measured(v->estimated_ns) || l == LEAF_OWN || l == LEAF_IDLE)
			continue;
		v->gain = known ? with->gain_per_ns[l] * v->estimated_ns : 0;
		v->ns *= known ? with->ratio[l] : factor;
		v->estimated_ns *= known ? with->ratio[l] : factor;
	}
	split_set_intervals(c);
}

/* ---- CPUs, with and without pauses ------------------------------------------------------- */

/* The parts of the time of one or several CPUs. */
struct parts {
	struct split_cpu *counted, *paused;
	size_t ncounted, npaused;
};

/* Splits a CPU, and adds its parts to p. */
static void split_one(struct split_cpu *c, struct parts *p, const struct split_input *in)
{
	struct split_cpu part[2];

	split_part(&part[0], in);
	*c = part[0];
	if (in->paused_ns > 0) {
		split_paused_part(&part[1], in, &part[0]);
		if (in->combined)
			combine(&part[1], in->combined);
		p->paused[p->npaused++] = part[1];
		if (!(in->wall_ns > 0)) {
			*c = part[1];
			return;
		}
		join_parts(c, part);
	}
	p->counted[p->ncounted++] = part[0];
}

static void sum_parts(struct split *s, const struct parts *p)
{
	struct split_cpu part[2];

	split_sum_cpus(&s->counted, p->counted, p->ncounted);
	s->all = s->counted;
	if (!p->npaused)
		return;
	part[0] = s->counted;
	split_sum_cpus(&s->paused, p->paused, p->npaused);
	part[1] = s->paused;
	if (p->ncounted)
		join_parts(&s->all, part);
	else
		s->all = part[1];
}

int split_compute(struct split *s, const struct split_input *in, size_t n)
{
	struct parts p = { calloc(n + 1, sizeof(*p.counted)), calloc(n + 1, sizeof(*p.paused)), 0,
			   0 };
	bool ok;

	*s = (struct split){ .ncpus = n, .cpu = calloc(n + 1, sizeof(*s->cpu)) };
	ok = s->cpu && p.counted && p.paused;
	for (size_t i = 0; ok && i < n; i++)
		split_one(&s->cpu[i], &p, &in[i]);
	if (ok)
		sum_parts(s, &p);
	else
		split_free(s);
	free(p.counted);
	free(p.paused);
	return ok ? 0 : -ENOMEM;
}

void split_free(struct split *s)
{
	free(s->cpu);
	*s = (struct split){ 0 };
}
