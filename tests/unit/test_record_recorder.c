// SPDX-License-Identifier: BSD-2-Clause
/*
 * Runs bpf/recorder.h on a simulated machine of CPUs, tasks, interrupts and a clock, and compares it with a model that
 * adds up each nanosecond as it passes.
 */
#include "recorder_machine.h"

/* ---- runs -------------------------------------------------------------------------------- */

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

/* Tests hard interrupts. They can also occur in the middle of softirqs and of the code that counts softirqs. */
static void test_hard_interrupts(void)
{
	struct plan plan = { .steps = 100000, .hardirqs = 1 };
	uint64_t runs = 0;

	run_seeds(plan, 3);
	for (const struct vcpu *c = m.cpu; c < m.cpu + CPUS; c++)
		runs += c->state.hardirq_runs;
	CU_ASSERT(runs > 10000);
	CU_ASSERT(m.hard_interrupted > 10000);
	plan.interrupts = 1;
	run_seeds(plan, 3);
	plan.functions = plan.misses = plan.hotplug = true;
	run_seeds(plan, 3);
	plan = (struct plan){ .steps = 100, .hardirqs = 1, .late = true, .interrupts = 1 };
	run_seeds(plan, 1000);
}

/* Tests operations that are nested function calls. */
static void test_functions(void)
{
	uint64_t polls = 0;

	run_seeds((struct plan){ .steps = 100000, .functions = true }, 3);
	for (const struct vcpu *c = m.cpu; c < m.cpu + CPUS; c++)
		polls += c->state.calls[NETCOST_EV_RX_BUSY_POLL];
	CU_ASSERT(polls > 100);
	CU_ASSERT(m.slept_polling > 10);
	run_seeds((struct plan){ .steps = 100000, .functions = true, .interrupts = 1 }, 3);
	run_seeds((struct plan){ .steps = 100000, .functions = true, .no_witness = true }, 1);
}

/* Tests lost ends and lost begins. */
static void test_functions_missed(void)
{
	uint64_t untracked = 0;

	run_seeds((struct plan){ .steps = 100000, .functions = true, .misses = true }, 2);
	run_seeds((struct plan){ .steps = 100000,
				 .functions = true,
				 .misses = true,
				 .no_witness = true,
				 .interrupts = 1 },
		  3);
	for (const struct vcpu *c = m.cpu; c < m.cpu + CPUS; c++)
		untracked += c->state.untracked;
	CU_ASSERT(untracked > 100);
}

static void test_no_memory(void)
{
	uint64_t untracked = 0;

	run_seeds((struct plan){ .steps = 100000, .interrupts = 1, .no_memory = true }, 1);
	for (const struct vcpu *c = m.cpu; c < m.cpu + CPUS; c++)
		untracked += c->state.untracked;
	CU_ASSERT(untracked > 100);
}

/* Tests CPUs that go offline, for a moment or for many readings. */
static void test_hotplug(void)
{
	uint64_t offline_ns = 0;

	run_seeds((struct plan){ .steps = 100000, .hotplug = true }, 3);
	run_seeds(
		(struct plan){
			.steps = 100000, .hotplug = true, .functions = true, .interrupts = 1 },
		3);
	for (const struct vcpu *c = m.cpu; c < m.cpu + CPUS; c++)
		offline_ns += c->state.offline_ns;
	CU_ASSERT(offline_ns > 100000);
}

/* Tests ends without begins. Softirqs and operations also run on CPUs whose first context switch was not seen yet. */
static void test_attached_in_the_middle(void)
{
	run_seeds((struct plan){ .steps = 100, .late = true }, 1000);
	run_seeds((struct plan){ .steps = 100, .late = true, .interrupts = 1 }, 1000);
	run_seeds((struct plan){ .steps = 100, .late = true, .functions = true }, 1000);
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
		CU_ASSERT_EQUAL(socket_event(i, NETCOST_EV_SOCK_SEND, false), fds[i].event);
	}
	CU_ASSERT_EQUAL(socket_event(0, NETCOST_EV_SOCK_RECV, false), NETCOST_EV_SOCK_RECV);
	/* the descriptor is not open */
	CU_ASSERT_EQUAL(socket_event(N, NETCOST_EV_SOCK_SEND, false), 0);
	CU_ASSERT_EQUAL(socket_event(N + 1, NETCOST_EV_SOCK_SEND, false), 0);
	CU_ASSERT_EQUAL(socket_event((unsigned int)-1, NETCOST_EV_SOCK_SEND, false), 0);
	m.cpu[0].idle.t.files = NULL; /* the lifetime of the local variable ends here */
}

