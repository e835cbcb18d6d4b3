// SPDX-License-Identifier: BSD-2-Clause
/* Tests which programs attach_verified.c gives up if the kernel refuses to load them, on simulated kernels. */
#include "unit.h"

#include <errno.h>
#include <stdio.h>

#include "record/exact/exact.h"
#include "record/exact/ladder.h"

static int load(struct exact **ep, struct tracing *tracing, const struct ladder *ladder,
		uint64_t *refused, char *why, size_t whysize);

#define exact_new load
#include "src/record/exact/attach_verified.c"
#undef exact_new

enum { CASTS = 1, PAGES = 2, HARDIRQS = 4, SOCKETS = 8 };

static unsigned int kernel_refuses;

static unsigned int wanted(const struct ladder *l)
{
	return (l->casts ? CASTS : 0) | (l->pages.rung != RUNG_SAMPLES ? PAGES : 0) |
	       (ladder_counts_hardirqs(l) ? HARDIRQS : 0) |
	       (l->sockets != RUNG_SAMPLES ? SOCKETS : 0);
}

static int load(struct exact **ep, struct tracing *tracing, const struct ladder *ladder,
		uint64_t *refused, char *why, size_t whysize)
{
	(void)tracing;
	*ep = NULL;
	*refused = 0;
	snprintf(why, whysize, "the verifier says no");
	return wanted(ladder) & kernel_refuses ? -EACCES : 0;
}

/* Tests the order in which programs are given up. The verifier's error does not name the program: the recorder first
 * gives up the program whose loss costs least, and keeps each program that the kernel accepts. */
static void test_given_up_in_order(void)
{
	static const struct {
		unsigned int refuses, left;
	} rows[] = {
		{ 0, CASTS | PAGES | HARDIRQS | SOCKETS },
		{ CASTS, PAGES | HARDIRQS | SOCKETS },
		{ PAGES, HARDIRQS | SOCKETS },
		{ CASTS | PAGES, HARDIRQS | SOCKETS },
		{ HARDIRQS, SOCKETS },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ladder l = { .casts = true, .sockets = RUNG_FENTRY };
		char why[LADDER_WHY] = "";
		struct exact *e;

		l.pages.rung = RUNG_FENTRY;
		l.event[NETCOST_EV_HARDIRQ_NET].rung = RUNG_TRACEPOINT;
		kernel_refuses = rows[i].refuses;
		CU_ASSERT_EQUAL(attach(&e, NULL, &l, why, sizeof(why)), 0);
		CU_ASSERT_EQUAL(wanted(&l), rows[i].left);
		CU_ASSERT_STRING_EQUAL(why, "");
	}
}

static const struct unit_test tests[] = {
	{ "given_up_in_order", test_given_up_in_order },
};

int main(void)
{
	return unit_main("record_attach", tests, sizeof(tests) / sizeof(tests[0]));
}
