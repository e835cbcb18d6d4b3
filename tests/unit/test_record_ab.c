// SPDX-License-Identifier: BSD-2-Clause
/* Tests ab/. "test_record_ab FILE COMMAND..." is what tests/soak/ab.sh runs: --ab=1s with a recorder that records nothing. */
#include "record_util.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>

#include "record/ab/ab.h"
#include "record/ab/ab_impl.h"
#include "record/base/clock.h"
#include "record/base/config.h"

/* A recorder that adds a byte to a file when it begins, and another one when it ends. */
static int fake_record(const struct config *cfg)
{
	int fd = open(cfg->post, O_WRONLY | O_CREAT | O_APPEND, 0600), signo;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return write(fd, "+", 1) != 1 || write(cfg->begun_fd, "", 1) != 1 ||
	       sigwait(&set, &signo) || write(fd, "-", 1) != 1;
}

static int run(const char *file, uint64_t ab_ns, char **command)
{
	struct config cfg = { .output = "/dev/null", .post = file, .ab_ns = ab_ns };

	cfg.command = command;
	cfg.pid = command ? 0 : (unsigned long)getpid();
	return ab_run(&cfg, fake_record);
}

static void test_compare(void)
{
	double off[12], on[12];
	struct ab_change c;

	for (int i = 0; i < 12; i++) {
		off[i] = i < 10 ? 100 : NAN;
		on[i] = i % 2 ? 101 : 103;
	}
	c = ab_compare(off, on, 12); /* 2 +- t95(9) sqrt(10 / 9 / 10) */
	CU_ASSERT(c.off == 100 && c.on == 102 && c.by == 2);
	CU_ASSERT_DOUBLE_EQUAL(c.by_ci95, 2.262157 / 3, 1e-4);
	CU_ASSERT_DOUBLE_EQUAL(c.relative, 0.02, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(c.relative_ci95, 0.02262157 / 3, 1e-6);
	CU_ASSERT(isnan(ab_compare(off, on, 9).by));
}

static void test_rates(void)
{
	struct ab_thread before[] = { { 5, { 10, 1 } }, { 6, { 20, 2 } } };
	struct ab_thread after[] = { { 6, { 24, 2 } }, { 7, { 3, 4 } } };
	struct ab_reading a = { .v = { 1, 5, NAN }, .thread = before, .n = 2 };
	struct ab_reading b = { .at_ns = 2000000000, .v = { 3, 4, 1 }, .thread = after, .n = 2 };
	double rate[AB_COUNTERS];

	CU_ASSERT_EQUAL(ab_rates(&a, &b, rate), 1);
	CU_ASSERT(rate[0] == 1 && isnan(rate[1]) && isnan(rate[2]));
	CU_ASSERT(rate[AB_SLEEPS] == 3.5 && rate[AB_PREEMPTIONS] == 2);
}

/* Returns the CPU time of this process and its descendants, in ms. */
static double cpu_ms(struct ab_reading *r)
{
	CU_ASSERT_EQUAL(ab_read(r, getpid()), 0);
	return r->v[AB_CPU_NS] / 1e6;
}

/* A child's 60 ms count while it lives, and also after it was waited for, except for what its clock ticks hide. */
static void test_read(void)
{
	struct ab_reading r = { 0 };
	double before = cpu_ms(&r);
	pid_t child = fork();
	int status;

	if (!child) {
		while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) < 60000000)
			;
		raise(SIGSTOP);
	}
	waitpid(child, &status, WUNTRACED);
	CU_ASSERT(cpu_ms(&r) >= before + 60 && r.n == 2 && r.thread[0].switches[0] > 0);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	CU_ASSERT(cpu_ms(&r) >= before + 40 && r.n == 1);
	ab_reading_free(&r);
}

/* With a process there are 10 rounds, with a command as many as it allows. The first recorder is the trial. */
static void test_run(void)
{
	char *early[] = { "sh", "-c", "exit 3", NULL }, *late[] = { "sh", "-c", NULL, NULL };
	struct tmp t;

	if (under_valgrind())
		return;
	tmp_make(&t);
	CU_ASSERT_EQUAL(run(tmp_path(&t, "a"), 1, NULL), 0);
	CU_ASSERT(tmp_file_is(tmp_path(&t, "a"), "+-+-+-+-+-+-+-+-+-+-+-"));
	CU_ASSERT_EQUAL(run(tmp_path(&t, "b"), 1, early), 1);
	CU_ASSERT(asprintf(&late[2], "until [ $(wc -c <%s) -ge 24 ]; do sleep 0.05; done; exit 3",
			   tmp_path(&t, "c")) > 0);
	CU_ASSERT_EQUAL(run(tmp_path(&t, "c"), 1, late), 3);
	free(late[2]);
	tmp_remove(&t);
}

static const struct unit_test tests[] = {
	{ "compare", test_compare },
	{ "rates", test_rates },
	{ "read", test_read },
	{ "run", test_run },
};

int main(int argc, char **argv)
{
	if (argc > 2)
		return run(argv[1], 1000000000, argv + 2);
	return unit_main("record_ab", tests, sizeof(tests) / sizeof(tests[0]));
}
