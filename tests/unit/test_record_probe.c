// SPDX-License-Identifier: BSD-2-Clause
/* Tests probe_object.c, the common part of all BPF objects, with the object that counts dropped packets. */
#include "record_util.h"

#include <errno.h>
#include <sys/mman.h>

#include <bpf/libbpf.h>
#include <linux/types.h> /* defines __u64 for the program's types */

#include "bpf/drops.h"
#include "bpf/drops.skel.h"
#include "record/kernel/probe_object.h"

#define CPUS 4

PROBE_OPENER(drops)

static void *refuse(const struct bpf_object_open_opts *opts)
{
	(void)opts;
	errno = ENOMEM;
	return NULL;
}

static void test_not_opened(void)
{
	struct probe_object o = { 0 };

	probe_close(&o);
	CU_ASSERT_EQUAL(probe_open(&o, refuse, NULL), -ENOMEM);
	CU_ASSERT_PTR_NULL(o.skel);
	probe_close(&o);
	probe_close(&o);
}

/* Tests an object that is not loaded, partly loaded, and loaded again. */
static void test_again(void)
{
	struct probe_object o = { 0 };

	for (int i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL_FATAL(probe_open(&o, drops_open, NULL), 0);
		CU_ASSERT(o.skel && o.obj == ((struct drops_bpf *)o.skel)->obj);
		probe_close(&o);
		CU_ASSERT(!o.skel && !o.obj);
	}
}

static void test_life(void)
{
	const size_t bytes = CPUS * sizeof(struct netcost_drops);
	struct probe_object o = { 0 };
	struct drops_bpf *skel;
	char why[160] = "";

	if (under_valgrind())
		return;
	CU_ASSERT_EQUAL_FATAL(probe_open(&o, drops_open, NULL), 0);
	skel = o.skel;
	CU_ASSERT_EQUAL(bpf_map__set_max_entries(skel->maps.drops, CPUS), 0);
	if (probe_load(&o)) {
		printf("  no BPF here\n");
		probe_close(&o);
		return;
	}
	for (int i = 0; i < PROBE_MAPS; i++)
		CU_ASSERT_PTR_NOT_NULL(probe_map(&o, skel->maps.drops, bytes, PROT_READ));
	CU_ASSERT_PTR_NULL(probe_map(&o, skel->maps.drops, bytes, PROT_READ));
	CU_ASSERT_EQUAL(errno, E2BIG);
	CU_ASSERT_EQUAL(probe_attach(&o, why, sizeof(why)), 0);
	CU_ASSERT_EQUAL(o.nlinks, 1);
	CU_ASSERT_STRING_EQUAL(why, "");
	probe_close(&o);
	CU_ASSERT(!o.nlinks && !o.nmapped);
}

/* Tests that the reason names the tracepoint, not the program, which is not loaded. */
static void test_not_attached(void)
{
	struct probe_object o = { 0 };
	char why[160] = "";

	CU_ASSERT_EQUAL_FATAL(probe_open(&o, drops_open, NULL), 0);
	CU_ASSERT(probe_attach(&o, why, sizeof(why)) < 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(why, "kfree_skb"));
	CU_ASSERT_EQUAL(o.nlinks, 0);
	probe_close(&o);
}

static const struct unit_test tests[] = {
	{ "not_opened", test_not_opened },
	{ "again", test_again },
	{ "life", test_life },
	{ "not_attached", test_not_attached },
};

int main(void)
{
	return unit_main("record_probe", tests, sizeof(tests) / sizeof(tests[0]));
}
