/* SPDX-License-Identifier: BSD-2-Clause */
/* functions.h: names of tracepoints and of functions, which have brackets, in tables of hooks; and whether the kernel has them. */
#ifndef NETCOST_FUNCTIONS_H
#define NETCOST_FUNCTIONS_H

#include <stdbool.h>

struct btf_names;

bool hook_is_function(const char *name);
/* "ip_rcv_core()" is "ip_rcv_core", if that is a function. */
bool hook_is_named(const char *name, const char *bare, bool function);
/* Without the brackets. */
const char *hook_bare(const char *name, char buf[64]);
/* In the kernel itself, and, of a function, would our program find its arguments? */
bool hook_is_built_in(const struct btf_names *kernel, const char *name);

#endif
