// SPDX-License-Identifier: BSD-2-Clause
/* Tests output.c: output to files, and to links that lead to files. */
#include "output_util.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

static int files_in(const char *dir)
{
	struct dirent **names;
	int n = scandir(dir, &names, NULL, NULL);

	for (int i = 0; i < n; i++)
		free(names[i]);
	if (n > 0)
		free(names);
	return n - 2; /* does not count "." and ".." */
}

/* Tests that other users cannot read a new file, whatever the umask. */
static void test_new_file(void)
{
	mode_t mask = umask(0);
	struct output_setup s;
	struct stat st;

	output_setup(&s);
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
	output_teardown(&s);
}

static void test_existing_file_is_kept(void)
{
	struct output_setup s;

	output_setup(&s);
	tmp_file(&s.tmp, "t.nct", "the recording before, which is longer");
	tmp_file(&s.tmp, "t.nct.old", "the one before that");
	open_and_write(&s, "new");
	CU_ASSERT_TRUE(s.out.replaced);
	output_settle(&s.out);
	output_close(&s.out);
	CU_ASSERT(tmp_file_is(s.path, "new"));
	CU_ASSERT(tmp_file_is(s.old, "the recording before, which is longer"));
	CU_ASSERT_EQUAL(files_in(s.tmp.dir), 2);
	output_teardown(&s);
}

static void test_abandon(void)
{
	struct output_setup s;

	output_setup(&s);
	open_and_write(&s, "new");
	output_abandon(&s.out);
	CU_ASSERT_EQUAL(s.out.fd, -1);
	CU_ASSERT_FALSE(exists(s.path));
	tmp_file(&s.tmp, "t.nct", "before");
	open_and_write(&s, "new");
	output_abandon(&s.out);
	CU_ASSERT(tmp_file_is(s.path, "before"));
	CU_ASSERT_FALSE(exists(s.old));
	output_abandon(&s.out); /* a second call has no effect */
	CU_ASSERT(tmp_file_is(s.path, "before"));
	output_teardown(&s);
}

/* Tests that an abandoned output also leaves the older file (path.old) unchanged. */
static void test_abandon_keeps_old(void)
{
	struct output_setup s;

	output_setup(&s);
	tmp_file(&s.tmp, "t.nct", "before");
	tmp_file(&s.tmp, "t.nct.old", "the one before that");
	open_and_write(&s, "new");
	output_abandon(&s.out);
	CU_ASSERT(tmp_file_is(s.path, "before"));
	CU_ASSERT(tmp_file_is(s.old, "the one before that"));
	CU_ASSERT_EQUAL(files_in(s.tmp.dir), 2);
	output_teardown(&s);
}

/* Tests a directory at path.old: the output fails, and changes nothing. */
static void test_old_is_directory(void)
{
	struct output_setup s;

	output_setup(&s);
	tmp_file(&s.tmp, "t.nct", "before");
	CU_ASSERT_EQUAL(mkdir(s.old, 0755), 0);
	check_refused(&s, -EISDIR);
	CU_ASSERT(tmp_file_is(s.path, "before"));
	CU_ASSERT_EQUAL(files_in(s.tmp.dir), 2);
	output_teardown(&s);
}

static void test_directories(void)
{
	struct output_setup s;
	char *missing;

	output_setup(&s);
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
	output_teardown(&s);
}

static void test_names(void)
{
	char name[256];
	struct output_setup s;
	char *path;

	output_setup(&s);
	memset(name, 'n', 255);
	name[255] = '\0';
	path = malloc(strlen(s.tmp.dir) + sizeof(name) + 1);
	sprintf(path, "%s/%s", s.tmp.dir, name);
	CU_ASSERT_EQUAL(output_open(&s.out, path, s.why, sizeof(s.why)), 0);
	CU_ASSERT_EQUAL(write(s.out.fd, "before", 6), 6);
	output_close(&s.out);
	/* The file now has data that must be kept, but the name is too long for ".old". */
	CU_ASSERT_EQUAL(output_open(&s.out, path, s.why, sizeof(s.why)), -ENAMETOOLONG);
	CU_ASSERT(tmp_file_is(path, "before"));
	free(path);
	CU_ASSERT_EQUAL(output_open(&s.out, "", s.why, sizeof(s.why)), -ENOENT);
	output_teardown(&s);
}

/* Tests that, as in perf, a link is renamed and its target stays unchanged. */
static void test_link_to_file(void)
{
	struct output_setup s;
	const char *target;

	output_setup(&s);
	target = tmp_file(&s.tmp, "target", "someone else's, and longer than the new one");
	link_and_write(&s, target);
	output_close(&s.out);
	CU_ASSERT(tmp_file_is(s.path, "new"));
	CU_ASSERT(tmp_file_is(s.old, "someone else's, and longer than the new one"));
	CU_ASSERT(tmp_file_is(target, "someone else's, and longer than the new one"));
	output_teardown(&s);
}

static void test_abandon_link(void)
{
	struct output_setup s;
	struct stat st;
	const char *target;

	output_setup(&s);
	target = tmp_file(&s.tmp, "target", "someone else's");
	link_and_write(&s, target);
	output_abandon(&s.out);
	CU_ASSERT(tmp_file_is(target, "someone else's"));
	CU_ASSERT_FATAL(!lstat(s.path, &st));
	CU_ASSERT(S_ISLNK(st.st_mode));
	CU_ASSERT_FALSE(exists(s.old));
	output_teardown(&s);
}

/* Tests that no file is made at the target of a dangling link. */
static void test_dangling_link(void)
{
	struct output_setup s;
	const char *target;

	output_setup(&s);
	target = tmp_path(&s.tmp, "nothing");
	link_and_write(&s, target);
	output_close(&s.out);
	CU_ASSERT_FALSE(exists(target));
	CU_ASSERT(tmp_file_is(s.path, "new"));
	output_teardown(&s);
}

/* Creates and removes a link at `path` repeatedly, until this process is killed. */
static _Noreturn void swap_links(const char *target, const char *path)
{
	for (;;) {
		if (symlink(target, path))
			unlink(path);
		unlink(path);
	}
}

/* Tests a race: the owner of the directory replaces the path by a link just after the path was checked. */
static void test_race_for_the_path(void)
{
	struct output_setup s;
	const char *victim;
	pid_t attacker;

	output_setup(&s);
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
	output_teardown(&s);
}

static uid_t owner_with(struct output_setup *s, const char *uid, const char *gid)
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

/* Tests that the user who called sudo(8) can read the output. */
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
	struct output_setup s;

	output_setup(&s);
	CU_ASSERT_EQUAL(owner_with(&s, "12345", "23456"), geteuid() ? geteuid() : 12345);
	for (size_t i = 0; i < sizeof(no_id) / sizeof(no_id[0]); i++) {
		CU_ASSERT_EQUAL(owner_with(&s, no_id[i], "23456"), geteuid());
		CU_ASSERT_EQUAL(owner_with(&s, "12345", no_id[i]), geteuid());
	}
	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
	output_teardown(&s);
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
	{ "race_for_the_path", test_race_for_the_path },
	{ "sudo", test_sudo },
};

int main(void)
{
	return unit_main("record_output", tests, sizeof(tests) / sizeof(tests[0]));
}
