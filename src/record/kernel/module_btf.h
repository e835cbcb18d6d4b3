/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * module_btf.h: reads types of modules. To read them, libbpf parses the whole kernel BTF, too, so use these functions
 * only if there is no other way.
 */
#ifndef NETCOST_MODULE_BTF_H
#define NETCOST_MODULE_BTF_H

#include <stdbool.h>
#include <stdint.h>

/* Returns whether the module is loaded and has BTF. */
bool module_btf_is_there(const char *module);

struct module_member {
	const char *module, *type, *member;
	uint32_t *offset; /* receives the offset of the member, in bytes */
};

/*
 * Stores each member's offset in its struct. The struct is defined in the given module or in the kernel itself. Stores
 * UINT32_MAX if the member is not found.
 */
void module_btf_members(const struct module_member *member, int n);

#endif
