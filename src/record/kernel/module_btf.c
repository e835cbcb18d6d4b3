// SPDX-License-Identifier: BSD-2-Clause
#include "module_btf.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "btf_names.h"

bool module_btf_is_there(const char *module)
{
	char path[96];

	snprintf(path, sizeof(path), BTF_NAMES_DIR "%s", module);
	return !access(path, R_OK);
}

static uint32_t offset_of(const struct btf_names *b, const struct module_member *m)
{
	const struct btf_type *t = NULL;
	const struct btf_member *member;
	const char *name;
	uint32_t id;
	size_t i = 0;

	while (!t && (id = btf_names_composite(b, &i, &name)))
		if (!strcmp(name, m->type) && btf_is_struct(btf_names_type(b, id)))
			t = btf_names_type(b, id);
	member = t ? btf_members(t) : NULL;
	for (__u32 k = 0; t && k < btf_vlen(t); k++)
		if (!strcmp(btf_names_text(b, member[k].name_off), m->member))
			return btf_member_bit_offset(t, k) / 8;
	return UINT32_MAX;
}

void module_btf_members(const struct btf_names *kernel, const struct module_member *member, int n)
{
	for (int i = 0; i < n; i++) {
		struct btf_names *own = NULL;

		if (module_btf_is_there(member[i].module))
			(void)btf_names_open(&own, kernel,
					     member[i].module); /* on failure, the kernel's */
		*member[i].offset = offset_of(own ? own : kernel, &member[i]);
		btf_names_close(own);
	}
}
