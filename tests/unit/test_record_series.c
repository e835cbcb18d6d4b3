// SPDX-License-Identifier: BSD-2-Clause
/* Tests series.c: a recording in several files. */
#include "record_util.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/wait.h>

#include "record/base/series.h"

/* ---- when -------------------------------------------------------------------------------- */

static void check_every(const char *text, uint64_t bytes, uint64_t seconds)
{
	struct series_every e;

	CU_ASSERT(series_parse(text, &e));
	CU_ASSERT_EQUAL(e.bytes, bytes);
	CU_ASSERT_EQUAL(e.ns, seconds * 1000000000);
}

static void test_when(void)
{
	check_every("1s", 0, 1);
	check_every("90s", 0, 90);
	check_every("5m", 0, 300);
	check_every("24h", 0, 86400);
	check_every("366d", 0, 366 * 86400);
	check_every("1m30s", 0, 90);
	check_every("1.5h", 0, 5400);
	check_every("64K", 65536, 0);
	check_every("5M", 5 << 20, 0);
	check_every("1024G", 1ull << 40, 0);
	check_every("1T", 1ull << 40, 0);
	check_every("0.5M", 512 << 10, 0);
}

static void test_when_wrong(void)
{
	static const char *const wrong[] = {
		"",
		"5",
		"s",
		"0s",
		"-1s",
		" 1s",
		"1 s",
		"1sec",
		"1S",
		"63K",
		"64k",
		"1025G",
		"367d",
		"999ms",
		"0x10s",
		"0K",
		"1m1K",
		"366d1s",
		"+1s",
		"1MB",
		"1KK",
		"18446744073709551616s",
		"18446744073709551615G",
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct series_every e;

		CU_ASSERT_FALSE(series_parse(wrong[i], &e));
		CU_ASSERT_FALSE(e.bytes || e.ns);
	}
}

static void test_where_wrong(void)
{
	static const char *const wrong[] = { "-",	  "/dev/stdout", "/dev/fd/1",
					     "/dev/null", "/tmp",	 "/tmp/" };
	struct tmp t;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		CU_ASSERT_PTR_NOT_NULL(series_wrong(wrong[i]));
	tmp_make(&t);
	CU_ASSERT_PTR_NULL(series_wrong(tmp_path(&t, "new.nct")));
	CU_ASSERT_PTR_NULL(series_wrong(tmp_file(&t, "old.nct", "")));
	CU_ASSERT_EQUAL(mkfifo(tmp_path(&t, "pipe"), 0600), 0);
	CU_ASSERT_PTR_NOT_NULL(series_wrong(tmp_path(&t, "pipe")));
	tmp_remove(&t);
}

/* ---- names ------------------------------------------------------------------------------- */

#define AT 1795508525 /* 2026-11-24 08:22:05 UTC */

/* Checks the name of a file in a new folder; name: the rest of the path, or the beginning of the rest. */
static void check_name(const char *file, const char *name)
{
	struct series_name n;
	struct output o;
	struct series s;
	struct tmp t;
	char part[256], why[256];

	tmp_make(&t);
	CU_ASSERT_EQUAL_FATAL(series_init(&s, strdup(tmp_path(&t, file)), 0), 0);
	CU_ASSERT_EQUAL_FATAL(series_open(&s, AT, &n, &o, why, sizeof(why)), 0);
	CU_ASSERT_STRING_EQUAL(strrchr(n.name, '/') + 1, name);
	snprintf(part, sizeof(part), "%s.part", name);
	CU_ASSERT_STRING_EQUAL(strrchr(n.part, '/') + 1, part);
	CU_ASSERT(exists(n.part));
	output_close(&o);
	free((char *)s.path);
	series_free(&s);
	tmp_remove(&t);
}

static void test_names(void)
{
	check_name("netcost.nct", "netcost-20261124T082205Z-000001.nct");
	check_name("a.b.nct", "a.b-20261124T082205Z-000001.nct");
	check_name("trace", "trace-20261124T082205Z-000001");
	check_name(".hidden", ".hidden-20261124T082205Z-000001");
	check_name("100%s.nct", "100%s-20261124T082205Z-000001.nct");
}

