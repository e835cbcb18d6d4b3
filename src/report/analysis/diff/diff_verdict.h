/* SPDX-License-Identifier: BSD-2-Clause */
/* diff_verdict.h: what a comparison of two values may say. */
#ifndef NETCOST_REPORT_DIFF_VERDICT_H
#define NETCOST_REPORT_DIFF_VERDICT_H

enum diff_verdict {
	DIFF_NOT_MEASURED,   /* in one of the two */
	DIFF_NOT_COMPARABLE, /* not the same thing, or not in the same way */
	DIFF_NOT_TESTED,     /* too few samples or ticks */
	DIFF_SAME,	     /* not told apart from noise */
	DIFF_MORE,
	DIFF_LESS,
	DIFF_VERDICTS,
};

struct diff_verdict_desc {
	const char *key, *mark, *text;
	int color; /* of a terminal; 0: none */
};

extern const struct diff_verdict_desc diff_verdict[DIFF_VERDICTS];

#endif
