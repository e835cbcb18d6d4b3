// SPDX-License-Identifier: BSD-2-Clause
#include "caveats.h"

#include <inttypes.h>
#include <math.h>

#include "cost.h"
#include "report/base/text.h"
#include "report/model/filter.h"
#include "report/spec/spec.h"

/*
 * The kernel throttles samples, loses them where a ring is full, and not every kernel samples a CPU around its idle time
 * (seen on a 6.18 in a virtual machine, where `perf record` misses the same samples).
 */
static void samples(char *text, size_t size, const struct summary *s)
{
	const struct summary_recording *r = &s->recording;
	double missing = split_missing(&s->split.all);

	if (missing > 0)
		snprintf(
			text, size,
			"%s %% of the samples that busy time asks for are missing (throttled %s times, %s lost): those "
			"that are there stand for all busy time, and intervals are wider by that share; what runs "
			"briefly may be too small",
			PERCENT(missing, 1), NUM(r->throttled, 0), NUM(r->samples_lost, 0));
}

#define CUT_TOO_MANY 0.001 /* of all samples */

static void stacks(char *text, size_t size, const struct summary *s)
{
	double share = s->recording.samples_cut;

	if (share > CUT_TOO_MANY)
		snprintf(
			text, size,
			"%s %% of the samples have a stack that reached the kernel's limit (kernel.perf_event_max_stack), "
			"or none: the outer functions, which decide the leaf, are missing there. So much of the time by "
			"samples may be in wrong leaves",
			PERCENT(share, 2));
}

/* A few calls are under way when the probes are attached, and their messages outside. */
#define OUTSIDE_TOO_MUCH 0.001

static bool messages_outside(const struct summary_recording *r)
{
	return r->sends_outside > OUTSIDE_TOO_MUCH * (r->sends_inside + r->sends_outside) ||
	       r->recvs_outside > OUTSIDE_TOO_MUCH * (r->recvs_inside + r->recvs_outside);
}

static void exact(char *text, size_t size, const struct summary *s)
{
	if (messages_outside(&s->recording))
		snprintf(
			text, size,
			"messages passed outside every probe (see coverage): their time is in user or other, not "
			"in socket send or receive");
}

/* An error of the trace: no measurement can do that. */
static void sums(char *text, size_t size, const struct summary *s)
{
	struct sums_cpu all = { 0 }, c;
	const struct model_cpu *cpu;

	if (!s->m->sums || filter_has_tasks(s->m->filter))
		return;
	model_for_each_cpu(s->m, cpu)
	{
		c = sums_cpu(s->m->sums, cpu->cpu);
		if (!all.wrong)
			all = (struct sums_cpu){ all.pairs, 0, c.wrong_ns, c.of_ns };
		all.pairs += c.pairs;
		all.wrong += c.wrong;
	}
	if (all.wrong)
		snprintf(
			text, size,
			"in %" PRIu64 " of %" PRIu64
			" readings exact times do not sum to the time that passed (the first: %s ms of "
			"%s): what rests on those is wrong",
			all.wrong, all.pairs, NUM((double)all.wrong_ns * 1e-6, 3),
			NUM((double)all.of_ns * 1e-6, 3));
}

static void programs(char *text, size_t size, const struct summary *s)
{
	cost_misses(s->m, text, size);
}

static void cost(char *text, size_t size, const struct summary *s)
{
	if (cost_slowed(s->m))
		snprintf(
			text, size,
			"the statistics slow programs down while their runs are counted: a load of little but "
			"system calls makes fewer then, and the programs may cost twice as much as is said");
}

/* What is worth a caveat: it is more than chance, and matters. */
#define INTERVALS_APART 2
#define SHARE_APART 0.05

static bool are_apart(double a, double b, double ci95)
{
	double apart = fabs(a - b);

	return apart > INTERVALS_APART * ci95 && apart > SHARE_APART * fmax(fabs(a), fabs(b));
}

/* What the recorder itself cost is taken out of the leaves: not more than there is, if what is known of it is true. */
static void own(char *text, size_t size, const struct summary *s)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (s->split.all.leaf[l].ns < 0 && !(s->measured.all.leaf[l].ns < 0) &&
		    are_apart(s->split.all.leaf[l].ns, 0, s->split.all.leaf[l].ci95_ns)) {
			snprintf(
				text, size,
				"what the recorder itself cost is said to be more than all of \"%s\": see "
				"--with-own-cost",
				leaf_desc[l].title);
			return;
		}
}

/* Of hard interrupts no sample tells. */
#define NETWORK_IN_SAMPLES (LEAF_NETWORK & ~LEAF_BIT(HARDIRQ_NET))

static void network(char *text, size_t size, const struct summary *s)
{
	const struct split_cpu *all = &s->split.all;
	struct split_value v = split_sum(all, NETWORK_IN_SAMPLES);
	double exact = v.ns / all->wall_ns;

	if (s->m->records[TRACE_EXACT] && v.sampled_ci95 > 0 &&
	    are_apart(exact, v.sampled, v.sampled_ci95))
		snprintf(
			text, size,
			"%s %% of time by exact counters, %s +- %s by samples%s.%s Samples are delayed where "
			"interrupts are disabled, and may keep step with timers of the load",
			PERCENT(exact, 2), PERCENT(v.sampled, 2), PERCENT(v.sampled_ci95, 2),
			all->leaf[LEAF_HARDIRQ_NET].ns > 0 ? ", both without hard interrupts" : "",
			all->leaf[LEAF_OWN].ns > 0 ? "" :
						     " Exact times include the probes' own cost.");
}

size_t caveats_make(struct caveat caveat[CAVEATS_MAX], const struct summary *s)
{
	static const struct {
		const char *name;
		void (*say)(char *text, size_t size, const struct summary *s);
	} kinds[CAVEATS_MAX] = {
		{ "samples", samples }, { "stacks", stacks },	  { "exact", sums },
		{ "exact", exact },	{ "programs", programs }, { "cost", cost },
		{ "cost", own },	{ "network", network },
	};
	size_t n = 0;

	for (size_t i = 0; i < CAVEATS_MAX; i++) {
		caveat[n] = (struct caveat){ .name = kinds[i].name };
		kinds[i].say(caveat[n].text, sizeof(caveat[n].text), s);
		n += *caveat[n].text != '\0';
	}
	return n;
}