/* ---- a series in a folder of its own ----------------------------------------------------- */

struct kept {
	struct tmp tmp;
	struct series s;
	struct output out;
	char *path, gone[512], why[256];
};

static void kept_make(struct kept *k, unsigned long keep)
{
	*k = (struct kept){ .out = OUTPUT_NONE };
	tmp_make(&k->tmp);
	k->path = strdup(tmp_path(&k->tmp, "t.nct"));
	CU_ASSERT_EQUAL_FATAL(series_init(&k->s, k->path, keep), 0);
}

static void kept_end(struct kept *k)
{
	output_close(&k->out);
	series_free(&k->s);
	free(k->path);
	tmp_remove(&k->tmp);
}

static struct series_name begin_at(struct kept *k, uint64_t real_s)
{
	struct series_name n = { "", "" };

	output_close(&k->out);
	CU_ASSERT_EQUAL_FATAL(series_open(&k->s, real_s, &n, &k->out, k->why, sizeof(k->why)), 0);
	CU_ASSERT_EQUAL(write(k->out.fd, "trace", 5), 5);
	return n;
}

static struct series_name begin_one(struct kept *k)
{
	return begin_at(k, AT);
}

/* Tests that names sort in the order of the files, even if the wall clock moves back. */
static void test_names_sort(void)
{
	static const uint64_t at[] = { AT, AT, AT + 1, AT - 3600, 0, AT + 1, AT + 7200, AT };
	struct series_name n;
	struct kept k;
	char before[256] = "";

	kept_make(&k, 0);
	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		n = begin_at(&k, at[i]);
		CU_ASSERT(strcmp(before, n.name) < 0);
		snprintf(before, sizeof(before), "%.255s", n.name);
	}
	CU_ASSERT_STRING_EQUAL(strrchr(n.name, '/'), "/t-20261124T102205Z-000008.nct");
	kept_end(&k);
}

static void test_name_too_long(void)
{
	static char path[PATH_MAX];
	struct series_name n;
	struct output o;
	struct series s;
	char why[256];

	memset(path, 'x', sizeof(path) - 1);
	CU_ASSERT_EQUAL(series_init(&s, path, 0), 0);
	CU_ASSERT_EQUAL(series_open(&s, AT, &n, &o, why, sizeof(why)), -ENAMETOOLONG);
	series_free(&s);
}

/* Returns whether the name is t-TIME-NUMBER.nct, with an unpredictable part after NUMBER. */
static bool is_other_name(const char *name, int number)
{
	char begin[64];
	const char *base = strrchr(name, '/') + 1;

	snprintf(begin, sizeof(begin), "t-20261124T082205Z-%06d-", number);
	return !strncmp(base, begin, strlen(begin)) &&
	       strspn(base + strlen(begin), "0123456789abcdef") == 16 &&
	       !strcmp(base + strlen(begin) + 16, ".nct");
}

/* Tests existing names. A file with such a name belongs to another recording, finished or not. NUMBER counts the
 * files, so it has no gaps. */
static void test_names_taken(void)
{
	struct kept k;

	kept_make(&k, 0);
	tmp_file(&k.tmp, "t-20261124T082205Z-000001.nct", "");
	tmp_file(&k.tmp, "t-20261124T082205Z-000002.nct.part", "");
	CU_ASSERT_EQUAL(symlink("/none", tmp_path(&k.tmp, "t-20261124T082205Z-000003.nct")), 0);
	CU_ASSERT_EQUAL(symlink("/none", tmp_path(&k.tmp, "t-20261124T082205Z-000004.nct.part")),
			0);
	for (int i = 1; i <= 4; i++)
		CU_ASSERT(is_other_name(begin_one(&k).name, i));
	CU_ASSERT(tmp_file_is(tmp_path(&k.tmp, "t-20261124T082205Z-000002.nct.part"), ""));
	kept_end(&k);
}

/* ---- finished files ---------------------------------------------------------------------- */

