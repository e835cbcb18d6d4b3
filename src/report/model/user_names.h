/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * user_names.h: names of user-space functions. They are read from the symbols of files on this host that have the right
 * build-id: debug files, the cache of debuginfod (nothing is fetched), programs and libraries. A separate process reads
 * each file, so that a malformed file cannot end the report. Without libdw, no names are known.
 */
#ifndef NETCOST_REPORT_USER_NAMES_H
#define NETCOST_REPORT_USER_NAMES_H

#include <stdint.h>

#include "report/spec/spec.h"

struct user_names;

/* Returns why names are missing. n may be NULL. */
const char *user_names_missing(const struct user_names *n);
/*
 * Returns the name of the function at an address of a file, or NULL. *np is created by the first call. The memory of
 * names is charged to the budget, which must outlive them. Once half of the budget is used, no more names are read;
 * once the budget is spent, all names are freed. The name is valid until the budget is charged again.
 */
const char *user_names_find(struct user_names **np, struct budget *budget, const char *file,
			    const char *build_id, uint64_t address);
void user_names_free(struct user_names *n); /* n may be NULL */

#endif
