// SPDX-License-Identifier: BSD-2-Clause
/* Checks that the exact times of a tick, and of packet dispositions, sum to the elapsed time. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/events.h>
#include <netcost/reasons.h>

#include "spec.h"

/* Times of a CPU at a tick. */
struct reading {
	uint64_t tick;	/* number of the tick; 0: no reading */
	uint64_t at_ns; /* TICK's exact_ns; TRACE_NIL: unknown */
	uint64_t events_ns;
	uint64_t events;     /* identifies the set of events in the sum; 0: no events */
	uint64_t offline_ns; /* TRACE_NIL: unknown */
	uint64_t rx_ns;	     /* cumulative time */
	uint64_t fate_ns;    /* time since the previous tick, modulo 2^64 */
	bool has_rx[2];	     /* whether rx_softirq and rx_thread are present */
	bool has_fates, torn;
};

struct sums {
	uint32_t cpu[TRACE_MAX_CPU], n;				  /* CPUs of the tick */
	struct reading now[TRACE_MAX_CPU], before[TRACE_MAX_CPU]; /* readings by CPU */
	struct sums_cpu count[TRACE_MAX_CPU];
	uint64_t ticks, torn, torn_before;
	bool recovered;
	char what[160];
};

struct sums *sums_new(void)
{
	return calloc(1, sizeof(struct sums));
}

void sums_free(struct sums *s)
{
	free(s);
}

const char *sums_what(const struct sums *s)
{
	return s->what;
}

uint64_t sums_torn(const struct sums *s)
{
	return s->torn;
}

struct sums_cpu sums_cpu(const struct sums *s, unsigned int cpu)
{
	return cpu < TRACE_MAX_CPU ? s->count[cpu] : (struct sums_cpu){ 0 };
}

/* ---- a tick ------------------------------------------------------------------------------ */

static void header(struct sums *s, const struct trace_record *rec)
{
	struct trace_column derived = trace_record_column(rec, TRACE_HEADER_DERIVED);
	const char *text;
	uint32_t len;

	while (trace_column_str(&derived, &text, &len))
		s->recovered |= len == strlen(reason_recover) && !memcmp(text, reason_recover, len);
}

static void begin(struct sums *s, const struct trace_record *rec)
{
	struct trace_column cpus = trace_record_column(rec, TRACE_TICK_CPU);
	struct trace_column ats = trace_record_column(rec, TRACE_TICK_EXACT_NS);
	uint64_t cpu, at_ns;

	s->ticks++;
	while (s->n < TRACE_MAX_CPU && trace_column_uint(&cpus, &cpu) && cpu < TRACE_MAX_CPU) {
		if (!trace_column_uint(&ats, &at_ns))
			at_ns = TRACE_NIL;
		s->cpu[s->n++] = (uint32_t)cpu;
		s->now[cpu] = (struct reading){ .tick = s->ticks,
						.at_ns = at_ns,
						.offline_ns = TRACE_NIL };
	}
}

/*
 * Returns a number that represents an event. The sum of these numbers identifies a set of events: equal sets have equal
 * sums, and different sets almost never have equal sums.
 */
static uint64_t mark_of(uint64_t event)
{
	return (event + 2) * UINT64_C(0x9e3779b97f4a7c15) | 1;
}

static void add_event(struct sums *s, const struct trace_record *rec)
{
	struct trace_column ns = trace_record_column(rec, TRACE_EXACT_NS);
	uint64_t event = trace_record_uint(rec, TRACE_EXACT_EVENT, TRACE_NIL), v;
	bool rx = event == NETCOST_EV_RX_SOFTIRQ || event == NETCOST_EV_RX_THREAD;

	for (uint32_t i = 0; i < s->n && trace_column_uint(&ns, &v); i++) {
		struct reading *r = &s->now[s->cpu[i]];

		if (v == TRACE_NIL)
			continue;
		r->events_ns += v;
		r->events += mark_of(event);
		if (!rx)
			continue;
		r->rx_ns += v;
		r->has_rx[event == NETCOST_EV_RX_THREAD] = true;
	}
}

/*
 * Takes the values of an EXACT_LOSS. If a tick contains two such records, each value of the later record replaces the
 * earlier value.
 */
static void take_loss(struct sums *s, const struct trace_record *rec)
{
	struct trace_column ns = trace_record_column(rec, TRACE_EXACT_LOSS_OFFLINE_NS);
	uint64_t v;

	s->torn = trace_record_uint(rec, TRACE_EXACT_LOSS_TORN, s->torn);
	for (uint32_t i = 0; i < s->n && trace_column_uint(&ns, &v); i++)
		if (v != TRACE_NIL)
			s->now[s->cpu[i]].offline_ns = v;
}

