// SPDX-License-Identifier: BSD-2-Clause
#include "batch.h"

#include <errno.h>
#include <stdlib.h>

#include <netcost/array.h>
#include <netcost/trace.h>

#include "codes.h"

#define HALF_UNIT_NS (BATCH_UNIT_NS / 2)

void batch_init(struct batch *b, uint32_t cpu, unsigned int hz, bool grid, bool cgroups)
{
	*b = (struct batch){ .cpu = cpu, .grid = grid, .cgroups = cgroups };
	/* The period of the kernel's timer; for anything else about that. */
	b->step_ns = grid ? 1000000000u / hz :
			    (1000000000u / BATCH_UNIT_NS + hz / 2) / hz * BATCH_UNIT_NS;
}

void batch_free(struct batch *b)
{
	free(b->off);
	free(b->stack);
	free(b->task);
	free(b->cgroup);
	*b = (struct batch){ 0 };
}

static int grow(struct batch *b)
{
	const struct array_column columns[] = {
		{ &b->off, sizeof(*b->off) },
		{ &b->stack, sizeof(*b->stack) },
		{ &b->task, sizeof(*b->task) },
		{ &b->cgroup, sizeof(*b->cgroup) },
	};

	return array_reserve_columns(columns, 4, &b->size, b->n + 1);
}

/* What is expected of a batch's first sample; what comes before that in base_ns. */
static uint64_t first_expected(struct batch *b, uint64_t time_ns)
{
	if (!b->grid) {
		b->base_ns = time_ns > b->step_ns ? time_ns - b->step_ns : 0;
		return b->base_ns + b->step_ns;
	}
	if (!b->point_ns)
		b->point_ns = time_ns;
	/* The point nearest to it. */
	b->base_ns = trace_grid_next(b->point_ns, (int64_t)(time_ns - b->point_ns), b->step_ns) -
		     b->step_ns;
	if (b->base_ns > INT64_MAX)
		b->base_ns = 0;
	return b->base_ns;
}

static int64_t to_units(int64_t ns)
{
	int64_t up = ns + HALF_UNIT_NS;

	return up / BATCH_UNIT_NS - (up % BATCH_UNIT_NS < 0);
}

int batch_add(struct batch *b, uint64_t time_ns, uint32_t stack, uint32_t task, uint32_t cgroup)
{
	uint64_t expected_ns, kept_ns;
	int64_t off;

	if (b->n == b->size && grow(b))
		return -ENOMEM;
	expected_ns = b->n ? b->expected_ns : first_expected(b, time_ns);
	off = to_units((int64_t)(time_ns - expected_ns));
	if (off > INT32_MAX || off < INT32_MIN)
		return -EOVERFLOW;
	kept_ns = expected_ns + (uint64_t)(off * BATCH_UNIT_NS);
	b->expected_ns = b->grid ? trace_grid_next(expected_ns, off * BATCH_UNIT_NS, b->step_ns) :
				   kept_ns + b->step_ns;
	/* Not the first and the last: an interrupt inside an interrupt writes its sample later. */
	b->oldest_ns = b->n && b->oldest_ns < kept_ns ? b->oldest_ns : kept_ns;
	b->newest_ns = b->n && b->newest_ns > kept_ns ? b->newest_ns : kept_ns;
	b->off[b->n] = (int32_t)off;
	b->stack[b->n] = stack;
	b->task[b->n] = task;
	b->cgroup[b->n++] = cgroup;
	return 0;
}

#define LOOKED_AT 64 /* samples of a batch, at most */

/* How late most samples are: the median of some of them, at equal distances. */
static int64_t usual_off_ns(const struct batch *b)
{
	size_t each = b->n / LOOKED_AT + 1, n = 0;
	int64_t off_ns[LOOKED_AT];

	for (size_t i = 0; i < b->n && n < LOOKED_AT; i += each) {
		int64_t off = (int64_t)b->off[i] * BATCH_UNIT_NS;
		size_t at = n++;

		/* From the point of the grid that is nearest to it. */
		off -= (int64_t)(trace_grid_next(0, off, b->step_ns) - b->step_ns);
		for (; at && off_ns[at - 1] > off; at--)
			off_ns[at] = off_ns[at - 1];
		off_ns[at] = off;
	}
	return off_ns[n / 2];
}

/* The timer's grid is not known, and may change: the next batch expects samples where most of these were. */
static void move_grid(struct batch *b)
{
	b->point_ns = b->expected_ns + (uint64_t)usual_off_ns(b);
}

int batch_write(struct batch *b, const struct codes *codes, struct trace_writer *w)
{
	if (!b->n)
		return 0;
	/* The true times, too. */
	trace_writer_time(w, b->oldest_ns > HALF_UNIT_NS ? b->oldest_ns - HALF_UNIT_NS : 0);
	trace_writer_time(w, b->newest_ns + HALF_UNIT_NS);
	codes_apply(codes, b->stack, b->n);
	trace_writer_begin(w, TRACE_SAMPLES, 8 + b->cgroups);
	trace_writer_uint(w, TRACE_SAMPLES_CPU, b->cpu);
	trace_writer_uint(w, TRACE_SAMPLES_BASE_NS, b->base_ns);
	trace_writer_uint(w, TRACE_SAMPLES_UNIT_NS, BATCH_UNIT_NS);
	if (!b->grid) {
		trace_writer_uint(w, TRACE_SAMPLES_STEP, b->step_ns / BATCH_UNIT_NS);
		trace_writer_i32s(w, TRACE_SAMPLES_DT, b->off, b->n);
	}
	trace_writer_u32s(w, TRACE_SAMPLES_STACK, b->stack, b->n);
	trace_writer_u32s(w, TRACE_SAMPLES_TASK, b->task, b->n);
	if (b->cgroups)
		trace_writer_u32s(w, TRACE_SAMPLES_CGROUP, b->cgroup, b->n);
	if (b->grid) {
		trace_writer_uint(w, TRACE_SAMPLES_STEP_NS, b->step_ns);
		trace_writer_i32s(w, TRACE_SAMPLES_OFF, b->off, b->n);
		move_grid(b);
	}
	trace_writer_uint(w, TRACE_SAMPLES_CODES, codes->id);
	b->n = 0;
	return trace_writer_end(w);
}
