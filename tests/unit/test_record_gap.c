// SPDX-License-Identifier: BSD-2-Clause
/* Tests exact_go_on(): readings continue after a gap in which no program was attached. */
#include "unit.h"

#include "bpf/wire.h"
#include "record/exact/exact.h"

static uint64_t sum(const struct exact_reading *r)
{
	uint64_t ns = 0;

	for (int e = 0; e < NETCOST_EV_COUNT; e++)
		ns += r->ns[e];
	return ns;
}

static void derive(const struct netcost_cpu *c, uint64_t now, struct exact_gap *gap,
		   struct exact_reading *r)
{
	struct exact_past none = { 0 };

	exact_derive(c, &none, false, now, r);
	exact_go_on(gap, r);
}

/* Returns the reading of a window at time `at`. The window's state counts from `begin` on. */
static struct exact_reading read_window(struct exact_gap *gap, uint64_t begin, uint64_t at)
{
	const struct netcost_cpu c = { .seg_start = begin,
				       .seg_base = NETCOST_BASE_TASK,
				       .calls[NETCOST_EV_SOCK_SEND] = 3,
				       .bytes[NETCOST_EV_SOCK_SEND] = 300,
				       .stages = { .missed = 2 } };
	struct exact_reading r;

	derive(&c, at, gap, &r);
	CU_ASSERT_EQUAL(r.at_ns, at);
	return r;
}

static void test_first_window(void)
{
	struct exact_gap gap = { 0 };
	struct exact_reading r = read_window(&gap, 1000, 1500);

	CU_ASSERT_EQUAL(sum(&r), 500);
	CU_ASSERT_EQUAL(r.offline_ns, 0);
	CU_ASSERT_EQUAL(r.off_ns, 0);
}

/* Tests that the sums of any number of windows equal the time since the first window began. */
static void test_windows(void)
{
	struct exact_gap gap = { 0 };
	struct exact_reading r = read_window(&gap, 1000, 1500);

	for (uint64_t n = 1; n < 10; n++) {
		uint64_t begin = 1000 + n * 10000;

		gap = (struct exact_gap){ .before = r, .attached_ns = begin + 7 };
		for (uint64_t at = begin; at <= begin + 500; at += 100) {
			r = read_window(&gap, begin, at);
			CU_ASSERT_EQUAL(sum(&r) + r.offline_ns, at - 1000);
			CU_ASSERT_EQUAL(r.off_ns, n * 9500);
			CU_ASSERT_EQUAL(r.offline_ns, r.off_ns);
			CU_ASSERT_EQUAL(r.calls[NETCOST_EV_SOCK_SEND], 3 * (n + 1));
			CU_ASSERT_EQUAL(r.bytes[NETCOST_EV_SOCK_SEND], 300 * (n + 1));
			CU_ASSERT_EQUAL(r.stages_missed, 2 * (n + 1));
		}
	}
}

/* Tests that a CPU that was not seen when all programs were attached counts as offline from that time on. */
static void test_window_offline(void)
{
	struct exact_gap gap = { 0 };
	struct exact_reading r = read_window(&gap, 1000, 1500);
	const struct netcost_cpu unseen = { 0 };

	gap = (struct exact_gap){ .before = r, .attached_ns = 5000 };
	derive(&unseen, 6000, &gap, &r);
	CU_ASSERT_EQUAL(r.at_ns, 0);
	r = read_window(&gap, 9000, 9100);
	CU_ASSERT_EQUAL(r.off_ns, 3500);
	CU_ASSERT_EQUAL(r.offline_ns, 7500);
	CU_ASSERT_EQUAL(sum(&r) + r.offline_ns, 8100);
}

/* Tests a CPU that is first seen in a later window: it has no gap. */
static void test_window_first_seen(void)
{
	struct exact_gap gap = { .attached_ns = 5000 };
	struct exact_reading r = read_window(&gap, 4000, 6000);

	CU_ASSERT_EQUAL(sum(&r), 2000);
	CU_ASSERT_EQUAL(r.offline_ns, 0);
	CU_ASSERT_EQUAL(r.off_ns, 0);
}

/* Tests that the sum of bytes is unknown if the bytes of one window are unknown. */
static void test_window_bytes(void)
{
	struct exact_gap gap = { 0 };
	struct exact_reading r = read_window(&gap, 1000, 1500);

	r.bytes[NETCOST_EV_SOCK_SEND] = EXACT_UNKNOWN;
	gap = (struct exact_gap){ .before = r, .attached_ns = 5000 };
	r = read_window(&gap, 5000, 6000);
	CU_ASSERT_EQUAL(r.bytes[NETCOST_EV_SOCK_SEND], EXACT_UNKNOWN);
	CU_ASSERT_EQUAL(r.bytes[NETCOST_EV_SOCK_RECV], 0);
}

static const struct unit_test tests[] = {
	{ "first_window", test_first_window },	   { "windows", test_windows },
	{ "window_offline", test_window_offline }, { "window_first_seen", test_window_first_seen },
	{ "window_bytes", test_window_bytes },
};

int main(void)
{
	return unit_main("record_gap", tests, sizeof(tests) / sizeof(tests[0]));
}
