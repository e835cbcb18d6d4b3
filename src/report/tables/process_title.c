// SPDX-License-Identifier: BSD-2-Clause
#include "process_title.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/base/text.h"

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

char *process_title(char *dst, size_t size, const struct processes *p,
		    const struct processes_row *r)
{
	const struct container *c = r->container;

	if (p->by == PROCESSES_BY_PROCESS || p->by == PROCESSES_BY_NAME)
		of_process(dst, size, r);
	else if (p->by == PROCESSES_BY_USER)
		process_user_title(dst, size, r->name, r->kernel);
	else if (*c->id)
		snprintf(dst, size, "%s %.12s", *c->runtime ? c->runtime : "container",
			 SAFE(c->id));
	else if (p->by == PROCESSES_BY_CONTAINER)
		snprintf(dst, size, "no container");
	else
		process_path(dst, size, *r->name ? r->name : "?");
	return dst;
}
