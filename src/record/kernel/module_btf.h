/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * module_btf.h: types of modules. libbpf parses them together with the whole kernel BTF: use only
 * if there is no other way.
 */
#ifndef NETCOST_MODULE_BTF_H
#define NETCOST_MODULE_BTF_H

#include <stdbool.h>
#include <stdint.h>

/* Returns whether the module is loaded and has BTF. */
bool module_btf_is_there(const char *module);

struct module_member {
	const char *module, *type, *member;
	uint32_t *offset; /* in bytes */
};

/* Finds the offset of each member in its struct, in its module or in the kernel itself; UINT32_MAX: not found. */
void module_btf_members(const struct module_member *member, int n);

#endif
