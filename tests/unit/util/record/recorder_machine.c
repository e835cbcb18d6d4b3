// SPDX-License-Identifier: BSD-2-Clause
#include "recorder_machine.h"

#include "random.h"

/* ---- what can happen on a CPU ------------------------------------------------------------ */

static unsigned int random_softirq(void)
{
	return one_in(4) ? NETCOST_EV_TX_SOFTIRQ : NETCOST_EV_RX_SOFTIRQ;
}

static unsigned int random_op(void)
{
	return (NETCOST_EV_SOCK_SEND + below(3)) | (one_in(5) ? NETCOST_MARK_MSGS : 0) |
	       (one_in(7) ? NETCOST_MARK_NO_DATA : 0);
}

/* Returns the argument of a call of the hook. Occasionally the call concerns a local socket or no socket. */
static unsigned int random_call(unsigned int hook)
{
	if (one_in(5))
		return 0;
	if (one_in(3))
		return NETCOST_EV_SOCK_LOCAL | (hooks[hook].what & NETCOST_MARK_MSGS);
	return hooks[hook].what;
}

static long random_result(void)
{
	static const long special[] = { 0, -1, -11, -511, -512, -513, -514, -515, -516, -517 };

	return one_in(3) ? special[below(10)] : (long)below(65536);
}

static void random_message(struct vcpu *c)
{
	static const unsigned short family[] = { 1, 2, 2, 10, 16, 17, 38, 40 };

	if (m.plan.no_witness)
		return;
	call_message(c, family[below(8)], (int)random_result(), one_in(7) ? MSG_PEEK : 0,
		     one_in(2) ? NETCOST_EV_SOCK_SEND : NETCOST_EV_SOCK_RECV);
}

/* Returns a random task that is not on a CPU, or the idle task of c if the chosen task is on a CPU. */
static struct vtask *random_other(struct vcpu *c)
{
	struct vtask *t = &m.task[below(TASKS)];

	return t->on_cpu ? &c->idle : t;
}

static void random_switch(struct vcpu *c)
{
	struct vtask *next = random_other(c);

	if (next != c->current)
		call_switch(c, next);
}

static struct kernfs_node any_node = { .id = 7 };
static struct cgroup any_cgroup = { .kn = &any_node };
static struct css_set any_css_set = { .dfl_cgrp = &any_cgroup };
static const struct cred any_cred = { .uid = { 1000 } };

/*
 * Replaces the task in a slot by a new task with a new pid. The new task may be an io worker or a thread that polls
 * devices.
 */
static void be_born(struct vtask *t)
{
	static struct bpf_local_storage *const of_other_programs = (void *)64;
	static const struct {
		unsigned int flags;
		char comm[16];
	} kinds[] = {
		{ PF_IO_WORKER, "iou-wrk-7" },
		{ PF_KTHREAD, "napi/eth0-8193" },
		{ PF_KTHREAD, "backlog_napi/1" },
		/* these two do not poll devices */
		{ PF_KTHREAD, "napi-eth0" },
		{ 0, "napi/eth0-8193" },
	};
	unsigned int kind = below(10);

	m.pids++;
	*t = (struct vtask){ .t = { .pid = m.pids,
				    .tgid = m.pids,
				    .group_leader = &t->t,
				    .cgroups = &any_css_set,
				    .real_cred = &any_cred,
				    .bpf_storage = one_in(3) ? of_other_programs : NULL } };
	if (kind >= sizeof(kinds) / sizeof(kinds[0]))
		return;
	t->t.flags = kinds[kind].flags;
	memcpy(t->t.comm, kinds[kind].comm, sizeof(t->t.comm));
}

/* Ends the current task, possibly in the middle of an operation. The task leaves the CPU for the last time. */
static void random_exit(struct vcpu *c)
{
	struct vtask *t = c->current;

	t->t.exit_state = 16; /* EXIT_DEAD */
	if (m.attached >= SWITCH)
		model_op_drop(c);
	call_switch(c, &c->idle);
	be_born(t);
}

