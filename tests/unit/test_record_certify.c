// SPDX-License-Identifier: BSD-2-Clause
/* Tests how a certificate is computed from batches of packets: only the arithmetic, without the kernel. */
#include "unit.h"

#include <stdlib.h>

#include <netcost/reasons.h>

#include "record/certify/certify.h"
#include "record/certify/certify_judge.h"

#define BATCHES 200
#define SPIN 100000
/* time of a batch without the injected time, ns; SOFTIRQ ns of it are in the softirq */
#define PATH 20000
#define SOFTIRQ 8000
#define CLOCK 150

static struct certify_batch batch[BATCHES];

/* Returns a random number between -most and most. The sequence is the same in each run. */
static int64_t noise(int64_t most)
{
	return most ? lrand48() % (2 * most + 1) - most : 0;
}

/* Fills the batches as on a host whose recorder counts `counted` thousandths of the time. */
static void make(int64_t counted, int64_t most)
{
	srand48(1);
	for (size_t i = 0; i < BATCHES; i++) {
		struct certify_batch *b = &batch[i];

		b->spins = i % 2;
		b->spun_ns = b->spins ? (uint64_t)(SPIN + 30 + noise(30)) : 60;
		b->wall_ns = (uint64_t)(PATH + (int64_t)b->spun_ns + noise(most));
		b->rx_ns = (SOFTIRQ + (int64_t)b->spun_ns + noise(most / 2)) * counted / 1000;
	}
}

static struct certify_time judge(void)
{
	struct certify_time t;

	certify_judge(&t, batch, BATCHES, CLOCK);
	return t;
}

static void check(bool clear, bool found)
{
	struct certify_time t = judge();

	CU_ASSERT_EQUAL(certify_is_clear(&t), clear);
	CU_ASSERT_EQUAL(certify_is_found(&t), found);
}

static void test_all_is_found(void)
{
	struct certify_time t;

	make(1000, 0);
	t = judge();
	CU_ASSERT(t.known);
	CU_ASSERT_EQUAL(t.used, BATCHES);
	CU_ASSERT_EQUAL(t.batches, BATCHES);
	CU_ASSERT(t.injected_ns >= 100 * SPIN && t.injected_ns <= 100 * (SPIN + 60));
	CU_ASSERT_EQUAL(t.found_ns, (int64_t)t.injected_ns);
	CU_ASSERT_EQUAL(t.error_ns, 100 * CLOCK); /* nothing else varies */
	check(true, true);
	make(1000, 4000);
	check(true, true);
}

/* Tests a varying rest of a batch: only its mean is known, which has a confidence interval of its own. */
static void test_rest_varies(void)
{
	struct certify_time t;

	make(1000, 0);
	for (size_t i = 0; i < BATCHES; i++)
		batch[i].wall_ns += i / 2 % 2 ? 1000 : 3000;
	t = judge();
	CU_ASSERT_EQUAL(t.used, BATCHES);
	CU_ASSERT_EQUAL(t.found_ns, (int64_t)t.injected_ns);
	/* A mean of 100 has an error of 100 ns, and the difference of two means 141 ns; 4 times that error is
	 * tolerated. */
	CU_ASSERT(t.error_ns >= 100 * (CLOCK + 4 * 141));
	CU_ASSERT(t.error_ns < 100 * (CLOCK + 4 * 144));
}

/* Tests that an error is found if 1 % or all of the time is missing, or too much time is counted. */
static void test_not_found(void)
{
	for (int64_t counted = 0; counted <= 1500; counted += 10) {
		if (counted == 1000)
			continue;
		make(counted, 500);
		check(true, false);
	}
}

/* Tests other work, which makes a batch longer. Batches are never selected by whether their count was right. */
static void test_disturbed(void)
{
	struct certify_time t;

	make(1000, 500);
	for (size_t i = 0; i < BATCHES; i += 7) {
		batch[i].wall_ns += 3000000;
		batch[i].rx_ns += 1000000;
	}
	t = judge();
	CU_ASSERT_EQUAL(t.used, BATCHES - 29);
	check(true, true);
	make(1000, 500);
	for (size_t i = 1; i < BATCHES; i += 2)
		batch[i].rx_ns = 0;
	check(true, false);
}

