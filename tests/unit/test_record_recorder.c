// SPDX-License-Identifier: BSD-2-Clause
/*
 * The recorders of bpf/recorder.h in a small machine, whose CPUs, tasks, interrupts and clock are
 * this program's; against a model that adds up each nanosecond where it passes.
 */
#include "bpf_shim.h"

#include "src/record/exact.h"

#include <stdarg.h>

#include "record_util.h"

#define CPUS 3
#define TASKS 10
#define BOOT_NS 300000000000000000ull /* nine and a half years of uptime */

/* Whose code runs on a CPU. Softirqs can interrupt operations; nothing interrupts the other two. */
enum level { LEVEL_NONE, LEVEL_OP, LEVEL_SWITCH, LEVEL_SOFTIRQ };

/* In the order of exact_attach(). */
enum attached { NOTHING, SWITCH, SOFTIRQ_EXIT, SOFTIRQ_ENTRY, OP_END, OP_BEGIN };

struct vtask {
	struct task_struct t; /* first: the recorders know a task by it */
	unsigned long long place;
	bool stored; /* it has a place in `parked` */
	bool on_cpu;
	bool pinned;	   /* preempted inside a recorder, which does not migrate */
	unsigned int what; /* the operation it is in, as the recorders were told; 0: none */
};

struct counts {
	uint64_t ns[NETCOST_EV_COUNT], calls[NETCOST_EV_COUNT], failed[NETCOST_EV_COUNT],
		bytes[NETCOST_EV_COUNT];
	uint64_t untracked, sends_inside, sends_outside, recvs_inside, recvs_outside;
};

struct vcpu {
	struct netcost_cpu state; /* the recorders' */
	struct vtask idle, *current;
	bool in_softirq;
	unsigned int softirq; /* the one that runs, as the recorders were told; 0: none */

	struct counts model;
	bool known;		       /* a switch was seen */
	uint64_t began;		       /* what the sum of all times counts from */
	uint64_t slack;		       /* passed inside recorders since the last comparison */
	int64_t off[NETCOST_EV_COUNT]; /* recorded less modelled time at the last comparison */
	struct exact_reading last;
};

/* What a run is like. */
struct plan {
	uint64_t seed;
	unsigned int steps;
	unsigned int
		interrupts; /* softirqs inside a recorder's call, at most; the clock goes on there */
	bool preemption;    /* switches inside the recorders of operations */
	bool no_memory;	    /* now and then there is no place in `parked` to be had */
	bool late;	    /* the programs are attached one by one, while all is going on */
};

/* A recorder's call. */
struct call {
	struct vcpu *c;
	enum level level;
	unsigned int interrupts_left;
	bool refused; /* memory */
};

static struct machine {
	struct plan plan;
	uint64_t rnd, now;
	struct vcpu cpu[CPUS];
	struct vtask task[TASKS];
	enum attached attached;
	struct call call;    /* the innermost */
	unsigned int nested; /* interrupts inside recorders: one at a time */
	int pids;
	uint64_t inner_readings, interrupted;
	char wrong[200]; /* the first thing that was */
} m;

static uint32_t below(uint32_t n)
{
	return random_below(&m.rnd, n);
}

static bool one_in(uint32_t n)
{
	return !below(n);
}

__attribute__((format(printf, 2, 3))) static void wrong(const struct vcpu *c, const char *fmt, ...)
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

/* ---- the model --------------------------------------------------------------------------- */

static unsigned int base_event(const struct vtask *t)
{
	if (!t->t.pid)
		return NETCOST_EV_IDLE;
	return t->t.flags & PF_IO_WORKER ? NETCOST_EV_IO_WORKER : NETCOST_EV_TASK;
}

static unsigned int innermost(const struct vcpu *c)
{
	if (c->softirq)
		return c->softirq;
	return c->current->what ? NETCOST_MARK_EVENT(c->current->what) : base_event(c->current);
}

