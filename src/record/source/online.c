// SPDX-License-Identifier: BSD-2-Clause
#include "online.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/cpuset.h>
#include <netcost/trace.h>

#include "record/base/procfs.h"

struct online {
	const struct cpuset *cpus;
	int fd;
	char *text, *known; /* current text of the file, and the text that was parsed last */
	size_t text_size;
	bool *offline;
	char late[128];
	bool found_late;
	bool late_seen[TRACE_MAX_CPU];
};

int online_new(struct online **op, const char *path, const struct cpuset *cpus)
{
	struct online *o = calloc(1, sizeof(*o));
	int err = 0;

	*op = NULL;
	if (!o)
		return -ENOMEM;
	o->cpus = cpus;
	o->offline = calloc(cpus->n, sizeof(*o->offline));
	/* kept open, because later there may be no descriptor left */
	o->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (o->fd < 0)
		err = -errno;
	else if (!o->offline)
		err = -ENOMEM;
	if (err)
		online_free(o);
	else
		*op = o;
	return err;
}

void online_free(struct online *o)
{
	if (!o)
		return;
	if (o->fd >= 0)
		close(o->fd);
	free(o->text);
	free(o->known);
	free(o->offline);
	free(o);
}

static void add_late(struct online *o, uint32_t cpu)
{
	size_t len = strlen(o->late);
	char text[16];

	if (o->late_seen[cpu])
		return;
	o->late_seen[cpu] = o->found_late = true;
	snprintf(text, sizeof(text), "%s%u", len ? "," : "", cpu);
	if (len + strlen(text) + sizeof(",...") <= sizeof(o->late))
		strcpy(o->late + len, text);
	else if (len < 4 || strcmp(o->late + len - 3, "..."))
		strcpy(o->late + len, ",...");
}

const char *online_late(const struct online *o)
{
	return o->late;
}

bool online_found_late(struct online *o)
{
	bool found = o->found_late;

	o->found_late = false;
	return found;
}

const bool *online_offline(struct online *o)
{
	struct cpuset now;
	unsigned int k = 0;

	if (procfs_reread(o->fd, &o->text, &o->text_size) < 0 ||
	    (o->known && !strcmp(o->text, o->known)) || cpuset_parse(&now, o->text))
		return o->offline;
	free(o->known);
	/* if strdup() fails, the text is parsed again at the next call */
	o->known = strdup(o->text);
	for (unsigned int i = 0; i < o->cpus->n; i++) { /* both lists are sorted */
		while (k < now.n && now.cpu[k] < o->cpus->cpu[i])
			add_late(o, now.cpu[k++]);
		o->offline[i] = k == now.n || now.cpu[k] != o->cpus->cpu[i];
		k += !o->offline[i];
	}
	while (k < now.n)
		add_late(o, now.cpu[k++]);
	cpuset_free(&now);
	return o->offline;
}
