// SPDX-License-Identifier: BSD-2-Clause
/* What rows of processes.h are called, for people. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "processes_doc.h"

/* Its pid is worth more than the end of its name. */
static void of_process(char *dst, size_t size, const struct processes_row *r)
{
	const char *name = *r->name ? SAFE(r->name) : "?";
	char pid[24] = "";
	int room;

	if (r->pid != TRACE_NIL)
		snprintf(pid, sizeof(pid), " %" PRIu64, r->pid);
	room = (int)size - 1 - (int)strlen(pid) - 2 * r->kernel;
	snprintf(dst, size, r->kernel ? "[%.*s]%s" : "%.*s%s", room > 0 ? room : 0, name, pid);
}

char *process_path(char *dst, size_t size, const char *path)
{
	const char *safe = SAFE(path);
	size_t len = strlen(safe);

	snprintf(dst, size, "%s%s", len < size ? "" : "..",
		 len < size ? safe : safe + len - (size - 3));
	return dst;
}

void process_user_title(char *dst, size_t size, const char *id, bool kernel)
{
	const char *known = *id ? "user " : "user not known";

	snprintf(dst, size, "%s%s%s", kernel ? "kernel threads" : known, kernel ? "" : id,
		 !kernel && !strcmp(id, "0") ? " (root)" : "");
}

/* "docker 0123456789ab" */
static void of_container(char *dst, size_t size, const struct container *c)
{
	snprintf(dst, size, "%s %.12s", *c->runtime ? c->runtime : "container", SAFE(c->id));
}

char *process_title(char *dst, size_t size, const struct processes *p,
		    const struct processes_row *r)
{
	if (p->by == PROCESSES_BY_PROCESS || p->by == PROCESSES_BY_NAME)
		of_process(dst, size, r);
	else if (p->by == PROCESSES_BY_USER)
		process_user_title(dst, size, r->name, r->kernel);
	else if (*r->container->id)
		of_container(dst, size, r->container);
	else if (p->by == PROCESSES_BY_CONTAINER)
		snprintf(dst, size, "no container");
	else
		process_path(dst, size, *r->name ? r->name : "?");
	return dst;
}

#define NAME_SHORT 32 /* with less, the rest has a short one */

/* A process with its container, a container with its runtime, and of a path the end that there is room for. */
const char *processes_name(char *dst, size_t size, const struct processes *p,
			   const struct processes_row *r)
{
	const char *name = *r->name ? SAFE(r->name) : "not known";
	bool process = p->by == PROCESSES_BY_PROCESS || p->by == PROCESSES_BY_NAME;
	char where[SAFE_SIZE + 32] = "";

	if (r->kind == PROCESSES_ONE && *r->container->id)
		of_container(where, sizeof(where), r->container);
	if (r->kind == PROCESSES_IDLE)
		snprintf(dst, size, "what interrupted idle CPUs");
	else if (r->kind == PROCESSES_REST)
		snprintf(dst, size, "everything else%s",
			 size >= NAME_SHORT ? ", not kept apart" : "");
	else if (r->kind == PROCESSES_OTHERS)
		snprintf(dst, size, "%zu other%s", r->processes, r->processes == 1 ? "" : "s");
	else if (p->by == PROCESSES_BY_CONTAINER)
		snprintf(dst, size, "%s", *where ? where : "in no container that is known");
	else if (p->by == PROCESSES_BY_USER)
		process_user_title(dst, size, r->name, r->kernel);
	else if (p->by == PROCESSES_BY_CGROUP && strlen(name) + strlen(where) + 2 >= size)
		process_path(dst, size, name);
	else
		snprintf(dst, size, r->kernel && process ? "[%s]%s%s" : "%s%s%s", name,
			 *where ? "  " : "", where);
	return dst;
}
