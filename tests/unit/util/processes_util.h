/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * processes_util.h: a trace with counters by process, and everything that is read from the trace.
 *
 * The trace covers ten seconds. In second i, "web" runs for 20 + 10 i ms and sends for 5 i ms, "db" runs for 40 ms, two
 * processes named "worker" run for 3 and 4 ms, the idle task has 7 ms of softirqs, and the row of all other processes
 * has 1 ms. The power is 30 W, plus 20 W while CPU 0 is busy.
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

/* Reads the trace in intervals of every_ns; 0 means one interval per tick. */
void whole_read(struct whole *w, uint64_t every_ns);
void whole_free(struct whole *w);

/* Returns a reader that starts at the beginning of the file. */
struct trace_reader *reader_on(FILE *f);
/* Returns whether the values are equal except for the rounding of doubles. */
bool is(double v, double wanted);

/* Calls unit_main() with a classifier of the built-in rules. */
int processes_main(const char *suite, const struct unit_test *tests, size_t n);

#endif
