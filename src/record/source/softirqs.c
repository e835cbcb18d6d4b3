// SPDX-License-Identifier: BSD-2-Clause
/* /proc/softirqs: a row for each kind. */
#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/cpuset.h>
#include <netcost/messages.h>
#include <netcost/trace.h>

#include "cpu_table.h"
#include "record/base/clock.h"

#define KINDS 10

/* In the order of SOFTIRQS' keys, from 1 on. */
static const char *const kinds[KINDS] = { "HI",	      "TIMER",	 "NET_TX", "NET_RX",  "BLOCK",
					  "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU" };

_Static_assert(TRACE_SOFTIRQS_HI == 1 && TRACE_SOFTIRQS_RCU == KINDS, "keys are in that order");

struct softirqs {
	struct cpu_table *table;
	unsigned int ncpus;
	uint64_t *values; /* [kind][place of the CPU] */
};

static void softirqs_close(void *ctx)
{
	struct softirqs *s = ctx;

	cpu_table_close(s->table);
	free(s->values);
	free(s);
}

static int softirqs_open(void **ctx, const struct source_desc *d, const struct source_host *h,
			 struct source_status *st)
{
	struct softirqs *s = calloc(1, sizeof(*s));
	int err;

	*ctx = NULL;
	if (!s)
		return -ENOMEM;
	s->ncpus = h->cpus->n;
	s->values = calloc((size_t)KINDS * s->ncpus + 1, sizeof(*s->values));
	err = s->values ? cpu_table_open(&s->table, d->path, h->cpus) : -ENOMEM;
	st->via = d->path;
	st->state = err ? "absent" : "measured";
	if (!err) {
		*ctx = s;
		return 0;
	}
	snprintf(st->why, sizeof(st->why), said_of, d->path, strerror(-err));
	softirqs_close(s);
	return err == -ENOMEM ? err : 0;
}

/* "      NET_RX:          5         17 …" */
static void read_row(struct softirqs *s, const char *line)
{
	const char *name = line + strspn(line, " "), *p = name + strcspn(name, ":\n");
	size_t n = (size_t)(p - name), kind = 0;

	while (kind < KINDS && (strlen(kinds[kind]) != n || memcmp(kinds[kind], name, n)))
		kind++;
	if (kind < KINDS && *p == ':')
		cpu_table_row(s->table, p + 1, &s->values[kind * s->ncpus]);
}

static int softirqs_tick(void *ctx, struct trace_writer *w)
{
	struct softirqs *s = ctx;
	uint64_t began_ns = now_ns(), ended_ns;
	char *line, *rest = cpu_table_read(s->table);

	if (!rest)
		return 0; /* not measured at this tick */
	ended_ns = now_ns();
	for (size_t i = 0; i < (size_t)KINDS * s->ncpus; i++)
		s->values[i] = TRACE_NIL;
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
