// SPDX-License-Identifier: BSD-2-Clause
#include "stages_write.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/trace.h>

#include "bpf/stages.h"
#include "record/kernel/drop_reasons.h"

#define EVENTS 4096 /* of a record, at most */
#define DEVICES 64  /* likewise: of more a new one is begun */
#define REASONS 32
#define NAME 64

struct stages_writer {
	const struct drop_reasons *reasons;

	/* the record that is being made */
	size_t n, ndevices, nreasons;
	uint64_t dt[EVENTS], stage[EVENTS], cpu[EVENTS], device[EVENTS], flow[EVENTS],
		reason[EVENTS];
	int64_t packet[EVENTS];
	uint64_t netns[DEVICES], ifindex[DEVICES];
	uint32_t why[REASONS];
	char name[REASONS][NAME];
};

int stages_writer_new(struct stages_writer **sp, const struct drop_reasons *reasons)
{
	*sp = calloc(1, sizeof(**sp));
	if (!*sp)
		return -ENOMEM;
	(*sp)->reasons = reasons;
	return 0;
}

void stages_writer_free(struct stages_writer *s)
{
	free(s);
}

/* Places, from 1 on; DEVICES + 1, REASONS + 1: there is no room. */
static size_t device_of(struct stages_writer *s, const struct netcost_stage_event *e)
{
	size_t i = 0;

	if (!e->ifindex)
		return 0;
	while (i < s->ndevices && (s->netns[i] != e->netns || s->ifindex[i] != e->ifindex))
		i++;
	if (i == s->ndevices && i < DEVICES) {
		s->netns[i] = e->netns;
		s->ifindex[i] = e->ifindex;
		s->ndevices++;
	}
	return i + 1;
}

static size_t reason_of(struct stages_writer *s, const struct netcost_stage_event *e)
{
	size_t i = 0;

	if (e->stage != NETCOST_STAGE_DROPPED || !e->reason)
		return 0;
	while (i < s->nreasons && s->why[i] != e->reason)
		i++;
	if (i == s->nreasons && i < REASONS) {
		s->why[i] = e->reason;
		drop_reasons_name(s->reasons, e->reason, s->name[i], NAME);
		s->nreasons++;
	}
	return i + 1;
}

/* What the kernel frees with the reason that there is none has served its purpose. */
static uint64_t stage_of(const struct stages_writer *s, const struct netcost_stage_event *e)
{
	return e->stage == NETCOST_STAGE_DROPPED && drop_reasons_is_none(s->reasons, e->reason) ?
		       NETCOST_STAGE_FREED :
		       e->stage;
}

/* false: it has to begin another record. before: NULL: it is the first one. */
static bool add(struct stages_writer *s, const struct netcost_stage_event *e,
		const struct netcost_stage_event *before)
{
	size_t device = device_of(s, e), reason = reason_of(s, e), i = s->n;

	if (i == EVENTS || device > DEVICES || reason > REASONS)
		return false;
	s->dt[i] = before ? e->at_ns - before->at_ns : 0;
	s->packet[i] = (int64_t)e->packet - (int64_t)(before ? before->packet : 0);
	s->stage[i] = stage_of(s, e);
	s->cpu[i] = e->cpu;
	s->device[i] = device;
	s->flow[i] = e->first ? e->flow : TRACE_NIL;
	s->reason[i] = s->stage[i] == NETCOST_STAGE_DROPPED ? reason : 0;
	s->n++;
	return true;
}

/* counts: NULL: not in this one. */
static int write_record(const struct stages_writer *s, uint64_t base_ns,
			const struct stages_counts *counts, struct trace_writer *w)
{
	const char *name[REASONS];

	for (size_t i = 0; i < s->nreasons; i++)
		name[i] = s->name[i];
	trace_writer_begin(w, TRACE_STAGES, 10u + (s->n > 0) + (counts ? 4 : 0));
	if (s->n)
		trace_writer_uint(w, TRACE_STAGES_BASE_NS, base_ns);
	trace_writer_uints(w, TRACE_STAGES_DT, s->dt, s->n);
	trace_writer_ints(w, TRACE_STAGES_PACKET, s->packet, s->n);
	trace_writer_uints(w, TRACE_STAGES_STAGE, s->stage, s->n);
	trace_writer_uints(w, TRACE_STAGES_CPU, s->cpu, s->n);
	trace_writer_uints(w, TRACE_STAGES_DEVICE, s->device, s->n);
	trace_writer_uints(w, TRACE_STAGES_FLOW, s->flow, s->n);
	trace_writer_uints(w, TRACE_STAGES_REASON, s->reason, s->n);
	trace_writer_uints(w, TRACE_STAGES_NETNS, s->netns, s->ndevices);
	trace_writer_uints(w, TRACE_STAGES_IFINDEX, s->ifindex, s->ndevices);
	trace_writer_strs(w, TRACE_STAGES_REASONS, name, s->nreasons);
	if (counts) {
		trace_writer_uint(w, TRACE_STAGES_EVERY, counts->every);
		trace_writer_uint(w, TRACE_STAGES_PACKETS, counts->packets);
		trace_writer_uint(w, TRACE_STAGES_FULL, counts->full);
		trace_writer_uint(w, TRACE_STAGES_EVICTED, counts->evicted);
	}
	return trace_writer_end(w);
}

static int by_time(const void *a, const void *b)
{
	const struct netcost_stage_event *x = a, *y = b;

	return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

int stages_writer_write(struct stages_writer *s, struct netcost_stage_event *event, size_t *n,
			uint64_t until_ns, const struct stages_counts *counts,
			struct trace_writer *w)
{
	size_t end = *n, i = 0;
	int err;

	if (end)
		qsort(event, end, sizeof(*event), by_time);
	while (end && event[end - 1].at_ns > until_ns)
		end--;
	do {
		size_t first = i;

		s->n = s->ndevices = s->nreasons = 0;
		while (i < end && add(s, &event[i], i > first ? &event[i - 1] : NULL))
			i++;
		err = write_record(s, end ? event[first].at_ns : 0, counts, w);
		counts = NULL;
	} while (i < end && !err);
	*n -= end;
	if (*n)
		memmove(event, event + end, *n * sizeof(*event));
	return err;
}
