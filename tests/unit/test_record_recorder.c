// SPDX-License-Identifier: BSD-2-Clause
/*
 * The recorders of bpf/recorder.h in a small machine, whose CPUs, tasks, interrupts and clock are
 * this program's; against a model that adds up each nanosecond where it passes.
 */
#include "recorder_machine.h"

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
