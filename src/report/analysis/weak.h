/* SPDX-License-Identifier: BSD-2-Clause */
/* weak.h: what was measured, but not as well as it might: numbers that are less sure than they look. */
#ifndef NETCOST_REPORT_WEAK_H
#define NETCOST_REPORT_WEAK_H

#include "summary.h"

struct weak {
	const char *name; /* of what is weak, in a word */
	char text[480];
};

#define WEAK_MAX 5

/* Returns how many there are. */
size_t weak_make(struct weak weak[WEAK_MAX], const struct summary *s);

#endif
