// SPDX-License-Identifier: BSD-2-Clause
#include "exact_sums.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* What a tick has of a CPU. */
struct reading {
	uint64_t tick; /* which one */
	uint64_t at_ns, events_ns;
	uint64_t events;     /* stands for the set of those that are summed; 0: none */
	uint64_t offline_ns; /* TRACE_NIL: not known */
	bool torn;
};

struct exact_sums {
	uint32_t cpu[TRACE_MAX_CPU], n;	      /* of the tick */
	struct reading now[TRACE_MAX_CPU];    /* in its order */
	struct reading before[TRACE_MAX_CPU]; /* by CPU */
	struct exact_sums_cpu count[TRACE_MAX_CPU];
	uint64_t ticks, torn, torn_before;
	char what[160];
};

struct exact_sums *exact_sums_new(void)
{
	return calloc(1, sizeof(struct exact_sums));
}

void exact_sums_free(struct exact_sums *s)
{
	free(s);
}

const char *exact_sums_what(const struct exact_sums *s)
{
	return s->what;
}

uint64_t exact_sums_torn(const struct exact_sums *s)
{
	return s->torn;
}

struct exact_sums_cpu exact_sums_cpu(const struct exact_sums *s, unsigned int cpu)
{
	return cpu < TRACE_MAX_CPU ? s->count[cpu] : (struct exact_sums_cpu){ 0 };
}

/* ---- a tick ------------------------------------------------------------------------------ */

static void begin(struct exact_sums *s, const struct trace_record *rec)
{
	struct trace_column cpus = trace_record_column(rec, TRACE_TICK_CPU);
	struct trace_column ats = trace_record_column(rec, TRACE_TICK_EXACT_NS);
	uint64_t cpu, at_ns;

	s->ticks++;
	while (s->n < TRACE_MAX_CPU && trace_column_uint(&cpus, &cpu) && cpu < TRACE_MAX_CPU) {
		if (!trace_column_uint(&ats, &at_ns))
			at_ns = TRACE_NIL;
		s->cpu[s->n] = (uint32_t)cpu;
		s->now[s->n++] = (struct reading){ .tick = s->ticks,
						   .at_ns = at_ns,
						   .offline_ns = TRACE_NIL };
	}
}

/* Sets of the same events have the same sum of these; those of others almost never. */
static uint64_t mark_of(uint64_t event)
{
	return (event + 2) * UINT64_C(0x9e3779b97f4a7c15) | 1;
}

static void add_event(struct exact_sums *s, const struct trace_record *rec)
{
	struct trace_column ns = trace_record_column(rec, TRACE_EXACT_NS);
	uint64_t event = trace_record_uint(rec, TRACE_EXACT_EVENT, TRACE_NIL), v;

	for (uint32_t i = 0; i < s->n && trace_column_uint(&ns, &v); i++) {
		if (v == TRACE_NIL)
			continue;
		s->now[i].events_ns += v;
		s->now[i].events += mark_of(event);
	}
}

/* Of two EXACT_LOSS in a tick the later counts, value by value. */
static void take_loss(struct exact_sums *s, const struct trace_record *rec)
{
	struct trace_column ns = trace_record_column(rec, TRACE_EXACT_LOSS_OFFLINE_NS);
	uint64_t v;

	s->torn = trace_record_uint(rec, TRACE_EXACT_LOSS_TORN, s->torn);
	for (uint32_t i = 0; i < s->n && trace_column_uint(&ns, &v); i++)
		if (v != TRACE_NIL)
			s->now[i].offline_ns = v;
}

/* ---- two ticks --------------------------------------------------------------------------- */

static bool knows_offline(const struct reading *r)
{
	return r->offline_ns != TRACE_NIL;
}

/* By how much the events and the offline time moved, modulo 2^64. */
static uint64_t moved_ns(const struct reading *a, const struct reading *b)
{
	uint64_t offline_ns = knows_offline(b) ? b->offline_ns - a->offline_ns : 0;

	return b->events_ns - a->events_ns + offline_ns;
}

static bool is_pair(const struct reading *a, const struct reading *b)
{
	return a->tick + 1 == b->tick && a->events && a->events == b->events &&
	       knows_offline(a) == knows_offline(b) && a->at_ns != TRACE_NIL &&
	       b->at_ns != TRACE_NIL;
}

/* Where nobody looked how long the CPU was offline events may sum to less. Differences are modulo 2^64. */
static bool sums(const struct reading *a, const struct reading *b)
{
	int64_t more = (int64_t)(moved_ns(a, b) - (b->at_ns - a->at_ns));

	return knows_offline(b) ? !more : more <= 0;
}

/* False: the i-th CPU of the tick does not sum, and should. */
static bool judge(struct exact_sums *s, uint32_t i)
{
	const struct reading *a = &s->before[s->cpu[i]], *b = &s->now[i];

	if (!is_pair(a, b) || sums(a, b) || a->torn || s->torn > s->torn_before)
		return true;
	snprintf(s->what, sizeof(s->what),
		 "exact: from one tick to the next the events' times of CPU %" PRIu32
		 " and its offline time move by %" PRIu64 " ns, tick.exact_ns by %" PRIu64,
		 s->cpu[i], moved_ns(a, b), b->at_ns - a->at_ns);
	return false;
}

bool exact_sums_fit(struct exact_sums *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (!judge(s, i))
			return false;
	return true;
}

static void keep(struct exact_sums *s, uint32_t i)
{
	struct exact_sums_cpu *count = &s->count[s->cpu[i]];
	struct reading *a = &s->before[s->cpu[i]], *b = &s->now[i];

	b->torn = s->torn > s->torn_before;
	if (is_pair(a, b)) {
		count->pairs++;
		if (!sums(a, b) && !count->wrong++) {
			count->wrong_ns = moved_ns(a, b);
			count->of_ns = b->at_ns - a->at_ns;
		}
	}
	*a = *b;
}

bool exact_sums_end(struct exact_sums *s)
{
	bool fits = exact_sums_fit(s);

	for (uint32_t i = 0; i < s->n; i++)
		keep(s, i);
	s->n = 0;
	s->torn_before = s->torn;
	return fits;
}

void exact_sums_record(struct exact_sums *s, const struct trace_record *rec)
{
	if (rec->type == TRACE_TICK || rec->type == TRACE_FRAME || rec->type == TRACE_END)
		(void)exact_sums_end(s);
	if (rec->type == TRACE_TICK)
		begin(s, rec);
	else if (rec->type == TRACE_EXACT)
		add_event(s, rec);
	else if (rec->type == TRACE_EXACT_LOSS)
		take_loss(s, rec);
}
