// SPDX-License-Identifier: BSD-2-Clause
/* Pauses: when a recorder that keeps to a budget had its probes detached. */
#include <errno.h>

#include <netcost/array.h>

#include "model_impl.h"

/* Was any CPU's state read with this tick? */
static bool was_read(const struct trace_record *tick)
{
	struct trace_column c = trace_record_column(tick, TRACE_TICK_EXACT_NS);
	uint64_t v;

	while (trace_column_uint(&c, &v))
		if (v != TRACE_NIL)
			return true;
	return false;
}

static bool is_open(const struct model *m)
{
	return m->npauses && m->pause[m->npauses - 1].to_ns == UINT64_MAX;
}

/* They follow each other, whatever the ticks say. */
static int begin(struct model *m, uint64_t from_ns)
{
	uint64_t after_ns = m->npauses ? m->pause[m->npauses - 1].to_ns : 0;
	int err = array_reserve(&m->pause, &m->cap.pause, m->npauses + 1, sizeof(*m->pause));

	if (!err)
		err = budget_take(&m->budget, sizeof(*m->pause));
	if (err)
		return err;
	m->pause[m->npauses++] = (struct model_pause){
		.from_ns = from_ns > after_ns ? from_ns : after_ns,
		.to_ns = UINT64_MAX,
	};
	return 0;
}

/*
 * The last tick of a window is read directly before the probes are detached, the first one of the next after they are
 * attached again: the pause is what lies between the two. One that lasts from before the first tick has no beginning.
 */
int model_note_pause(struct model *m, const struct trace_record *tick)
{
	uint64_t at_ns = trace_record_uint(tick, TRACE_TICK_AT_NS, TRACE_NIL);

	if (!m->header.budget_ppm || at_ns == TRACE_NIL)
		return 0;
	if (!was_read(tick))
		return is_open(m) ? 0 : begin(m, m->exact_tick_ns);
	if (is_open(m) && at_ns >= m->pause[m->npauses - 1].from_ns)
		m->pause[m->npauses - 1].to_ns = at_ns;
	m->exact_tick_ns = at_ns;
	return 0;
}

/* Samples come after the tick that they are later than: so all pauses up to them are known. */
bool model_is_paused(const struct model *m, uint64_t at_ns)
{
	size_t low = 0, high = m->npauses; /* the first one that begins later lies between them */

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (at_ns >= m->pause[middle].from_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low && at_ns < m->pause[low - 1].to_ns;
}

double model_paused_ns(const struct model *m, uint64_t from_ns, uint64_t to_ns)
{
	double ns = 0;

	for (size_t i = 0; i < m->npauses; i++) {
		const struct model_pause *p = &m->pause[i];
		uint64_t from = p->from_ns > from_ns ? p->from_ns : from_ns;
		uint64_t to = p->to_ns < to_ns ? p->to_ns : to_ns;

		if (from < to)
			ns += (double)(to - from);
	}
	return ns;
}
