// SPDX-License-Identifier: BSD-2-Clause
/* Reads BPF programs in the path of packets and sockets. The recorder's own programs are of other types. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/reasons.h>
#include <netcost/text_append.h>

#include "context_rows.h"
#include "interface_programs.h"
#include "record/kernel/admin.h"
#include "record/kernel/bpf_info.h"

#define PROGRAMS_MAX 2000 /* maximum number of programs; reading one takes some microseconds */

static void append(char *list, size_t size, const struct bpf_program_info *info)
{
	text_append(list, size, ", ", *info->name ? "prog %s" : "nameless program", info->name);
}

void context_program(struct admin *admin, char *list, size_t size, uint32_t id)
{
	struct bpf_program_info info;

	if (admin_programs(admin, id - 1, &info, 1) == 1 && info.id == id)
		append(list, size, &info);
	else
		text_append(list, size, ", ", "unknown program");
}

/* ---- programs of an interface ------------------------------------------------------------ */

struct filters {
	struct admin *admin;
	char text[CONTEXT_VALUE];
	unsigned int others; /* filters that are not BPF programs */
};

static void take(void *ctx, uint32_t id)
{
	struct filters *f = ctx;

	if (id)
		context_program(f->admin, f->text, sizeof(f->text), id);
	else
		f->others++;
}

static void side(struct context_rows *r, const struct context_link *l,
		 const struct interface_side *s)
{
	char subject[CONTEXT_SUBJECT];
	struct filters f = { .admin = r->admin };
	int err = interface_programs(l->index, s, l->classifies, take, &f);

	snprintf(subject, sizeof(subject), "interface %s", l->name);
	if (f.others)
		text_append(f.text, sizeof(f.text), ", ", "%u filters", f.others);
	if (err)
		context_refused(r, subject, s->name, err);
	else if (f.text[0])
		context_value(r, subject, s->name, f.text);
}

void context_link_programs(struct context_rows *r, const struct context_link *l)
{
	for (size_t i = 0; i < INTERFACE_SIDES; i++)
		side(r, l, &interface_side[i]);
}

/* ---- programs of the host ---------------------------------------------------------------- */

/* Returns true if a list has the name already. A list has each name only once. A program's name may be empty. */
static bool has_name(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = list; (p = strstr(p, name)); p += n ? n : 1) {
		if (p >= list + strlen("prog ") && p[-1] == ' ' && (p[n] == ',' || !p[n]))
			return true;
		if (!*p)
			break;
	}
	return false;
}

static void take_program(char (*names)[CONTEXT_VALUE], const struct bpf_program_info *info)
{
	for (size_t i = 0; i < bpf_types_count; i++)
		if (bpf_types[i].network && bpf_types[i].number == info->type &&
		    !has_name(names[i], info->name))
			append(names[i], sizeof(names[i]), info);
}

void context_programs(struct context_rows *r)
{
	char(*names)[CONTEXT_VALUE] = calloc(bpf_types_count, sizeof(*names));
	struct bpf_program_info info[ADMIN_MOST];
	unsigned int seen = 0;
	uint32_t id = 0;
	int got = 0;

	if (!names) {
		r->no_memory = true;
		return;
	}
	while (seen < PROGRAMS_MAX && (got = admin_programs(r->admin, id, info, ADMIN_MOST)) > 0) {
		for (int i = 0; i < got; i++)
			take_program(names, &info[i]);
		id = info[got - 1].id;
		seen += (unsigned int)got;
	}
	if (seen >= PROGRAMS_MAX)
		context_add(r, "bpf", "programs", "", reason_too_many_programs);
	else if (got < 0)
		context_refused(r, "bpf", "programs", got);
	for (size_t i = 0; i < bpf_types_count; i++)
		if (*names[i])
			context_value(r, "bpf", bpf_types[i].name, names[i]);
	free(names);
}