#define IRQ 38

static void begin_hardirq(struct vcpu *c)
{
	call_hardirq_begin(c, IRQ);
	pass(below(1000));
	if (c->hardirq && one_in(4))
		call_in_hardirq(c, IRQ + 1);
}

static void whole_softirq(struct vcpu *c)
{
	unsigned int event = random_softirq();

	call_softirq_begin(c, event);
	pass(below(3000));
	if (one_in(3))
		random_message(c);
	if (c->softirq && one_in(3))
		call_in_softirq(c);
	for (unsigned int i = m.plan.stages ? below(10) : 0; i; i--) {
		random_stage_step(c);
		pass(below(500));
	}
	call_softirq_end(c, event);
}

static bool missed(void)
{
	return m.plan.misses && one_in(20);
}

/*
 * Returns whether a call of `outer` may call `inner`. Any operation may call busy polling. Busy polling may call
 * everything that the kernel's polling calls, except itself.
 */
static bool may_call(unsigned int outer, unsigned int inner)
{
	return inner == HOOK_BUSY_POLL ? outer != HOOK_BUSY_POLL : calls(outer, inner);
}

/*
 * Chooses a hook that each of the task's unfinished calls may call, so that it does not matter which of them is the
 * operation. Returns false if the choice is not allowed.
 */
static bool random_hook(const struct vtask *t, unsigned int *hook)
{
	*hook = m.plan.stages && one_in(2) ? HOOK_BUSY_POLL : below(HOOK_COUNT);
	for (unsigned int i = 0; i < t->depth; i++)
		if (!may_call(t->frame[i].hook, *hook))
			return false;
	return t->depth < DEPTH;
}

static void function_called(struct vcpu *c, unsigned int hook)
{
	struct vtask *t = c->current;
	struct vframe f = { hook, t->depth ? t->frame[t->depth - 1].sp : STACK };

	f.sp -= 8 + 8ull * below(5);
	t->frame[t->depth++] = f;
	if (m.attached < OP_BEGIN || missed())
		return;
	if (hook == HOOK_BUSY_POLL)
		call_busy_begin(c, f);
	else
		call_op_begin(c, random_call(hook), f);
}

static void function_returned(struct vcpu *c)
{
	struct vtask *t = c->current;
	struct vframe f = t->frame[--t->depth];

	if (m.attached < OP_END || missed()) {
		t->now.left |= same_frame(f, t->now.owner);
		t->outer.left |= same_frame(f, t->outer.owner);
	} else if (f.hook == HOOK_BUSY_POLL) {
		call_busy_end(c, f);
	} else {
		call_op_end(c, random_result(), f);
	}
}

static void random_function_step(struct vcpu *c)
{
	unsigned int hook;

	if (!c->current->depth || one_in(3)) {
		if (random_hook(c->current, &hook))
			function_called(c, hook);
	} else {
		function_returned(c);
	}
}

static void random_op_step(struct vcpu *c)
{
	const struct vframe none = { 0 };

	if (!c->current->t.pid)
		return;
	if (m.plan.functions)
		random_function_step(c);
	else if (base_event(c->current) == NETCOST_EV_RX_THREAD)
		return; /* a polling thread makes no system calls */
	else if (c->current->now.what && m.attached >= OP_END)
		call_op_end(c, random_result(), none);
	else if (!c->current->now.what && m.attached >= OP_BEGIN)
		call_op_begin(c, random_op(), none);
}

/* Runs a hard interrupt inside a recorder's call, which continues afterwards. */
static void hard_interrupt(struct vcpu *c)
{
	m.call.hardirqs_left--;
	m.hard_interrupted++;
	begin_hardirq(c);
	call_hardirq_end(c, IRQ);
}

