// SPDX-License-Identifier: BSD-2-Clause
/* The split of CPUs whose exact counting was paused: the time counted, and pauses, corrected by calibration. */
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

/* The number of samples expected in the pauses; NaN: unknown. */
static double due_in_pauses(const struct split_input *in, const struct split_cpu *counted)
{
	if (in->of == SPLIT_OF_TIME)
		return in->paused_expected;
	if (in->of == SPLIT_OF_CYCLES && !in->stat.there && counted->samples > 0)
		return counted->samples / (counted->basis * counted->wall_ns) * in->paused_ns;
	return NAN;
}

/* In pauses no probes run: only samples have a cost. */
static void take_own_of_pauses(struct split_cpu *c, const struct split_input *in)
{
	struct split_input p = { .own = { .there = in->own.there,
					  .sample_ns = in->own.sample_ns,
					  .sample_ci95_ns = in->own.sample_ci95_ns } };

	memcpy(p.samples, in->paused, sizeof(p.samples));
	split_take_own(c, &p);
}

/* The time of the pauses, by samples and /proc/stat. counted: the rest of that CPU's time. */
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
	p.own_samples.known = in->own_samples.known;
	memcpy(p.own_samples.all, in->own_samples.paused, sizeof(p.own_samples.all));
	if (in->of == SPLIT_OF_NETWORK || (isnan(p.samples_expected) && !p.stat.there)) {
		memset(p.samples, 0, sizeof(p.samples)); /* they do not represent time */
		p.stat.there = false;
	}
	split_part(c, &p);
	take_own_of_pauses(c, in);
}

/*
 * Sums the time counted and that of the pauses. A leaf that only one of them has is a lower bound. The samples of one part also
 * represent the other if that has none at all.
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

/* ---- calibration of samples by exact times ----------------------------------------------- */

/* The leaves that samples and exact times define in the same way. */
#define CALIBRATED                                                                                 \
	(LEAF_BIT(SOCK_SEND) | LEAF_BIT(SOCK_RECV) | LEAF_BIT(RX_SOFTIRQ) | LEAF_BIT(TX_SOFTIRQ) | \
	 LEAF_BIT(SOCK_LOCAL) | LEAF_BIT(IO_WORKER))

/*
 * Samples are biased: the sampler's timer waits for the end of a section without interrupts and then hits the code behind
 * it, and some functions are on no stack. Recordings of ping-pong, of bursts of it, and of a TCP stream on a virtual
 * machine were wrong by 0 to 10 % of a leaf, and one of their nine leaves by 21 %. So without windows a leaf is assumed
 * to be right within 14 % (standard error), which is the error of this number of samples.
 */
#define KNOWN_SAMPLES 50 /* 1 / 0.14^2 */
#define WINDOWS_LEAST 3	 /* with fewer their variance is unknown */
#define SAMPLES_LEAST                                                                              \
	25 /* with fewer it is unknown whether windows are representative of the pauses */

/* A leaf, in the time counted and in pauses. */
struct seen {
	double counted,
		expected; /* samples while counted, and the number that the exact time makes expect */
	double ns, measured_ns;	  /* exact time, without and with the recorder's own part */
	double own_ci95_ns;	  /* of that part */
	double paused, paused_ns; /* samples in pauses, and the time that they represent */
	bool unknown;
};

/* All of them. */
struct all_seen {
	struct seen leaf[LEAF_COUNT];
	double counted_ns, paused_ns; /* of all CPUs */
	double own; /* share of the busy time that the recorder's own part had, on the CPU where that is most; NAN: not known */
};

static void see_counted(struct seen *seen, const struct split_input *in, const struct split_cpu *c,
			unsigned int leaf)
{
	const struct split_value *v = &c->leaf[leaf];
	uint64_t probes = in->own.there ? in->tracing[leaf] : 0; /* v->ns does not include them */

	if (v->how != SPLIT_EXACT) {
		seen->unknown = true;
	} else if (c->samples > 0) {
		seen->counted += (double)(in->samples[leaf] - probes);
		seen->expected += fmax(v->ns, 0) * c->samples / (c->basis * c->wall_ns);
		seen->ns += fmax(v->ns, 0);
		seen->measured_ns += in->exact_ns[leaf_desc[leaf].event];
		seen->own_ci95_ns += v->ci95_ns; /* errors of one measurement add up */
	}
}

static void see_paused(struct seen *seen, const struct split_input *in, const struct split_cpu *c,
		       unsigned int leaf)
{
	if (!measured(c->leaf[leaf].ns))
		return;
	seen->paused += (double)in->paused[leaf];
	seen->paused_ns += c->leaf[leaf].ns;
}

static void see_own(struct all_seen *seen, const struct split_cpu *c)
{
	double busy_ns = c->wall_ns - c->leaf[LEAF_IDLE].ns;

	if (busy_ns > 0)
		seen->own = fmax(seen->own, c->leaf[LEAF_OWN].ns / busy_ns);
}

static void see(struct all_seen *seen, const struct split_input *in)
{
	struct split_cpu counted, paused;

	split_part(&counted, in);
	for (unsigned int l = 0; in->wall_ns > 0 && l < LEAF_COUNT; l++)
		if (CALIBRATED & 1u << l)
			see_counted(&seen->leaf[l], in, &counted, l);
	if (in->wall_ns > 0) {
		seen->counted_ns += in->wall_ns;
		see_own(seen, &counted);
	}
	if (!(in->paused_ns > 0))
		return;
	split_paused_part(&paused, in, &counted);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		see_paused(&seen->leaf[l], in, &paused, l);
	seen->paused_ns += in->paused_ns;
}

/* A ratio, and the variance of its error. */
struct estimate {
	double ratio, variance;
};