/* Tests that a single outlier never causes an alarm, however large it is. */
static void test_odd(void)
{
	struct certify_time t;

	for (int64_t ns = 1000; ns < 1000000000; ns *= 10) {
		make(1000, 500);
		batch[51].rx_ns += ns;
		t = judge();
		CU_ASSERT(certify_is_found(&t));
	}
}

/* Tests packets of other programs that arrive while the test program delays its own: the batch is longer by that
 * time. */
static void test_others_meanwhile(void)
{
	struct certify_time t;

	make(1000, 500);
	for (size_t i = 1; i < BATCHES; i += 2) {
		batch[i].wall_ns += 4000;
		batch[i].rx_ns += 4000;
	}
	t = judge();
	CU_ASSERT(t.error_ns >= 100 * 4000);
	check(true, true);
}

static void test_too_much_else(void)
{
	struct certify_time t;

	make(1000, 19000);
	for (size_t i = 1; i < BATCHES; i += 2)
		batch[i].rx_ns += noise(200000);
	t = judge();
	CU_ASSERT(t.known);
	check(false, true);
	/* Not enough batches have injected time. */
	make(1000, 500);
	for (size_t i = 1; i < BATCHES - 38; i += 2)
		batch[i].wall_ns += 1000000;
	t = judge();
	CU_ASSERT_FALSE(t.known);
	CU_ASSERT_FALSE(certify_is_clear(&t));
	CU_ASSERT_EQUAL(t.used, 100 + 19);
	for (size_t n = 0; n < 40; n++) {
		make(1000, 500);
		certify_judge(&t, batch, n, CLOCK);
		CU_ASSERT_FALSE(t.known);
		CU_ASSERT_FALSE(certify_is_clear(&t));
	}
}

static void test_text(void)
{
	struct certificate c = { .state = CERTIFY_PASSED,
				 .injected_ns = 20000000,
				 .found_ns = 19970000,
				 .error_ns = 50000,
				 .packets = 1000,
				 .packets_counted = 1000,
				 .tested = 11,
				 .seen = 9 };
	char text[200];

	CU_ASSERT_STRING_EQUAL(certify_text(&c, text, sizeof(text)),
			       "injected 20.00 ms, found 19.97 +- 0.05 in RX softirq, 1000 of 1000 "
			       "packets, 9 of 11 kinds of calls: passed");
	c = (struct certificate){ .state = CERTIFY_IMPOSSIBLE, .why = "no room" };
	CU_ASSERT_STRING_EQUAL(certify_text(&c, text, sizeof(text)), "impossible: no room");
	c.state = CERTIFY_FAILED;
	c.packets = 3;
	CU_ASSERT_STRING_EQUAL(certify_text(&c, text, sizeof(text)),
			       "0 of 3 packets: failed: no room");
}

/* Tests a host without any counters. */
static void test_nothing(void)
{
	struct certificate c;

	certify(&c, NULL, "");
	CU_ASSERT_EQUAL(c.state, CERTIFY_IMPOSSIBLE);
	CU_ASSERT_STRING_EQUAL(unit_sentence(c.why), "--exact=off");
	CU_ASSERT_EQUAL(c.cpu_ns, 0);
	certify(&c, NULL, reason_no_bpf);
	CU_ASSERT_EQUAL(c.state, CERTIFY_FAILED);
	CU_ASSERT_STRING_EQUAL(unit_sentence(c.why),
			       "nothing is counted exactly: this kernel has no bpf(2)");
}

static const struct unit_test tests[] = {
	{ "all_is_found", test_all_is_found },
	{ "rest_varies", test_rest_varies },
	{ "not_found", test_not_found },
	{ "disturbed", test_disturbed },
	{ "odd", test_odd },
	{ "others_meanwhile", test_others_meanwhile },
	{ "too_much_else", test_too_much_else },
	{ "text", test_text },
	{ "nothing", test_nothing },
};

int main(void)
{
	return unit_main("record_certify", tests, sizeof(tests) / sizeof(tests[0]));
}