static void interrupt(struct vcpu *c)
{
	m.call.interrupts_left--;
	m.interrupted++;
	m.nested++;
	whole_softirq(c);
	m.nested--;
}

/* Makes one step of a task that has disabled softirqs, so that neither softirqs nor other tasks run. */
static void step_polling(struct vcpu *c)
{
	if (one_in(10)) {
		stages_over(c);
		c->no_softirqs = false;
	} else {
		random_stage_step(c);
	}
}

/* Makes one step of a CPU that goes offline or comes online. While the CPU is away, no program runs on it. */
static void step_hotplug(struct vcpu *c)
{
	if (c->phase != AWAY && one_in(3)) {
		whole_softirq(c);
	} else if (c->phase == AWAY) {
		c->phase = one_in(2) ? BACK : AWAY;
	} else if (c->phase == STOPPER && one_in(2)) {
		c->phase = AWAY;
		c->stopper.on_cpu = false;
		c->current = &c->idle;
	} else {
		compare(c);
		call_switch(c, c->phase == STOPPER ? &c->idle : random_other(c));
	}
}

/* Makes one step of a CPU on which no softirq runs. */
static void step_task(struct vcpu *c)
{
	bool idle = c->current == &c->idle;
	uint32_t dice = below(100);

	c->state.page_hits += dice & 1;
	if (c->phase)
		step_hotplug(c);
	else if (dice == 99 && m.plan.hotplug && c->known)
		call_switch(c, &c->stopper);
	else if (m.plan.stages && !idle && one_in(4))
		c->no_softirqs = true;
	else if (dice < 20)
		call_softirq_begin(c, random_softirq());
	else if (dice < 40 || idle)
		random_switch(c);
	else if (dice < 42)
		random_exit(c);
	else if (dice < 50)
		random_message(c);
	else
		random_op_step(c);
}

static void step_softirq(struct vcpu *c)
{
	if (m.plan.stages && !one_in(4))
		random_stage_step(c);
	else if (one_in(4))
		random_message(c);
	else if (c->softirq && one_in(4))
		call_in_softirq(c);
	else
		call_softirq_end(c, c->softirq ? c->softirq : random_softirq());
}

/* ---- callbacks of the recorders ---------------------------------------------------------- */

void shim_point(void)
{
	struct vcpu *c = m.call.c;

	if (one_in(4))
		read_inside(c);
	if (m.call.hardirqs_left && one_in(8))
		hard_interrupt(c);
	if (m.call.level == LEVEL_OP && m.call.interrupts_left && one_in(8))
		interrupt(c);
}

/*
 * Advances the clock inside a recorder. Without interrupts the clock stands still there, and the recorders must agree
 * with the model to the nanosecond.
 */
static void creep(void)
{
	uint64_t ns = m.plan.interrupts ? below(4) : 0;

	m.call.c->slack += ns;
	pass(ns);
}

unsigned long long shim_ktime(void)
{
	unsigned long long now;

	shim_point();
	creep();
	now = m.now;
	creep();
	shim_point();
	return now;
}

unsigned int shim_cpu_id(void)
{
	return (unsigned int)(m.call.c - m.cpu);
}

struct netcost_cpu *shim_cpu(unsigned int cpu)
{
	return &m.cpu[cpu].state;
}

struct task_struct *shim_current(void)
{
	return &m.call.c->current->t;
}

/* Returns a row in the half that accepts rows. There are fewer rows than processes. */
struct netcost_process *shim_process_row(unsigned int index)
{
	struct vcpu *c = m.call.c;

	if (index / ROWS != CPUS + shim_cpu_id())
		wrong(c, "row %u is looked at on CPU %u", index, shim_cpu_id());
	return &c->row[index % ROWS];
}

/*
 * Reads a hardware counter, whose value is a function of the time. Counter 3 runs half of the time. Occasionally a read
 * fails.
 */
