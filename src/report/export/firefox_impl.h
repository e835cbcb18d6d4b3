/* SPDX-License-Identifier: BSD-2-Clause */
/* firefox_impl.h: what the files of firefox_write.h have in common. */
#ifndef NETCOST_REPORT_FIREFOX_IMPL_H
#define NETCOST_REPORT_FIREFOX_IMPL_H

#include "firefox_write.h"
#include "report/base/json.h"
#include "strings.h"

/* ms since the first tick. */
double firefox_ms(const struct firefox_profile *p, uint64_t at_ns);

/* ---- tables: objects with a column for each key ------------------------------------------ */

/* A value, n times. */
void firefox_nulls(struct json *j, const char *key, size_t n);
void firefox_ints(struct json *j, const char *key, size_t n, int64_t v);
void firefox_falses(struct json *j, const char *key, size_t n);
/* A column of numbers. */
void firefox_column(struct json *j, const char *key, const uint32_t *v, size_t n);

/* ---- stacks and samples of a CPU --------------------------------------------------------- */

#define FIREFOX_NONE UINT32_MAX

/* n samples of one CPU; those of idle time only if they are wanted. -ENOMEM. */
int firefox_stacks(struct json *j, struct strings *s, const struct firefox_profile *p,
		   const struct sample_count *count, size_t n);

/* ---- markers and counters ---------------------------------------------------------------- */

/* Of all CPUs: the user's marks, and pauses of exact counting. */
void firefox_host_markers(struct json *j, struct strings *s, const struct firefox_profile *p);
/* Of a CPU in the slot of the intervals: where samples were lost. SIZE_MAX: it has none. */
void firefox_cpu_markers(struct json *j, struct strings *s, const struct firefox_profile *p,
			 size_t slot);
void firefox_marker_schema(struct json *j);
void firefox_counters(struct json *j, const struct firefox_profile *p);

#endif
