// SPDX-License-Identifier: BSD-2-Clause
/* SAMPLES as samples: what its columns say together. The inner loops are inline, in trace.h. */
#include <netcost/trace.h>

struct trace_times trace_record_times(const struct trace_record *rec)
{
	struct trace_times t = {
		.off = trace_record_column(rec, TRACE_SAMPLES_OFF),
		.unit_ns = trace_record_uint(rec, TRACE_SAMPLES_UNIT_NS, 0),
		.step_ns = trace_record_uint(rec, TRACE_SAMPLES_STEP_NS, 0),
		.expected_ns = trace_record_uint(rec, TRACE_SAMPLES_BASE_NS, 0),
		.grid = trace_record_field(rec, TRACE_SAMPLES_OFF),
	};

	if (t.grid)
		return t;
	t.off = trace_record_column(rec, TRACE_SAMPLES_DT);
	t.step_ns = trace_record_uint(rec, TRACE_SAMPLES_STEP, 0) * t.unit_ns;
	t.expected_ns += t.step_ns;
	return t;
}

/* No sum here overflows, whatever the file says; times are modulo 2^64. */
uint64_t trace_grid_far(uint64_t expected_ns, int64_t off_ns, uint64_t step_ns)
{
	uint64_t half = step_ns / 2, rest, away;

	if (!step_ns) /* it breaks the format */
		return expected_ns + (uint64_t)off_ns;
	away = off_ns < 0 ? -(uint64_t)off_ns % step_ns : (uint64_t)off_ns % step_ns;
	rest = off_ns < 0 && away ? step_ns - away : away; /* the remainder that is not negative */
	/* From the nearest point to the sample, plus half a step. */
	rest = rest < step_ns - half ? rest + half : rest - (step_ns - half);
	return expected_ns + (uint64_t)off_ns - (rest - half) + step_ns;
}

struct trace_samples trace_record_samples(const struct trace_record *rec)
{
	return (struct trace_samples){
		.times = trace_record_times(rec),
		.stacks = trace_record_column(rec, TRACE_SAMPLES_STACK),
		.tasks = trace_record_column(rec, TRACE_SAMPLES_TASK),
		.cgroups = trace_record_column(rec, TRACE_SAMPLES_CGROUP),
	};
}
