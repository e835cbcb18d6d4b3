// SPDX-License-Identifier: BSD-2-Clause
#include "drop_reasons.h"

#include <errno.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btf_names.h"

#define NAME 48
#define SUBSYSTEM_SHIFT 16
/* number of arguments of the tracepoint's function if it has a drop reason: private data, skb, location, reason */
#define ARGUMENTS 4

struct reason {
	uint32_t value;
	char name[NAME];
};

struct reasons {
	struct reason *reason;
	size_t n;
};

struct drop_reasons {
	struct reasons core, subsystems;
};

enum drop_reasons_here drop_reasons_here(const struct btf_names *kernel)
{
	uint32_t id = btf_names_typedef(kernel, "btf_trace_kfree_skb");
	/* this type is a pointer to a function */
	const struct btf_type *t = btf_names_type(kernel, id);

	for (int i = 0; i < 2 && t && BTF_INFO_KIND(t->info) != BTF_KIND_FUNC_PROTO; i++)
		t = btf_names_type(kernel, t->type);
	if (!t || BTF_INFO_KIND(t->info) != BTF_KIND_FUNC_PROTO)
		return DROP_REASONS_NONE;
	return BTF_INFO_VLEN(t->info) >= ARGUMENTS ? DROP_REASONS_GIVEN : DROP_REASONS_OLD;
}

/* Removes the prefix that all values of the enum share. */
static const char *without_prefix(const char *name)
{
	static const char *const prefixes[] = { "SKB_DROP_REASON_SUBSYS_", "SKB_DROP_REASON_",
						"SKB_" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return name + strlen(prefixes[i]);
	return name;
}

/* Copies the names of an enum. Copies no names if the enum is missing or unknown. */
static int copy(struct reasons *r, const struct btf_names *kernel, const char *name)
{
	const struct btf_type *t = btf_names_type(kernel, btf_names_enum(kernel, name));
	const struct btf_enum *e = (const struct btf_enum *)(t + 1);

	if (!t)
		return 0;
	r->n = BTF_INFO_VLEN(t->info);
	r->reason = calloc(r->n + 1, sizeof(*r->reason));
	for (size_t i = 0; r->reason && i < r->n; i++) {
		const char *text = btf_names_text(kernel, e[i].name_off);

		r->reason[i].value = (uint32_t)e[i].val;
		snprintf(r->reason[i].name, NAME, "%s", without_prefix(text));
	}
	return r->reason ? 0 : -ENOMEM;
}

int drop_reasons_new(struct drop_reasons **rp, const struct btf_names *kernel)
{
	struct drop_reasons *r = calloc(1, sizeof(*r));
	int err = r ? copy(&r->core, kernel, "skb_drop_reason") : -ENOMEM;

	if (!err)
		err = copy(&r->subsystems, kernel, "skb_drop_reason_subsys");
	*rp = err ? NULL : r;
	if (err)
		drop_reasons_free(r);
	return err;
}

void drop_reasons_free(struct drop_reasons *r)
{
	if (!r)
		return;
	free(r->core.reason);
	free(r->subsystems.reason);
	free(r);
}

static const char *find(const struct reasons *r, uint32_t value)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->reason[i].value == value && r->reason[i].name[0])
			return r->reason[i].name;
	return NULL;
}

const char *drop_reasons_name(const struct drop_reasons *r, uint32_t reason, char *dst, size_t size)
{
	uint32_t subsystem = reason >> SUBSYSTEM_SHIFT, number = reason & UINT16_MAX;
	const char *name =
		find(subsystem ? &r->subsystems : &r->core, subsystem ? subsystem : reason);

	if (!subsystem && name)
		snprintf(dst, size, "%s", name);
	else if (!subsystem)
		snprintf(dst, size, "reason %u", number);
	else if (name)
		snprintf(dst, size, "%s %u", name, number);
	else
		snprintf(dst, size, "subsystem %u reason %u", subsystem, number);
	return dst;
}

bool drop_reasons_is_none(const struct drop_reasons *r, uint32_t reason)
{
	const char *name = find(&r->core, reason);

	return name && !strcmp(name, "CONSUMED");
}
