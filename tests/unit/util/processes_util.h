/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * processes_util.h: a trace with counters by process, and everything that is read from it.
 *
 * Ten seconds. In second i, in ms: web 20 + 10 i on CPUs and 5 i in sends, db 40, two workers with the same name 3 and
 * 4, the idle task 7 of softirqs, and 1 in the rest. 30 W, and 20 W for a busy CPU.
 */
#ifndef NETCOST_TESTS_PROCESSES_UTIL_H
#define NETCOST_TESTS_PROCESSES_UTIL_H

#include "model_maker.h"
#include "report/analysis/intervals.h"
#include "report/analysis/processes.h"

#define SECOND 1000000000ull

struct whole {
	struct model *m;
	struct intervals iv;
	struct process_times times;
};

/* In intervals of every_ns; 0: one per tick. */
void whole_read(struct whole *w, uint64_t every_ns);
void whole_free(struct whole *w);

/* Counted from its beginning. */
struct trace_reader *reader_on(FILE *f);
/* Equal except for the rounding of doubles. */
bool is(double v, double wanted);

/* unit_main(), with the built-in rules. */
int processes_main(const char *suite, const struct unit_test *tests, size_t n);

#endif
