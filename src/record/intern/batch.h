/* SPDX-License-Identifier: BSD-2-Clause */
/* batch.h: samples of one CPU until the next frame. */
#ifndef NETCOST_BATCH_H
#define NETCOST_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BATCH_UNIT_NS                                                                              \
	2000 /* rounded to nearest, so times in the trace are accurate to a microsecond */

struct trace_writer;

struct batch {
	uint32_t cpu;
	bool cgroups; /* cgroups are recorded */
	uint64_t step_ns;
	uint64_t base_ns, last_ns; /* last_ns, oldest_ns, newest_ns: as stored */
	uint64_t oldest_ns, newest_ns;
	int32_t *dt; /* difference from the expected time, in units */
	uint32_t *stack, *task, *cgroup;
	size_t n, size;
};

void batch_init(struct batch *b, uint32_t cpu, unsigned int hz, bool cgroups);
void batch_free(struct batch *b);
/* -EOVERFLOW: the gap is too long for this batch: write it and add again. */
int batch_add(struct batch *b, uint64_t time_ns, uint32_t stack, uint32_t task, uint32_t cgroup);
int batch_write(struct batch *b, struct trace_writer *w);

#endif
