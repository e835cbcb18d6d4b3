// SPDX-License-Identifier: BSD-2-Clause
/* A recording in several files: series.c. */
#include "record_util.h"

#include <errno.h>

#include "record/base/series.h"

/* ---- when -------------------------------------------------------------------------------- */

static void check_every(const char *text, uint64_t bytes, uint64_t seconds)
{
	struct series_every e;

	CU_ASSERT_PTR_NULL(series_parse(&e, text));
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
	check_every("64K", 65536, 0);
	check_every("5M", 5 << 20, 0);
	check_every("1024G", 1ull << 40, 0);
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
		"1T",
		"367d",
		"1m30s",
		"0x10s",
		"0K",
		"1.5h",
		"+1s",
		"1MB",
		"1KK",
		"18446744073709551616s",
		"18446744073709551615G",
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct series_every e;

		CU_ASSERT_PTR_NOT_NULL(series_parse(&e, wrong[i]));
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

static void check_name(const char *path, const char *name)
{
	struct series_name n;
	struct series s;
	char part[256];

	series_init(&s, path, 0);
	CU_ASSERT_EQUAL(series_next(&s, AT, &n), 0);
	CU_ASSERT_STRING_EQUAL(n.name, name);
	snprintf(part, sizeof(part), "%s.part", name);
	CU_ASSERT_STRING_EQUAL(n.part, part);
	series_free(&s);
}

static void test_names(void)
{
	check_name("/none/netcost.nct", "/none/netcost-20261124T082205Z-000001.nct");
	check_name("/none/a.b.nct", "/none/a.b-20261124T082205Z-000001.nct");
	check_name("/none.of/trace", "/none.of/trace-20261124T082205Z-000001");
	check_name("/none/.hidden", "/none/.hidden-20261124T082205Z-000001");
	check_name("/none/100%s.nct", "/none/100%s-20261124T082205Z-000001.nct");
}

/* In order, whatever the wall clock does. */
static void test_names_sort(void)
{
	static const uint64_t at[] = { AT, AT, AT + 1, AT - 3600, 0, AT + 1, AT + 7200, AT };
	struct series_name n;
	struct series s;
	char before[256] = "";

	series_init(&s, "/none/t.nct", 0);
	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		CU_ASSERT_EQUAL(series_next(&s, at[i], &n), 0);
		CU_ASSERT(strcmp(before, n.name) < 0);
		snprintf(before, sizeof(before), "%.255s", n.name);
	}
	CU_ASSERT_STRING_EQUAL(n.name, "/none/t-20261124T102205Z-000008.nct");
	series_free(&s);
}

static void test_name_too_long(void)
{
	static char path[PATH_MAX];
	struct series_name n;
	struct series s;

	memset(path, 'x', sizeof(path) - 1);
	series_init(&s, path, 0);
	CU_ASSERT_EQUAL(series_next(&s, AT, &n), -ENAMETOOLONG);
	series_free(&s);
}

/* A name that is there, finished or not, is another's. */
static void test_names_taken(void)
{
	struct series_name n;
	struct series s;
	struct tmp t;

	tmp_make(&t);
	tmp_file(&t, "t-20261124T082205Z-000001.nct", "");
	tmp_file(&t, "t-20261124T082205Z-000002.nct.part", "");
	CU_ASSERT_EQUAL(symlink("/none", tmp_path(&t, "t-20261124T082205Z-000003.nct")), 0);
	series_init(&s, strdup(tmp_path(&t, "t.nct")), 0);
	CU_ASSERT_EQUAL(series_next(&s, AT, &n), 0);
	CU_ASSERT_STRING_EQUAL(n.name, tmp_path(&t, "t-20261124T082205Z-000004.nct"));
	free((char *)s.path);
	series_free(&s);
	tmp_remove(&t);
}

/* ---- finished files ---------------------------------------------------------------------- */

struct kept {
	struct tmp tmp;
	struct series s;
	char *path, gone[512];
};

static void note_gone(void *ctx, const char *path)
{
	struct kept *k = ctx;

	CU_ASSERT(exists(path));
	strcat(k->gone, strrchr(path, '-'));
}

static void kept_make(struct kept *k, unsigned long keep)
{
	*k = (struct kept){ .gone = "" };
	tmp_make(&k->tmp);
	k->path = strdup(tmp_path(&k->tmp, "t.nct"));
	series_init(&k->s, k->path, keep);
}

static void kept_end(struct kept *k)
{
	series_free(&k->s);
	free(k->path);
	tmp_remove(&k->tmp);
}

static struct series_name make_one(struct kept *k)
{
	struct series_name n;

	CU_ASSERT_EQUAL_FATAL(series_next(&k->s, AT, &n), 0);
	tmp_file(&k->tmp, strrchr(n.part, '/') + 1, "trace");
	return n;
}

static void finish_one(struct kept *k)
{
	struct series_name n = make_one(k);

	CU_ASSERT_EQUAL(series_finish(&k->s, &n), 0);
	CU_ASSERT(tmp_file_is(n.name, "trace"));
	CU_ASSERT_FALSE(exists(n.part));
	series_trim(&k->s, note_gone, k);
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

/* Somebody took it away, and another file has its name now: that one stays. */
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

/* The name was free when it was chosen. What has it now stays, and so does what was recorded. */
static void test_name_taken_meanwhile(void)
{
	struct series_name n;
	struct kept k;

	kept_make(&k, 1);
	n = make_one(&k);
	tmp_file(&k.tmp, strrchr(n.name, '/') + 1, "precious");
	CU_ASSERT_EQUAL(series_finish(&k.s, &n), -EEXIST);
	CU_ASSERT(tmp_file_is(n.name, "precious"));
	CU_ASSERT(tmp_file_is(n.part, "trace"));
	CU_ASSERT_EQUAL(k.s.finished, 0);
	kept_end(&k);
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
};

int main(void)
{
	return unit_main("record_series", tests, sizeof(tests) / sizeof(tests[0]));
}
