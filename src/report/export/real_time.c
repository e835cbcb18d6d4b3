// SPDX-License-Identifier: BSD-2-Clause
#include "real_time.h"

bool real_time_ns(const struct model *m, uint64_t at_ns, uint64_t *real_ns)
{
	const struct model_clock *c = &m->clock_first;
	bool later = at_ns >= c->mono_ns;

	if (!m->records[TRACE_CLOCK] || c->real_ns == TRACE_NIL || c->mono_ns == TRACE_NIL ||
	    at_ns == TRACE_NIL)
		return false;
	return !(later ? __builtin_add_overflow(c->real_ns, at_ns - c->mono_ns, real_ns) :
			 __builtin_sub_overflow(c->real_ns, c->mono_ns - at_ns, real_ns)) &&
	       *real_ns <= INT64_MAX;
}
