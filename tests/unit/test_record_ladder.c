// SPDX-License-Identifier: BSD-2-Clause
/* Tests the choice among methods (ladder.c), and the functions of the methods (hooks.c). */
#include "record_util.h"

#include <netcost/reasons.h>

#include "record/exact/ladder.h"

/* Returns whether the first method for the event uses tracepoints. This is the case for the scheduler and for
 * softirqs. */
static bool begins_at_tracepoints(int event)
{
	return event != NETCOST_EV_SOCK_SEND && event != NETCOST_EV_SOCK_RECV &&
	       event != NETCOST_EV_SOCK_LOCAL;
}

/* Checks that each method that is better than the chosen method has the reason why it is not used, and that the
 * chosen method and all worse methods have no such text. all_refused: one reason stands for all methods. */
static void check_choice(const struct ladder *l, int event, bool all_refused)
{
	const struct ladder_choice *c = &l->event[event];
	const char *hook[LADDER_HOOKS];
	bool chosen = false, reason = false;

	CU_ASSERT_FATAL(c->rung < RUNG_COUNT);
	for (int r = 0; r < RUNG_COUNT; r++) {
		chosen |= r == (int)c->rung;
		CU_ASSERT(!chosen || !c->refused[r][0]);
		CU_ASSERT(chosen || c->refused[r][0] || all_refused ||
			  begins_at_tracepoints(event));
		reason |= c->refused[r][0] != '\0';
		CU_ASSERT(memchr(c->refused[r], 0, LADDER_WHY) != NULL);
	}
	CU_ASSERT(reason || !all_refused);
	CU_ASSERT_EQUAL(!ladder_hooks(l, event, hook), c->rung == RUNG_SAMPLES);
	for (unsigned int i = 0; i < hook_nprograms; i++) {
		const struct hook_program *p = &hook_programs[i];
		bool other = p->casts == (l->casts ? WITHOUT_CASTS : WITH_CASTS);

		if (c->uses >> p->use & 1)
			CU_ASSERT_NOT_EQUAL(ladder_wants(l, p->name), other);
	}
}

/* Chooses the methods, as --exact=calls does if only_calls is set. */
static int choose(struct ladder *l, bool only_calls, char *why)
{
	int err;

	CU_ASSERT_EQUAL(ladder_limit(l, why, LADDER_WHY), 0);
	l->calls = only_calls;
	err = ladder_choose(l, why, LADDER_WHY);
	ladder_close(l);
	return err;
}

static void test_ladder(void)
{
	char why[LADDER_WHY] = "";
	struct ladder l;
	int err;

	if (under_valgrind())
		return;
	err = choose(&l, false, why);
	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		check_choice(&l, e, err != 0);
	CU_ASSERT_FALSE(ladder_wants(&l, "no_such_program"));
	CU_ASSERT_FALSE(ladder_wants(&l, ""));
	CU_ASSERT_NOT_EQUAL(l.witness, l.witness_why[0] != '\0');
	CU_ASSERT_EQUAL(ladder_wants(&l, "sock_send_length"), l.witness);
	if (err) {
		printf("  no exact counters here: %s\n", why);
		CU_ASSERT_STRING_NOT_EQUAL(why, "");
		CU_ASSERT_EQUAL(l.event[NETCOST_EV_IDLE].rung, RUNG_SAMPLES);
		CU_ASSERT_FALSE(ladder_wants(&l, "sched_switch"));
		return;
	}
	/* On kernels with BTF, the tracepoints of the scheduler and of softirqs always exist. */
	CU_ASSERT_EQUAL(l.event[NETCOST_EV_IDLE].rung, RUNG_TRACEPOINT);
	CU_ASSERT_EQUAL(l.event[NETCOST_EV_RX_SOFTIRQ].rung, RUNG_TRACEPOINT);
	CU_ASSERT(ladder_wants(&l, l.casts ? "sched_switch" : "sched_switch_old"));
	CU_ASSERT(ladder_wants(&l, "softirq_exit"));
}

