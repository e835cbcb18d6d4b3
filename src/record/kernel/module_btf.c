// SPDX-License-Identifier: BSD-2-Clause
#include "module_btf.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/btf.h>

bool module_btf_is_there(const char *module)
{
	char path[96];

	snprintf(path, sizeof(path), "/sys/kernel/btf/%s", module);
	return !access(path, R_OK);
}

static uint32_t offset_of(const struct btf *btf, const char *type, const char *member)
{
	int id = btf__find_by_name_kind(btf, type, BTF_KIND_STRUCT);
	const struct btf_type *t = id > 0 ? btf__type_by_id(btf, (__u32)id) : NULL;
	const struct btf_member *m = t ? btf_members(t) : NULL;

	for (__u32 i = 0; t && i < btf_vlen(t); i++)
		if (!strcmp(btf__name_by_offset(btf, m[i].name_off), member))
			return btf_member_bit_offset(t, i) / 8;
	return UINT32_MAX;
}

void module_btf_members(const struct module_member *member, int n)
{
	struct btf *kernel = btf__load_vmlinux_btf();

	for (int i = 0; i < n; i++) {
		const struct module_member *m = &member[i];
		struct btf *own = kernel && module_btf_is_there(m->module) ?
					  btf__load_module_btf(m->module, kernel) :
					  NULL;

		*m->offset = kernel || own ? offset_of(own ? own : kernel, m->type, m->member) :
					     UINT32_MAX;
		btf__free(own);
	}
	btf__free(kernel);
}
