// SPDX-License-Identifier: BSD-2-Clause
/* Reads SAMPLES as samples: one element of each column at a time. The inner loops are inline, in trace.h. */
#include <netcost/trace.h>

struct trace_times trace_record_times(const struct trace_record *rec)
{
	uint64_t unit_ns = trace_record_uint(rec, TRACE_SAMPLES_UNIT_NS, 0);

	return (struct trace_times){
		.dt = trace_record_column(rec, TRACE_SAMPLES_DT),
		.unit_ns = unit_ns,
		.step_ns = trace_record_uint(rec, TRACE_SAMPLES_STEP, 0) * unit_ns,
		.time_ns = trace_record_uint(rec, TRACE_SAMPLES_BASE_NS, 0),
	};
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