static void test_limit(void)
{
	static const char *const names[] = { "fentry", "kprobe", "tracepoint", "samples" };
	char why[LADDER_WHY] = "";
	struct ladder l;
	int err;

	for (int best = 0; best < RUNG_COUNT; best++) {
		CU_ASSERT_EQUAL(setenv("NETCOST_RUNG", names[best], 1), 0);
		CU_ASSERT_EQUAL(ladder_limit(&l, why, sizeof(why)), 0);
		for (int r = 0; r < RUNG_COUNT; r++)
			CU_ASSERT_EQUAL(l.left_out[r][0] != '\0', r < best);
		err = under_valgrind() ? -ENOTSUP : ladder_choose(&l, why, sizeof(why));
		ladder_close(&l);
		if (err)
			continue;
		CU_ASSERT(l.sockets >= (enum rung)best);
		CU_ASSERT_STRING_EQUAL(l.event[NETCOST_EV_SOCK_SEND].refused[0],
				       best ? reason_left_out :
					      l.event[NETCOST_EV_SOCK_RECV].refused[0]);
	}
	CU_ASSERT(l.sockets == RUNG_SAMPLES || under_valgrind());
	CU_ASSERT_EQUAL(setenv("NETCOST_RUNG", "uprobe", 1), 0);
	CU_ASSERT(ladder_limit(&l, why, sizeof(why)) < 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "NETCOST_RUNG=uprobe"));
	CU_ASSERT_EQUAL(unsetenv("NETCOST_RUNG"), 0);
}

/* Returns whether the simulated host has a function. It has all features but one. */
static bool all_but(void *ctx, const char *function, const char *module, char name[HOOK_NAME])
{
	(void)module;
	if (!strcmp(function, ctx))
		return false;
	snprintf(name, HOOK_NAME, "%s", function);
	return true;
}

static void choose_all(struct ladder *l, char *but)
{
	*l = (struct ladder){ .sockets = RUNG_FENTRY };
	for (enum hook row = 0; row < HOOK_COUNT; row++)
		hook_choose(&l->hook[row], row, all_but, but);
}

static void test_hooks(void)
{
	char but[] = "__sys_sendto";
	struct netcost_hook h;
	struct ladder l;

	choose_all(&l, but);
	CU_ASSERT_STRING_EQUAL(hook_function(&l.hook[HOOK_WRITE]), "sock_write_iter");
	CU_ASSERT_STRING_EQUAL(hook_function(&l.hook[HOOK_SENDTO]), "__x64_sys_sendto");
	CU_ASSERT_STRING_EQUAL(hook_function(&l.hook[HOOK_SENDMSG]), "____sys_sendmsg");
	h = hook_config(&l.hook[HOOK_SENDTO], HOOK_SENDTO);
	CU_ASSERT_EQUAL(h.where, NETCOST_AT_REGS);
	CU_ASSERT_EQUAL(h.what, NETCOST_EV_SOCK_SEND);
	ladder_skip(&l, 1u << HOOK_SENDTO | 1u << HOOK_SENDMSG);
	CU_ASSERT_PTR_NULL(hook_function(&l.hook[HOOK_SENDTO]));
	CU_ASSERT_STRING_EQUAL(hook_function(&l.hook[HOOK_SENDMSG]), "__sys_sendmsg");
	h = hook_config(&l.hook[HOOK_SENDTO], HOOK_SENDTO);
	CU_ASSERT_EQUAL(h.where, NETCOST_AT_NOTHING);
	ladder_skip(&l, 1u << HOOK_SENDTO); /* no function is left to try */
	CU_ASSERT_PTR_NULL(hook_function(&l.hook[HOOK_SENDTO]));
}

/* Tests the configuration of a hook that was not chosen. */
static void test_hook_config(void)
{
	const uint32_t messages = 1u << HOOK_SENDMSG | 1u << HOOK_RECVMSG;
	const struct hook_choice none = { 0 };

	for (enum hook row = 0; row < HOOK_COUNT; row++) {
		struct netcost_hook h = hook_config(&none, row);

		CU_ASSERT_EQUAL(h.where, NETCOST_AT_NOTHING);
		CU_ASSERT_EQUAL(h.what, hook_descs[row].what);
		CU_ASSERT_EQUAL(h.messages, messages >> row & 1);
	}
	CU_ASSERT_EQUAL(hook_config(&none, HOOK_RECVMSG).inside, 1u << HOOK_RECVMMSG);
	CU_ASSERT_EQUAL(hook_config(&none, HOOK_RECVMMSG).what,
			NETCOST_EV_SOCK_RECV | NETCOST_MARK_MSGS);
	CU_ASSERT_EQUAL(hook_config(&none, HOOK_KERNEL_SEND).inside, 0xffff);
}

