// SPDX-License-Identifier: BSD-2-Clause
#include "cpu_table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/cpuset.h>
#include <netcost/trace.h>

#include "record/base/procfs.h"

#define NOWHERE UINT32_MAX

struct cpu_table {
	int fd;
	char *text;
	size_t text_size;
	uint32_t slot[TRACE_MAX_CPU];	/* [cpu]: its place among those recorded, or NOWHERE */
	uint32_t column[TRACE_MAX_CPU]; /* of the file: likewise */
	unsigned int ncolumns, ncpus;
};

int cpu_table_open(struct cpu_table **tp, const char *path, const struct cpuset *cpus)
{
	struct cpu_table *t = calloc(1, sizeof(*t));

	*tp = NULL;
	if (!t)
		return -ENOMEM;
	t->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (t->fd < 0) {
		int err = -errno;

		cpu_table_close(t);
		return err;
	}
	t->ncpus = cpus->n;
	memset(t->slot, 0xff, sizeof(t->slot));
	for (unsigned int i = 0; i < cpus->n; i++)
		t->slot[cpus->cpu[i]] = i;
	*tp = t;
	return 0;
}

void cpu_table_close(struct cpu_table *t)
{
	if (!t)
		return;
	if (t->fd >= 0)
		close(t->fd);
	free(t->text);
	free(t);
}

/* "        CPU0       CPU1 …" */
static void read_heading(struct cpu_table *t, const char *line)
{
	uint64_t cpu;

	t->ncolumns = 0;
	while ((line = strstr(line, "CPU")) && t->ncolumns < TRACE_MAX_CPU) {
		line += strlen("CPU");
		t->column[t->ncolumns++] = procfs_number(&line, 10, &cpu) && cpu < TRACE_MAX_CPU ?
						   t->slot[cpu] :
						   NOWHERE;
	}
}

char *cpu_table_read(struct cpu_table *t)
{
	char *rows;

	if (procfs_reread(t->fd, &t->text, &t->text_size) < 0)
		return NULL;
	rows = t->text;
	read_heading(t, strsep(&rows, "\n"));
	return rows ? rows : t->text + strlen(t->text);
}

void cpu_table_row(const struct cpu_table *t, const char *numbers, uint64_t *values)
{
	uint64_t v;

	for (unsigned int i = 0; i < t->ncpus; i++)
		values[i] = TRACE_NIL;
	for (unsigned int i = 0; i < t->ncolumns && procfs_number(&numbers, 10, &v); i++)
		if (t->column[i] != NOWHERE && v <= UINT32_MAX)
			values[t->column[i]] = v;
}
