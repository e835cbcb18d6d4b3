// SPDX-License-Identifier: BSD-2-Clause
/* Records /proc/softirqs, which has one row per softirq vector, with a column per CPU. A header names the CPUs. */
#include "source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/cpuset.h>
#include <netcost/trace.h>

#include "record/base/clock.h"
#include "record/base/procfs.h"

#define KINDS 10
#define NOWHERE UINT32_MAX

/* The kinds of softirqs, in the order of the keys of SOFTIRQS, from 1. */
static const char *const kinds[KINDS] = { "HI",	      "TIMER",	 "NET_TX", "NET_RX",  "BLOCK",
					  "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU" };

_Static_assert(TRACE_SOFTIRQS_HI == 1 && TRACE_SOFTIRQS_RCU == KINDS, "keys are in that order");

struct softirqs {
	int fd;
	char *text;
	size_t text_size;
	uint32_t slot[TRACE_MAX_CPU];	/* index of each CPU among the recorded CPUs, or NOWHERE */
	uint32_t column[TRACE_MAX_CPU]; /* the same index for each column of the file */
	unsigned int ncolumns, ncpus;
	uint64_t *values;	    /* by kind and index of the CPU */
	struct source_count *count; /* by kind and index of the CPU */
};

static void softirqs_close(void *ctx)
{
	struct softirqs *s = ctx;

	if (s->fd >= 0)
		close(s->fd);
	free(s->text);
	free(s->values);
	free(s->count);
	free(s);
}

static int prepare(struct softirqs *s, const struct cpuset *cpus)
{
	s->ncpus = cpus->n;
	memset(s->slot, 0xff, sizeof(s->slot));
	for (unsigned int i = 0; i < cpus->n; i++)
		s->slot[cpus->cpu[i]] = i;
	s->values = calloc((size_t)KINDS * s->ncpus + 1, sizeof(*s->values));
	s->count = calloc((size_t)KINDS * s->ncpus + 1, sizeof(*s->count));
	return s->values && s->count ? 0 : -ENOMEM;
}

static int softirqs_open(void **ctx, const struct source_desc *d, const struct source_host *h,
			 struct source_status *st)
{
	struct softirqs *s = calloc(1, sizeof(*s));
	int err = 0;

	*ctx = NULL;
	if (!s)
		return -ENOMEM;
	s->fd = source_file(d, st);
	if (s->fd >= 0)
		err = prepare(s, h->cpus);
	if (s->fd < 0 || err)
		softirqs_close(s);
	else
		*ctx = s;
	return err;
}

/* Parses the header: "        CPU0       CPU1 …". */
static void read_heading(struct softirqs *s, const char *line)
{
	uint64_t cpu;

	s->ncolumns = 0;
	while ((line = strstr(line, "CPU")) && s->ncolumns < TRACE_MAX_CPU) {
		line += strlen("CPU");
		s->column[s->ncolumns++] = procfs_number(&line, 10, &cpu) && cpu < TRACE_MAX_CPU ?
						   s->slot[cpu] :
						   NOWHERE;
	}
}

static void read_numbers(const struct softirqs *s, const char *numbers, uint64_t *values)
{
	uint64_t v;

	for (unsigned int i = 0; i < s->ncolumns && procfs_number(&numbers, 10, &v); i++)
		if (s->column[i] != NOWHERE && v <= UINT32_MAX)
			values[s->column[i]] = v;
}

/* Parses a row: "      NET_RX:          5         17 …". */
static void read_row(struct softirqs *s, const char *line)
{
	const char *name = line + strspn(line, " "), *p = name + strcspn(name, ":\n");
	size_t n = (size_t)(p - name), kind = 0;

	while (kind < KINDS && (strlen(kinds[kind]) != n || memcmp(kinds[kind], name, n)))
		kind++;
	if (kind < KINDS && *p == ':')
		read_numbers(s, p + 1, &s->values[kind * s->ncpus]);
}

static int softirqs_tick(void *ctx, struct trace_writer *w)
{
	struct softirqs *s = ctx;
	uint64_t began_ns = now_ns(), ended_ns;
	char *line, *rest;

	if (procfs_reread(s->fd, &s->text, &s->text_size) < 0)
		return 0; /* the file cannot be read at this tick */
	ended_ns = now_ns();
	for (size_t i = 0; i < (size_t)KINDS * s->ncpus; i++)
		s->values[i] = TRACE_NIL;
	rest = s->text;
	read_heading(s, strsep(&rest, "\n"));
	while ((line = strsep(&rest, "\n")))
		read_row(s, line);
	source_counts(s->count, s->values, (size_t)KINDS * s->ncpus, true);
	trace_writer_begin(w, TRACE_SOFTIRQS);
	for (unsigned int k = 0; k < KINDS; k++)
		trace_writer_uints(w, k + 1, s->values + (size_t)k * s->ncpus, s->ncpus);
	return source_end(w, began_ns, ended_ns);
}

const struct source_desc softirqs_source = {
	.name = "softirqs",
	.path = "/proc/softirqs",
	.open = softirqs_open,
	.tick = softirqs_tick,
	.close = softirqs_close,
};
