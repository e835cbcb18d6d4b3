// SPDX-License-Identifier: BSD-2-Clause
#include "names.h"

#include <errno.h>

static int set(struct idmap *names, uint64_t pid, model_str name)
{
	return pid != TRACE_NIL && name && idmap_set(names, pid, name);
}

static int collect(struct idmap *names, const struct model *m)
{
	int err = 0;

	for (uint32_t i = 1; !err && m->task && i <= m->ntasks; i++)
		err = set(names, m->task[i].tgid, m->task[i].comm);
	for (uint32_t i = 1; !err && m->task && i <= m->ntasks; i++)
		if (m->task[i].tid == m->task[i].tgid)
			err = set(names, m->task[i].tgid, m->task[i].comm);
	/* every CPU's idle task has pid 0, but a different name */
	for (uint32_t i = 1; !err && m->process && i <= m->nprocesses; i++)
		if (m->process[i].pid)
			err = set(names, m->process[i].pid, m->process[i].name);
	return err;
}

int names_make(struct idmap *names, const struct model *m)
{
	*names = (struct idmap){ 0 };
	if (!collect(names, m))
		return 0;
	idmap_free(names);
	return -ENOMEM;
}
