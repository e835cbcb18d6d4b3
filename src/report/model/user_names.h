/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * user_names.h: names of user-space functions. They come from the symbols of files on this host that have the same
 * build-id: debug files, the cache of debuginfod (nothing is fetched), programs and libraries. Without libdw, no names
 * are known.
 */
#ifndef NETCOST_REPORT_USER_NAMES_H
#define NETCOST_REPORT_USER_NAMES_H

#include <stdint.h>

#include "report/spec/spec.h"

struct user_names;

/*
 * Returns the name of the function at an address of a file, or NULL. *np is created by the first call. Names are charged
 * to the budget: if it is spent, there is no name. The name is valid until user_names_free().
 */
const char *user_names_find(struct user_names **np, struct budget *budget, const char *file,
			    const char *build_id, uint64_t address);
void user_names_free(struct user_names *n); /* n may be NULL */

#endif
