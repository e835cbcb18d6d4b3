/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * user_names.h: names of functions of user space, by the symbols of files of this host that have the build-id: debug
 * files, the cache of debuginfod (nothing is fetched), programs and libraries. A process of its own reads each file, so
 * that a malformed one cannot end the report. Built without libdw, no name is known.
 */
#ifndef NETCOST_REPORT_USER_NAMES_H
#define NETCOST_REPORT_USER_NAMES_H

#include <stdint.h>

#include "report/spec/spec.h"

struct user_names;

/* Returns why names are missing. n may be NULL. */
const char *user_names_missing(const struct user_names *n);
/*
 * Returns the name of the function at an address of a file, or NULL. *np is created by the first call. Names are charged
 * to the budget, which outlives them: once half of it is used, no more names are read, and once it is spent, they are
 * freed. The name is valid until the budget is charged.
 */
const char *user_names_find(struct user_names **np, struct budget *budget, const char *file,
			    const char *build_id, uint64_t address);
void user_names_free(struct user_names *n); /* n may be NULL */

#endif