/* Tests the table of hooks: no operation may contain another operation, whatever function starts it or is called by
 * it. */
static void test_hook_table(void)
{
	const uint32_t kernel = 1u << HOOK_KERNEL_SEND | 1u << HOOK_KERNEL_SENDPAGE |
				1u << HOOK_KERNEL_RECV;

	for (enum hook row = 0; row < HOOK_COUNT; row++) {
		const struct hook_desc *d = &hook_descs[row];

		CU_ASSERT_EQUAL(hook_event(row) == NETCOST_EV_SOCK_SEND ||
					hook_event(row) == NETCOST_EV_SOCK_RECV,
				hook_is_operation(row));
		CU_ASSERT_PTR_NOT_NULL(d->function[0].name);
		for (int i = 0; i < HOOK_FUNCTIONS && d->function[i].name; i++) {
			CU_ASSERT(strlen(d->function[i].name) < HOOK_NAME);
			CU_ASSERT_NOT_EQUAL(d->function[i].where, NETCOST_AT_NOTHING);
		}
		for (enum hook outer = 0; outer < HOOK_COUNT && !(kernel >> row & 1); outer++)
			if (d->inside >> outer & 1) {
				CU_ASSERT_FALSE(hook_descs[outer].inside);
				CU_ASSERT_EQUAL(hook_event(outer), hook_event(row));
			}
	}
}

/* Tests functions that missed calls: the recorder first tries other functions, then other methods. */
static void test_step(void)
{
	char none[] = "";
	struct ladder l;

	choose_all(&l, none);
	CU_ASSERT(ladder_step(&l, 1u << HOOK_RECVMMSG | 1u << HOOK_WRITE, "blind"));
	CU_ASSERT_EQUAL(l.sockets, RUNG_FENTRY);
	CU_ASSERT_STRING_EQUAL(hook_function(&l.hook[HOOK_RECVMMSG]), "__sys_recvmmsg");
	CU_ASSERT_STRING_EQUAL(hook_function(&l.hook[HOOK_WRITE]), "sock_write_iter");
	CU_ASSERT(ladder_step(&l, 1u << HOOK_RECVMMSG, "blind"));
	CU_ASSERT_STRING_EQUAL(hook_function(&l.hook[HOOK_RECVMMSG]), "__x64_sys_recvmmsg");
	if (!under_valgrind() && ladder_step(&l, 1u << HOOK_RECVMMSG, "blind")) {
		CU_ASSERT(l.sockets > RUNG_FENTRY && l.sockets < RUNG_SAMPLES);
		CU_ASSERT_STRING_EQUAL(l.event[NETCOST_EV_SOCK_SEND].refused[RUNG_FENTRY], "blind");
	}
	ladder_close(&l);
	l = (struct ladder){ .sockets = RUNG_TRACEPOINT };
	CU_ASSERT_FALSE(ladder_step(&l, 1, "blind"));
}

static bool names_only(const struct ladder *l, int event, const char *a, const char *b)
{
	const char *hook[LADDER_HOOKS];
	size_t n = ladder_hooks(l, event, hook);

	return n == 2 && !strcmp(hook[0], a) && !strcmp(hook[1], b);
}

/* Tests that socket operations are counted by their messages or not at all, and that no other event changes. */
static void test_calls(void)
{
	char why[LADDER_WHY] = "";
	struct ladder l;

	if (under_valgrind() || choose(&l, true, why))
		return;
	CU_ASSERT_STRING_EQUAL(ladder_mode(&l), "calls");
	CU_ASSERT_FALSE(ladder_wants(&l, "sys_enter") || ladder_wants(&l, "sys_enter_old"));
	CU_ASSERT_FALSE(ladder_wants(&l, "kprobe_begin"));
	CU_ASSERT_FALSE(l.witness);
	CU_ASSERT(ladder_times(&l, NETCOST_EV_TASK));
	CU_ASSERT(ladder_times(&l, NETCOST_EV_RX_SOFTIRQ));
	for (int e = NETCOST_EV_SOCK_SEND; e <= NETCOST_EV_SOCK_LOCAL; e++) {
		CU_ASSERT_FALSE(ladder_times(&l, e));
		CU_ASSERT(ladder_rung(&l, e) == RUNG_SAMPLES ||
			  names_only(&l, e, "sock_send_length", "sock_recv_length"));
		CU_ASSERT_STRING_NOT_EQUAL(l.event[e].refused[RUNG_TRACEPOINT], "");
	}
	CU_ASSERT_FALSE(ladder_step(&l, 1, "blind"));
}

