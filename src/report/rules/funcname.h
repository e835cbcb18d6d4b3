/* SPDX-License-Identifier: BSD-2-Clause */
/* funcname.h: kernel functions under the one name that they have in every kernel. */
#ifndef NETCOST_REPORT_FUNCNAME_H
#define NETCOST_REPORT_FUNCNAME_H

#include <stdbool.h>
#include <stddef.h>

/* Not terminated. */
struct funcname {
	const char *s;
	size_t len;
};

/*
 * Without what compilers add (.isra.0, .constprop.0, .part.0, .cold, .llvm.123 …), and with sys_NAME for a
 * system call on whatever architecture (__x64_sys_NAME, __arm64_sys_NAME, __ia32_compat_sys_NAME …).
 */
struct funcname funcname(const char *function);

/* In some order; 0: they are the same. */
int funcname_compare(struct funcname a, struct funcname b);
bool funcname_begins(struct funcname name, struct funcname with);

#endif
