/* SPDX-License-Identifier: BSD-2-Clause */
/* module_btf.h: types of modules. libbpf parses them, with all of the kernel's: only where there is no other way. */
#ifndef NETCOST_MODULE_BTF_H
#define NETCOST_MODULE_BTF_H

#include <stdbool.h>
#include <stdint.h>

/* Is it loaded, and says what types it has? */
bool module_btf_is_there(const char *module);

struct module_member {
	const char *module, *type, *member;
	uint32_t *offset; /* in bytes */
};

/* Of each of these where the struct, in its module or in the kernel itself, has that member; UINT32_MAX: nowhere. */
void module_btf_members(const struct module_member *member, int n);

#endif
