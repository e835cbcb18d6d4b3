// SPDX-License-Identifier: BSD-2-Clause
#include "recorder_model.h"

#include <stdarg.h>

struct machine m;

uint32_t below(uint32_t n)
{
	return random_below(&m.rnd, n);
}

bool one_in(uint32_t n)
{
	return !below(n);
}

__attribute__((format(printf, 2, 3))) void wrong(const struct vcpu *c, const char *fmt, ...)
{
	char what[120];
	va_list ap;

	if (m.wrong[0])
		return;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	snprintf(m.wrong, sizeof(m.wrong), "seed %llu, CPU %d: %s", (unsigned long long)m.plan.seed,
		 (int)(c - m.cpu), what);
}

struct call enter(struct vcpu *c, enum level level)
{
	struct call before = m.call;

	m.call = (struct call){ .c = c, .level = level };
	if (!m.nested)
		m.call.interrupts_left = m.plan.interrupts;
	/*
	 * Unreported hard interrupts belong to the code that they interrupt. A recorder's own code belongs to no event,
	 * so none interrupt a recorder before HARDIRQ_ENTRY is attached.
	 */
	if (level != LEVEL_SWITCH && level != LEVEL_HARDIRQ && m.attached >= HARDIRQ_ENTRY)
		m.call.hardirqs_left = m.plan.hardirqs;
	return before;
}

/* ---- the model --------------------------------------------------------------------------- */

unsigned int base_event(const struct vtask *t)
{
	if (!t->t.pid)
		return NETCOST_EV_IDLE;
	if (t->t.flags & PF_IO_WORKER)
		return NETCOST_EV_IO_WORKER;
	if (t->t.flags & PF_KTHREAD &&
	    (!strncmp(t->t.comm, "napi/", 5) || !strncmp(t->t.comm, "backlog_napi/", 13)))
		return NETCOST_EV_RX_THREAD;
	return NETCOST_EV_TASK;
}

static unsigned int innermost(const struct vcpu *c)
{
	if (c->hardirq)
		return NETCOST_EV_HARDIRQ_NET;
	if (c->softirq)
		return c->softirq;
	return c->current->now.what ? NETCOST_MARK_EVENT(c->current->now.what) :
				      base_event(c->current);
}

bool model_is_receiving(const struct vcpu *c)
{
	return c->known && base_event(c->current) == NETCOST_EV_RX_THREAD;
}

static bool model_is_polling(const struct vtask *t)
{
	return NETCOST_MARK_EVENT(t->now.what) == NETCOST_EV_RX_BUSY_POLL;
}

bool model_in_rx(const struct vcpu *c)
{
	if (c->softirq)
		return c->softirq == NETCOST_EV_RX_SOFTIRQ;
	return model_is_receiving(c) || model_is_polling(c->current);
}

/* Returns whether the CPU seems to run a poll, the end of which a tracepoint will report. */
static bool model_polls(const struct vcpu *c)
{
	return !m.plan.functions && model_in_rx(c);
}

void pass(uint64_t ns)
{
	m.now += ns;
	for (struct vcpu *c = m.cpu; c < m.cpu + CPUS; c++)
		if (c->phase && !c->softirq && !c->hardirq)
			c->pending += ns;
		else if (c->known || c->softirq || c->hardirq)
			c->model.ns[innermost(c)] += ns;
	for (struct vcpu *c = m.cpu; m.plan.stages && c < m.cpu + CPUS; c++)
		if (model_in_rx(c) && !c->hardirq)
			stages_model_pass(&c->stages, ns);
}

void model_message(struct vcpu *c, bool local, int ret, unsigned int event)
{
	unsigned int what = c->softirq ? 0 : c->current->now.what;
	bool inside = NETCOST_MARK_EVENT(what) == event;

	if (what & NETCOST_MARK_MSGS && ret > 0)
		c->model.bytes[NETCOST_MARK_EVENT(what)] += (unsigned int)ret;
	if (local)
		return;
	if (event == NETCOST_EV_SOCK_SEND)
		*(inside ? &c->model.sends_inside : &c->model.sends_outside) += 1;
	else
		*(inside ? &c->model.recvs_inside : &c->model.recvs_outside) += 1;
}

void model_op_begin(struct vtask *t, unsigned int what, struct vframe owner)
{
	t->now = (struct vop){ .what = what, .owner = owner };
}

void model_op_drop(struct vcpu *c)
{
	struct vtask *t = c->current;

	if (model_is_polling(t))
		stages_model_leave(&c->stages);
	c->model.untracked += !!t->now.what + !!t->outer.what;
	t->now.what = t->outer.what = 0;
}

bool calls(unsigned int outer, unsigned int inner)
{
	return hooks[inner].inside >> outer & 1;
}

