/* SPDX-License-Identifier: BSD-2-Clause */
/* model_maker.h: small traces for tests of the report, written and read by the trace library. */
#ifndef NETCOST_TESTS_MODEL_MAKER_H
#define NETCOST_TESTS_MODEL_MAKER_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <netcost/trace.h>

#include "report/model/model.h"
#include "unit.h"

/* A writer of a trace. `file` may be NULL if the test only writes records. */
struct maker {
	FILE *file;
	struct trace_writer *w;
};

/* Expands to two arguments for a column of up to 8 elements: the array and its length. */
#define U(...)                                                                                     \
	(const uint64_t[]){ __VA_ARGS__ },                                                         \
		sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t)
#define I(...)                                                                                     \
	(const int64_t[]){ __VA_ARGS__ }, sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t)
#define S(...)                                                                                     \
	(const char *const[]){ __VA_ARGS__ },                                                      \
		sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *)

/* Starts a trace of CPUs 0 and 1. */
struct maker maker_new(void);
/* Reads the written trace into m; returns the result of model_read(). */
int maker_read(struct maker *k, struct model *m);

/* Writes n kernel symbols at offset 0, with ids from `first` on. */
void maker_symbols(struct maker *k, uint64_t first, const char *const *name, size_t n);
/* Writes two symbols with these modules and offsets. */
void maker_two_symbols(struct maker *k, uint64_t first, const char *const name[2],
		       const uint64_t module[2], const int64_t offset[2]);
void maker_stacks(struct maker *k, uint64_t first, const uint64_t *up, size_t nup,
		  const uint64_t *symbol, size_t nsymbol);
void maker_task(struct maker *k, uint64_t id, uint64_t tid, uint64_t tgid, const char *comm);
void maker_cgroup(struct maker *k, uint64_t id, const char *path);
void maker_samples(struct maker *k, uint64_t cpu, const uint64_t *stack, size_t n);
void maker_tick(struct maker *k, uint64_t at_ns, const uint64_t *cpu, size_t n);
/* Writes a MODULE, NETDEV or PROGRAM record: an id at key 1 and a name at key 2. */
void maker_name(struct maker *k, enum trace_type type, uint64_t id, const char *name);
/* Writes a record that has only this column. */
void maker_column(struct maker *k, enum trace_type type, unsigned int key, const uint64_t *v,
		  size_t n);

#endif
