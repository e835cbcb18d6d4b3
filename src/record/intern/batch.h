/* SPDX-License-Identifier: BSD-2-Clause */
/* batch.h: the samples of one CPU until a frame takes them. */
#ifndef NETCOST_BATCH_H
#define NETCOST_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BATCH_UNIT_NS                                                                              \
	2000 /* rounded to the nearest, so times in the trace are good to a microsecond */

struct codes;
struct trace_writer;

struct batch {
	uint32_t cpu;
	bool grid; /* a timer makes the samples: they are expected at fixed moments, not a step apart */
	bool cgroups; /* they are measured */
	uint64_t step_ns;
	uint64_t point_ns; /* of the grid; 0: not known yet */
	uint64_t base_ns, expected_ns;
	uint64_t oldest_ns, newest_ns; /* as they are kept */
	int32_t *off;		       /* units from what was expected */
	uint32_t *stack, *task, *cgroup;
	size_t n, size;
};

void batch_init(struct batch *b, uint32_t cpu, unsigned int hz, bool grid, bool cgroups);
void batch_free(struct batch *b);
/* -EOVERFLOW: too long a gap for this batch; write it and add again. */
int batch_add(struct batch *b, uint64_t time_ns, uint32_t stack, uint32_t task, uint32_t cgroup);
/* codes: by what list of stacks; it has seen these samples' stacks. */
int batch_write(struct batch *b, const struct codes *codes, struct trace_writer *w);

#endif