/* Tests the same socket in every place where a hook can find it. */
static void test_hook_what(void)
{
	struct sock sk = { .__sk_common.skc_family = 10 };
	struct socket sock = { .sk = &sk };
	struct inode inode = { .i_mode = 0140777 };
	struct file file = { .f_inode = &inode, .private_data = &sock }, *fd[] = { NULL, &file };
	struct fdtable fdt = { .max_fds = 2, .fd = fd };
	struct files_struct files = { .fdt = &fdt };
	struct kiocb kiocb = { .ki_filp = &file };
	struct pt_regs regs = { .di = 1 };
	const struct {
		unsigned char where;
		uint64_t arg0, arg1;
		bool file;
	} places[] = {
		{ NETCOST_AT_FD, 1, 0, true },
		{ NETCOST_AT_REGS, (uintptr_t)&regs, 0, true },
		{ NETCOST_AT_FILE0, (uintptr_t)&file, 0, true },
		{ NETCOST_AT_FILE1, 0, (uintptr_t)&file, true },
		{ NETCOST_AT_KIOCB, (uintptr_t)&kiocb, 0, true },
		{ NETCOST_AT_SOCKET, (uintptr_t)&sock, 0, false },
	};

	boot(&(struct plan){ .seed = 1 });
	m.call.c = &m.cpu[0];
	m.cpu[0].idle.t.files = &files;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		uint64_t arg0 = places[i].arg0, arg1 = places[i].arg1;
		struct netcost_hook h = { .where = places[i].where,
					  .what = NETCOST_EV_SOCK_RECV | NETCOST_MARK_MSGS };

		CU_ASSERT_EQUAL(hook_what(&h, arg0, arg1, 0),
				NETCOST_EV_SOCK_RECV | NETCOST_MARK_MSGS);
		h.flags = 3; /* a receive call with these flags takes no data */
		regs.r10 = MSG_PEEK | 0x40 /* MSG_DONTWAIT */;
		CU_ASSERT_EQUAL(hook_what(&h, arg0, arg1, MSG_ERRQUEUE),
				NETCOST_EV_SOCK_RECV | NETCOST_MARK_MSGS | NETCOST_MARK_NO_DATA);
		regs.r10 = 0x40 /* MSG_DONTWAIT */;
		CU_ASSERT_EQUAL(hook_what(&h, arg0, arg1, 0x20 /* MSG_TRUNC */),
				NETCOST_EV_SOCK_RECV | NETCOST_MARK_MSGS);
		h.flags = 0;
		sk.__sk_common.skc_family = 1;
		CU_ASSERT_EQUAL(hook_what(&h, arg0, arg1, 0),
				NETCOST_EV_SOCK_LOCAL | NETCOST_MARK_MSGS);
		sk.__sk_common.skc_family = 10;
		h.what = NETCOST_EV_SOCK_SEND;
		CU_ASSERT_EQUAL(hook_what(&h, arg0, arg1, 0), NETCOST_EV_SOCK_SEND);
		inode.i_mode = 0100644;
		CU_ASSERT_EQUAL(hook_what(&h, arg0, arg1, 0),
				places[i].file ? 0 : NETCOST_EV_SOCK_SEND);
		inode.i_mode = 0140777;
		h.where = NETCOST_AT_NOTHING;
		CU_ASSERT_EQUAL(hook_what(&h, arg0, arg1, 0), 0);
	}
	m.cpu[0].idle.t.files = NULL; /* the lifetime of the local variable ends here */
}

/* Tests that the recorder's self-test counts the operations of one thread separately. */
static void test_selftest(void)
{
	struct vcpu *c = &m.cpu[0];

	boot(&(struct plan){ .seed = 1 });
	m.call.c = c;
	selftest = (struct netcost_selftest){ .tid = 5 };
	for (int pid = 4; pid < 7; pid++) {
		c->idle.t.pid = pid;
		op_begin(&c->state, NETCOST_EV_SOCK_SEND, HOOK_SENDTO, STACK);
		hook_end(&c->state, HOOK_SENDTO, STACK, 100);
		op_begin(&c->state, NETCOST_EV_SOCK_RECV, HOOK_READ, STACK);
		hook_end(&c->state, HOOK_READ, STACK, -11);
	}
	CU_ASSERT_EQUAL(c->state.calls[NETCOST_EV_SOCK_SEND], 3);
	CU_ASSERT_EQUAL(selftest.calls[NETCOST_EV_SOCK_SEND], 1);
	CU_ASSERT_EQUAL(selftest.bytes[NETCOST_EV_SOCK_SEND], 100);
	CU_ASSERT_EQUAL(selftest.calls[NETCOST_EV_SOCK_RECV], 1);
	CU_ASSERT_EQUAL(selftest.bytes[NETCOST_EV_SOCK_RECV], 0);
	CU_ASSERT_EQUAL(selftest.calls[NETCOST_EV_SOCK_LOCAL], 0);
	selftest.tid = 0;
}

/* Switches from a send operation to the idle task and back, with or without another window in between. Returns the
 * mark. */
static __u64 mark_when_back(struct vcpu *c, struct vtask *task, bool another)
{
	struct netcost_cpu again = { .window = 1 };

	task_switch(&c->state, &c->idle.t, &task->t, false);
	c->current = task;
	op_begin(&c->state, NETCOST_EV_SOCK_SEND, HOOK_SENDTO, STACK);
	task_switch(&c->state, &task->t, &c->idle.t, false);
	if (another) {
		c->state = again;
		memset(slots, 0, sizeof(slots));
	}
	task_switch(&c->state, &c->idle.t, &task->t, false);
	return NETCOST_MARK_EVENT(c->state.mark);
}

