// SPDX-License-Identifier: BSD-2-Clause
#include "tail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "known.h"
#include "latency.h"
#include "report/base/text.h"

const char *const tail_keys[] = {
#define X(id, name, key, what) [id] = key,
	NETCOST_CULPRITS(X)
#undef X
		NULL
};

/* As the kernel numbers them. */
static const char *const softirqs[] = { "HI",	    "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
					"IRQ_POLL", "TASKLET", "SCHED",	 "HRTIMER", "RCU" };

/* Of a task. */
static const char *const policies[] = { "", " (FIFO)", " (RR)",	      " (BATCH)",
					"", " (IDLE)", " (DEADLINE)", " (EXT)" };

static const char *const queues[] = {
	[NETCOST_QUEUE_BACKLOG] = "the backlog of softirq NET_RX",
	[NETCOST_QUEUE_QDISC] = "the device's queue (qdisc)",
	[NETCOST_QUEUE_SOCKET] = "its socket's queue, and were read",
};

#define SOFTIRQS (sizeof(softirqs) / sizeof(softirqs[0]))
#define POLICIES (sizeof(policies) / sizeof(policies[0]))

static int by_ns(const void *a, const void *b)
{
	const struct model_culprit *x = *(const struct model_culprit *const *)a;
	const struct model_culprit *y = *(const struct model_culprit *const *)b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return x < y ? -1 : x > y;
}

void tail_of(struct tail *t, const struct model *m, enum netcost_latency hook)
{
	struct dist_summary r;

	*t = (struct tail){ .packets = (double)m->tail.hook[hook].packets };
	t->mean_ns = known_ratio((double)m->tail.hook[hook].ns, t->packets);
	t->before_mean =
		known_ratio((double)m->tail.hook[hook].before, (double)m->tail.hook[hook].counted);
	t->before_most = m->tail.hook[hook].counted ? (double)m->tail.hook[hook].before_most : NAN;
	dist_summarize(&r, model_latency_dist(m, hook));
	t->p99_9_ns = r.ns[DIST_P99_9];
	for (size_t i = 0; i < m->tail.nculprits; i++) {
		const struct model_culprit *c = &m->tail.culprit[i];

		if (c->hook != hook || !c->packets)
			continue;
		t->row[t->n++] = c;
		t->ns += (double)c->ns;
	}
	qsort(t->row, t->n, sizeof(t->row[0]), by_ns);
}

bool tail_step(struct tail_step *s, const struct model *m, enum netcost_latency hook)
{
	const struct model_step *step;

	if (!m->tail.steps)
		return false;
	step = &(*m->tail.steps)[hook][s->from][s->to];
	s->hook = hook;
	s->packets = (double)step->packets;
	s->ns = (double)step->ns;
	s->share_percent = 100 * known_ratio(s->ns, (double)m->tail.hook[hook].told_ns);
	return step->packets;
}

static void woke(char *buf, size_t size, const struct model_culprit *c)
{
	const char *text = "the CPU was idle, and had to wake";

	if (c->number == TRACE_NIL)
		snprintf(buf, size, "%s", text);
	else
		snprintf(buf, size, "%s from idle state %llu", text, (unsigned long long)c->number);
}

/* What the CPU did, as the end of a sentence. */
static void did(char *buf, size_t size, const struct model *m, const struct model_culprit *c)
{
	char name[64];

	switch (c->what) {
	case NETCOST_CULPRIT_SOFTIRQ:
		if (c->number < SOFTIRQS)
			snprintf(buf, size, "softirq %s ran", softirqs[c->number]);
		else
			snprintf(buf, size, "a softirq ran");
		break;
	case NETCOST_CULPRIT_INTERRUPT:
		if (c->number != TRACE_NIL)
			snprintf(buf, size, "hard interrupt %llu was handled",
				 (unsigned long long)c->number);
		else
			snprintf(buf, size, "a hard interrupt was handled");
		break;
	case NETCOST_CULPRIT_TASK:
		snprintf(buf, size, "task %s%s ran",
			 escape_text(name, sizeof(name), model_string(m, c->name)),
			 c->number < POLICIES ? policies[c->number] : "");
		break;
	case NETCOST_CULPRIT_IDLE:
		snprintf(buf, size, "the CPU was idle, or woke up");
		break;
	case NETCOST_CULPRIT_WAKE:
		woke(buf, size, c);
		break;
	case NETCOST_CULPRIT_MASKED:
		snprintf(buf, size, "interrupts were disabled, or a hypervisor had the CPU");
		break;
	default:
		snprintf(buf, size, "it is not known what the CPU did");
	}
}

char *tail_text(char *buf, size_t size, const struct model *m, const struct model_culprit *c)
{
	char text[TAIL_TEXT_SIZE];

	if (c->what == NETCOST_CULPRIT_READER) {
		snprintf(buf, size, "its reader ran, and did something else");
	} else if (c->what == NETCOST_CULPRIT_LATE) {
		snprintf(buf, size, "its reader slept, or was on another CPU");
	} else if (c->what == NETCOST_CULPRIT_QUEUE) {
		snprintf(buf, size, "others were before it in %s",
			 c->number < NETCOST_QUEUE_COUNT ? queues[c->number] : "a queue");
	} else {
		did(text, sizeof(text), m, c);
		snprintf(buf, size, "%s%s", c->reader ? "its reader waited: " : "", text);
	}
	return buf;
}
