/* SPDX-License-Identifier: BSD-2-Clause */
/* process_values.h: adds and subtracts all counters of a process as one vector. */
#ifndef NETCOST_PROCESS_VALUES_H
#define NETCOST_PROCESS_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "process_columns.h"

struct netcost_pmu;
struct netcost_process_counts;

enum value {
#define X(key, event, of, counts) VALUE_##key,
	COLUMNS(X)
#undef X
#define X(key, events, counts) VALUE_##key,
		PMU_COLUMNS(X)
#undef X
	/* number of calls whose bytes are unknown, which is not a column */
	VALUE_UNCOUNTED,
	VALUES
};

struct values {
	int64_t v[VALUES]; /* modulo 2^64 */
};

struct values process_values_of(const struct netcost_process_counts *c,
				const struct netcost_pmu *pmu);
void values_add(struct values *to, const struct values *more);
void values_take_away(struct values *from, const struct values *less);
struct values values_difference(const struct values *now, const struct values *before);
bool values_is_zero(const struct values *values);
/* Returns true if at least one counter of `v` is less than the same counter of `than`. */
bool values_has_less(const struct values *v, const struct values *than);

#endif