/* Tests the best method, which depends on whether programs can be attached to functions. */
static void test_best(void)
{
	char why[LADDER_WHY] = "";
	struct ladder l;

	if (under_valgrind())
		return;
	CU_ASSERT_EQUAL(ladder_limit(&l, why, sizeof(why)), 0);
	l.best = true;
	if (!ladder_choose(&l, why, sizeof(why))) {
		CU_ASSERT_EQUAL(l.calls, l.sockets > RUNG_KPROBE);
		CU_ASSERT_STRING_EQUAL(ladder_mode(&l), l.calls ? "calls" : "entry");
	}
	ladder_close(&l);
}

/* Tests windows: if programs are detached for some of the time, programs of functions are only used on request. */
static void test_windows(void)
{
	char why[LADDER_WHY] = "";

	for (int functions = 0; functions < 3 && !under_valgrind(); functions++) {
		struct ladder l, all;
		int err;

		CU_ASSERT_EQUAL(ladder_limit(&all, why, sizeof(why)), 0);
		all.forced = functions == 1;
		all.full = functions == 2;
		l = all;
		l.windows = true;
		err = ladder_choose(&all, why, sizeof(why));
		CU_ASSERT_EQUAL(ladder_choose(&l, why, sizeof(why)), err);
		ladder_close(&all);
		ladder_close(&l);
		for (int e = 0; e < NETCOST_EV_COUNT && !err; e++)
			check_choice(&l, e, false);
		if (!err && functions)
			CU_ASSERT_EQUAL(l.sockets, all.sockets);
		if (!err && !functions && all.sockets < RUNG_TRACEPOINT)
			CU_ASSERT_EQUAL(l.sockets, RUNG_TRACEPOINT);
	}
}

/* Tests that each program appears once, that the programs for the receiver are last, and that the best method is
 * first. */
static void test_programs(void)
{
	bool owners = false;

	for (unsigned int i = 0; i < hook_nprograms; i++) {
		const struct hook_program *p = &hook_programs[i];

		CU_ASSERT(!(p->tracepoint && p->function));
		CU_ASSERT(!owners || hook_is_of_owners(p));
		owners |= hook_is_of_owners(p);
		for (unsigned int k = 0; k < i; k++) {
			CU_ASSERT_STRING_NOT_EQUAL(p->name, hook_programs[k].name);
			CU_ASSERT(hook_programs[k].use != p->use ||
				  hook_programs[k].rank <= p->rank);
		}
	}
	CU_ASSERT(owners);
}

static void test_rung_names(void)
{
	CU_ASSERT_STRING_EQUAL(rung_name(RUNG_FENTRY), "fentry");
	CU_ASSERT_STRING_EQUAL(rung_name(RUNG_KPROBE), "kprobe");
	CU_ASSERT_STRING_EQUAL(rung_name(RUNG_TRACEPOINT), "tracepoint");
	CU_ASSERT_STRING_EQUAL(rung_name(RUNG_SAMPLES), "samples");
}

static const struct unit_test tests[] = {
	{ "ladder", test_ladder },
	{ "limit", test_limit },
	{ "hooks", test_hooks },
	{ "programs", test_programs },
	{ "hook_table", test_hook_table },
	{ "hook_config", test_hook_config },
	{ "step", test_step },
	{ "calls", test_calls },
	{ "best", test_best },
	{ "windows", test_windows },
	{ "rung_names", test_rung_names },
};

int main(void)
{
	return unit_main("record_ladder", tests, sizeof(tests) / sizeof(tests[0]));
}
