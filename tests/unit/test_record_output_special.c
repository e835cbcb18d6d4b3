// SPDX-License-Identifier: BSD-2-Clause
/* Tests output.c: output to devices, pipes, and the system's names for open descriptors. */
#include "output_util.h"

#include <errno.h>
#include <limits.h>

/* Checks that a device is written to, and that it is neither moved nor removed when the output is undone. */
static void check_device(const char *path)
{
	struct output o;
	struct stat st;
	char why[256] = "";

	CU_ASSERT_EQUAL_FATAL(output_open(&o, path, why, sizeof(why)), 0);
	CU_ASSERT_FALSE(o.replaced);
	CU_ASSERT_EQUAL(write(o.fd, "x", 1), -1);
	CU_ASSERT_EQUAL(errno, ENOSPC);
	output_abandon(&o);
	CU_ASSERT_FATAL(!stat(path, &st));
	CU_ASSERT(S_ISCHR(st.st_mode));
}

static void test_device(void)
{
	struct output_setup s;

	output_setup(&s);
	check_device("/dev/full");
	/* A link may belong to any user, so its target is not written. */
	CU_ASSERT_EQUAL(symlink("/dev/full", s.path), 0);
	CU_ASSERT_EQUAL(output_open(&s.out, s.path, s.why, sizeof(s.why)), -ELOOP);
	CU_ASSERT_PTR_NOT_NULL(strstr(s.why, "give the name of its target"));
	CU_ASSERT(exists(s.path));
	CU_ASSERT_FALSE(exists(s.old));
	output_teardown(&s);
}

static void test_fifo(void)
{
	struct output_setup s;
	char got[8] = "";
	int reader;

	output_setup(&s);
	CU_ASSERT_EQUAL(mkfifo(s.path, 0600), 0);
	reader = open(s.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	CU_ASSERT_FATAL(reader >= 0);
	open_and_write(&s, "new");
	CU_ASSERT_FALSE(s.out.replaced);
	CU_ASSERT_EQUAL(read(reader, got, sizeof(got)), 3);
	output_abandon(&s.out);
	CU_ASSERT_TRUE(exists(s.path));
	close(reader);
	output_teardown(&s);
}

/* Tests a FIFO without a reader: the error is reported at once, without waiting. */
static void test_fifo_without_reader(void)
{
	struct output_setup s;

	output_setup(&s);
	CU_ASSERT_EQUAL(mkfifo(s.path, 0600), 0);
	alarm(10);
	CU_ASSERT_EQUAL(output_open(&s.out, s.path, s.why, sizeof(s.why)), -ENXIO);
	alarm(0);
	CU_ASSERT_PTR_NOT_NULL(strstr(s.why, "the pipe has no reader"));
	CU_ASSERT(exists(s.path));
	output_teardown(&s);
}

/* Tests that a link in a folder of the system may still belong to any user. */
static void test_link_in_dev(void)
{
	struct output_setup s;
	char path[64];
	const char *victim;

	output_setup(&s);
	victim = tmp_file(&s.tmp, "victim", "someone else's");
	snprintf(path, sizeof(path), "/dev/shm/netcost-unit-%d", (int)getpid());
	CU_ASSERT_EQUAL_FATAL(symlink(victim, path), 0);
	CU_ASSERT_EQUAL(output_open(&s.out, path, s.why, sizeof(s.why)), 0);
	CU_ASSERT_TRUE(s.out.replaced);
	output_abandon(&s.out);
	CU_ASSERT(tmp_file_is(victim, "someone else's"));
	CU_ASSERT_EQUAL(unlink(path), 0);
	output_teardown(&s);
}

/* Tests names that only begin like the system's names. */
static void test_names_like_the_systems(void)
{
	static const char *const like[] = { "/proc/self/fd/../cwd/t.nct", "/dev/fd/../cwd/t.nct" };
	char cwd[PATH_MAX];
	struct output_setup s;
	const char *victim;

	output_setup(&s);
	victim = tmp_file(&s.tmp, "victim", "someone else's");
	CU_ASSERT_PTR_NOT_NULL_FATAL(getcwd(cwd, sizeof(cwd)));
	CU_ASSERT_EQUAL(chdir(s.tmp.dir), 0);
	CU_ASSERT_EQUAL(symlink(victim, s.path), 0);
	for (size_t i = 0; i < sizeof(like) / sizeof(like[0]); i++) {
		CU_ASSERT_EQUAL(output_open(&s.out, like[i], s.why, sizeof(s.why)), 0);
		CU_ASSERT_TRUE(s.out.replaced);
		output_abandon(&s.out);
	}
	CU_ASSERT_EQUAL(chdir(cwd), 0);
	CU_ASSERT(tmp_file_is(victim, "someone else's"));
	output_teardown(&s);
}

/*
 * Tests /dev/stdout and similar names, which lead to the file that the shell has opened. The link must not be moved,
 * and a file that the shell opened to append to must not be truncated. The test uses /proc/self/fd/N, so that a bug
 * cannot destroy the machine's /dev/stdout.
 */
static void test_link_of_the_kernel(void)
{
	struct output_setup s;
	char link[64];
	int fd;

	output_setup(&s);
	fd = open(tmp_file(&s.tmp, "redirected", "what was there before "), O_WRONLY | O_APPEND);
	CU_ASSERT_FATAL(fd >= 0);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	CU_ASSERT_EQUAL_FATAL(output_open(&s.out, link, s.why, sizeof(s.why)), 0);
	CU_ASSERT_FALSE(s.out.replaced);
	CU_ASSERT_EQUAL(write(s.out.fd, "new", 3), 3);
	output_abandon(&s.out);
	CU_ASSERT(tmp_file_is(tmp_path(&s.tmp, "redirected"), "what was there before new"));
	CU_ASSERT_FALSE(output_is_stdout(link));
	/* The recorder refuses a descriptor of its own, because it is never the caller's, and a read-only
	 * descriptor. */
	CU_ASSERT_EQUAL(fcntl(fd, F_SETFD, FD_CLOEXEC), 0);
	CU_ASSERT_EQUAL(output_open(&s.out, link, s.why, sizeof(s.why)), -EBADF);
	close(fd);
	CU_ASSERT_EQUAL(open(tmp_path(&s.tmp, "redirected"), O_RDONLY), fd);
	CU_ASSERT_EQUAL(output_open(&s.out, link, s.why, sizeof(s.why)), -EBADF);
	close(fd);
	output_teardown(&s);
}

static void test_stdout(void)
{
	struct output o;
	char why[256] = "";
	int saved = dup(STDOUT_FILENO), full;

	/* CUnit writes its messages to the real standard output. */
	fflush(stdout);
	full = open("/dev/null", O_WRONLY | O_CLOEXEC);
	dup2(full, STDOUT_FILENO);
	CU_ASSERT_EQUAL(output_open(&o, "-", why, sizeof(why)), 0);
	CU_ASSERT_EQUAL(o.fd, STDOUT_FILENO);
	output_abandon(&o);
	output_close(&o);
	CU_ASSERT(fcntl(STDOUT_FILENO, F_GETFD) >= 0);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(full);
}

static const struct unit_test tests[] = {
	{ "device", test_device },
	{ "fifo", test_fifo },
	{ "fifo_without_reader", test_fifo_without_reader },
	{ "link_in_dev", test_link_in_dev },
	{ "names_like_the_systems", test_names_like_the_systems },
	{ "link_of_the_kernel", test_link_of_the_kernel },
	{ "stdout", test_stdout },
};

int main(void)
{
	return unit_main("record_output_special", tests, sizeof(tests) / sizeof(tests[0]));
}
