// SPDX-License-Identifier: BSD-2-Clause
/* Tests the values that --latency-only accepts, and its messages for other values. */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "record/base/procfs.h"
#include "record/source/path/latency_only.h"
#include "record/source/path/path_points.h"

static struct latency_only only;
static char why[1024];

static bool takes(const char *text)
{
	int err = latency_only_parse(&only, text, why, sizeof(why));

	if (err)
		fprintf(stderr, "%s\n", why);
	return !err;
}

static bool refuses(const char *text, const char *part)
{
	why[0] = '\0';
	return latency_only_parse(&only, text, why, sizeof(why)) == -EINVAL && strstr(why, part) &&
	       !strchr(why, '\n');
}

static void test_takes(void)
{
	char text[64];

	CU_ASSERT(takes("interface=lo,queue=3"));
	CU_ASSERT(only.asked);
	CU_ASSERT_EQUAL(only.ifindex, 1);
	CU_ASSERT_EQUAL(only.netns, procfs_inode("/proc/self/ns/net"));
	CU_ASSERT_EQUAL(only.queue, 3);
	CU_ASSERT_EQUAL(latency_only_asks(&only), LATENCY_KNOWS_QUEUE | LATENCY_KNOWS_INTERFACE);
	CU_ASSERT(takes("netns=self"));
	CU_ASSERT_EQUAL(only.ifindex, 0);
	CU_ASSERT_EQUAL(only.netns, procfs_inode("/proc/self/ns/net"));
	CU_ASSERT_EQUAL(latency_only_asks(&only), 0);
	CU_ASSERT(takes("netns=/proc/self/ns/net,interface=lo"));
	CU_ASSERT(takes("netns=4026531840"));
	CU_ASSERT_EQUAL(only.netns, 4026531840);
	snprintf(text, sizeof(text), "pid=%d", getpid());
	if (procfs_initial_pids()) {
		CU_ASSERT(takes(text));
		CU_ASSERT_EQUAL(latency_only_asks(&only), LATENCY_KNOWS_PROCESS);
	}
}

static void test_refuses(void)
{
	CU_ASSERT(refuses("", "give interface=NAME"));
	CU_ASSERT(refuses("interface", "'interface': give interface=NAME"));
	CU_ASSERT(refuses("interface=", "'interface': give"));
	CU_ASSERT(refuses("queue=2,", "'': give"));
	CU_ASSERT(refuses("port=80", "'port': give"));
	CU_ASSERT(refuses("interface=no-such-one", "interface=no-such-one: No such device"));
	CU_ASSERT(refuses("interface=a-name-that-no-interface-has", "too long for an interface"));
	CU_ASSERT(refuses("interface=lo,netns=7", "by name or path"));
	CU_ASSERT(refuses("netns=no-such-one", "netns=no-such-one: No such file"));
	CU_ASSERT(refuses("netns=/proc/self/status", "not a network namespace"));
	CU_ASSERT(refuses("netns=/proc/self/ns/uts", "not a network namespace"));
	CU_ASSERT(refuses("cgroup=/no-such-one", "cgroup"));
	CU_ASSERT(refuses("pid=0", "pid=0: give the number"));
	CU_ASSERT(refuses("pid=7x", "pid=7x: give the number"));
	CU_ASSERT(refuses("queue=0", "queue=0: give a number"));
	CU_ASSERT(refuses("queue=-1", "queue=-1: give a number"));
}

static const struct unit_test tests[] = {
	{ "takes", test_takes },
	{ "refuses", test_refuses },
};

int main(void)
{
	return unit_main("latency_only", tests, sizeof(tests) / sizeof(tests[0]));
}
