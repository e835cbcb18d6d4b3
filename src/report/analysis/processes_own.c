// SPDX-License-Identifier: BSD-2-Clause
#include "processes_own.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "cost.h"
#include "report/base/stats.h"
#include "summary.h"

#define VALUE(KEY) MODEL_PROCESS_VALUE(KEY)
#define NO_COUNT MODEL_PROCESS_VALUES

/* For each event: its time, and the number of its occurrences that trigger probes, in a process of the model. */
static const struct own_value {
	enum netcost_event event;
	unsigned int ns, count;
} own_value[] = {
	{ NETCOST_EV_TASK, VALUE(TASK_NS), NO_COUNT }, /* see task_part() */
	{ NETCOST_EV_IO_WORKER, VALUE(IO_WORKER_NS), NO_COUNT },
	{ NETCOST_EV_SOCK_SEND, VALUE(SOCK_SEND_NS), VALUE(SEND_CALLS) },
	{ NETCOST_EV_SOCK_RECV, VALUE(SOCK_RECV_NS), VALUE(RECV_CALLS) },
	{ NETCOST_EV_SOCK_LOCAL, VALUE(SOCK_LOCAL_NS), VALUE(LOCAL_CALLS) },
	{ NETCOST_EV_RX_SOFTIRQ, VALUE(RX_SOFTIRQ_NS), VALUE(RX_SOFTIRQS) },
	{ NETCOST_EV_TX_SOFTIRQ, VALUE(TX_SOFTIRQ_NS), VALUE(TX_SOFTIRQS) },
	{ NETCOST_EV_RX_THREAD, VALUE(RX_THREAD_NS), NO_COUNT },
	{ NETCOST_EV_RX_BUSY_POLL, VALUE(RX_BUSY_POLL_NS), NO_COUNT },
	{ NETCOST_EV_HARDIRQ_NET, VALUE(HARDIRQ_NET_NS), VALUE(HARDIRQS_NET) },
};

#define OWN_VALUES (sizeof(own_value) / sizeof(*own_value))

/* ---- events ------------------------------------------------------------------------------ */

#define BIT(PROBE) (1u << NETCOST_PROBE_##PROBE)
/* The probes that are triggered by the operations that an event counts. */
#define COUNTED                                                                                    \
	(BIT(OPERATION) | BIT(MESSAGE) | BIT(FUNCTION) | BIT(SOFTIRQ) | BIT(HARDIRQ) |             \
	 BIT(STAGE) | BIT(OWNERS))

static unsigned int leaves_of(const struct split_cpu *c, enum netcost_event event)
{
	unsigned int leaves = LEAF_BIT(TASK);

	if (event == NETCOST_EV_RX_THREAD || event == NETCOST_EV_RX_BUSY_POLL)
		event = NETCOST_EV_RX_SOFTIRQ;
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		if (event != NETCOST_EV_TASK && leaf_desc[l].event == (int)event)
			return 1u << l;
		/* samples count these leaves as part of TASK */
		if (LEAF_BUSY >> l & 1 && c->leaf[l].how != SPLIT_EXACT)
			leaves |= 1u << l;
	}
	return leaves;
}

static double exact_ns(const struct model *m, enum netcost_event event)
{
	const struct model_cpu *c;
	double ns = NAN;

	model_for_each_cpu(m, c) known_add(&ns, counter_moved(&c->ns[event]));
	return ns;
}

static double runs_ns(const struct model *m, enum netcost_event event, unsigned int probes)
{
	const struct model_cpu *c;
	double ns = 0;

	model_for_each_cpu(m, c) ns += cost_own_probes(m, c, probes).ns[event];
	return ns;
}

/* Divides the time that was taken out of the leaf RX softirq among three events. */
static void share_rx(struct own_part event[NETCOST_EV_COUNT], double taken_ns)
{
	static const enum netcost_event rx[] = { NETCOST_EV_RX_SOFTIRQ, NETCOST_EV_RX_THREAD,
						 NETCOST_EV_RX_BUSY_POLL };
	double all_ns = 0;

	for (size_t i = 0; i < 3; i++) {
		all_ns += known_or_0(event[rx[i]].exact_ns);
		taken_ns -= event[rx[i]].runs_ns;
	}
	for (size_t i = 0; i < 3; i++) {
		struct own_part *p = &event[rx[i]];

		p->taken_ns = p->runs_ns + known_or_0(taken_ns * p->exact_ns / all_ns);
	}
}