int shim_pmu(unsigned int index, struct bpf_perf_event_value *value)
{
	unsigned int event = index % NETCOST_PMU_EVENTS;

	if (index / NETCOST_PMU_EVENTS != shim_cpu_id() || !(pmu_events >> event & 1))
		wrong(m.call.c, "counter %u is read on CPU %u", index, shim_cpu_id());
	value->counter = m.now * (event + 1);
	value->enabled = m.now;
	value->running = event == 3 ? m.now / 2 : m.now;
	return one_in(20) ? -2 : 0;
}

/* Returns no row. test_record_owners.c tests these rows. */
struct netcost_owned *shim_owned_row(unsigned int index)
{
	(void)index;
	return NULL;
}

struct netcost_flow *shim_flow(unsigned int place)
{
	static struct netcost_flow flows[CPUS][NETCOST_FLOWS];

	return &flows[shim_cpu_id()][place];
}

unsigned int shim_random(void)
{
	return below(1u << 31) << 1;
}

struct netcost_parked *shim_storage(struct task_struct *task, _Bool create)
{
	struct vtask *t = (struct vtask *)task;

	shim_point();
	if (!t->stored && create) {
		m.call.refused = m.plan.no_memory && one_in(3);
		t->stored = !m.call.refused;
	}
	if (!t->stored)
		return NULL;
	task->bpf_storage = (void *)t;
	return &t->place;
}

/* ---- runs -------------------------------------------------------------------------------- */

void boot(const struct plan *plan)
{
	m = (struct machine){ .plan = *plan, .rnd = plan->seed, .now = BOOT_NS };
	memset(slots, 0, sizeof(slots));
	has_witness = !plan->no_witness;
	counts_messages = true;
	hardirqs = plan->hardirqs;
	full = plan->stages;
	processes = true;
	processes_each = ROWS;
	processes_cpus = CPUS;
	pmu_events = 1 | 4 | 8;
	full_polls = !plan->functions;
	for (unsigned int row = 0; row < HOOK_COUNT; row++)
		hooks[row] = hook_config(&(struct hook_choice){ 0 }, row);
	for (struct vcpu *c = m.cpu; c < m.cpu + CPUS; c++) {
		c->current = &c->idle;
		c->idle.t.flags = PF_KTHREAD | PF_NO_SETAFFINITY;
		c->idle.t.prio = 120;
		c->stopper.t.pid = c->stopper.t.tgid = ++m.pids;
		c->stopper.t.group_leader = &c->stopper.t;
		c->stopper.t.cgroups = &any_css_set;
		c->stopper.t.real_cred = &any_cred;
		c->stopper.t.flags = PF_KTHREAD | PF_NO_SETAFFINITY;
	}
	for (struct vtask *t = m.task; t < m.task + TASKS; t++)
		be_born(t);
	m.attached = plan->late ? NOTHING : OP_BEGIN;
}

static void run(const struct plan *plan)
{
	boot(plan);
	for (unsigned int i = 0; i < plan->steps && !m.wrong[0]; i++) {
		struct vcpu *c = &m.cpu[below(CPUS)];

		if (m.attached < OP_BEGIN && one_in(5))
			m.attached++;
		pass(below(2000));
		if (c->in_hardirq)
			call_hardirq_end(c, IRQ);
		else if (m.plan.hardirqs && c->phase != AWAY && one_in(5))
			begin_hardirq(c);
		else if (c->in_softirq)
			step_softirq(c);
		else if (c->no_softirqs)
			step_polling(c);
		else
			step_task(c);
		compare(c);
	}
	if (m.wrong[0]) {
		printf("  %s\n", m.wrong);
		CU_FAIL("recorders and model differ");
	}
}

void run_seeds(struct plan plan, uint64_t seeds)
{
	seeds = (uint64_t)rounds((int)seeds);
	for (plan.seed = 1; plan.seed <= seeds && !m.wrong[0]; plan.seed++)
		run(&plan);
	m.wrong[0] = '\0';
}
