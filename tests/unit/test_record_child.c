// SPDX-License-Identifier: BSD-2-Clause
/* Tests child.c: the recorded command. */
#include "record_util.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include "record/base/child.h"
#include "record/base/config.h"

/* ---- child_check() ----------------------------------------------------------------------- */

static int check(const char *command, char *why, size_t size)
{
	char *const argv[] = { (char *)command, NULL };

	*why = '\0';
	return child_check(argv, why, size);
}

#define CHECK(command) check(command, why, sizeof(why))

static void make_script(const struct tmp *t, const char *name, mode_t mode)
{
	CU_ASSERT_EQUAL(chmod(tmp_file(t, name, "#!/bin/sh\n"), mode), 0);
}

static void test_command_by_path(void)
{
	char why[256];
	struct tmp t;

	tmp_make(&t);
	make_script(&t, "good", 0755);
	make_script(&t, "plain", 0644);
	CU_ASSERT_EQUAL(CHECK(tmp_path(&t, "good")), 0);
	CU_ASSERT_STRING_EQUAL(why, "");
	CU_ASSERT_EQUAL(CHECK(tmp_path(&t, "plain")), -EACCES);
	CU_ASSERT_PTR_NOT_NULL(strstr(why, strerror(EACCES)));
	CU_ASSERT_EQUAL(CHECK(t.dir), -EACCES);
	CU_ASSERT_EQUAL(CHECK(tmp_path(&t, "missing")), -ENOENT);
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "missing"));
	CU_ASSERT_EQUAL(CHECK(tmp_path(&t, "good/deeper")), -ENOTDIR);
	tmp_remove(&t);
}

static void set_path(const struct tmp *t, const char *format)
{
	char path[512];

	snprintf(path, sizeof(path), format, t->dir, t->dir);
	setenv("PATH", path, 1);
}

/* Checks that the search works like execvp(3): it skips files that cannot be executed, and an empty entry means the
 * current directory. */
static void check_search(const struct tmp *t)
{
	char why[256];

	set_path(t, "/nonexistent:%s/a:%s/b");
	CU_ASSERT_EQUAL(CHECK("in_b"), 0);
	CU_ASSERT_EQUAL(CHECK("in_a"), 0);
	CU_ASSERT_EQUAL(CHECK("in_c"), -ENOENT);
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "in_c: command not found"));
	CU_ASSERT_EQUAL(CHECK("sub"), -ENOENT); /* a directory */
	CU_ASSERT_EQUAL(CHECK(""), -ENOENT);
	CU_ASSERT_EQUAL(chdir(tmp_path(t, "c")), 0);
	CU_ASSERT_EQUAL(CHECK("in_c"), -ENOENT);
	CU_ASSERT_EQUAL(CHECK("./in_c"), 0);
	set_path(t, ":%s/a");
	CU_ASSERT_EQUAL(CHECK("in_c"), 0);
	set_path(t, "%s/a::%s/b");
	CU_ASSERT_EQUAL(CHECK("in_c"), 0);
	set_path(t, "%s/a:");
	CU_ASSERT_EQUAL(CHECK("in_c"), 0);
	setenv("PATH", "", 1);
	CU_ASSERT_EQUAL(CHECK("in_c"), 0);
	unsetenv("PATH");
	CU_ASSERT_EQUAL(CHECK("sh"), 0);
	CU_ASSERT_EQUAL(CHECK("in_c"), -ENOENT);
}

static void test_command_in_path(void)
{
	char *path = strdup(getenv("PATH") ? getenv("PATH") : "/bin:/usr/bin");
	char cwd[4096];
	struct tmp t;

	CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(cwd, sizeof(cwd)));
	tmp_make(&t);
	make_script(&t, "a/in_a", 0755);
	make_script(&t, "a/in_b", 0644);
	make_script(&t, "b/in_b", 0755);
	make_script(&t, "b/sub/x", 0755);
	make_script(&t, "c/in_c", 0755);
	check_search(&t);
	CU_ASSERT_EQUAL(chdir(cwd), 0);
	setenv("PATH", path, 1);
	free(path);
	tmp_remove(&t);
}

/* ---- the command's life ------------------------------------------------------------------ */

static void begin(struct child *c, char *const *command)
{
	struct config cfg = { .output = "t.nct", .command = (char **)(uintptr_t)command };
	sigset_t mask;

	sigemptyset(&mask);
	CU_ASSERT_EQUAL_FATAL(child_new(c, &cfg, &mask), 0);
}

static void wait_for(const struct child *c)
{
	struct pollfd ended = { .fd = c->pidfd, .events = POLLIN };

	CU_ASSERT_EQUAL(poll(&ended, 1, 30000), 1);
}

static void test_command_runs(void)
{
	char *const argv[] = { "sh", "-c", "exit 3", NULL };
	struct child c;
	int status;

	if (under_valgrind())
		return;
	begin(&c, argv);
	CU_ASSERT_EQUAL(child_go(&c), 0);
	wait_for(&c);
	status = child_end(&c);
	CU_ASSERT(WIFEXITED(status));
	CU_ASSERT_EQUAL(WEXITSTATUS(status), 3);
	CU_ASSERT_EQUAL(child_end(&c), -1); /* a second call finds no process */
}

static void test_command_cannot_run(void)
{
	char *const argv[] = { "/nonexistent/command", NULL };
	struct child c;

	if (under_valgrind())
		return;
	begin(&c, argv);
	CU_ASSERT_EQUAL(child_go(&c), -ENOENT);
	wait_for(&c);
	child_end(&c);
}

/* Tests that the command never runs if the recorder could not start. */
static void test_command_never_runs(void)
{
	struct tmp t;
	char *proof;
	struct child c;

	if (under_valgrind())
		return;
	tmp_make(&t);
	proof = strdup(tmp_path(&t, "proof"));
	{
		char *const argv[] = { "touch", proof, NULL };

		begin(&c, argv);
		child_end(&c);
	}
	CU_ASSERT_FALSE(exists(proof));
	free(proof);
	tmp_remove(&t);
}

static void test_command_is_ended(void)
{
	char *const argv[] = { "sleep", "1000", NULL };
	struct child c;
	int status;

	if (under_valgrind())
		return;
	begin(&c, argv);
	CU_ASSERT_EQUAL(child_go(&c), 0);
	status = child_end(&c);
	CU_ASSERT(WIFSIGNALED(status));
	CU_ASSERT_EQUAL(WTERMSIG(status), SIGTERM);
}

static const struct unit_test tests[] = {
	{ "command_by_path", test_command_by_path },
	{ "command_in_path", test_command_in_path },
	{ "command_runs", test_command_runs },
	{ "command_cannot_run", test_command_cannot_run },
	{ "command_never_runs", test_command_never_runs },
	{ "command_is_ended", test_command_is_ended },
};

int main(void)
{
	return unit_main("record_child", tests, sizeof(tests) / sizeof(tests[0]));
}
