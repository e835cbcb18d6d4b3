// SPDX-License-Identifier: BSD-2-Clause
#include "functions.h"

#include <stdio.h>
#include <string.h>

#include <linux/btf.h>

#include "record/kernel/btf_names.h"

/* Their arguments are other ones before Linux 5.19. */
static const struct {
	const char *function;
	unsigned int arguments;
} known_by[] = {
	{ "udp_recvmsg", 5 },
	{ "udpv6_recvmsg", 5 },
};

bool hook_is_function(const char *name)
{
	return strchr(name, '(');
}

bool hook_is_named(const char *name, const char *bare, bool function)
{
	size_t len = strlen(bare);

	return !strncmp(name, bare, len) && !strcmp(name + len, function ? "()" : "");
}

const char *hook_bare(const char *name, char buf[64])
{
	snprintf(buf, 64, "%.*s", (int)strcspn(name, "("), name);
	return buf;
}

static bool has_function(const struct btf_names *kernel, const char *name)
{
	const struct btf_type *t = btf_names_type(kernel, btf_names_func(kernel, name));

	for (size_t i = 0; t && i < sizeof(known_by) / sizeof(known_by[0]); i++) {
		if (strcmp(known_by[i].function, name))
			continue;
		t = btf_names_type(kernel, t->type);
		return t && BTF_INFO_VLEN(t->info) == known_by[i].arguments;
	}
	return t;
}

bool hook_is_built_in(const struct btf_names *kernel, const char *name)
{
	char type[96], text[64];

	if (hook_is_function(name))
		return has_function(kernel, hook_bare(name, text));
	snprintf(type, sizeof(type), "btf_trace_%s", name);
	return btf_names_typedef(kernel, type);
}
