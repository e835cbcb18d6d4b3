/* SPDX-License-Identifier: BSD-2-Clause */
/* own_cost_write.h: what the recorder's programs cost, and how often they ran, as records of a trace. */
#ifndef NETCOST_OWN_COST_WRITE_H
#define NETCOST_OWN_COST_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct exact_reading;
struct ladder;
struct own_cost;
struct trace_writer;

/* PROBE_COST of each class that runs. ladder: what is attached; NULL: nothing. samples: there are some. */
int own_cost_write(const struct own_cost *o, const struct ladder *ladder, bool samples,
		   struct trace_writer *w);
/*
 * PROBE_RUNS of each, by the readings of n CPUs. column: room for as many. first: of this trace; later, what never ran is
 * left out.
 */
int own_cost_write_runs(const struct ladder *ladder, const struct exact_reading *reading, size_t n,
			bool first, uint64_t *column, struct trace_writer *w);

#endif
