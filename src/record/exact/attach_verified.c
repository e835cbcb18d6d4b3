// SPDX-License-Identifier: BSD-2-Clause
#include "attach_verified.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <netcost/reasons.h>

#include "exact.h"
#include "ladder.h"
#include "record/kernel/tracing.h"
#include "selftest.h"

/* Loads and attaches the programs. If the kernel refuses the method of the socket operations, tries the next method. */
static int attach(struct exact **ep, struct tracing *tracing, struct ladder *l, char *why,
		  size_t whysize)
{
	for (;;) {
		char refused_why[LADDER_WHY];
		uint64_t refused = 0;
		int err = exact_new(ep, tracing, l, &refused, why, whysize);

		if (!err) {
			/* clears the reason why a better method failed, because the ladder has a copy */
			why[0] = '\0';
			return 0;
		}
		snprintf(refused_why, sizeof(refused_why), "%.*s", LADDER_WHY - 1, why);
		if (refused)
			ladder_skip(l, refused);
		else if (l->casts)
			/* the kernel may refuse casts in only some program types */
			l->casts = false;
		else if (ladder_leave_pages(l, refused_why))
			continue;
		else if (!ladder_leave_hardirqs(l, refused_why) && !ladder_step(l, 0, refused_why))
			return err;
	}
}

void attach_test(struct exact *e, const struct ladder *l, struct selftest *t)
{
	volatile struct netcost_selftest *counted = exact_selftest_begin(e);
	enum selftest_messages messages = l->calls		   ? SELFTEST_CALL_EACH :
					  exact_counts_messages(e) ? SELFTEST_ONE_CALL :
								     SELFTEST_NO_BYTES;

	*t = (struct selftest){ 0 };
	if (!counted) {
		snprintf(t->why, sizeof(t->why), reason_no_test_run, errno);
		return;
	}
	selftest_run(t, counted, messages);
	exact_selftest_end(e);
}

/*
 * Makes another choice if the self-test shows that the current probes miss some calls. Returns false if no choice is
 * left.
 */
static bool step(struct ladder *l, const struct selftest *t)
{
	char why[LADDER_WHY];

	if (t->seen == t->tested)
		return false;
	snprintf(why, sizeof(why), reason_self_test, t->seen, t->tested);
	return ladder_step(l, t->blind, why);
}

static int attach_best(struct exact **ep, struct tracing *tracing, struct ladder *l,
		       struct selftest *t, char *why, size_t whysize)
{
	struct ladder now = *l;
	struct selftest sees;
	bool kept = false; /* the attached programs match *l */
	int err = attach(ep, tracing, &now, why, whysize);

	if (err)
		return err;
	for (bool first = true; !err; first = false) {
		attach_test(*ep, &now, &sees);
		kept = first || sees.seen > t->seen;
		if (kept) {
			*l = now;
			*t = sees;
		}
		if (!step(&now, &sees))
			break;
		kept = false;
		exact_free(*ep);
		err = attach(ep, tracing, &now, why, whysize);
	}
	if (kept)
		return 0;
	exact_free(*ep);
	return attach(ep, tracing, l, why, whysize);
}

int attach_verified(struct exact **ep, struct tracing **tp, struct ladder *l, struct selftest *t,
		    char *why, size_t whysize)
{
	int err = tracing_new(tp, l->names);

	if (!err)
		return attach_best(ep, *tp, l, t, why, whysize);
	snprintf(why, whysize, reason_libbpf, -err);
	return err;
}
