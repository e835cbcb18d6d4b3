// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/base/timens.h"
#include "unit.h"

static char proc[] = "/tmp/netcost-unit-XXXXXX";

static const char *path_of(const char *name)
{
	static char path[2][80];
	static unsigned int i;

	snprintf(path[++i % 2], sizeof(path[0]), "%s/%s", proc, name);
	return path[i % 2];
}

static void put(const char *name, const char *text)
{
	FILE *f = fopen(path_of(name), "w");

	CU_ASSERT_FATAL(f != NULL);
	fputs(text, f);
	fclose(f);
}

/* Checks a process in a time namespace with these offsets (NULL: unreadable); same: its children are in the same
 * namespace. */
static int check(const char *offsets, bool same, char *why)
{
	int err;

	why[0] = '\0';
	mkdir(path_of("ns"), 0700);
	put("ns/time", "");
	if (!same)
		put("ns/time_for_children", "");
	else if (link(path_of("ns/time"), path_of("ns/time_for_children")))
		CU_FAIL("link");
	if (offsets)
		put("timens_offsets", offsets);
	err = timens_check(proc, why, TIMENS_WHY);
	unlink(path_of("timens_offsets"));
	unlink(path_of("ns/time"));
	unlink(path_of("ns/time_for_children"));
	rmdir(path_of("ns"));
	return err;
}

static void test_timens(void)
{
	char why[TIMENS_WHY];

	CU_ASSERT_FATAL(mkdtemp(proc) != NULL);
	CU_ASSERT_EQUAL(timens_check(proc, why, sizeof(why)),
			0); /* the kernel has no time namespaces */
	CU_ASSERT_EQUAL(check("monotonic 0 0\nboottime 0 0\n", true, why), 0);
	CU_ASSERT_EQUAL(check("monotonic 5 0\nboottime 0 0\n", true, why), -ENOTSUP);
	CU_ASSERT(strstr(why, "host's by 5 s") != NULL);
	CU_ASSERT_EQUAL(check("monotonic 0 0\nboottime -1 500000000\n", true, why), -ENOTSUP);
	CU_ASSERT(strstr(why, "host's by -0.5 s") != NULL);
	/* the form before Linux 5.7 */
	CU_ASSERT_EQUAL(check("1 0 1\n7 0 0\n", true, why), -ENOTSUP);
	CU_ASSERT(strstr(why, "host's by 1e-09 s") != NULL);
	CU_ASSERT_EQUAL(check("monotonic 0 0\nboottime 0 0\n", false, why), -ENOTSUP);
	CU_ASSERT(strstr(why, "unknown clock offsets") != NULL);
	CU_ASSERT_EQUAL(check(NULL, true, why), -ENOTSUP);
	CU_ASSERT_EQUAL(check("", true, why), -ENOTSUP);
	CU_ASSERT_EQUAL(rmdir(proc), 0);
}

static const struct unit_test tests[] = {
	{ "timens", test_timens },
};

int main(void)
{
	return unit_main("record_timens", tests, sizeof(tests) / sizeof(tests[0]));
}
