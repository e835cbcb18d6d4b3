// SPDX-License-Identifier: BSD-2-Clause
#include "fate_sums.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/events.h>
#include <netcost/reasons.h>

/* What a tick has of a CPU. */
struct reading {
	uint64_t tick;	  /* which one; 0: none */
	uint64_t rx_ns;	  /* since it began to count */
	uint64_t fate_ns; /* since the tick before; modulo 2^64 */
	bool has[2];	  /* events that are there: rx_softirq, rx_thread */
	bool has_fates, torn;
};

struct fate_sums {
	uint32_t cpu[TRACE_MAX_CPU], n;				  /* of the tick */
	struct reading now[TRACE_MAX_CPU], before[TRACE_MAX_CPU]; /* by CPU */
	uint64_t ticks, torn, torn_before;
	bool recovered;
	char what[160];
};

struct fate_sums *fate_sums_new(void)
{
	return calloc(1, sizeof(struct fate_sums));
}

void fate_sums_free(struct fate_sums *s)
{
	free(s);
}

const char *fate_sums_what(const struct fate_sums *s)
{
	return s->what;
}

/* ---- a tick ------------------------------------------------------------------------------ */

static void header(struct fate_sums *s, const struct trace_record *rec)
{
	struct trace_column derived = trace_record_column(rec, TRACE_HEADER_DERIVED);
	const char *text;
	uint32_t len;

	while (trace_column_str(&derived, &text, &len))
		s->recovered |= len == strlen(reason_recover) && !memcmp(text, reason_recover, len);
}

static void begin(struct fate_sums *s, const struct trace_record *rec)
{
	struct trace_column cpus = trace_record_column(rec, TRACE_TICK_CPU);
	uint64_t cpu;

	s->ticks++;
	while (s->n < TRACE_MAX_CPU && trace_column_uint(&cpus, &cpu) && cpu < TRACE_MAX_CPU) {
		s->cpu[s->n++] = (uint32_t)cpu;
		s->now[cpu] = (struct reading){ .tick = s->ticks };
	}
}

static void exact(struct fate_sums *s, const struct trace_record *rec)
{
	struct trace_column ns = trace_record_column(rec, TRACE_EXACT_NS);
	uint64_t event = trace_record_uint(rec, TRACE_EXACT_EVENT, TRACE_NIL), v;

	if (event != NETCOST_EV_RX_SOFTIRQ && event != NETCOST_EV_RX_THREAD)
		return;
	for (uint32_t i = 0; i < s->n && trace_column_uint(&ns, &v); i++) {
		if (v == TRACE_NIL)
			continue;
		s->now[s->cpu[i]].rx_ns += v;
		s->now[s->cpu[i]].has[event == NETCOST_EV_RX_THREAD] = true;
	}
}

/* Those in another frame than their TICK are not judged. */
static void fates(struct fate_sums *s, const struct trace_record *rec)
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

static bool is_pair(const struct reading *a, const struct reading *b)
{
	return a->tick && a->tick + 1 == b->tick && !a->torn && b->has_fates && b->has[0] &&
	       !memcmp(a->has, b->has, sizeof(a->has));
}

bool fate_sums_fit(struct fate_sums *s)
{
	if (s->recovered || s->torn > s->torn_before)
		return true;
	for (uint32_t i = 0; i < s->n; i++) {
		const struct reading *a = &s->before[s->cpu[i]], *b = &s->now[s->cpu[i]];

		if (!is_pair(a, b) || b->fate_ns == b->rx_ns - a->rx_ns)
			continue;
		snprintf(s->what, sizeof(s->what),
			 "rx_fates: since the tick before the times of CPU %" PRIu32
			 " sum to %" PRId64 " ns, rx_softirq and rx_thread move by %" PRIu64,
			 s->cpu[i], (int64_t)b->fate_ns, b->rx_ns - a->rx_ns);
		return false;
	}
	return true;
}

bool fate_sums_end(struct fate_sums *s)
{
	bool fits = fate_sums_fit(s);

	for (uint32_t i = 0; i < s->n; i++) {
		s->before[s->cpu[i]] = s->now[s->cpu[i]];
		s->before[s->cpu[i]].torn = s->torn > s->torn_before;
	}
	s->n = 0;
	s->torn_before = s->torn;
	return fits;
}

void fate_sums_record(struct fate_sums *s, const struct trace_record *rec)
{
	if (rec->type == TRACE_TICK || rec->type == TRACE_FRAME || rec->type == TRACE_END)
		(void)fate_sums_end(s);
	if (rec->type == TRACE_HEADER)
		header(s, rec);
	else if (rec->type == TRACE_TICK)
		begin(s, rec);
	else if (rec->type == TRACE_EXACT)
		exact(s, rec);
	else if (rec->type == TRACE_EXACT_LOSS)
		s->torn = trace_record_uint(rec, TRACE_EXACT_LOSS_TORN, s->torn);
	else if (rec->type == TRACE_RX_FATES)
		fates(s, rec);
}