int processes_own_events(struct own_part event[NETCOST_EV_COUNT], const struct model *m)
{
	struct split s;
	unsigned int leaves;
	double rx_ns = NAN;

	if (summary_split(&s, NULL, m))
		return -ENOMEM;
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++) {
		unsigned int probes = e == NETCOST_EV_TASK ? BIT(OPERATION) | BIT(SWITCH) : COUNTED;

		event[e] = (struct own_part){ .exact_ns = exact_ns(m, e),
					      .runs_ns = runs_ns(m, e, probes) };
		leaves = leaves_of(&s.counted, e);
		event[e].taken_ns =
			round(known_or_0(event[e].exact_ns - split_sum(&s.counted, leaves).ns));
		event[e].whole_ns = split_sum(&s.all, leaves).ns;
		event[e].whole_ci95_ns = split_sum(&s.all, leaves).ci95_ns;
		if (e == NETCOST_EV_RX_SOFTIRQ || e == NETCOST_EV_RX_THREAD ||
		    e == NETCOST_EV_RX_BUSY_POLL)
			known_add(&rx_ns, event[e].exact_ns);
	}
	share_rx(event, known_or_0(rx_ns - s.counted.leaf[LEAF_RX_SOFTIRQ].ns));
	split_free(&s);
	return 0;
}

/* ---- processes --------------------------------------------------------------------------- */

int processes_own_make(struct processes_own *o, const struct model *m,
		       const double value[MODEL_PROCESS_VALUES])
{
	*o = (struct processes_own){ .switches_ns = runs_ns(m, NETCOST_EV_TASK, BIT(SWITCH)) };
	memcpy(o->value, value, sizeof(o->value));
	return processes_own_events(o->event, m);
}

/* Returns the part n / all of ns, or 0 if a value is unknown. */
static double part_of(double ns, double n, double all)
{
	return known_or_0(known_ratio(ns * n, all));
}

static double calls(const double value[MODEL_PROCESS_VALUES])
{
	return known_or_0(value[VALUE(SEND_CALLS)]) + known_or_0(value[VALUE(RECV_CALLS)]) +
	       known_or_0(value[VALUE(LOCAL_CALLS)]);
}

/*
 * Returns a process's part of the cost of operations outside of their own measured time, and of the cost of switches.
 */
static double task_part(const struct processes_own *o, const double value[MODEL_PROCESS_VALUES])
{
	double operations_ns = o->event[NETCOST_EV_TASK].runs_ns - o->switches_ns;

	return part_of(o->switches_ns, value[VALUE(SWITCHES)], o->value[VALUE(SWITCHES)]) +
	       part_of(operations_ns, calls(value), calls(o->value));
}

static double runs_part(const struct processes_own *o, const struct own_value *v,
			const double value[MODEL_PROCESS_VALUES])
{
	if (v->event == NETCOST_EV_TASK)
		return task_part(o, value);
	if (v->count == NO_COUNT)
		return 0;
	return part_of(o->event[v->event].runs_ns, value[v->count], o->value[v->count]);
}

void processes_own_take(const struct processes_own *o, double value[MODEL_PROCESS_VALUES])
{
	double take_ns[OWN_VALUES];

	for (size_t i = 0; i < OWN_VALUES; i++) {
		const struct own_value *v = &own_value[i];
		const struct own_part *p = &o->event[v->event];
		/* Part of the exact time may belong to no process. */
		double known = known_or_0(known_ratio(o->value[v->ns], p->exact_ns));
		double by_runs_ns = known * runs_part(o, v, o->value);
		double rest_ns = known * p->taken_ns - by_runs_ns;

		take_ns[i] = known * runs_part(o, v, value) +
			     part_of(rest_ns, value[v->ns], o->value[v->ns]);
	}
	for (size_t i = 0; i < OWN_VALUES; i++)
		value[own_value[i].ns] -= take_ns[i];
}
