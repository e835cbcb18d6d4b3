// SPDX-License-Identifier: BSD-2-Clause
/* What a sample costs. */
#include "own_cost_impl.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/reasons.h>

#include "record/base/clock.h"
#include "record/sample/own_sample.h"

#define SAMPLED_NS 4000000 /* so long own calls are sampled */
#define MOST_CALLS 4096
#define FEWEST_HITS 6

struct calls {
	double ns[MOST_CALLS];
	size_t n;
};

static double nth(struct calls *c, double rank)
{
	double most = (double)c->n - 1;

	return c->ns[(size_t)fmax(0, fmin(rank, most))];
}

/* Which were hit is known, as each sample is counted. */
static void call_and_sort(struct own_calls *c, const struct own_sample *s, struct calls *hit,
			  struct calls *others)
{
	const struct own_calls_kind *k = &own_calls_kinds[OWN_CALLS_LOOPBACK];
	uint64_t first = now_ns(), began, ended = first;

	while (ended - first < SAMPLED_NS && others->n < MOST_CALLS && hit->n < MOST_CALLS) {
		uint64_t taken = own_sample_taken(s);
		struct calls *to;

		began = now_ns();
		k->piece(c);
		ended = now_ns();
		to = own_sample_taken(s) == taken ? others : hit;
		to->ns[to->n++] = (double)(ended - began);
	}
}

/* The medians' difference, with its interval by rank. */
static void take_sample(struct own_cost_probe *p, struct calls *hit, struct calls *others)
{
	double middle = ((double)hit->n - 1) / 2, half = sqrt((double)hit->n);

	qsort(hit->ns, hit->n, sizeof(*hit->ns), own_batches_compare);
	qsort(others->ns, others->n, sizeof(*others->ns), own_batches_compare);
	if (hit->n < FEWEST_HITS || !others->n) {
		snprintf(p->why, sizeof(p->why), reason_few_samples, (unsigned int)hit->n);
		return;
	}
	p->ns = nth(hit, middle) - nth(others, ((double)others->n - 1) / 2);
	p->ci95 = (nth(hit, middle + half) - nth(hit, middle - half)) / 2;
	p->runs = (unsigned int)hit->n;
	if (!(p->ns > 0))
		p->ns = p->ci95 = NAN;
}

static int sample_own_calls(struct own_cost *o, const struct sampler_options *options,
			    struct calls *hit, struct calls *others)
{
	const struct own_calls_kind *k = &own_calls_kinds[OWN_CALLS_LOOPBACK];
	struct own_sample *s;
	int err = own_calls_new(&o->calls);

	if (err)
		return err;
	err = own_calls_begin(o->calls, k);
	if (!err)
		err = own_sample_new(&s, options, own_calls_cpu(o->calls));
	if (!err) {
		call_and_sort(o->calls, s, hit, others);
		own_sample_free(s);
	}
	own_calls_free(o->calls);
	o->calls = NULL;
	return err;
}

void own_cost_sample(struct own_cost *o, const struct sampler_options *options)
{
	struct own_cost_probe *p = &o->probe[NETCOST_PROBE_SAMPLE];
	struct calls *hit = calloc(1, sizeof(*hit)), *others = calloc(1, sizeof(*others));
	int err = hit && others ? sample_own_calls(o, options, hit, others) : -ENOMEM;

	p->why[0] = '\0';
	if (err == -ENOTSUP)
		snprintf(p->why, sizeof(p->why), reason_sample_program);
	else if (err)
		snprintf(p->why, sizeof(p->why), reason_no_own_samples, -err);
	else
		take_sample(p, hit, others);
	free(hit);
	free(others);
}
