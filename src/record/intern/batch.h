/* SPDX-License-Identifier: BSD-2-Clause */
/* batch.h: collects the samples of one CPU until the next frame. */
#ifndef NETCOST_BATCH_H
#define NETCOST_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* unit of times, ns; times are rounded to the nearest unit, so they are accurate to a microsecond */
#define BATCH_UNIT_NS 2000

struct trace_writer;

struct batch {
	uint32_t cpu;
	bool cgroups; /* the samples have cgroups */
	uint64_t step_ns;
	/* last_ns, oldest_ns and newest_ns are rounded as in the trace */
	uint64_t base_ns, last_ns;
	uint64_t oldest_ns, newest_ns;
	int32_t *dt; /* differences from the expected times, in units */
	uint32_t *stack, *task, *cgroup;
	size_t n, size;
};

void batch_init(struct batch *b, uint32_t cpu, unsigned int hz, bool cgroups);
void batch_free(struct batch *b);
/*
 * Adds a sample. Returns -EOVERFLOW if the gap before it is too long for this batch: write the batch and add the sample
 * again.
 */
int batch_add(struct batch *b, uint64_t time_ns, uint32_t stack, uint32_t task, uint32_t cgroup);
int batch_write(struct batch *b, struct trace_writer *w);

#endif
