// SPDX-License-Identifier: BSD-2-Clause
/* Records text files of /proc with one row per CPU, as columns of a record. */
#include "source.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/cpuset.h>
#include <netcost/trace.h>

#include "record/base/clock.h"
#include "record/base/procfs.h"

#define MAX_WORDS 16 /* maximum words of a row */

struct column {
	uint8_t key;	   /* key in the record */
	unsigned int word; /* index of the word in the row */
};

struct layout {
	uint8_t type;	   /* type of the record */
	unsigned int base; /* base of the numbers: 10 or 16 */
	bool bits32;	   /* the numbers have 32 bits and wrap */
	const char *end;   /* prefix of the first row after the rows of CPUs; NULL: none */
	/* Returns the CPU of a row, or -1 if the row is for no CPU. `row` counts from 0. */
	int (*cpu_of_row)(const char *line, unsigned int row, const uint64_t *word,
			  unsigned int words);
	const struct column *column;
	unsigned int ncolumns;
};

struct percpu {
	const struct layout *layout;
	int fd;
	char *text;
	size_t text_size;
	unsigned int ncpus;
	uint32_t *slot;		    /* index of each CPU in the columns; UINT32_MAX: not recorded */
	uint64_t *values;	    /* by column and index of the CPU */
	struct source_count *count; /* by column and index of the CPU */
};

static void percpu_close(void *ctx)
{
	struct percpu *p = ctx;

	if (p->fd >= 0)
		close(p->fd);
	free(p->text);
	free(p->slot);
	free(p->values);
	free(p->count);
	free(p);
}

static int prepare(struct percpu *p, const struct cpuset *cpus)
{
	p->ncpus = cpus->n;
	p->slot = malloc(TRACE_MAX_CPU * sizeof(*p->slot));
	p->values = calloc((size_t)p->layout->ncolumns * cpus->n, sizeof(*p->values));
	p->count = calloc((size_t)p->layout->ncolumns * cpus->n, sizeof(*p->count));
	if (!p->slot || !p->values || !p->count)
		return -ENOMEM;
	memset(p->slot, 0xff, TRACE_MAX_CPU * sizeof(*p->slot));
	for (unsigned int i = 0; i < cpus->n; i++)
		p->slot[cpus->cpu[i]] = i;
	return 0;
}

static int percpu_open(void **ctx, const struct source_desc *d, const struct source_host *h,
		       struct source_status *st)
{
	struct percpu *p = calloc(1, sizeof(*p));
	int err = 0;

	*ctx = NULL;
	if (!p)
		return -ENOMEM;
	p->layout = d->layout;
	p->fd = source_file(d, st);
	if (p->fd >= 0)
		err = prepare(p, h->cpus);
	if (p->fd < 0 || err)
		percpu_close(p);
	else
		*ctx = p;
	return err;
}

static unsigned int split_words(const char *line, unsigned int base, uint64_t *word)
{
	unsigned int n = 0;

	while (n < MAX_WORDS && procfs_number(&line, base, &word[n]))
		n++;
	return n;
}

static bool is_end(const struct layout *d, const char *line)
{
	return d->end && !strncmp(line, d->end, strlen(d->end));
}

static void parse_row(struct percpu *p, const char *line, unsigned int row)
{
	const char *numbers = line;
	uint64_t word[MAX_WORDS];
	unsigned int n;
	int cpu;

	/* a row may begin with a name ("cpu0"), before its words */
	if (isalpha((unsigned char)*line) && p->layout->base == 10)
		numbers = line + strcspn(line, " ");
	n = split_words(numbers, p->layout->base, word);
	cpu = p->layout->cpu_of_row(line, row, word, n);
	if (cpu < 0 || cpu >= (int)TRACE_MAX_CPU || p->slot[cpu] == UINT32_MAX)
		return;
	for (unsigned int c = 0; c < p->layout->ncolumns; c++)
		if (p->layout->column[c].word < n)
			p->values[c * p->ncpus + p->slot[cpu]] = word[p->layout->column[c].word];
}

