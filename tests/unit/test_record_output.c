// SPDX-License-Identifier: BSD-2-Clause
/* Where a recording goes: output.c. */
#include "record_util.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <sys/wait.h>

#include "record/base/output.h"

struct setup {
	struct tmp tmp;
	struct output out;
	const char *path, *old;
	char why[256];
};

static void setup(struct setup *s)
{
	*s = (struct setup){ .out.fd = -1 };
	tmp_make(&s->tmp);
	s->path = strdup(tmp_path(&s->tmp, "t.nct"));
	s->old = strdup(tmp_path(&s->tmp, "t.nct.old"));
}

static void teardown(struct setup *s)
{
	output_close(&s->out);
	tmp_remove(&s->tmp);
	free((char *)s->path);
	free((char *)s->old);
}

static void open_and_write(struct setup *s, const char *text)
{
	CU_ASSERT_EQUAL_FATAL(output_open(&s->out, s->path, s->why, sizeof(s->why)), 0);
	CU_ASSERT_STRING_EQUAL(s->why, "");
	CU_ASSERT_EQUAL(write(s->out.fd, text, strlen(text)), (ssize_t)strlen(text));
}

static void link_and_write(struct setup *s, const char *target)
{
	CU_ASSERT_EQUAL(symlink(target, s->path), 0);
	open_and_write(s, "new");
}

static void check_refused(struct setup *s, int err)
{
	CU_ASSERT_EQUAL(output_open(&s->out, s->path, s->why, sizeof(s->why)), err);
	CU_ASSERT_EQUAL(s->out.fd, -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(s->why, s->path));
	CU_ASSERT_PTR_NOT_NULL(strstr(s->why, strerror(-err)));
	CU_ASSERT_PTR_NULL(strchr(s->why, '\n'));
}

static int files_in(const char *dir)
{
	struct dirent **names;
	int n = scandir(dir, &names, NULL, NULL);

	for (int i = 0; i < n; i++)
		free(names[i]);
	if (n > 0)
		free(names);
	return n - 2; /* . and .. */
}

/* Others may not read it, whatever the umask. */
static void test_new_file(void)
{
	mode_t mask = umask(0);
	struct setup s;
	struct stat st;

	setup(&s);
	open_and_write(&s, "new");
	umask(mask);
	CU_ASSERT_EQUAL(fstat(s.out.fd, &st), 0);
	CU_ASSERT_EQUAL(st.st_mode & 07777, 0600);
	CU_ASSERT_NOT_EQUAL(fcntl(s.out.fd, F_GETFD) & FD_CLOEXEC, 0);
	CU_ASSERT_FALSE(s.out.replaced);
	output_close(&s.out);
	output_close(&s.out);
	CU_ASSERT(tmp_file_is(s.path, "new"));
	CU_ASSERT_FALSE(exists(s.old));
	teardown(&s);
}

static void test_existing_file_is_kept(void)
{
	struct setup s;

	setup(&s);
	tmp_file(&s.tmp, "t.nct", "the recording before, which is longer");
	tmp_file(&s.tmp, "t.nct.old", "the one before that");
	open_and_write(&s, "new");
	CU_ASSERT_TRUE(s.out.replaced);
	output_settle(&s.out);
	output_close(&s.out);
	CU_ASSERT(tmp_file_is(s.path, "new"));
	CU_ASSERT(tmp_file_is(s.old, "the recording before, which is longer"));
	CU_ASSERT_EQUAL(files_in(s.tmp.dir), 2);
	teardown(&s);
}

static void test_abandon(void)
{
	struct setup s;

	setup(&s);
	open_and_write(&s, "new");
	output_abandon(&s.out);
	CU_ASSERT_EQUAL(s.out.fd, -1);
	CU_ASSERT_FALSE(exists(s.path));
	tmp_file(&s.tmp, "t.nct", "before");
	open_and_write(&s, "new");
	output_abandon(&s.out);
	CU_ASSERT(tmp_file_is(s.path, "before"));
	CU_ASSERT_FALSE(exists(s.old));
	output_abandon(&s.out); /* a second time changes nothing */
	CU_ASSERT(tmp_file_is(s.path, "before"));
	teardown(&s);
}

