// SPDX-License-Identifier: BSD-2-Clause
#include "batch.h"

#include <errno.h>
#include <stdlib.h>

#include <netcost/array.h>
#include <netcost/trace.h>

#define HALF_UNIT_NS (BATCH_UNIT_NS / 2)

void batch_init(struct batch *b, uint32_t cpu, unsigned int hz, bool cgroups)
{
	uint64_t units = 1000000000u / BATCH_UNIT_NS;

	*b = (struct batch){ .cpu = cpu, .cgroups = cgroups };
	b->step_ns = (units + hz / 2) / hz * BATCH_UNIT_NS;
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
	const struct array_column columns[] = {
		{ &b->dt, sizeof(*b->dt) },
		{ &b->stack, sizeof(*b->stack) },
		{ &b->task, sizeof(*b->task) },
		{ &b->cgroup, sizeof(*b->cgroup) },
	};

	return array_reserve_columns(columns, 4, &b->size, b->n + 1);
}

static int64_t to_units(int64_t ns)
{
	int64_t up = ns + HALF_UNIT_NS;

	return up / BATCH_UNIT_NS - (up % BATCH_UNIT_NS < 0);
}

int batch_add(struct batch *b, uint64_t time_ns, uint32_t stack, uint32_t task, uint32_t cgroup)
{
	uint64_t kept_ns;
	int64_t dt;

	if (b->n == b->size && grow(b))
		return -ENOMEM;
	if (!b->n)
		b->base_ns = b->last_ns = time_ns > b->step_ns ? time_ns - b->step_ns : 0;
	dt = to_units((int64_t)(time_ns - b->last_ns - b->step_ns));
	if (dt > INT32_MAX || dt < INT32_MIN)
		return -EOVERFLOW;
	kept_ns = b->last_ns + b->step_ns + (uint64_t)(dt * BATCH_UNIT_NS);
	b->last_ns = kept_ns;
	/* The oldest sample is not always the first one: an interrupt inside an interrupt writes its sample later. */
	b->oldest_ns = b->n && b->oldest_ns < kept_ns ? b->oldest_ns : kept_ns;
	b->newest_ns = b->n && b->newest_ns > kept_ns ? b->newest_ns : kept_ns;
	b->dt[b->n] = (int32_t)dt;
	b->stack[b->n] = stack;
	b->task[b->n] = task;
	b->cgroup[b->n++] = cgroup;
	return 0;
}

int batch_write(struct batch *b, struct trace_writer *w)
{
	if (!b->n)
		return 0;
	/* the time range includes the exact times before rounding */
	trace_writer_time(w, b->oldest_ns > HALF_UNIT_NS ? b->oldest_ns - HALF_UNIT_NS : 0);
	trace_writer_time(w, b->newest_ns + HALF_UNIT_NS);
	trace_writer_begin(w, TRACE_SAMPLES);
	trace_writer_uint(w, TRACE_SAMPLES_CPU, b->cpu);
	trace_writer_uint(w, TRACE_SAMPLES_BASE_NS, b->base_ns);
	trace_writer_uint(w, TRACE_SAMPLES_UNIT_NS, BATCH_UNIT_NS);
	trace_writer_uint(w, TRACE_SAMPLES_STEP, b->step_ns / BATCH_UNIT_NS);
	trace_writer_i32s(w, TRACE_SAMPLES_DT, b->dt, b->n);
	trace_writer_u32s(w, TRACE_SAMPLES_STACK, b->stack, b->n);
	trace_writer_u32s(w, TRACE_SAMPLES_TASK, b->task, b->n);
	if (b->cgroups)
		trace_writer_u32s(w, TRACE_SAMPLES_CGROUP, b->cgroup, b->n);
	b->n = 0;
	return trace_writer_end(w);
}
