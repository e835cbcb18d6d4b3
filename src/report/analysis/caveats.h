/* SPDX-License-Identifier: BSD-2-Clause */
/* caveats.h: the limits of what was measured, each as a sentence. */
#ifndef NETCOST_REPORT_CAVEATS_H
#define NETCOST_REPORT_CAVEATS_H

#include <stddef.h>

#include "summary.h"

/* A limit of the measurements. */
struct caveat {
	const char *name; /* name of the subject */
	char text[480];
};

#define CAVEATS_MAX 12

/* Finds the caveats. Returns the number of caveats. */
size_t caveats_make(struct caveat caveat[CAVEATS_MAX], const struct summary *s);

#endif