/* Time passes on all CPUs, and belongs to what is innermost there. */
static void pass(uint64_t ns)
{
	m.now += ns;
	for (struct vcpu *c = m.cpu; c < m.cpu + CPUS; c++)
		if (c->known || c->softirq)
			c->model.ns[innermost(c)] += ns;
}

static void model_message(struct vcpu *c, bool local, int ret, unsigned int event)
{
	unsigned int what = c->softirq ? 0 : c->current->what;
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

static void model_op_end(struct vcpu *c, long ret)
{
	unsigned int what = c->current->what, event = NETCOST_MARK_EVENT(what);

	c->current->what = 0;
	if (!what || (ret <= -512 && ret >= -516))
		return;
	c->model.calls[event]++;
	if (ret < 0)
		c->model.failed[event]++;
	else if (!(what & NETCOST_MARK_MSGS))
		c->model.bytes[event] += (uint64_t)ret;
}

static void model_switch(struct vcpu *c, struct vtask *next)
{
	if (c->known)
		c->model.calls[base_event(c->current)]++;
	c->current->on_cpu = false;
	c->current = next;
	next->on_cpu = true;
	if (m.attached < SWITCH || c->known)
		return;
	c->known = true;
	c->began = c->state.seg_start; /* in time without softirqs: the ones so far count as well */
}

/* ---- readings ---------------------------------------------------------------------------- */

/* Holds for every reading, wherever the CPU is: the parts sum to the whole, and none shrinks. */
static void check_reading(struct vcpu *c, const struct exact_reading *r)
{
	/* A recorder that preempted another one has op_seq the wrong way round. */
	uint64_t total = 0, may_shrink = m.plan.preemption ? c->slack : 0;

	if (r->at_ns != (c->known ? m.now : 0))
		wrong(c, "read for %llu", (unsigned long long)r->at_ns);
	if (!c->known)
		return;
	for (int e = 0; e < NETCOST_EV_COUNT; e++) {
		total += r->ns[e];
		if (r->ns[e] > m.now - c->began)
			wrong(c, "event %d has negative time: %lld", e, (long long)r->ns[e]);
		else if (r->ns[e] + may_shrink < c->last.ns[e])
			wrong(c, "event %d shrank by %llu", e,
			      (unsigned long long)(c->last.ns[e] - r->ns[e]));
	}
	if (total != m.now - c->began)
		wrong(c, "the times sum to %llu, but %llu passed", (unsigned long long)total,
		      (unsigned long long)(m.now - c->began));
	c->last = *r;
}

/* The reader's view in the middle of a call, where the sequence counters say that it is good. */
static void read_inside(struct vcpu *c)
{
	struct exact_reading r;

	if (!c->known || (c->state.softirq_seq | c->state.switch_seq | c->state.op_seq) & 1)
		return;
	m.inner_readings++;
	exact_derive(&c->state, m.now, &r);
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

/* Outside of calls: since the last time, no event went off by more than passed inside of them. */
static void compare(struct vcpu *c)
{
	struct exact_reading r;

	exact_derive(&c->state, m.now, &r);
	check_reading(c, &r);
	check_counts(c, &r);
	if (!c->known)
		return;
	for (int e = 0; e < NETCOST_EV_COUNT; e++) {
		int64_t off = (int64_t)(r.ns[e] - c->model.ns[e]), change = off - c->off[e];

		if ((uint64_t)llabs(change) > c->slack)
			wrong(c, "event %d went off by %lld ns; %llu passed inside recorders", e,
			      (long long)change, (unsigned long long)c->slack);
		c->off[e] = off;
	}
	c->slack = 0;
}

/* ---- the recorders, each with its model -------------------------------------------------- */

static struct call enter(struct vcpu *c, enum level level)
{
	struct call before = m.call;

	m.call = (struct call){ .c = c, .level = level };
	if (!m.nested)
		m.call.interrupts_left = m.plan.interrupts;
	return before;
}

static void call_softirq_begin(struct vcpu *c, unsigned int event)
{
	struct call before = enter(c, LEVEL_SOFTIRQ);

	if (m.attached >= SOFTIRQ_ENTRY) {
		softirq_begin(this_cpu(), event);
		c->softirq = event;
	}
	c->in_softirq = true;
	m.call = before;
}

static void call_softirq_end(struct vcpu *c, unsigned int event)
{
	struct call before = enter(c, LEVEL_SOFTIRQ);

	if (m.attached >= SOFTIRQ_EXIT) {
		softirq_end(this_cpu(), event);
		c->model.calls[event] += c->softirq == event;
		c->softirq = 0;
	}
	c->in_softirq = false;
	m.call = before;
}

static void call_switch(struct vcpu *c, struct vtask *next)
{
	struct call before = enter(c, LEVEL_SWITCH);

	if (m.attached >= SWITCH)
		task_switch(this_cpu(), &c->current->t, &next->t);
	model_switch(c, next);
	m.call = before;
}

static void call_op_begin(struct vcpu *c, unsigned int what)
{
	struct call before = enter(c, LEVEL_OP);

	if (m.attached >= OP_BEGIN) {
		op_begin(this_cpu(), what);
		if (m.call.refused)
			c->model.untracked++;
		else
			c->current->what = what;
	}
	m.call = before;
}

static void call_op_end(struct vcpu *c, long ret)
{
	struct call before = enter(c, LEVEL_OP);

	if (m.attached >= OP_END) {
		op_end(this_cpu(), ret);
		model_op_end(c, ret);
	}
	m.call = before;
}

static void call_message(struct vcpu *c, unsigned short family, int ret, unsigned int event)
{
	const struct sock sk = { .__sk_common.skc_family = family };
	bool send = event == NETCOST_EV_SOCK_SEND;
	bool local = family == 1 || family == 16 || family == 38 || family == 40;

	message_seen(&c->state, &sk, ret, event,
		     send ? &c->state.sends_inside : &c->state.recvs_inside,
		     send ? &c->state.sends_outside : &c->state.recvs_outside);
	model_message(c, local, ret, event);
}

/* ---- what can happen on a CPU ------------------------------------------------------------ */

static unsigned int random_softirq(void)
{
	return one_in(4) ? NETCOST_EV_TX_SOFTIRQ : NETCOST_EV_RX_SOFTIRQ;
}

static unsigned int random_op(void)
{
	return (NETCOST_EV_SOCK_SEND + below(3)) | (one_in(5) ? NETCOST_MARK_MSGS : 0);
}

static long random_result(void)
{
	static const long special[] = { 0, -1, -11, -511, -512, -513, -514, -515, -516, -517 };

	return one_in(3) ? special[below(10)] : (long)below(65536);
}

static void random_message(struct vcpu *c)
{
	static const unsigned short family[] = { 1, 2, 2, 10, 16, 17, 38, 40 };

	call_message(c, family[below(8)], (int)random_result(),
		     one_in(2) ? NETCOST_EV_SOCK_SEND : NETCOST_EV_SOCK_RECV);
}

/* Anyone who is not on a CPU; the CPU's own idle task if it meets someone who is. */
static struct vtask *random_other(struct vcpu *c)
{
	struct vtask *t = &m.task[below(TASKS)];

	return t->on_cpu || t->pinned ? &c->idle : t;
}

static void random_switch(struct vcpu *c)
{
	struct vtask *next = random_other(c);

	if (next != c->current)
		call_switch(c, next);
}

/* Another task gets its place, with another pid; now and then it is an io worker. */
static void be_born(struct vtask *t)
{
	static struct bpf_local_storage *const of_other_programs = (void *)64;

	*t = (struct vtask){ .t = { .pid = ++m.pids,
				    .flags = one_in(4) ? PF_IO_WORKER : 0,
				    .bpf_storage = one_in(3) ? of_other_programs : NULL } };
}

/* It leaves the CPU for the last time, be it in the middle of an operation. */
static void random_exit(struct vcpu *c)
{
	struct vtask *t = c->current;

	call_switch(c, &c->idle);
	be_born(t);
}

static void whole_softirq(struct vcpu *c)
{
	unsigned int event = random_softirq();

	call_softirq_begin(c, event);
	pass(below(3000));
	if (one_in(3))
		random_message(c);
	call_softirq_end(c, event);
}

static void random_op_step(struct vcpu *c)
{
	if (!c->current->t.pid)
		return;
	if (c->current->what)
		call_op_end(c, random_result());
	else
		call_op_begin(c, random_op());
}

/* Others take the CPU for a while, and may do operations of their own; then this one goes on. */
static void preempt(struct vcpu *c)
{
	struct vtask *t = c->current;

	t->pinned = true;
	random_switch(c);
	pass(below(2000));
	if (c->current != t) {
		random_op_step(c);
		pass(below(2000));
		random_op_step(c);
		call_switch(c, t);
	}
	t->pinned = false;
}

/* The call that it comes in goes on afterwards. */
static void interrupt(struct vcpu *c)
{
	m.call.interrupts_left--;
	m.interrupted++;
	m.nested++;
	if (m.plan.preemption && one_in(2))
		preempt(c);
	else
		whole_softirq(c);
	m.nested--;
}

/* One step of a CPU that is not in a softirq. */
static void step_task(struct vcpu *c)
{
	bool idle = c->current == &c->idle;
	uint32_t dice = below(100);

	if (dice < 20)
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
	if (one_in(4))
		random_message(c);
	else
		call_softirq_end(c, c->softirq ? c->softirq : random_softirq());
}

/* ---- what the recorders ask for ---------------------------------------------------------- */

static void shim_point(void)
{
	struct vcpu *c = m.call.c;

	if (one_in(4))
		read_inside(c);
	if (m.call.level == LEVEL_OP && m.call.interrupts_left && one_in(8))
		interrupt(c);
}

/* Without interrupts recorders take no time, and must agree with the model to the nanosecond. */
static void creep(void)
{
	uint64_t ns = m.plan.interrupts ? below(4) : 0;

	m.call.c->slack += ns;
	pass(ns);
}

static unsigned long long shim_ktime(void)
{
	unsigned long long now;

	shim_point();
	creep();
	now = m.now;
	creep();
	shim_point();
	return now;
}

static unsigned int shim_cpu_id(void)
{
	return (unsigned int)(m.call.c - m.cpu);
}

static struct netcost_cpu *shim_cpu(unsigned int cpu)
{
	return &m.cpu[cpu].state;
}

static struct task_struct *shim_current(void)
{
	return &m.call.c->current->t;
}

static unsigned long long *shim_storage(struct task_struct *task, _Bool create)
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

static void boot(const struct plan *plan)
{
	m = (struct machine){ .plan = *plan, .rnd = plan->seed, .now = BOOT_NS };
	for (struct vcpu *c = m.cpu; c < m.cpu + CPUS; c++)
		c->current = &c->idle;
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
		if (c->in_softirq)
			step_softirq(c);
		else
			step_task(c);
		compare(c);
	}
	if (m.wrong[0]) {
		printf("  %s\n", m.wrong);
		CU_FAIL("recorders and model differ");
	}
}

/* Stops at the first run that fails: the seed is all that is needed to see it again. */
static void run_seeds(struct plan plan, uint64_t seeds)
{
	for (plan.seed = 1; plan.seed <= seeds && !m.wrong[0]; plan.seed++)
		run(&plan);
	m.wrong[0] = '\0';
}

static void test_agrees_to_the_nanosecond(void)
{
	run_seeds((struct plan){ .steps = 100000 }, 3);
	CU_ASSERT(m.inner_readings > 10000);
}

static void test_interrupted_anywhere(void)
{
	run_seeds((struct plan){ .steps = 100000, .interrupts = 1 }, 3);
	CU_ASSERT(m.inner_readings > 10000);
	CU_ASSERT(m.interrupted > 5000);
}

/* Programs at function entries may be preempted: the others then do operations themselves. */
static void test_preempted_anywhere(void)
{
	run_seeds((struct plan){ .steps = 100000, .interrupts = 1, .preemption = true }, 2);
	CU_ASSERT(m.interrupted > 5000);
}

static void test_no_memory(void)
{
	uint64_t untracked = 0;

	run_seeds((struct plan){ .steps = 100000, .interrupts = 1, .no_memory = true }, 1);
	for (const struct vcpu *c = m.cpu; c < m.cpu + CPUS; c++)
		untracked += c->state.untracked;
	CU_ASSERT(untracked > 100);
}

/* Ends without beginnings, softirqs and operations on CPUs on which no switch was seen yet. */
static void test_attached_in_the_middle(void)
{
	run_seeds((struct plan){ .steps = 100, .late = true }, 1000);
	run_seeds((struct plan){ .steps = 100, .late = true, .interrupts = 1 }, 1000);
}

/* ---- which operations count -------------------------------------------------------------- */

static void test_socket_event(void)
{
	static const struct {
		unsigned short mode, family;
		unsigned int event;
	} fds[] = {
		{ 0140777, 2, NETCOST_EV_SOCK_SEND },	/* AF_INET */
		{ 0140777, 10, NETCOST_EV_SOCK_SEND },	/* AF_INET6 */
		{ 0140777, 17, NETCOST_EV_SOCK_SEND },	/* AF_PACKET */
		{ 0140777, 1, NETCOST_EV_SOCK_LOCAL },	/* AF_UNIX */
		{ 0140777, 16, NETCOST_EV_SOCK_LOCAL }, /* AF_NETLINK */
		{ 0140777, 38, NETCOST_EV_SOCK_LOCAL }, /* AF_ALG */
		{ 0140777, 40, NETCOST_EV_SOCK_LOCAL }, /* AF_VSOCK */
		{ 0100644, 2, 0 },			/* a file */
		{ 0020666, 2, 0 },			/* a device */
		{ 0010600, 2, 0 },			/* a pipe */
	};
	enum { N = sizeof(fds) / sizeof(fds[0]) };
	struct sock sk[N];
	struct socket sock[N];
	struct inode inode[N];
	struct file file[N], *fd[N + 1] = { NULL };
	struct fdtable fdt = { .max_fds = N + 1, .fd = fd };
	struct files_struct files = { .fdt = &fdt };

	boot(&(struct plan){ .seed = 1 });
	m.call.c = &m.cpu[0];
	m.cpu[0].idle.t.files = &files;
	for (unsigned int i = 0; i < N; i++) {
		sk[i].__sk_common.skc_family = fds[i].family;
		sock[i].sk = &sk[i];
		inode[i].i_mode = fds[i].mode;
		file[i] = (struct file){ .f_inode = &inode[i], .private_data = &sock[i] };
		fd[i] = &file[i];
		CU_ASSERT_EQUAL(socket_event(i, NETCOST_EV_SOCK_SEND), fds[i].event);
	}
	CU_ASSERT_EQUAL(socket_event(0, NETCOST_EV_SOCK_RECV), NETCOST_EV_SOCK_RECV);
	CU_ASSERT_EQUAL(socket_event(N, NETCOST_EV_SOCK_SEND), 0); /* not open */
	CU_ASSERT_EQUAL(socket_event(N + 1, NETCOST_EV_SOCK_SEND), 0);
	CU_ASSERT_EQUAL(socket_event((unsigned int)-1, NETCOST_EV_SOCK_SEND), 0);
}

static const struct unit_test tests[] = {
	{ "agrees_to_the_nanosecond", test_agrees_to_the_nanosecond },
	{ "interrupted_anywhere", test_interrupted_anywhere },
	{ "preempted_anywhere", test_preempted_anywhere },
	{ "no_memory", test_no_memory },
	{ "attached_in_the_middle", test_attached_in_the_middle },
	{ "socket_event", test_socket_event },
};

int main(void)
{
	return unit_main("record_recorder", tests, sizeof(tests) / sizeof(tests[0]));
}
