// SPDX-License-Identifier: BSD-2-Clause
#include "tail_steal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define READINGS 8 /* that are kept: of packets that waited for longer than these it is not known */
#define TOGETHER                                                                                   \
	32 /* numbers whose packets are looked at together: there are fewer, but in a hostile trace */
#define WAITING 256 /* packets of one or two ticks; of more it is not known */

struct reading {
	uint64_t began_ns, ended_ns;
};

/* Packets of a number on a CPU: together they can have had no more than what was stolen from the first to the last. */
struct stolen {
	double most_ns;
	uint64_t from, to; /* steal at the readings around all of them */
	uint64_t last_ns;  /* the last one's end */
	bool is, overlap;  /* overlap: what was stolen may be in several of them */
};

struct tail_steal {
	double unit_ns; /* 0: not known */
	uint64_t tick_ns;
	uint32_t cpu[TRACE_MAX_CPU]; /* of the last TICK */
	uint32_t ncpus;
	struct reading reading[READINGS]; /* the n-th is at n % READINGS */
	size_t nreadings;
	uint64_t steal[READINGS][TRACE_MAX_CPU]; /* TRACE_NIL: not known */
	struct tail_stolen waiting[WAITING];
	size_t nwaiting;
	struct tail_steal_sum sum[MODEL_CULPRITS];
	struct stolen *stolen[MODEL_CULPRITS]; /* by CPU; NULL: none */
	size_t nstolen;
	bool no_memory;
};

struct tail_steal *tail_steal_new(void)
{
	return calloc(1, sizeof(struct tail_steal));
}

void tail_steal_free(struct tail_steal *s)
{
	for (size_t i = 0; s && i < MODEL_CULPRITS; i++)
		free(s->stolen[i]);
	free(s);
}

/* ---- readings ---------------------------------------------------------------------------- */

static void see_tick(struct tail_steal *s, const struct trace_record *rec)
{
	struct trace_column cpus = trace_record_column(rec, TRACE_TICK_CPU);
	uint64_t cpu;

	s->tick_ns = trace_record_uint(rec, TRACE_TICK_AT_NS, TRACE_NIL);
	for (s->ncpus = 0; s->ncpus < TRACE_MAX_CPU && trace_column_uint(&cpus, &cpu);)
		s->cpu[s->ncpus++] = cpu < TRACE_MAX_CPU ? (uint32_t)cpu : TRACE_MAX_CPU;
}

static void take_reading(struct tail_steal *s, const struct trace_record *rec)
{
	struct trace_column steal = trace_record_column(rec, TRACE_PROCSTAT_STEAL);
	size_t at = s->nreadings++ % READINGS;
	uint64_t units;

	s->reading[at].began_ns = trace_record_uint(rec, TRACE_PROCSTAT_BEGAN_NS, s->tick_ns);
	s->reading[at].ended_ns = trace_record_uint(rec, TRACE_PROCSTAT_ENDED_NS, s->tick_ns);
	memset(s->steal[at], 0xff, sizeof(s->steal[at])); /* TRACE_NIL */
	for (size_t i = 0; i < s->ncpus && trace_column_uint(&steal, &units); i++)
		if (s->cpu[i] < TRACE_MAX_CPU)
			s->steal[at][s->cpu[i]] = units;
}

/* Of those that are kept the latest one that had ended by then; READINGS: none. */
static size_t reading_before(const struct tail_steal *s, uint64_t ns)
{
	for (size_t i = 1; i <= READINGS && i <= s->nreadings; i++) {
		size_t at = (s->nreadings - i) % READINGS;

		if (s->reading[at].ended_ns <= ns)
			return at;
	}
	return READINGS;
}

/* Likewise the first one that had not begun before then. */
static size_t reading_after(const struct tail_steal *s, uint64_t ns)
{
	size_t found = READINGS;

	for (size_t i = 1; i <= READINGS && i <= s->nreadings; i++) {
		size_t at = (s->nreadings - i) % READINGS;

		if (s->reading[at].began_ns < ns)
			break;
		found = at;
	}
	return found;
}

/* ---- packets ----------------------------------------------------------------------------- */

