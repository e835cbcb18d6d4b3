/* SPDX-License-Identifier: BSD-2-Clause */
/* module_btf.h: reads types of modules. */
#ifndef NETCOST_MODULE_BTF_H
#define NETCOST_MODULE_BTF_H

#include <stdbool.h>
#include <stdint.h>

/* Returns true if the module is loaded and has BTF. */
bool module_btf_is_there(const char *module);

struct btf_names;

struct module_member {
	const char *module, *type, *member;
	uint32_t *offset; /* receives the offset of the member, in bytes */
};

/*
 * Stores each member's offset in its struct. The struct is defined in the given module or in the kernel itself. Stores
 * UINT32_MAX if the member is not found.
 */
void module_btf_members(const struct btf_names *kernel, const struct module_member *member, int n);

#endif
