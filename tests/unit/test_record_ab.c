// SPDX-License-Identifier: BSD-2-Clause
/* Tests ab/. With arguments, for tests/soak/ab.sh: test_record_ab FILE COMMAND..., --ab=1s of a recorder that records nothing. */
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

static int run(const char *file, uint64_t ab_ns, unsigned long pid, char **command)
{
	return ab_run(&(struct config){ .output = "/dev/null",
					.post = file,
					.ab_ns = ab_ns,
					.pid = pid,
					.command = command },
		      fake_record);
}

static void test_compare(void)
{
	const struct ab_figure figure = { .scale = 2, .of = AB_PACKETS, .per = AB_CALLS };
	struct ab_round round[12] = { 0 };
	struct ab_change c;

	for (int i = 0; i < 10; i++)
		for (int on = 0; on < 2; on++) {
			round[i].rate[on][AB_CALLS] = 2;
			round[i].rate[on][AB_PACKETS] = on ? 101 + i % 2 * 2 : 100;
		}
	c = ab_compare(&figure, round, 12); /* 2 +- t95(9) sqrt(10 / 9 / 10) */
	CU_ASSERT(c.off == 100 && c.on == 102 && c.by == 2 && c.relative == 2);
	CU_ASSERT_DOUBLE_EQUAL(c.by_ci95, 2.262157 / 3, 1e-4);
	CU_ASSERT_DOUBLE_EQUAL(c.relative_ci95, 2.262157 / 3, 1e-3);
	CU_ASSERT(isnan(ab_compare(&figure, round, 9).by));
}

/* A child's 60 ms count while it lives, and also after it was waited for, except for what clock ticks hide. */
static void test_read(void)
{
	struct ab_reading before, with, after;
	double rate[AB_COUNTERS];
	pid_t child;
	int status;

	ab_read(&before, getpid());
	child = fork();
	while (!child && clock_ns(CLOCK_PROCESS_CPUTIME_ID) < 60000000)
		;
	if (!child)
		raise(SIGSTOP);
	waitpid(child, &status, WUNTRACED);
	ab_read(&with, getpid());
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	ab_read(&after, getpid());
	CU_ASSERT(with.v[AB_CPU_NS] >= before.v[AB_CPU_NS] + 6e7);
	CU_ASSERT(after.v[AB_CPU_NS] >= before.v[AB_CPU_NS] + 4e7);
	ab_rates(&before, &with, rate);
	CU_ASSERT(rate[AB_CPU_NS] > 0 && isnan(rate[AB_SLEEPS]));
	ab_rates(&before, &after, rate);
	CU_ASSERT(rate[AB_SLEEPS] >= 0);
}

/* With a process there are 10 rounds, with a command as many as it allows. The first recorder is the trial. */
static void test_run(void)
{
	char *early[] = { "sh", "-c", "exit 3", NULL }, *late[] = { "sh", "-c", NULL, NULL };
	struct tmp t;

	if (under_valgrind())
		return;
	tmp_make(&t);
	CU_ASSERT_EQUAL(run(tmp_path(&t, "a"), 1, getpid(), NULL), 0);
	CU_ASSERT(tmp_file_is(tmp_path(&t, "a"), "+-+-+-+-+-+-+-+-+-+-+-"));
	CU_ASSERT_EQUAL(run(tmp_path(&t, "b"), 1, 0, early), 1);
	CU_ASSERT(asprintf(&late[2], "until [ $(wc -c <%s) -ge 24 ]; do sleep 0.05; done; exit 3",
			   tmp_path(&t, "c")) > 0);
	CU_ASSERT_EQUAL(run(tmp_path(&t, "c"), 1, 0, late), 3);
	free(late[2]);
	tmp_remove(&t);
}

static const struct unit_test tests[] = { { "compare", test_compare },
					  { "read", test_read },
					  { "run", test_run } };

int main(int argc, char **argv)
{
	return argc > 2 ? run(argv[1], 1000000000, 0, argv + 2) :
			  unit_main("record_ab", tests, sizeof(tests) / sizeof(tests[0]));
}