/* Adds the times of RX_FATES. The times are not checked if the record and its TICK are in different frames. */
static void add_fates(struct sums *s, const struct trace_record *rec)
{
	struct trace_column cpus = trace_record_column(rec, TRACE_RX_FATES_CPU);
	struct trace_column ns = trace_record_column(rec, TRACE_RX_FATES_NS);
	uint64_t cpu;
	int64_t v;

	while (s->n && trace_column_uint(&cpus, &cpu) && trace_column_int(&ns, &v)) {
		if (cpu >= TRACE_MAX_CPU || s->now[cpu].tick != s->ticks)
			continue;
		s->now[cpu].fate_ns += (uint64_t)v;
		s->now[cpu].has_fates = true;
	}
}

/* ---- two ticks --------------------------------------------------------------------------- */

static bool follows(const struct reading *a, const struct reading *b)
{
	return a->tick && a->tick + 1 == b->tick;
}

static bool knows_offline(const struct reading *r)
{
	return r->offline_ns != TRACE_NIL;
}

/* Returns the increase of the sum of all events and the offline time, modulo 2^64. */
static uint64_t moved_ns(const struct reading *a, const struct reading *b)
{
	uint64_t offline_ns = knows_offline(b) ? b->offline_ns - a->offline_ns : 0;

	return b->events_ns - a->events_ns + offline_ns;
}

static bool is_exact_pair(const struct reading *a, const struct reading *b)
{
	return follows(a, b) && a->events && a->events == b->events &&
	       knows_offline(a) == knows_offline(b) && a->at_ns != TRACE_NIL &&
	       b->at_ns != TRACE_NIL;
}

/*
 * Returns true if the exact times fit. If the offline time was not measured, the times of events may sum to less than
 * the elapsed time. Differences are modulo 2^64.
 */
static bool exact_fits(const struct reading *a, const struct reading *b)
{
	int64_t more = (int64_t)(moved_ns(a, b) - (b->at_ns - a->at_ns));

	return knows_offline(b) ? !more : more <= 0;
}

static bool judge_exact(struct sums *s, uint32_t cpu)
{
	const struct reading *a = &s->before[cpu], *b = &s->now[cpu];

	if (a->torn || !is_exact_pair(a, b) || exact_fits(a, b))
		return true;
	snprintf(s->what, sizeof(s->what),
		 "exact: between two ticks, the events' times and offline time of CPU %" PRIu32
		 " sum to %" PRIu64 " ns, but tick.exact_ns grows by %" PRIu64,
		 cpu, moved_ns(a, b), b->at_ns - a->at_ns);
	return false;
}

static bool judge_fates(struct sums *s, uint32_t cpu)
{
	const struct reading *a = &s->before[cpu], *b = &s->now[cpu];

	if (s->recovered || a->torn || !follows(a, b) || !b->has_fates || !b->has_rx[0] ||
	    memcmp(a->has_rx, b->has_rx, sizeof(a->has_rx)) || b->fate_ns == b->rx_ns - a->rx_ns)
		return true;
	snprintf(s->what, sizeof(s->what),
		 "rx_fates: since the previous tick, the times of CPU %" PRIu32 " sum to %" PRId64
		 " ns, but rx_softirq and rx_thread grow by %" PRIu64,
		 cpu, (int64_t)b->fate_ns, b->rx_ns - a->rx_ns);
	return false;
}

static bool is_torn(const struct sums *s)
{
	return s->torn > s->torn_before;
}

bool sums_fit(struct sums *s)
{
	bool fit = true;

	if (is_torn(s))
		return true;
	for (uint32_t i = 0; i < s->n && fit; i++)
		fit = judge_exact(s, s->cpu[i]);
	for (uint32_t i = 0; i < s->n && fit; i++)
		fit = judge_fates(s, s->cpu[i]);
	return fit;
}

static void keep(struct sums *s, uint32_t cpu)
{
	struct sums_cpu *count = &s->count[cpu];
	struct reading *a = &s->before[cpu], *b = &s->now[cpu];

	b->torn = is_torn(s);
	if (is_exact_pair(a, b)) {
		count->pairs++;
		if (!exact_fits(a, b) && !count->wrong++) {
			count->wrong_ns = moved_ns(a, b);
			count->of_ns = b->at_ns - a->at_ns;
		}
	}
	*a = *b;
}

bool sums_end(struct sums *s)
{
	bool fit = sums_fit(s);

	for (uint32_t i = 0; i < s->n; i++)
		keep(s, s->cpu[i]);
	s->n = 0;
	s->torn_before = s->torn;
	return fit;
}

void sums_record(struct sums *s, const struct trace_record *rec)
{
	if (rec->type == TRACE_TICK || rec->type == TRACE_FRAME || rec->type == TRACE_END)
		(void)sums_end(s);
	if (rec->type == TRACE_HEADER)
		header(s, rec);
	else if (rec->type == TRACE_TICK)
		begin(s, rec);
	else if (rec->type == TRACE_EXACT)
		add_event(s, rec);
	else if (rec->type == TRACE_EXACT_LOSS)
		take_loss(s, rec);
	else if (rec->type == TRACE_RX_FATES)
		add_fates(s, rec);
}
