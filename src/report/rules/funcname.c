// SPDX-License-Identifier: BSD-2-Clause
#include "funcname.h"

#include <string.h>

static const char *without_arch(const char *name)
{
	static const char *const arch[] = { "__x64_",	"__ia32_", "__x32_",   "__arm64_",
					    "__s390x_", "__s390_", "__riscv_", "__powerpc_",
					    "__se_",	"__do_" };

	if (name[0] != '_' || name[1] != '_')
		return name;
	for (size_t i = 0; i < sizeof(arch) / sizeof(*arch); i++) {
		const char *rest = name + strlen(arch[i]);

		if (strncmp(name, arch[i], strlen(arch[i])))
			continue;
		if (!strncmp(rest, "compat_", 7))
			rest += 7;
		if (!strncmp(rest, "sys_", 4))
			return rest;
	}
	return name;
}

/* Names of functions hold no dot; compilers append one, and what they have done after it. */
static size_t without_suffix(const char *name)
{
	return *name ? 1 + strcspn(name + 1, ".") : 0;
}

struct funcname funcname(const char *function)
{
	const char *s = without_arch(function);

	return (struct funcname){ s, without_suffix(s) };
}

int funcname_compare(struct funcname a, struct funcname b)
{
	int d = memcmp(a.s, b.s, a.len < b.len ? a.len : b.len);

	return d ? d : (a.len > b.len) - (a.len < b.len);
}

bool funcname_begins(struct funcname name, struct funcname with)
{
	return name.len >= with.len && !memcmp(name.s, with.s, with.len);
}