static void note_gone(void *ctx, const char *path)
{
	struct kept *k = ctx;

	CU_ASSERT(exists(path));
	strcat(k->gone, strrchr(path, '-'));
}

static void finish_one(struct kept *k)
{
	struct series_name n = begin_one(k);

	CU_ASSERT_EQUAL(series_finish(&k->s, &n, k->out.fd), 0);
	CU_ASSERT(tmp_file_is(n.name, "trace"));
	CU_ASSERT_FALSE(exists(n.part));
	series_trim(&k->s, note_gone, k);
}

static void ignore_gone(void *ctx, const char *path)
{
	(void)ctx;
	(void)path;
}

static bool has(const struct kept *k, int number)
{
	char name[64];

	snprintf(name, sizeof(name), "t-20261124T082205Z-%06d.nct", number);
	return exists(tmp_path(&k->tmp, name));
}

static void test_keep(void)
{
	struct kept k;

	kept_make(&k, 3);
	tmp_file(&k.tmp, "t-20200101T000000Z-000001.nct", "of another recording");
	for (int i = 0; i < 5; i++)
		finish_one(&k);
	CU_ASSERT_STRING_EQUAL(k.gone, "-000001.nct-000002.nct");
	CU_ASSERT(!has(&k, 1) && !has(&k, 2) && has(&k, 3) && has(&k, 4) && has(&k, 5));
	CU_ASSERT(exists(tmp_path(&k.tmp, "t-20200101T000000Z-000001.nct")));
	CU_ASSERT_EQUAL(k.s.finished, 5);
	CU_ASSERT_EQUAL(k.s.deleted, 2);
	kept_end(&k);
}

static void test_keep_all(void)
{
	struct kept k;

	kept_make(&k, 0);
	for (int i = 0; i < 20; i++)
		finish_one(&k);
	CU_ASSERT_STRING_EQUAL(k.gone, "");
	CU_ASSERT(has(&k, 1) && has(&k, 20));
	kept_end(&k);
}

/* Tests a file that was moved away. The file that has its name now is not deleted. */
static void test_keep_strangers(void)
{
	struct kept k;

	kept_make(&k, 1);
	finish_one(&k);
	CU_ASSERT_EQUAL(rename(tmp_path(&k.tmp, "t-20261124T082205Z-000001.nct"),
			       tmp_path(&k.tmp, "shipped")),
			0);
	tmp_file(&k.tmp, "t-20261124T082205Z-000001.nct", "precious");
	finish_one(&k);
	CU_ASSERT(tmp_file_is(tmp_path(&k.tmp, "t-20261124T082205Z-000001.nct"), "precious"));
	CU_ASSERT(exists(tmp_path(&k.tmp, "shipped")));
	CU_ASSERT_EQUAL(k.s.deleted, 0);
	kept_end(&k);
}

/* ---- a folder that another user controls ------------------------------------------------- */

/* Tests a name that was free when it was chosen. The file that has the name now is not changed, and the recording
 * gets another name. */
static void test_name_taken_meanwhile(void)
{
	struct series_name n, chosen;
	struct kept k;

	kept_make(&k, 1);
	chosen = n = begin_one(&k);
	tmp_file(&k.tmp, strrchr(n.name, '/') + 1, "precious");
	CU_ASSERT_EQUAL(series_finish(&k.s, &n, k.out.fd), 0);
	CU_ASSERT(tmp_file_is(chosen.name, "precious"));
	CU_ASSERT(is_other_name(n.name, 1));
	CU_ASSERT(tmp_file_is(n.name, "trace"));
	CU_ASSERT_FALSE(exists(n.part));
	CU_ASSERT_EQUAL(k.s.finished, 1);
	kept_end(&k);
}