static int percpu_tick(void *ctx, struct trace_writer *w)
{
	struct percpu *p = ctx;
	const struct layout *d = p->layout;
	uint64_t began_ns = now_ns(), ended_ns;
	unsigned int row = 0;
	char *line, *rest;

	for (size_t i = 0; i < (size_t)d->ncolumns * p->ncpus; i++)
		p->values[i] = TRACE_NIL;
	if (procfs_reread(p->fd, &p->text, &p->text_size) < 0)
		return 0; /* the file cannot be read at this tick */
	ended_ns = now_ns();
	rest = p->text;
	while ((line = strsep(&rest, "\n")) && !is_end(d, line))
		parse_row(p, line, row++);
	source_counts(p->count, p->values, (size_t)d->ncolumns * p->ncpus, d->bits32);
	trace_writer_begin(w, d->type);
	for (unsigned int c = 0; c < d->ncolumns; c++)
		trace_writer_uints(w, d->column[c].key, p->values + (size_t)c * p->ncpus, p->ncpus);
	return source_end(w, began_ns, ended_ns);
}

/* ---- the files --------------------------------------------------------------------------- */

static int procstat_cpu(const char *line, unsigned int row, const uint64_t *word,
			unsigned int words)
{
	(void)row;
	(void)word;
	(void)words;
	return !strncmp(line, "cpu", 3) && isdigit((unsigned char)line[3]) ? atoi(line + 3) : -1;
}

static const struct column procstat_columns[] = {
	{ TRACE_PROCSTAT_USER, 0 },    { TRACE_PROCSTAT_NICE, 1 },
	{ TRACE_PROCSTAT_SYSTEM, 2 },  { TRACE_PROCSTAT_IDLE, 3 },
	{ TRACE_PROCSTAT_IOWAIT, 4 },  { TRACE_PROCSTAT_IRQ, 5 },
	{ TRACE_PROCSTAT_SOFTIRQ, 6 }, { TRACE_PROCSTAT_STEAL, 7 },
	{ TRACE_PROCSTAT_GUEST, 8 },   { TRACE_PROCSTAT_GUEST_NICE, 9 },
};

static const struct layout procstat_layout = {
	.type = TRACE_PROCSTAT,
	.base = 10,
	.end = "intr ", /* this line is very long on a large host */
	.cpu_of_row = procstat_cpu,
	.column = procstat_columns,
	.ncolumns = sizeof(procstat_columns) / sizeof(procstat_columns[0]),
};

/*
 * Returns the CPU of a row of softnet_stat. The last word is the CPU since Linux 5.10 (commit 7d58e6555870). Before
 * that, offline CPUs have no row.
 */
static int softnet_cpu(const char *line, unsigned int row, const uint64_t *word, unsigned int words)
{
	(void)line;
	return words >= 13 ? (int)word[12] : (int)row;
}

static const struct column softnet_columns[] = {
	{ TRACE_SOFTNET_PROCESSED, 0 },
	{ TRACE_SOFTNET_DROPPED, 1 },
	{ TRACE_SOFTNET_SQUEEZED, 2 },
};

static const struct layout softnet_layout = {
	.type = TRACE_SOFTNET,
	.base = 16,
	.bits32 = true,
	.cpu_of_row = softnet_cpu,
	.column = softnet_columns,
	.ncolumns = sizeof(softnet_columns) / sizeof(softnet_columns[0]),
};

const struct source_desc procstat_source = {
	.name = "procstat",
	.path = "/proc/stat",
	.layout = &procstat_layout,
	.open = percpu_open,
	.tick = percpu_tick,
	.close = percpu_close,
};

const struct source_desc softnet_source = {
	.name = "softnet",
	.path = "/proc/net/softnet_stat",
	.layout = &softnet_layout,
	.open = percpu_open,
	.tick = percpu_tick,
	.close = percpu_close,
	.group = SOURCE_AT_WINDOWS,
};