/* Also the one that was to make room for it. */
static void test_abandon_keeps_old(void)
{
	struct setup s;

	setup(&s);
	tmp_file(&s.tmp, "t.nct", "before");
	tmp_file(&s.tmp, "t.nct.old", "the one before that");
	open_and_write(&s, "new");
	output_abandon(&s.out);
	CU_ASSERT(tmp_file_is(s.path, "before"));
	CU_ASSERT(tmp_file_is(s.old, "the one before that"));
	CU_ASSERT_EQUAL(files_in(s.tmp.dir), 2);
	teardown(&s);
}

/* A directory in the way of path.old: nothing has changed. */
static void test_old_is_directory(void)
{
	struct setup s;

	setup(&s);
	tmp_file(&s.tmp, "t.nct", "before");
	CU_ASSERT_EQUAL(mkdir(s.old, 0755), 0);
	check_refused(&s, -EISDIR);
	CU_ASSERT(tmp_file_is(s.path, "before"));
	CU_ASSERT_EQUAL(files_in(s.tmp.dir), 2);
	teardown(&s);
}

static void test_directories(void)
{
	struct setup s;
	char *missing;

	setup(&s);
	CU_ASSERT_EQUAL(mkdir(s.path, 0755), 0);
	check_refused(&s, -EISDIR);
	CU_ASSERT_FALSE(exists(s.old));
	CU_ASSERT_EQUAL(rmdir(s.path), 0);
	CU_ASSERT_EQUAL(symlink(s.tmp.dir, s.path), 0);
	check_refused(&s, -EISDIR);
	CU_ASSERT_FALSE(exists(s.old));
	missing = strdup(tmp_path(&s.tmp, "missing/t.nct"));
	CU_ASSERT_EQUAL(output_open(&s.out, missing, s.why, sizeof(s.why)), -ENOENT);
	CU_ASSERT_PTR_NOT_NULL(strstr(s.why, missing));
	free(missing);
	teardown(&s);
}

static void test_names(void)
{
	char name[256];
	struct setup s;
	char *path;

	setup(&s);
	memset(name, 'n', 255);
	name[255] = '\0';
	path = malloc(strlen(s.tmp.dir) + sizeof(name) + 1);
	sprintf(path, "%s/%s", s.tmp.dir, name);
	CU_ASSERT_EQUAL(output_open(&s.out, path, s.why, sizeof(s.why)), 0);
	CU_ASSERT_EQUAL(write(s.out.fd, "before", 6), 6);
	output_close(&s.out);
	/* Now there is something to keep, and its name has no room for ".old". */
	CU_ASSERT_EQUAL(output_open(&s.out, path, s.why, sizeof(s.why)), -ENAMETOOLONG);
	CU_ASSERT(tmp_file_is(path, "before"));
	free(path);
	CU_ASSERT_EQUAL(output_open(&s.out, "", s.why, sizeof(s.why)), -ENOENT);
	teardown(&s);
}

/* As perf does: the link makes room, what it leads to stays as it is. */
static void test_link_to_file(void)
{
	struct setup s;
	const char *target;

	setup(&s);
	target = tmp_file(&s.tmp, "target", "someone else's, and longer than the new one");
	link_and_write(&s, target);
	output_close(&s.out);
	CU_ASSERT(tmp_file_is(s.path, "new"));
	CU_ASSERT(tmp_file_is(s.old, "someone else's, and longer than the new one"));
	CU_ASSERT(tmp_file_is(target, "someone else's, and longer than the new one"));
	teardown(&s);
}

static void test_abandon_link(void)
{
	struct setup s;
	struct stat st;
	const char *target;

	setup(&s);
	target = tmp_file(&s.tmp, "target", "someone else's");
	link_and_write(&s, target);
	output_abandon(&s.out);
	CU_ASSERT(tmp_file_is(target, "someone else's"));
	CU_ASSERT_FATAL(!lstat(s.path, &st));
	CU_ASSERT(S_ISLNK(st.st_mode));
	CU_ASSERT_FALSE(exists(s.old));
	teardown(&s);
}

/* Nothing is made where a link leads to nothing. */
static void test_dangling_link(void)
{
	struct setup s;
	const char *target;

	setup(&s);
	target = tmp_path(&s.tmp, "nothing");
	link_and_write(&s, target);
	output_close(&s.out);
	CU_ASSERT_FALSE(exists(target));
	CU_ASSERT(tmp_file_is(s.path, "new"));
	teardown(&s);
}