bool model_may_begin(struct vcpu *c, struct vframe f)
{
	struct vtask *t = c->current;

	if (model_is_receiving(c))
		return false;
	if (!t->now.what)
		return true;
	if (!t->now.left || (f.sp < t->now.owner.sp && calls(t->now.owner.hook, f.hook)))
		return false;
	model_op_drop(c);
	return true;
}

void model_op_end(struct vcpu *c, long ret)
{
	unsigned int what = c->current->now.what, event = NETCOST_MARK_EVENT(what);

	c->current->now.what = 0;
	if (!what || (ret <= -512 && ret >= -516))
		return;
	c->model.calls[event]++;
	if (ret < 0)
		c->model.failed[event]++;
	else if (!(what & (NETCOST_MARK_MSGS | NETCOST_MARK_NO_DATA)))
		c->model.bytes[event] += (uint64_t)ret;
}

bool same_frame(struct vframe a, struct vframe b)
{
	return a.sp == b.sp && a.hook == b.hook;
}

/* Ends busy polling. The enclosing operation continues. */
static void model_busy_leave(struct vcpu *c)
{
	struct vtask *t = c->current;

	stages_model_leave(&c->stages);
	t->now = t->outer;
	t->outer.what = 0;
}

static void model_busy_drop(struct vcpu *c)
{
	c->model.untracked++;
	model_busy_leave(c);
}

void model_busy_begin(struct vcpu *c, struct vframe f, bool refused)
{
	struct vtask *t = c->current;

	if (model_is_polling(t))
		model_busy_drop(c);
	if (t->now.what && f.sp >= t->now.owner.sp)
		model_op_drop(c);
	if (refused) {
		c->model.untracked++;
		return;
	}
	t->outer = t->now;
	model_op_begin(t, NETCOST_EV_RX_BUSY_POLL, f);
}

void model_busy_end(struct vcpu *c, struct vframe f)
{
	struct vtask *t = c->current;

	if (!model_is_polling(t) || !same_frame(f, t->now.owner))
		return;
	c->model.calls[NETCOST_EV_RX_BUSY_POLL]++;
	model_busy_leave(c);
}

void model_hook_end(struct vcpu *c, struct vframe f, long ret)
{
	struct vtask *t = c->current;

	if (!t->now.what)
		return;
	if (t->outer.what && same_frame(f, t->outer.owner))
		model_busy_drop(c);
	if (same_frame(f, t->now.owner))
		model_op_end(c, ret);
	else if (t->now.what & NETCOST_MARK_MSGS && !(t->now.what & NETCOST_MARK_NO_DATA) &&
		 f.sp < t->now.owner.sp && hooks[f.hook].messages && m.plan.no_witness && ret > 0)
		c->model.bytes[NETCOST_MARK_EVENT(t->now.what)] += (uint64_t)ret;
}

/* Charges the pending time of a CPU that goes offline. `over` means that the CPU is in use again. */
static void model_pending(struct vcpu *c, bool over)
{
	bool offline = over ? c->phase == BACK : c->went;

	if (!over && !offline)
		return; /* a stopper thread's time is reported when it ends */
	if (offline)
		c->model.offline_ns += c->pending;
	else
		c->model.ns[NETCOST_EV_TASK] += c->pending;
	c->pending = 0;
}

void model_switch(struct vcpu *c, struct vtask *next)
{
	if (c->phase)
		model_pending(c, true);
	if (c->known && c->phase != BACK)
		c->model.calls[base_event(c->current)]++;
	stages_model_edge(&c->stages);
	c->phase = next == &c->stopper ? STOPPER : HERE;
	c->went = false;
	m.slept_polling += !!c->current->outer.what;
	c->current->on_cpu = false;
	c->current = next;
	next->on_cpu = true;
	if (m.attached < SWITCH || c->known)
		return;
	c->known = true;
	/* seg_start excludes the time of softirqs, so earlier softirqs count as well */
	c->began = c->state.seg_start;
}

/* ---- readings ---------------------------------------------------------------------------- */

/* Checks what holds for every reading in every state of the CPU: the parts sum to the whole, and no part decreases. */
static void check_reading(struct vcpu *c, const struct exact_reading *r)
{
	bool frozen = c->state.seg_stopper && c->past.gone_from != c->state.seg_start;
	uint64_t total = r->offline_ns;
	const char *what;

	if (frozen ? r->at_ns > m.now : r->at_ns != (c->known ? m.now : 0))
		wrong(c, "read for %llu", (unsigned long long)r->at_ns);
	if (!c->known)
		return;
	if (r->at_ns < c->last.at_ns || r->offline_ns < c->last.offline_ns)
		wrong(c, "the time of the reading, or that offline, shrank");
	for (int e = 0; e < NETCOST_EV_COUNT; e++) {
		total += r->ns[e];
		if (r->ns[e] > m.now - c->began)
			wrong(c, "event %d has negative time: %lld", e, (long long)r->ns[e]);
		else if (r->ns[e] < c->last.ns[e])
			wrong(c, "event %d shrank by %llu", e,
			      (unsigned long long)(c->last.ns[e] - r->ns[e]));
	}
	if (total != r->at_ns - c->began)
		wrong(c, "the times sum to %llu, but %llu passed", (unsigned long long)total,
		      (unsigned long long)(r->at_ns - c->began));
	if (m.plan.stages && (what = stages_wrong(&c->last, r)))
		wrong(c, "%s", what);
	c->last = *r;
}