/*
 * Estimates the ratio from samples while counted. Their number is Poisson distributed around the expected number times a
 * factor, whose prior is a gamma distribution around 1; the posterior is a gamma distribution, too.
 */
static struct estimate by_samples(const struct seen *seen)
{
	double counted = KNOWN_SAMPLES + seen->counted;
	double ratio = (KNOWN_SAMPLES + seen->expected) / counted;

	return (struct estimate){ ratio, ratio * ratio / counted };
}

static double square(double v)
{
	return v * v;
}

/* The number of samples that the leaf would have while counted if that time were like the pauses. */
static double expected_samples(const struct seen *seen, const struct all_seen *all)
{
	return seen->paused * all->counted_ns / all->paused_ns;
}

/* Relative excess of samples while counted; 0 if not significant. */
static double unlike(const struct seen *seen, const struct all_seen *all)
{
	double expected = expected_samples(seen, all);
	double more = seen->counted / expected - 1;

	return more * more > 4 * (1 / expected + 1 / seen->paused) ? more : 0;
}

/*
 * Estimates the ratio from windows alone: as they begin at random times, the leaf has the same share of the pauses. The
 * error is the spread of the windows, by a t distribution as a few windows may be alike by chance; a significant excess
 * of samples; and the time that probes take from the load while counting. Variance NaN: unknown.
 */
static struct estimate by_windows(const struct all_seen *all, const struct split_windows *w,
				  unsigned int leaf)
{
	const struct seen *seen = &all->leaf[leaf];
	double wall_ns = 0, ns = 0, df, variance, ratio;

	for (size_t i = 0; i < w->n; i++) {
		wall_ns += w->wall_ns[i];
		ns += w->ns[leaf][i];
	}
	if (w->n < WINDOWS_LEAST || !(ns > 0) || !(seen->ns > 0) ||
	    !(expected_samples(seen, all) >= SAMPLES_LEAST))
		return (struct estimate){ NAN, NAN };
	variance = stats_ratio_variance(w->ns[leaf], w->wall_ns, w->n, &df) / square(ns / wall_ns);
	variance *= square(stats_t95(df) / STATS_Z95);
	ratio = ns / wall_ns * seen->ns / seen->measured_ns * all->paused_ns / seen->paused_ns;
	variance =
		fmax(ratio * ratio * variance, square(unlike(seen, all) * by_samples(seen).ratio));
	variance += ratio * ratio * (square(all->own) + 1 / seen->paused);
	return (struct estimate){ ratio, variance };
}

/* Combines two estimates with independent errors. */
static struct estimate join_estimates(struct estimate a, struct estimate b)
{
	double both = a.variance + b.variance;

	if (isnan(both))
		return a;
	return (struct estimate){ (a.ratio * b.variance + b.ratio * a.variance) / both,
				  a.variance * b.variance / both };
}

static void calibrate(struct split_calibration *to, unsigned int leaf, const struct all_seen *all,
		      const struct split_windows *windows)
{
	const struct seen *seen = &all->leaf[leaf];
	struct estimate e = join_estimates(by_samples(seen), by_windows(all, windows, leaf));
	double own = seen->ns > 0 ? seen->own_ci95_ns / STATS_Z95 / seen->ns : 0;

	to->ratio[leaf] = seen->unknown || !(CALIBRATED & 1u << leaf) ? NAN : e.ratio;
	to->error[leaf] = hypot(sqrt(e.variance) / e.ratio, own);
}

void split_calibrate(struct split_calibration *to, const struct split_input *in, size_t n,
		     const struct split_windows *windows)
{
	struct all_seen seen = { .own = NAN };

	for (size_t i = 0; i < n; i++)
		see(&seen, &in[i]);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		calibrate(to, l, &seen, windows);
}

/*
 * Corrects what samples say of the pauses; NULL: no correction. "Other kernel" changes by the opposite amount, as it does
 * in the time counted, where it is the remainder.
 */
static void correct(struct split_cpu *c, const struct split_calibration *calibration)
{
	struct split_value *other = &c->leaf[LEAF_OTHER_KERNEL];

	if (!calibration || other->how == SPLIT_NOT_MEASURED)
		return;
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		struct split_value *v = &c->leaf[l];
		double ratio = calibration->ratio[l], ns = v->ns, ci95_ns;

		if (isnan(ratio) || v->how == SPLIT_NOT_MEASURED)
			continue;
		ci95_ns = STATS_Z95 * calibration->error[l] * ratio * fabs(ns);
		v->ns *= ratio;
		v->ci95_ns = hypot(v->ci95_ns * ratio, ci95_ns);
		if (v->how != SPLIT_AT_LEAST)
			v->how = SPLIT_MIXED;
		other->ns -= v->ns - ns;
		other->ci95_ns = hypot(other->ci95_ns, ci95_ns);
	}
}

/* ---- CPUs, with and without pauses ------------------------------------------------------- */

/* The parts of a CPU's time, or of several CPUs'. */
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
		p->paused[p->npaused++] = part[1];
		correct(&part[1], in->calibration);
		if (!(in->wall_ns > 0)) {
			*c = part[1];
			return;
		}
		join_parts(c, part);
	}
	p->counted[p->ncounted++] = part[0];
}

/* The correction of the sum of all CPUs has a smaller error than the sum of the CPUs' corrections. */

static void sum_parts(struct split *s, const struct parts *p,
		      const struct split_calibration *calibration)
{
	struct split_cpu part[2];

	split_sum_cpus(&s->counted, p->counted, p->ncounted);
	s->all = s->counted;
	if (!p->npaused)
		return;
	part[0] = s->counted;
	split_sum_cpus(&part[1], p->paused, p->npaused);
	correct(&part[1], calibration);
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
		sum_parts(s, &p, n ? in->calibration : NULL);
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