/* A device is written to; it is not moved, nor removed when all is taken back. */
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
	struct setup s;

	setup(&s);
	check_device("/dev/full");
	/* A link may be anybody's: what it leads to is not written. */
	CU_ASSERT_EQUAL(symlink("/dev/full", s.path), 0);
	CU_ASSERT_EQUAL(output_open(&s.out, s.path, s.why, sizeof(s.why)), -ELOOP);
	CU_ASSERT_PTR_NOT_NULL(strstr(s.why, "name what it points to"));
	CU_ASSERT(exists(s.path));
	CU_ASSERT_FALSE(exists(s.old));
	teardown(&s);
}

static void test_fifo(void)
{
	struct setup s;
	char got[8] = "";
	int reader;

	setup(&s);
	CU_ASSERT_EQUAL(mkfifo(s.path, 0600), 0);
	reader = open(s.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	CU_ASSERT_FATAL(reader >= 0);
	open_and_write(&s, "new");
	CU_ASSERT_FALSE(s.out.replaced);
	CU_ASSERT_EQUAL(read(reader, got, sizeof(got)), 3);
	output_abandon(&s.out);
	CU_ASSERT_TRUE(exists(s.path));
	close(reader);
	teardown(&s);
}

/* It is said at once, and not waited for. */
static void test_fifo_without_reader(void)
{
	struct setup s;

	setup(&s);
	CU_ASSERT_EQUAL(mkfifo(s.path, 0600), 0);
	alarm(10);
	CU_ASSERT_EQUAL(output_open(&s.out, s.path, s.why, sizeof(s.why)), -ENXIO);
	alarm(0);
	CU_ASSERT_PTR_NOT_NULL(strstr(s.why, "the pipe has no reader"));
	CU_ASSERT(exists(s.path));
	teardown(&s);
}

/* A link among the system's own names is still anybody's. */
static void test_link_in_dev(void)
{
	struct setup s;
	char path[64];
	const char *victim;

	setup(&s);
	victim = tmp_file(&s.tmp, "victim", "someone else's");
	snprintf(path, sizeof(path), "/dev/shm/netcost-unit-%d", (int)getpid());
	CU_ASSERT_EQUAL_FATAL(symlink(victim, path), 0);
	CU_ASSERT_EQUAL(output_open(&s.out, path, s.why, sizeof(s.why)), 0);
	CU_ASSERT_TRUE(s.out.replaced);
	output_abandon(&s.out);
	CU_ASSERT(tmp_file_is(victim, "someone else's"));
	CU_ASSERT_EQUAL(unlink(path), 0);
	teardown(&s);
}

/* Names that only begin like the system's. */
static void test_names_like_the_systems(void)
{
	static const char *const like[] = { "/proc/self/fd/../cwd/t.nct", "/dev/fd/../cwd/t.nct" };
	char cwd[PATH_MAX];
	struct setup s;
	const char *victim;

	setup(&s);
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
	teardown(&s);
}

/* Puts a link there and takes it away, until it is killed. */
static _Noreturn void swap_links(const char *target, const char *path)
{
	for (;;) {
		if (symlink(target, path))
			unlink(path);
		unlink(path);
	}
}

/* Whoever owns the directory puts a link there just when the path was looked at. */
static void test_race_for_the_path(void)
{
	struct setup s;
	const char *victim;
	pid_t attacker;

	setup(&s);
	victim = tmp_file(&s.tmp, "victim", "someone else's");
	attacker = fork();
	if (!attacker)
		swap_links(victim, s.path);
	for (int i = 0; i < 3000 && tmp_file_is(victim, "someone else's"); i++) {
		if (!output_open(&s.out, s.path, s.why, sizeof(s.why)))
			CU_ASSERT_EQUAL(write(s.out.fd, "new", 3), 3);
		output_abandon(&s.out);
	}
	CU_ASSERT_EQUAL(kill(attacker, SIGKILL), 0);
	CU_ASSERT_EQUAL(waitpid(attacker, NULL, 0), attacker);
	CU_ASSERT(tmp_file_is(victim, "someone else's"));
	teardown(&s);
}

static uid_t owner_with(struct setup *s, const char *uid, const char *gid)
{
	struct stat st = { 0 };

	CU_ASSERT_EQUAL(setenv("SUDO_UID", uid, 1), 0);
	CU_ASSERT_EQUAL(setenv("SUDO_GID", gid, 1), 0);
	open_and_write(s, "new");
	CU_ASSERT_EQUAL(fstat(s->out.fd, &st), 0);
	CU_ASSERT_EQUAL(st.st_uid == geteuid(), st.st_gid == getegid());
	output_abandon(&s->out);
	return st.st_uid;
}

/* Who called sudo(8) can read what it was for. */
static void test_sudo(void)
{
	static const char *const no_id[] = { "",
					     " 1",
					     "-1",
					     "+7",
					     "0x10",
					     "12 ",
					     "4294967295",
					     "4294967296",
					     "nope",
					     "65e3",
					     "99999999999999999999999" };
	struct setup s;

	setup(&s);
	CU_ASSERT_EQUAL(owner_with(&s, "12345", "23456"), geteuid() ? geteuid() : 12345);
	for (size_t i = 0; i < sizeof(no_id) / sizeof(no_id[0]); i++) {
		CU_ASSERT_EQUAL(owner_with(&s, no_id[i], "23456"), geteuid());
		CU_ASSERT_EQUAL(owner_with(&s, "12345", no_id[i]), geteuid());
	}
	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
	teardown(&s);
}

/*
 * /dev/stdout and its like lead to whatever file the shell has opened: no one wants the link itself
 * moved, or a file cut that the shell opened to append to. Here it is /proc/self/fd/N, so that a bug does
 * not cost a machine its /dev/stdout.
 */
static void test_link_of_the_kernel(void)
{
	struct setup s;
	char link[64];
	int fd;

	setup(&s);
	fd = open(tmp_file(&s.tmp, "redirected", "what was there before "), O_WRONLY | O_APPEND);
	CU_ASSERT_FATAL(fd >= 0);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	CU_ASSERT_EQUAL_FATAL(output_open(&s.out, link, s.why, sizeof(s.why)), 0);
	CU_ASSERT_FALSE(s.out.replaced);
	CU_ASSERT_EQUAL(write(s.out.fd, "new", 3), 3);
	output_abandon(&s.out);
	CU_ASSERT(tmp_file_is(tmp_path(&s.tmp, "redirected"), "what was there before new"));
	CU_ASSERT_FALSE(output_is_stdout(link));
	/* A descriptor of our own is none that the caller means, and one to read from is not to be written. */
	CU_ASSERT_EQUAL(fcntl(fd, F_SETFD, FD_CLOEXEC), 0);
	CU_ASSERT_EQUAL(output_open(&s.out, link, s.why, sizeof(s.why)), -EBADF);
	close(fd);
	CU_ASSERT_EQUAL(open(tmp_path(&s.tmp, "redirected"), O_RDONLY), fd);
	CU_ASSERT_EQUAL(output_open(&s.out, link, s.why, sizeof(s.why)), -EBADF);
	close(fd);
	teardown(&s);
}

static void test_stdout(void)
{
	struct output o;
	char why[256] = "";
	int saved = dup(STDOUT_FILENO), full;

	/* CUnit writes to the real one. */
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
	{ "new_file", test_new_file },
	{ "existing_file_is_kept", test_existing_file_is_kept },
	{ "abandon", test_abandon },
	{ "abandon_keeps_old", test_abandon_keeps_old },
	{ "old_is_directory", test_old_is_directory },
	{ "directories", test_directories },
	{ "names", test_names },
	{ "link_to_file", test_link_to_file },
	{ "abandon_link", test_abandon_link },
	{ "dangling_link", test_dangling_link },
	{ "device", test_device },
	{ "fifo", test_fifo },
	{ "fifo_without_reader", test_fifo_without_reader },
	{ "link_in_dev", test_link_in_dev },
	{ "names_like_the_systems", test_names_like_the_systems },
	{ "race_for_the_path", test_race_for_the_path },
	{ "sudo", test_sudo },
	{ "link_of_the_kernel", test_link_of_the_kernel },
	{ "stdout", test_stdout },
};

int main(void)
{
	return unit_main("record_output", tests, sizeof(tests) / sizeof(tests[0]));
}