/* Two readings may be a step less apart than what was between them. */
static double at_most(const struct tail_steal *s, uint64_t from, uint64_t to)
{
	return ((double)(to - from) + 1) * s->unit_ns;
}

/* NULL: there is no room for it. */
static struct stolen *stolen_of(struct tail_steal *s, const struct tail_stolen *w)
{
	if (!s->stolen[w->who] && s->nstolen < TOGETHER) {
		s->stolen[w->who] = calloc(TRACE_MAX_CPU, sizeof(struct stolen));
		s->nstolen++;
		s->no_memory |= !s->stolen[w->who];
	}
	return s->stolen[w->who] ? &s->stolen[w->who][w->cpu] : NULL;
}

/* Readings do not fall: who calls knows. */
static void add_stolen(struct tail_steal *s, const struct tail_stolen *w, uint64_t from,
		       uint64_t to)
{
	double most_ns = fmin((double)w->took_ns, at_most(s, from, to));
	struct stolen *c = stolen_of(s, w);

	if (!c) {
		s->sum[w->who].most_ns += most_ns;
		return;
	}
	if (!c->is)
		*c = (struct stolen){ .is = true, .from = from, .to = to };
	c->overlap |= w->from_ns < c->last_ns || from < c->from || to < c->to;
	c->last_ns = w->to_ns;
	c->to = to;
	c->most_ns += most_ns;
}

static void add(struct tail_steal *s, const struct tail_stolen *w, size_t after)
{
	struct tail_steal_sum *sum = &s->sum[w->who];
	size_t before = reading_before(s, w->from_ns);
	uint64_t from, to = s->steal[after][w->cpu];

	if (before == READINGS)
		return;
	from = s->steal[before][w->cpu];
	if (from == TRACE_NIL || to == TRACE_NIL || to < from)
		return;
	sum->known_ns += (double)w->took_ns;
	sum->steal_ns += (double)(to - from) * s->unit_ns;
	add_stolen(s, w, from, to);
}

/* At most times it was read in this tick already. */
void tail_steal_wait(struct tail_steal *s, struct tail_stolen stolen)
{
	size_t after = reading_after(s, stolen.to_ns);

	if (stolen.took_ns == TRACE_NIL || stolen.cpu >= TRACE_MAX_CPU ||
	    stolen.who >= MODEL_CULPRITS)
		return;
	if (after < READINGS)
		add(s, &stolen, after);
	else if (s->nwaiting < WAITING)
		s->waiting[s->nwaiting++] = stolen;
}

static void look_again(struct tail_steal *s)
{
	size_t left = 0;

	for (size_t i = 0; i < s->nwaiting; i++) {
		size_t after = reading_after(s, s->waiting[i].to_ns);

		if (after < READINGS)
			add(s, &s->waiting[i], after);
		else
			s->waiting[left++] = s->waiting[i];
	}
	s->nwaiting = left;
}

void tail_steal_see(struct tail_steal *s, const struct trace_record *rec)
{
	if (rec->type == TRACE_HEADER) {
		uint64_t hz = trace_record_uint(rec, TRACE_HEADER_USER_HZ, 0);

		s->unit_ns = hz ? 1e9 / (double)hz : 0;
	} else if (rec->type == TRACE_TICK) {
		see_tick(s, rec);
	} else if (rec->type == TRACE_PROCSTAT && s->unit_ns > 0) {
		take_reading(s, rec);
		look_again(s);
	}
}

struct tail_steal_sum tail_steal_sum(const struct tail_steal *s, uint32_t who)
{
	struct tail_steal_sum sum = s->sum[who];
	const struct stolen *c = s->stolen[who];

	for (size_t i = 0; c && i < TRACE_MAX_CPU; i++) {
		double together = c[i].overlap ? INFINITY : at_most(s, c[i].from, c[i].to);

		if (c[i].is)
			sum.most_ns += fmin(c[i].most_ns, together);
	}
	return sum;
}

bool tail_steal_no_memory(const struct tail_steal *s)
{
	return s->no_memory;
}

double tail_steal_step_ns(const struct tail_steal *s)
{
	return s->unit_ns;
}
