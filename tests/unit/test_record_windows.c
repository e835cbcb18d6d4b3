// SPDX-License-Identifier: BSD-2-Clause
/* Tests when probes are attached: windows_decide() on a host with a given load, for many minutes. */
#include "unit.h"

#include "record/exact/windows.h"

#define MS 1000000ull
#define S (1000 * MS)
#define ROUND_CPU_NS (3 * MS)
#define ROUND_NS (14 * MS)

/* A host. While probes are attached, they cost a share of its CPU time. The share may change once. */
struct host {
	struct windows w;
	double before, after; /* share before and after the change */
	uint64_t change_ns, now, end;
	uint32_t random;

	uint64_t from_ns; /* time from which on the following values count */
	double spent_ns, on_ns;
	unsigned int rounds, looks;
	uint64_t first_on[64]; /* positions in time at which windows began */
};

static double cost_between(const struct host *h, uint64_t from, uint64_t to)
{
	uint64_t middle = h->change_ns < from ? from : h->change_ns > to ? to : h->change_ns;

	return h->before * (double)(middle - from) + h->after * (double)(to - middle);
}

static void spend(struct host *h, double ns)
{
	if (h->now >= h->from_ns)
		h->spent_ns += ns;
}

static void step(struct host *h, double own, double samples)
{
	bool on = h->w.on;
	uint64_t due = h->w.due_ns < h->end ? h->w.due_ns : h->end;
	struct windows_seen seen = {
		.counted_ns = on ? due - h->now : 0,
		.probes_ns = on ? (uint64_t)cost_between(h, h->now, due) : 0,
		.own_ns = (uint64_t)(own * (double)(due - h->now)),
		.round_cpu_ns = h->rounds ? ROUND_CPU_NS : 0,
		.round_ns = h->rounds ? ROUND_NS : 0,
		.samples = samples,
		.random = h->random = h->random * 1664525u + 1013904223u,
	};

	spend(h, (double)seen.probes_ns + (own + samples) * (double)(due - h->now));
	h->on_ns += (double)seen.counted_ns;
	h->looks++;
	h->now = due;
	windows_decide(&h->w, &seen, due);
	if (h->w.on == on)
		return;
	spend(h, (double)ROUND_CPU_NS / 2 + cost_between(h, due, due + ROUND_NS / 2));
	if (h->w.on)
		windows_attached(&h->w, due);
	if (h->w.on)
		h->first_on[h->rounds++ % 64] = due;
}

static void run(struct host *h, double budget, double own, double samples, uint64_t end)
{
	h->end = end;
	h->random = h->random ? h->random : 1;
	if (!h->now)
		windows_begin(&h->w, budget, 0);
	while (h->now < end)
		step(h, own, samples);
}

static double spent(const struct host *h)
{
	return h->spent_ns / (double)(h->now - h->from_ns);
}

static void test_no_limit(void)
{
	struct windows w;

	windows_begin(&w, 0, 5 * S);
	CU_ASSERT(w.on && w.always);
	CU_ASSERT_EQUAL(w.due_ns, UINT64_MAX);
}

/* Tests probes that are cheap enough to be attached all the time. */
static void test_quiet(void)
{
	struct host h = { .before = 0.0049, .after = 0.0049 };

	run(&h, 0.005, 0, 0, 600 * S);
	CU_ASSERT(h.w.on && h.w.always);
	CU_ASSERT_EQUAL(h.rounds, 0);
	CU_ASSERT(h.looks <= 3000);
}

/* Tests that the cost is below the budget, and close to it, however expensive the probes are. */
static void test_busy(void)
{
	static const double budgets[] = { 0.0025, 0.005, 0.01, 0.02 };
	static const double costs[] = { 0.03, 0.06, 0.12, 0.24, 0.5 };

	for (size_t b = 0; b < sizeof(budgets) / sizeof(*budgets); b++)
		for (size_t c = 0; c < sizeof(costs) / sizeof(*costs); c++) {
			struct host h = { .before = costs[c], .after = costs[c], .from_ns = 2 * S };

			run(&h, budgets[b], 0, 0, 1800 * S);
			CU_ASSERT(spent(&h) < 1.15 * budgets[b]);
			CU_ASSERT(spent(&h) > 0.5 * budgets[b]);
			CU_ASSERT(h.rounds >= 1800 / 31);
			CU_ASSERT(!h.w.always);
		}
}

/* Tests probes that are slightly too expensive: there are few, long windows. */
static void test_slightly_busy(void)
{
	struct host h = { .before = 0.011, .after = 0.011, .from_ns = 2 * S };

	run(&h, 0.01, 0, 0, 600 * S);
	CU_ASSERT(spent(&h) < 0.0105);
	CU_ASSERT(h.on_ns > 0.6 * 600e9);
	CU_ASSERT(h.rounds <= 300);
}

/* Tests a load that rises 50-fold: two seconds later the cost is within the budget. */
static void test_rise(void)
{
	for (uint64_t at = 10 * S; at < 11 * S; at += 37 * MS) {
		struct host h = {
			.before = 0.005, .after = 0.25, .change_ns = at, .from_ns = at + 2 * S
		};

		run(&h, 0.01, 0, 0, at + 62 * S);
		CU_ASSERT(spent(&h) < 0.013);
	}
}

