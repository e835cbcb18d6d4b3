/* SPDX-License-Identifier: BSD-2-Clause */
/* batch.h: the samples of one CPU until a frame takes them. */
#ifndef NETCOST_BATCH_H
#define NETCOST_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BATCH_UNIT_NS 1000 /* times in the trace are good to a microsecond */

struct trace_writer;

struct batch {
	uint32_t cpu;
	uint64_t step;	     /* expected distance of two samples, in units */
	uint64_t base, last; /* units */
	uint64_t oldest, newest;
	int32_t *dt;
	uint32_t *stack, *task, *cgroup;
	bool cgroups; /* they are measured */
	size_t n, size;
};

void batch_init(struct batch *b, uint32_t cpu, unsigned int hz, bool cgroups);
void batch_free(struct batch *b);
/* -EOVERFLOW: too long a gap for this batch; write it and add again. */
int batch_add(struct batch *b, uint64_t time_ns, uint32_t stack, uint32_t task, uint32_t cgroup);
int batch_write(struct batch *b, struct trace_writer *w);

#endif