/* Tests an operation that is parked in one window, and may have ended since: it does not return in another window. */
static void test_windows(void)
{
	struct vcpu *c = &m.cpu[0];
	struct vtask *task = &m.task[0];

	boot(&(struct plan){ .seed = 1 });
	m.call.c = c;
	CU_ASSERT_EQUAL(mark_when_back(c, task, false), NETCOST_EV_SOCK_SEND);
	hook_end(&c->state, HOOK_SENDTO, STACK, 100);
	CU_ASSERT_EQUAL(c->state.calls[NETCOST_EV_SOCK_SEND], 1);
	task_switch(&c->state, &task->t, &c->idle.t, false);
	CU_ASSERT_EQUAL(mark_when_back(c, task, true), 0);
	hook_end(&c->state, HOOK_SENDTO, STACK, 100);
	CU_ASSERT_EQUAL(c->state.calls[NETCOST_EV_SOCK_SEND], 0);
	CU_ASSERT_EQUAL(c->state.untracked, 0);
}

/* Tests calls of sendmmsg with uncounted messages: their bytes are unknown, not 0. */
static void test_messages_not_counted(void)
{
	static const struct {
		bool counts;
		long ret;
		uint64_t uncounted, failed;
	} rows[] = { { false, 3, 1, 0 }, { false, -11, 0, 1 }, { true, 3, 0, 0 } };
	struct vcpu *c = &m.cpu[0];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		boot(&(struct plan){ .seed = 1 });
		m.call.c = c;
		counts_messages = rows[i].counts;
		op_begin(&c->state, NETCOST_EV_SOCK_SEND | NETCOST_MARK_MSGS, 0, 0);
		op_end(&c->state, rows[i].ret);
		CU_ASSERT_EQUAL(c->state.calls[NETCOST_EV_SOCK_SEND], 1);
		CU_ASSERT_EQUAL(c->state.failed[NETCOST_EV_SOCK_SEND], rows[i].failed);
		CU_ASSERT_EQUAL(c->state.bytes[NETCOST_EV_SOCK_SEND], 0);
		CU_ASSERT_EQUAL(c->state.uncounted[NETCOST_EV_SOCK_SEND], rows[i].uncounted);
	}
}

/* Switches out of a send operation, and back by a context switch that is not seen. */
static void comes_back_unseen(struct vcpu *c, struct vtask *task)
{
	task_switch(&c->state, &c->idle.t, &task->t, false);
	c->current = task;
	op_begin(&c->state, NETCOST_EV_SOCK_SEND, 0, 0);
	task_switch(&c->state, &task->t, &c->idle.t, false);
}

/* Tests that the end of its call finds a parked operation. If that end is lost, the next operation that is parked in
 * the same place reports the first one as lost. */
static void test_back_unseen(void)
{
	struct vcpu *c = &m.cpu[0];
	struct vtask *task = &m.task[0];

	boot(&(struct plan){ .seed = 1 });
	m.call.c = c;
	comes_back_unseen(c, task);
	CU_ASSERT_EQUAL(c->state.mark, 0);
	op_find(&c->state);
	CU_ASSERT_EQUAL(NETCOST_MARK_EVENT(c->state.mark), NETCOST_EV_SOCK_SEND);
	op_end(&c->state, 100);
	CU_ASSERT_EQUAL(c->state.calls[NETCOST_EV_SOCK_SEND], 1);
	CU_ASSERT_EQUAL(c->state.bytes[NETCOST_EV_SOCK_SEND], 100);
	op_find(&c->state); /* no operation is parked now */
	CU_ASSERT_EQUAL(c->state.mark, 0);
	CU_ASSERT_EQUAL(c->state.untracked, 0);
	comes_back_unseen(c, task);
	op_begin(&c->state, NETCOST_EV_SOCK_RECV, 0, 0);
	task_switch(&c->state, &task->t, &c->idle.t, false);
	CU_ASSERT_EQUAL(c->state.untracked, 1);
	CU_ASSERT_EQUAL(c->state.calls[NETCOST_EV_SOCK_SEND], 1);
}

static const struct unit_test tests[] = {
	{ "agrees_to_the_nanosecond", test_agrees_to_the_nanosecond },
	{ "interrupted_anywhere", test_interrupted_anywhere },
	{ "hard_interrupts", test_hard_interrupts },
	{ "functions", test_functions },
	{ "functions_missed", test_functions_missed },
	{ "no_memory", test_no_memory },
	{ "hotplug", test_hotplug },
	{ "attached_in_the_middle", test_attached_in_the_middle },
	{ "socket_event", test_socket_event },
	{ "hook_what", test_hook_what },
	{ "selftest", test_selftest },
	{ "windows", test_windows },
	{ "messages_not_counted", test_messages_not_counted },
	{ "back_unseen", test_back_unseen },
};

int main(void)
{
	return unit_main("record_recorder", tests, sizeof(tests) / sizeof(tests[0]));
}
