// SPDX-License-Identifier: BSD-2-Clause
#include "batch.h"

#include <errno.h>
#include <stdlib.h>

#include <netcost/trace.h>

void batch_init(struct batch *b, uint32_t cpu, unsigned int hz, bool cgroups)
{
	*b = (struct batch){ .cpu = cpu,
			     .step = (1000000000u / BATCH_UNIT_NS + hz / 2) / hz,
			     .cgroups = cgroups };
}

void batch_free(struct batch *b)
{
	free(b->dt);
	free(b->stack);
	free(b->task);
	free(b->cgroup);
	*b = (struct batch){ 0 };
}

static int grow(struct batch *b)
{
	size_t size = b->size ? 2 * b->size : 1024;
	int32_t *dt = realloc(b->dt, size * sizeof(*dt));
	uint32_t *p;

	if (!dt)
		return -ENOMEM;
	b->dt = dt;
	p = realloc(b->stack, size * sizeof(*p));
	if (!p)
		return -ENOMEM;
	b->stack = p;
	p = realloc(b->task, size * sizeof(*p));
	if (!p)
		return -ENOMEM;
	b->task = p;
	p = realloc(b->cgroup, size * sizeof(*p));
	if (!p)
		return -ENOMEM;
	b->cgroup = p;
	b->size = size;
	return 0;
}

int batch_add(struct batch *b, uint64_t time_ns, uint32_t stack, uint32_t task, uint32_t cgroup)
{
	uint64_t t = time_ns / BATCH_UNIT_NS;
	int64_t dt;

	if (b->n == b->size && grow(b))
		return -ENOMEM;
	if (!b->n)
		b->base = b->last = t > b->step ? t - b->step : 0;
	dt = (int64_t)(t - b->last) - (int64_t)b->step;
	/* Up or down, what is nearer to the expected: less noise to store, and no less true. */
	if (dt < 0 && time_ns % BATCH_UNIT_NS) {
		dt++;
		t++;
	}
	if (dt > INT32_MAX || dt < INT32_MIN)
		return -EOVERFLOW;
	/* Not the first and the last: an interrupt inside an interrupt writes its sample later. */
	b->oldest = b->n && b->oldest < t ? b->oldest : t;
	b->newest = b->n && b->newest > t ? b->newest : t;
	b->dt[b->n] = (int32_t)dt;
	b->stack[b->n] = stack;
	b->task[b->n] = task;
	b->cgroup[b->n++] = cgroup;
	b->last = t;
	return 0;
}

int batch_write(struct batch *b, struct trace_writer *w)
{
	if (!b->n)
		return 0;
	trace_writer_time(w, b->oldest * BATCH_UNIT_NS);
	trace_writer_time(w, (b->newest + 1) * BATCH_UNIT_NS);
	trace_writer_begin(w, TRACE_SAMPLES, 7 + b->cgroups);
	trace_writer_uint(w, TRACE_SAMPLES_CPU, b->cpu);
	trace_writer_uint(w, TRACE_SAMPLES_BASE_NS, b->base * BATCH_UNIT_NS);
	trace_writer_uint(w, TRACE_SAMPLES_UNIT_NS, BATCH_UNIT_NS);
	trace_writer_uint(w, TRACE_SAMPLES_STEP, b->step);
	trace_writer_i32s(w, TRACE_SAMPLES_DT, b->dt, b->n);
	trace_writer_u32s(w, TRACE_SAMPLES_STACK, b->stack, b->n);
	trace_writer_u32s(w, TRACE_SAMPLES_TASK, b->task, b->n);
	if (b->cgroups)
		trace_writer_u32s(w, TRACE_SAMPLES_CGROUP, b->cgroup, b->n);
	b->n = 0;
	return trace_writer_end(w);
}