/* Tests a load that rises while there are windows: the window that detects the rise ends early. */
static void test_rise_in_windows(void)
{
	for (uint64_t at = 30 * S; at < 36 * S; at += 171 * MS) {
		struct host h = {
			.before = 0.012, .after = 0.6, .change_ns = at, .from_ns = at + 2 * S
		};

		run(&h, 0.01, 0, 0, at + 122 * S);
		CU_ASSERT(spent(&h) < 0.013);
	}
}

/* Tests a load that ends: after the next window the probes stay attached. */
static void test_fall(void)
{
	struct host h = { .before = 0.24, .after = 0.002, .change_ns = 100 * S };

	run(&h, 0.005, 0, 0, 100 * S);
	CU_ASSERT(!h.w.always);
	run(&h, 0.005, 0, 0, 161 * S);
	CU_ASSERT(h.w.on && h.w.always);
}

/* Tests a cost slightly below the budget: the probes stay in windows, because the decision would oscillate
 * otherwise. */
static void test_between(void)
{
	struct host h = { .before = 0.1, .after = 0.009, .change_ns = 60 * S };

	run(&h, 0.01, 0, 0, 200 * S);
	CU_ASSERT(!h.w.always);
}

/* Tests that the cost of samples and of the recorder is subtracted from the budget of the probes. */
static void test_others(void)
{
	struct host h = { .before = 0.12, .after = 0.12, .from_ns = 30 * S };

	run(&h, 0.01, 0.002, 0.004, 1800 * S);
	CU_ASSERT(spent(&h) < 0.0112);
	CU_ASSERT(spent(&h) > 0.008);
}

/* Tests samples and a recorder that use up the whole budget: little is measured, but not nothing. */
static void test_nothing_left(void)
{
	struct host h = { .before = 0.12, .after = 0.12 };

	run(&h, 0.01, 0.02, 0, 600 * S);
	CU_ASSERT(h.rounds >= 19);
	CU_ASSERT(h.on_ns < 0.012 * 600e9);
}

/* Tests that windows begin at any position in a second, so that they are not synchronised with events that occur
 * each second. */
static void test_places(void)
{
	struct host h = { .before = 0.1, .after = 0.1 };
	unsigned int quarter[4] = { 0 };

	run(&h, 0.01, 0, 0, 400 * S);
	CU_ASSERT_FATAL(h.rounds >= 64);
	for (int i = 0; i < 64; i++)
		quarter[h.first_on[i] % S / (S / 4)]++;
	for (int q = 0; q < 4; q++)
		CU_ASSERT(quarter[q] >= 5);
}

/* Tests bursts that are within the budget on average. */
static void test_bursts(void)
{
	struct windows w;
	uint64_t now = 0;

	windows_begin(&w, 0.01, 0);
	for (int look = 0; look < 500; look++) {
		struct windows_seen seen = { .counted_ns = w.due_ns - now };

		seen.probes_ns = (uint64_t)(look % 5 < 4 ? 0 : 0.03 * (double)seen.counted_ns);
		now = w.due_ns;
		windows_decide(&w, &seen, now);
		CU_ASSERT_FATAL(w.always);
	}
}

/* Tests that a window without any reading has no effect. */
static void test_unseen(void)
{
	struct windows w;
	struct windows_seen seen = { .counted_ns = 200 * MS, .probes_ns = 50 * MS };

	windows_begin(&w, 0.01, 0);
	windows_decide(&w, &seen, 200 * MS);
	CU_ASSERT(!w.on);
	seen = (struct windows_seen){ 0 };
	windows_decide(&w, &seen, w.due_ns);
	CU_ASSERT(w.on);
	windows_attached(&w, w.due_ns + 900 * MS);
	for (int look = 0; look < 10; look++) {
		uint64_t now = w.due_ns;

		windows_decide(&w, &seen, now);
		CU_ASSERT(w.on && !w.always);
		CU_ASSERT(w.due_ns > now);
	}
}

static void test_give_up(void)
{
	struct windows w;

	windows_begin(&w, 0.01, 0);
	windows_give_up(&w);
	CU_ASSERT(!w.on);
	CU_ASSERT_EQUAL(w.due_ns, UINT64_MAX);
}

static const struct unit_test tests[] = {
	{ "no_limit", test_no_limit }, { "quiet", test_quiet },
	{ "busy", test_busy },	       { "slightly_busy", test_slightly_busy },
	{ "rise", test_rise },	       { "rise_in_windows", test_rise_in_windows },
	{ "fall", test_fall },	       { "between", test_between },
	{ "others", test_others },     { "nothing_left", test_nothing_left },
	{ "places", test_places },     { "bursts", test_bursts },
	{ "unseen", test_unseen },     { "give_up", test_give_up },
};

int main(void)
{
	return unit_main("record_windows", tests, sizeof(tests) / sizeof(tests[0]));
}