void read_inside(struct vcpu *c)
{
	struct exact_reading r;

	uint64_t changing = c->state.hardirq_seq | c->state.softirq_seq | c->state.switch_seq |
			    c->state.op_seq;

	if (!c->known || changing & 1)
		return;
	m.inner_readings++;
	exact_derive(&c->state, &c->past, c->phase == AWAY, m.now, &r);
	exact_hold(&c->past, &r);
	check_reading(c, &r);
}

static void check_counts(struct vcpu *c, const struct exact_reading *r)
{
	const struct counts *model = &c->model;

	if (memcmp(r->calls + NETCOST_EV_SOCK_SEND, model->calls + NETCOST_EV_SOCK_SEND,
		   sizeof(r->calls) - NETCOST_EV_SOCK_SEND * sizeof(r->calls[0])))
		wrong(c, "calls differ");
	if (c->known && memcmp(r->calls, model->calls, sizeof(r->calls)))
		wrong(c, "switches differ");
	if (memcmp(r->failed, model->failed, sizeof(r->failed)) ||
	    memcmp(r->bytes, model->bytes, sizeof(r->bytes)))
		wrong(c, "failures or bytes differ");
	if (r->untracked != model->untracked)
		wrong(c, "%llu untracked", (unsigned long long)r->untracked);
	if (r->sends_inside != model->sends_inside || r->sends_outside != model->sends_outside ||
	    r->recvs_inside != model->recvs_inside || r->recvs_outside != model->recvs_outside)
		wrong(c, "the witness differs");
}

static void compare_time(struct vcpu *c, int e, uint64_t read, uint64_t model)
{
	int64_t off = (int64_t)(read - model), change = off - c->off[e];

	if ((uint64_t)llabs(change) > c->slack)
		wrong(c, "event %d went off by %lld ns; %llu passed inside recorders", e,
		      (long long)change, (unsigned long long)c->slack);
	c->off[e] = off;
}

/*
 * Checks that the rows and the idle and remaining counts sum to all that was distributed: each nanosecond and each call
 * is in exactly one of them.
 */
static void check_rows(struct vcpu *c)
{
	const struct netcost_told *told = &c->state.told;
	const __u64 *all = (const __u64 *)&told->all, *idle = (const __u64 *)&told->idle,
		    *rest = (const __u64 *)&told->rest;

	for (size_t i = 0; i < NETCOST_PMU_EVENTS; i++) {
		__u64 sum = told->pmu_idle.count[i] + told->pmu_rest.count[i];

		for (int row = 0; row < ROWS; row++)
			sum += c->row[row].pmu.count[i];
		if (sum != told->pmu_all.count[i])
			wrong(c, "counter %zu of rows is %llu, not %llu", i, sum,
			      told->pmu_all.count[i]);
	}
	for (size_t i = 0; i < sizeof(told->all) / sizeof(*all); i++) {
		__u64 sum = idle[i] + rest[i];

		for (int row = 0; row < ROWS; row++)
			sum += ((const __u64 *)&c->row[row].counts)[i];
		if (sum != all[i])
			wrong(c, "count %zu of rows is %llu, not %llu", i, sum, all[i]);
	}
	if (told->all.softirq_runs > c->state.softirq_runs ||
	    told->all.op[0].ns > c->state.op_ns[NETCOST_EV_SOCK_SEND])
		wrong(c, "rows have more than was counted");
	if (told->all.page_hits > c->state.page_hits || told->pmu_all.enabled_ns > m.now ||
	    told->pmu_all.count[1] || told->pmu_all.count[2] != 3 * told->pmu_all.running_ns[2])
		wrong(c, "rows have other hardware counters");
}

void compare(struct vcpu *c)
{
	struct exact_reading r;
	const char *what;

	exact_derive(&c->state, &c->past, c->phase == AWAY, m.now, &r);
	c->went |= c->phase == AWAY;
	if (c->phase)
		model_pending(c, false);
	what = m.plan.stages ? stages_model_differs(&c->stages, model_polls(c), &r,
						    c->known ? c->slack : m.now) :
			       NULL;
	if (what)
		wrong(c, "%s", what);
	exact_hold(&c->past, &r);
	check_reading(c, &r);
	check_counts(c, &r);
	check_rows(c);
	if (!c->known)
		return;
	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		compare_time(c, e, r.ns[e], c->model.ns[e]);
	compare_time(c, NETCOST_EV_COUNT, r.offline_ns, c->model.offline_ns);
	/* in other phases the CPU may still be offline */
	if (!c->phase)
		c->slack = 0;
}
