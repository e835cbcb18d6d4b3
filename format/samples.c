// SPDX-License-Identifier: BSD-2-Clause
/* SAMPLES as samples: what its columns say together. The inner loops are inline, in trace.h. */
#include <netcost/trace.h>

#include "record.h"

static void take_codes(struct trace_codes *codes, const struct trace_record *rec)
{
	struct trace_column stacks = trace_record_column(rec, TRACE_STACK_CODES_STACK);
	uint64_t id = trace_record_uint(rec, TRACE_STACK_CODES_ID, 0), stack;

	codes->good = id > codes->id && stacks.n <= TRACE_MAX_CODES;
	codes->id = id > codes->id ? id : codes->id;
	codes->n = 0;
	while (codes->good && trace_column_uint(&stacks, &stack)) /* no id needs 32 bits */
		codes->stack[++codes->n] = stack < UINT32_MAX ? (uint32_t)stack : UINT32_MAX;
}

void record_see_codes(struct trace_record *rec, struct trace_codes *codes)
{
	if (rec->type == TRACE_STACK_CODES)
		take_codes(codes, rec);
	else if (rec->type == TRACE_HEADER) /* another part */
		*codes = (struct trace_codes){ 0 };
	else if (rec->type == TRACE_SAMPLES && codes->good &&
		 trace_record_uint(rec, TRACE_SAMPLES_CODES, 0) == codes->id)
		rec->codes = codes;
}

bool trace_record_stacks(const struct trace_record *rec, struct trace_stacks *s)
{
	static const struct trace_codes none;
	bool known = rec->codes || !trace_record_field(rec, TRACE_SAMPLES_CODES);

	*s = (struct trace_stacks){ .codes = rec->codes ? rec->codes : &none };
	if (known)
		s->c = trace_record_column(rec, TRACE_SAMPLES_STACK);
	return known;
}

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
	struct trace_samples s = {
		.times = trace_record_times(rec),
		.tasks = trace_record_column(rec, TRACE_SAMPLES_TASK),
		.cgroups = trace_record_column(rec, TRACE_SAMPLES_CGROUP),
	};

	trace_record_stacks(rec, &s.stacks);
	return s;
}
