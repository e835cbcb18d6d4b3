// SPDX-License-Identifier: BSD-2-Clause
/* Tests post.c: the command that is run for each finished file. */
#include "record_util.h"

#include <poll.h>
#include <signal.h>

#include "record/base/post.h"

struct setup {
	struct tmp tmp;
	struct post p;
	char command[512];
	int err_fd; /* standard error, which the test reads */
};

/* Prepares a command; format: the command, with %s for the directory. Messages go to the file "said". */
__attribute__((format(printf, 2, 0))) static void setup(struct setup *s, const char *format)
{
	int fd;

	tmp_make(&s->tmp);
	snprintf(s->command, sizeof(s->command), format, s->tmp.dir, s->tmp.dir);
	CU_ASSERT_EQUAL_FATAL(post_init(&s->p, s->command), 0);
	fflush(stderr);
	s->err_fd = dup(STDERR_FILENO);
	fd = open(tmp_path(&s->tmp, "said"), O_WRONLY | O_CREAT | O_APPEND, 0600);
	CU_ASSERT_FATAL(s->err_fd >= 0 && fd >= 0 && dup2(fd, STDERR_FILENO) >= 0);
	close(fd);
}

static void teardown(struct setup *s)
{
	post_free(&s->p);
	fflush(stderr);
	dup2(s->err_fd, STDERR_FILENO);
	close(s->err_fd);
	tmp_remove(&s->tmp);
}

static bool said(struct setup *s, const char *text)
{
	char got[8192] = "";
	FILE *f;

	fflush(stderr);
	f = fopen(tmp_path(&s->tmp, "said"), "r");
	if (!f)
		return false;
	got[fread(got, 1, sizeof(got) - 1, f)] = '\0';
	fclose(f);
	return strstr(got, text);
}

/* Tests that the command runs once for each file, one file after another, also for names that a shell would split. */
static void test_each_once(void)
{
	struct setup s;

	if (under_valgrind())
		return;
	setup(&s, "echo \"<$NETCOST_FILE>\" >>%s/ran");
	setenv("NETCOST_FILE", "another", 1);
	post_add(&s.p, "a.nct");
	post_add(&s.p, "b c.nct");
	post_add(&s.p, "$(touch d).nct");
	unsetenv("NETCOST_FILE");
	post_end(&s.p);
	CU_ASSERT(tmp_file_is(tmp_path(&s.tmp, "ran"), "<a.nct>\n<b c.nct>\n<$(touch d).nct>\n"));
	CU_ASSERT_EQUAL(s.p.done, 3);
	CU_ASSERT_EQUAL(s.p.failed, 0);
	CU_ASSERT(tmp_file_is(tmp_path(&s.tmp, "said"), ""));
	teardown(&s);
}

static void test_failures(void)
{
	struct setup s;

	if (under_valgrind())
		return;
	setup(&s, "case $NETCOST_FILE in a) exit 3;; b) kill -9 $$;; esac; : %s");
	post_add(&s.p, "a");
	post_add(&s.p, "b");
	post_add(&s.p, "c");
	post_end(&s.p);
	CU_ASSERT_EQUAL(s.p.done, 3);
	CU_ASSERT_EQUAL(s.p.failed, 2);
	CU_ASSERT(said(&s, "--post ended with status 3 for a\n"));
	CU_ASSERT(said(&s, "--post was ended by signal 9 for b\n"));
	CU_ASSERT(said(&s, "2 --post commands failed, and 0 were skipped\n"));
	teardown(&s);
}

/* Tests that the recorder never waits for the command: if too many files are queued, some are skipped and counted. */
static void test_too_many(void)
{
	struct setup s;

	if (under_valgrind())
		return;
	setup(&s, "read x <%s/go");
	CU_ASSERT_EQUAL(mkfifo(tmp_path(&s.tmp, "go"), 0600), 0);
	for (int i = 0; i < POST_MOST + 4; i++)
		post_add(&s.p, "t.nct");
	CU_ASSERT_EQUAL(s.p.n, POST_MOST);
	CU_ASSERT_EQUAL(s.p.refused, 3);
	CU_ASSERT(said(&s, "--post is skipped for t.nct: 64 files are waiting\n"));
	CU_ASSERT_EQUAL(s.p.done, 0);
	close(open(tmp_path(&s.tmp, "go"), O_WRONLY));
	teardown(&s);
}

static void test_deleted(void)
{
	struct setup s;

	if (under_valgrind())
		return;
	setup(&s, "read x <%s/go; echo $NETCOST_FILE >>%s/ran");
	CU_ASSERT_EQUAL(mkfifo(tmp_path(&s.tmp, "go"), 0600), 0);
	post_add(&s.p, "a");
	post_add(&s.p, "b");
	post_add(&s.p, "c");
	post_forget(&s.p, "a"); /* the command for "a" already runs */
	post_forget(&s.p, "b");
	post_forget(&s.p, "x");
	for (int i = 0; i < 2; i++) {
		int fd = open(tmp_path(&s.tmp, "go"), O_WRONLY);
		struct pollfd ended = { .fd = s.p.fd, .events = POLLIN };

		CU_ASSERT_EQUAL(write(fd, "\n", 1), 1);
		close(fd);
		CU_ASSERT_EQUAL(poll(&ended, 1, 10000), 1);
		post_reap(&s.p);
	}
	CU_ASSERT(tmp_file_is(tmp_path(&s.tmp, "ran"), "a\nc\n"));
	CU_ASSERT_EQUAL(s.p.refused, 1);
	CU_ASSERT(said(&s, "--post is skipped for b: --keep deleted the file first\n"));
	teardown(&s);
}

static void test_none(void)
{
	struct post p;

	CU_ASSERT_EQUAL(post_init(&p, NULL), 0);
	CU_ASSERT_EQUAL(p.fd, -1);
	post_add(&p, "a");
	post_forget(&p, "a");
	post_reap(&p);
	post_end(&p);
	post_free(&p);
}

static const struct unit_test tests[] = {
	{ "each_once", test_each_once }, { "failures", test_failures },
	{ "too_many", test_too_many },	 { "deleted", test_deleted },
	{ "none", test_none },
};

int main(void)
{
	return unit_main("record_post", tests, sizeof(tests) / sizeof(tests[0]));
}
