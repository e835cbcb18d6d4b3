// SPDX-License-Identifier: BSD-2-Clause
/* Own calls are run while programs are on and off in turn: own_cost.c. */
#include "unit.h"

#include <string.h>
#include <unistd.h>

#include "record/exact/exact.h"

/* What was done, in order: programs on '+' or off '-', a pause 'p', a run 'r'. */
static char done[256];

static void note(char what)
{
	size_t n = strlen(done);

	CU_ASSERT_FATAL(n + 1 < sizeof(done));
	done[n] = what;
}

static int note_leave(struct exact *e, bool leave, char *why, size_t whysize)
{
	(void)e;
	(void)why;
	(void)whysize;
	note(leave ? '-' : '+');
	return 0;
}

static int note_pause(useconds_t us)
{
	if (us)
		note('p');
	return 0;
}

/* Instead of the kernel's programs and the C library's sleep. */
#define exact_leave_owners note_leave
#define usleep note_pause
#include "src/record/exact/own_cost.c"

static void note_run(struct own_cost *o, const struct exact *e, bool on, struct batches *seen,
		     int round)
{
	(void)o;
	(void)e;
	(void)on;
	(void)seen;
	(void)round;
	note('r');
}

/* After programs were attached or detached, the kernel still works on that for a moment. */
static void test_pause_before_a_run(void)
{
	static const char round[] = "-pr+pr";
	const struct turns turns = { owners_turns.set, note_run };
	char why[64];

	CU_ASSERT_EQUAL(alternate(NULL, NULL, &turns, NULL, NULL, why, sizeof(why)), 0);
	CU_ASSERT_EQUAL(strlen(done), OWN_ROUNDS * strlen(round));
	for (int r = 0; r < OWN_ROUNDS; r++)
		CU_ASSERT(!strncmp(done + r * strlen(round), round, strlen(round)));
}

static const struct unit_test tests[] = {
	{ "pause_before_a_run", test_pause_before_a_run },
};

int main(void)
{
	return unit_main("record_own_cost", tests, sizeof(tests) / sizeof(tests[0]));
}
