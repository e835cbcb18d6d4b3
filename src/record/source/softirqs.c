// SPDX-License-Identifier: BSD-2-Clause
/* /proc/softirqs: a row for each kind, a column for each possible CPU. */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/cpuset.h>
#include <netcost/messages.h>
#include <netcost/trace.h>

#include "record/base/clock.h"
#include "record/base/procfs.h"

#define KINDS 10
#define NOWHERE UINT32_MAX

/* In the order of SOFTIRQS' keys, from 1 on. */
static const char *const kinds[KINDS] = { "HI",	      "TIMER",	 "NET_TX", "NET_RX",  "BLOCK",
					  "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU" };

_Static_assert(TRACE_SOFTIRQS_HI == 1 && TRACE_SOFTIRQS_RCU == KINDS, "keys are in that order");

struct softirqs {
	int fd;
	char *text;
	size_t text_size;
	unsigned int ncpus;
	uint32_t slot[TRACE_MAX_CPU];	/* [cpu]: its place among those recorded, or NOWHERE */
	uint32_t column[TRACE_MAX_CPU]; /* of the file: likewise */
	unsigned int ncolumns;
	uint64_t *values; /* [kind][place] */
};

static void softirqs_close(void *ctx)
{
	struct softirqs *s = ctx;

	if (s->fd >= 0)
		close(s->fd);
	free(s->text);
	free(s->values);
	free(s);
}

static int softirqs_open(void **ctx, const struct source_desc *d, const struct source_host *h,
			 struct source_status *st)
{
	struct softirqs *s = calloc(1, sizeof(*s));

	*ctx = s;
	if (!s)
		return -ENOMEM;
	s->ncpus = h->cpus->n;
	s->values = calloc((size_t)KINDS * s->ncpus + 1, sizeof(*s->values));
	s->fd = open(d->path, O_RDONLY | O_CLOEXEC);
	st->via = d->path;
	st->state = s->fd < 0 ? "absent" : "measured";
	if (s->fd < 0)
		snprintf(st->why, sizeof(st->why), said_of, d->path, strerror(errno));
	memset(s->slot, 0xff, sizeof(s->slot));
	for (unsigned int i = 0; i < s->ncpus; i++)
		s->slot[h->cpus->cpu[i]] = i;
	if (s->fd >= 0 && s->values)
		return 0;
	softirqs_close(s);
	*ctx = NULL;
	return st->why[0] ? 0 : -ENOMEM;
}

/* "        CPU0       CPU1 …" */
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

/* "      NET_RX:          5         17 …" */
static void read_row(struct softirqs *s, const char *line)
{
	const char *name = line + strspn(line, " "), *p = name + strcspn(name, ":");
	size_t n = (size_t)(p - name), kind = 0;
	uint64_t v;

	while (kind < KINDS && (strlen(kinds[kind]) != n || memcmp(kinds[kind], name, n)))
		kind++;
	if (kind == KINDS || *p++ != ':')
		return;
	for (unsigned int i = 0; i < s->ncolumns && procfs_number(&p, 10, &v); i++)
		if (s->column[i] != NOWHERE && v <= UINT32_MAX)
			s->values[kind * s->ncpus + s->column[i]] = v;
}

static int softirqs_tick(void *ctx, struct trace_writer *w)
{
	struct softirqs *s = ctx;
	uint64_t began_ns = now_ns(), ended_ns;
	char *rest, *line;

	if (procfs_reread(s->fd, &s->text, &s->text_size) < 0)
		return 0; /* not measured at this tick */
	ended_ns = now_ns();
	for (size_t i = 0; i < (size_t)KINDS * s->ncpus; i++)
		s->values[i] = TRACE_NIL;
	rest = s->text;
	read_heading(s, strsep(&rest, "\n"));
	while ((line = strsep(&rest, "\n")))
		read_row(s, line);
	trace_writer_begin(w, TRACE_SOFTIRQS, KINDS + 2);
	for (unsigned int k = 0; k < KINDS; k++)
		trace_writer_uints(w, k + 1, s->values + (size_t)k * s->ncpus, s->ncpus);
	return source_end(w, began_ns, ended_ns);
}

const struct source_desc softirqs_source = {
	.name = "softirqs",
	.path = said_softirqs,
	.open = softirqs_open,
	.tick = softirqs_tick,
	.close = softirqs_close,
};