/* Moves the file that is being written away, and puts another file in its place. */
static void check_swapped(void (*put)(const struct kept *k, const char *part))
{
	struct series_name n;
	struct kept k;

	kept_make(&k, 1);
	n = begin_one(&k);
	tmp_file(&k.tmp, "secret", "secret");
	CU_ASSERT_EQUAL(rename(n.part, tmp_path(&k.tmp, "stolen")), 0);
	put(&k, n.part);
	CU_ASSERT_EQUAL(series_finish(&k.s, &n, k.out.fd), 0);
	CU_ASSERT(output_is_entry(AT_FDCWD, n.name, k.out.fd));
	CU_ASSERT(tmp_file_is(n.name, "trace"));
	CU_ASSERT(tmp_file_is(tmp_path(&k.tmp, "secret"), "secret"));
	kept_end(&k);
}

static void put_nothing(const struct kept *k, const char *part)
{
	(void)k;
	(void)part;
}

static void put_symlink(const struct kept *k, const char *part)
{
	CU_ASSERT_EQUAL(symlink(tmp_path(&k->tmp, "secret"), part), 0);
}

static void put_link(const struct kept *k, const char *part)
{
	CU_ASSERT_EQUAL(link(tmp_path(&k->tmp, "secret"), part), 0);
}

static void put_dir(const struct kept *k, const char *part)
{
	(void)k;
	CU_ASSERT_EQUAL(mkdir(part, 0700), 0);
}

static void test_swapped(void)
{
	check_swapped(put_nothing);
	check_swapped(put_symlink);
	check_swapped(put_link);
	check_swapped(put_dir);
}

static void test_deleted(void)
{
	struct series_name n;
	struct kept k;

	kept_make(&k, 1);
	n = begin_one(&k);
	CU_ASSERT_EQUAL(unlink(n.part), 0);
	tmp_file(&k.tmp, strrchr(n.part, '/') + 1, "precious");
	CU_ASSERT_EQUAL(series_finish(&k.s, &n, k.out.fd), -ENOENT);
	CU_ASSERT_EQUAL(k.s.unnamed, 1);
	CU_ASSERT(tmp_file_is(n.part, "precious"));
	CU_ASSERT_FALSE(exists(n.name));
	finish_one(&k);
	kept_end(&k);
}

/* Replaces the file by a link to a secret, by no file and by the file itself, in turn, until this process is killed. */
static _Noreturn void swap_part(const char *part, const char *stolen, const char *secret, int begun)
{
	rename(part, stolen);
	close(begun);
	for (;;) {
		if (symlink(secret, part))
			unlink(part);
		unlink(part);
		if (link(stolen, part))
			unlink(part);
		unlink(part);
	}
}

static void test_race(void)
{
	struct series_name n;
	struct kept k;
	pid_t attacker;
	int begun[2];
	char byte;

	kept_make(&k, 0);
	tmp_file(&k.tmp, "secret", "secret");
	for (int i = 0; i < 30; i++) {
		n = begin_one(&k);
		CU_ASSERT_EQUAL_FATAL(pipe(begun), 0);
		attacker = fork();
		if (!attacker)
			swap_part(n.part, tmp_path(&k.tmp, "stolen"), tmp_path(&k.tmp, "secret"),
				  begun[1]);
		close(begun[1]);
		CU_ASSERT_EQUAL(read(begun[0], &byte, 1), 0); /* it has begun */
		close(begun[0]);
		CU_ASSERT_EQUAL(series_finish(&k.s, &n, k.out.fd), 0);
		CU_ASSERT(output_is_entry(AT_FDCWD, n.name, k.out.fd));
		CU_ASSERT_EQUAL(kill(attacker, SIGKILL), 0);
		CU_ASSERT_EQUAL(waitpid(attacker, NULL, 0), attacker);
		CU_ASSERT_EQUAL(unlink(tmp_path(&k.tmp, "stolen")), 0);
	}
	CU_ASSERT(tmp_file_is(tmp_path(&k.tmp, "secret"), "secret"));
	kept_end(&k);
}

