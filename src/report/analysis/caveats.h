/* SPDX-License-Identifier: BSD-2-Clause */
/* caveats.h: what was measured, but is less certain than it looks. */
#ifndef NETCOST_REPORT_CAVEATS_H
#define NETCOST_REPORT_CAVEATS_H

#include "summary.h"

struct caveat {
	const char *name; /* what it is about, in a word */
	char text[480];
};

#define CAVEATS_MAX 8

/* Returns how many there are. */
size_t caveats_make(struct caveat caveat[CAVEATS_MAX], const struct summary *s);

#endif
