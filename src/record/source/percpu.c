// SPDX-License-Identifier: BSD-2-Clause
#include "percpu.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/cpuset.h>
#include <netcost/trace.h>

#include "record/base/procfs.h"
#include "source.h"

struct percpu {
	const struct percpu_desc *d;
	int fd;
	char *text;
	size_t text_size;
	unsigned int ncpus;
	uint32_t *slot;	  /* [cpu]: its place in the columns, UINT32_MAX: not recorded */
	uint64_t *values; /* [column][place] */
};

int percpu_new(struct percpu **pp, const struct percpu_desc *d, const struct cpuset *cpus)
{
	struct percpu *p = calloc(1, sizeof(*p));
	int err = 0;

	*pp = NULL;
	if (!p)
		return -ENOMEM;
	p->d = d;
	p->ncpus = cpus->n;
	p->slot = malloc(TRACE_MAX_CPU * sizeof(*p->slot));
	p->values = calloc((size_t)d->ncolumns * cpus->n, sizeof(*p->values));
	p->fd = open(d->path, O_RDONLY | O_CLOEXEC);
	if (p->fd < 0)
		err = -errno;
	else if (!p->slot || !p->values)
		err = -ENOMEM;
	if (err) {
		percpu_free(p);
		return err;
	}
	memset(p->slot, 0xff, TRACE_MAX_CPU * sizeof(*p->slot));
	for (unsigned int i = 0; i < cpus->n; i++)
		p->slot[cpus->cpu[i]] = i;
	*pp = p;
	return 0;
}

void percpu_free(struct percpu *p)
{
	if (!p)
		return;
	if (p->fd >= 0)
		close(p->fd);
	free(p->text);
	free(p->slot);
	free(p->values);
	free(p);
}

static unsigned int split_words(const char *line, unsigned int base, uint64_t *word)
{
	unsigned int n = 0;

	while (n < PERCPU_MAX_COLUMNS && procfs_number(&line, base, &word[n]))
		n++;
	return n;
}

static bool is_end(const struct percpu_desc *d, const char *line)
{
	return !*line || (d->end && !strncmp(line, d->end, strlen(d->end)));
}

static void parse_row(struct percpu *p, const char *line, unsigned int row)
{
	const char *numbers = line;
	uint64_t word[PERCPU_MAX_COLUMNS];
	unsigned int n;
	int cpu;

	/* A row may begin with a name ("cpu0"): its words are the numbers behind it. */
	if (isalpha((unsigned char)*line) && p->d->base == 10)
		numbers = line + strcspn(line, " ");
	n = split_words(numbers, p->d->base, word);
	cpu = p->d->cpu_of_row(line, row, word, n);
	if (cpu < 0 || cpu >= (int)TRACE_MAX_CPU || p->slot[cpu] == UINT32_MAX)
		return;
	for (unsigned int c = 0; c < p->d->ncolumns; c++)
		if (p->d->column[c].word < n)
			p->values[c * p->ncpus + p->slot[cpu]] = word[p->d->column[c].word];
}

int percpu_tick(struct percpu *p, struct trace_writer *w)
{
	unsigned int row = 0;
	char *line, *next;

	for (size_t i = 0; i < (size_t)p->d->ncolumns * p->ncpus; i++)
		p->values[i] = TRACE_NIL;
	if (procfs_reread(p->fd, &p->text, &p->text_size) < 0)
		return 0; /* nil: not measured at this tick */
	for (line = p->text; !is_end(p->d, line); line = next, row++) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		parse_row(p, line, row);
	}
	trace_writer_begin(w, p->d->type, p->d->ncolumns);
	for (unsigned int c = 0; c < p->d->ncolumns; c++)
		trace_writer_uints(w, p->d->column[c].key, p->values + (size_t)c * p->ncpus,
				   p->ncpus);
	return trace_writer_end(w);
}

/* ---- the files --------------------------------------------------------------------------- */

static int open_file(void **ctx, const struct percpu_desc *d, const struct cpuset *cpus,
		     struct source_status *st)
{
	struct percpu *p;
	int err = percpu_new(&p, d, cpus);

	*ctx = p;
	st->via = d->path;
	st->state = err ? "absent" : "measured";
	if (err == -ENOMEM)
		return err;
	if (err)
		snprintf(st->why, sizeof(st->why), "%s: %s", d->path, strerror(-err));
	return 0;
}

static int tick(void *ctx, struct trace_writer *w)
{
	return percpu_tick(ctx, w);
}

static void close_file(void *ctx)
{
	percpu_free(ctx);
}

static int procstat_cpu(const char *line, unsigned int row, const uint64_t *word,
			unsigned int words)
{
	(void)row;
	(void)word;
	(void)words;
	return !strncmp(line, "cpu", 3) && isdigit((unsigned char)line[3]) ? atoi(line + 3) : -1;
}

static const struct percpu_column procstat_columns[] = {
	{ TRACE_PROCSTAT_USER, 0 },    { TRACE_PROCSTAT_NICE, 1 },
	{ TRACE_PROCSTAT_SYSTEM, 2 },  { TRACE_PROCSTAT_IDLE, 3 },
	{ TRACE_PROCSTAT_IOWAIT, 4 },  { TRACE_PROCSTAT_IRQ, 5 },
	{ TRACE_PROCSTAT_SOFTIRQ, 6 }, { TRACE_PROCSTAT_STEAL, 7 },
	{ TRACE_PROCSTAT_GUEST, 8 },   { TRACE_PROCSTAT_GUEST_NICE, 9 },
};

const struct percpu_desc percpu_procstat = {
	.path = "/proc/stat",
	.type = TRACE_PROCSTAT,
	.base = 10,
	.end = "intr ", /* long, on a large host */
	.cpu_of_row = procstat_cpu,
	.column = procstat_columns,
	.ncolumns = sizeof(procstat_columns) / sizeof(procstat_columns[0]),
};

/* The last word is the CPU since Linux 5.10 (commit 7d58e6555870); before, offline CPUs have no row. */
static int softnet_cpu(const char *line, unsigned int row, const uint64_t *word, unsigned int words)
{
	(void)line;
	return words >= 13 ? (int)word[12] : (int)row;
}

static const struct percpu_column softnet_columns[] = {
	{ TRACE_SOFTNET_PROCESSED, 0 },
	{ TRACE_SOFTNET_DROPPED, 1 },
	{ TRACE_SOFTNET_SQUEEZED, 2 },
};

/* The columns are 32 bits wide: the report takes differences modulo 2^32. */
const struct percpu_desc percpu_softnet = {
	.path = "/proc/net/softnet_stat",
	.type = TRACE_SOFTNET,
	.base = 16,
	.cpu_of_row = softnet_cpu,
	.column = softnet_columns,
	.ncolumns = sizeof(softnet_columns) / sizeof(softnet_columns[0]),
};

static int procstat_open(void **ctx, const struct cpuset *cpus, struct source_status *st)
{
	return open_file(ctx, &percpu_procstat, cpus, st);
}

static int softnet_open(void **ctx, const struct cpuset *cpus, struct source_status *st)
{
	return open_file(ctx, &percpu_softnet, cpus, st);
}

const struct source_desc procstat_source = { "procstat", procstat_open, tick, close_file };
const struct source_desc softnet_source = { "softnet", softnet_open, tick, close_file };