/* Tests a folder whose name another folder has now: files are only written to and deleted in the opened folder. */
static void test_parent_swapped(void)
{
	char moved[PATH_MAX], part[PATH_MAX + 64], path[2 * PATH_MAX];
	struct series_name n;
	struct kept k;

	kept_make(&k, 1);
	n = begin_one(&k);
	snprintf(moved, sizeof(moved), "%s.moved", k.tmp.dir);
	CU_ASSERT_EQUAL(rename(k.tmp.dir, moved), 0);
	CU_ASSERT_EQUAL(mkdir(k.tmp.dir, 0700), 0);
	CU_ASSERT_EQUAL(series_finish(&k.s, &n, k.out.fd), 0);
	series_real_path(&k.s, &n, path, sizeof(path));
	CU_ASSERT(!strncmp(path, moved, strlen(moved)));
	CU_ASSERT(tmp_file_is(path, "trace"));
	tmp_file(&k.tmp, strrchr(n.name, '/') + 1, "precious");
	n = begin_one(&k);
	CU_ASSERT_FALSE(exists(n.part));
	snprintf(part, sizeof(part), "%s/%s", moved, strrchr(n.part, '/') + 1);
	CU_ASSERT(exists(part));
	CU_ASSERT_EQUAL(series_finish(&k.s, &n, k.out.fd), 0);
	series_trim(&k.s, ignore_gone, NULL);
	CU_ASSERT_FALSE(exists(path));
	CU_ASSERT(has(&k, 1));
	CU_ASSERT_EQUAL(unlink(tmp_path(&k.tmp, "t-20261124T082205Z-000001.nct")), 0);
	CU_ASSERT_EQUAL(rmdir(k.tmp.dir), 0);
	CU_ASSERT_EQUAL(rename(moved, k.tmp.dir), 0);
	kept_end(&k);
}

/* Tests whether --post may be given a path in a folder. Each row has the modes of the parent folder and of the
 * folder of the files. */
static void test_private(void)
{
	static const struct {
		mode_t above, folder;
		uid_t owner_above, owner;
		bool private;
	} row[] = {
		{ 0755, 0755, 0, 0, true },	  { 0755, 0777, 0, 0, false },
		{ 0777, 0755, 0, 0, false },	  { 01777, 01777, 0, 0, true },
		{ 0755, 0755, 0, 65534, false },  { 0755, 0755, 65534, 0, false },
		{ 01777, 0755, 65534, 0, false }, { 0755, 01777, 0, 65534, false },
		{ 0755, 0775, 0, 0, true }, /* the recorder's own group */
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]) && !geteuid(); i++) {
		char *folder, *path;
		struct series s;
		struct tmp t;

		tmp_make(&t);
		folder = strdup(tmp_path(&t, "folder"));
		path = strdup(tmp_path(&t, "folder/t.nct"));
		CU_ASSERT_EQUAL(mkdir(folder, 0700), 0);
		CU_ASSERT_EQUAL(chmod(folder, row[i].folder) | chmod(t.dir, row[i].above), 0);
		CU_ASSERT_EQUAL(
			chown(folder, row[i].owner, 0) | chown(t.dir, row[i].owner_above, 0), 0);
		CU_ASSERT_EQUAL_FATAL(series_init(&s, path, 0), 0);
		CU_ASSERT_EQUAL(series_is_private(&s), row[i].private);
		series_free(&s);
		CU_ASSERT_EQUAL(rmdir(folder), 0);
		free(folder);
		free(path);
		tmp_remove(&t);
	}
}

static const struct unit_test tests[] = {
	{ "when", test_when },
	{ "when_wrong", test_when_wrong },
	{ "where_wrong", test_where_wrong },
	{ "names", test_names },
	{ "names_sort", test_names_sort },
	{ "name_too_long", test_name_too_long },
	{ "names_taken", test_names_taken },
	{ "keep", test_keep },
	{ "keep_all", test_keep_all },
	{ "keep_strangers", test_keep_strangers },
	{ "name_taken_meanwhile", test_name_taken_meanwhile },
	{ "swapped", test_swapped },
	{ "deleted", test_deleted },
	{ "race", test_race },
	{ "parent_swapped", test_parent_swapped },
	{ "private", test_private },
};

int main(void)
{
	return unit_main("record_series", tests, sizeof(tests) / sizeof(tests[0]));
}
