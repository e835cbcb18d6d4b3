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

/* A user that only writes records needs no file. */
struct maker {
	FILE *file;
	struct trace_writer *w;
};

/* Columns of up to 8 elements, for arguments. */
#define U(...)                                                                                     \
	(const uint64_t[]){ __VA_ARGS__ },                                                         \
		sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t)
#define I(...)                                                                                     \
	(const int64_t[]){ __VA_ARGS__ }, sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t)
#define S(...)                                                                                     \
	(const char *const[]){ __VA_ARGS__ },                                                      \
		sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *)

/* A trace of CPUs 0 and 1. */
struct maker maker_new(void);
/* Reads the written trace into m; returns the result of model_read(). */
int maker_read(struct maker *k, struct model *m);

/* A symbol of the kernel, at offset 0. */
void maker_symbols(struct maker *k, uint64_t first, const char *const *name, size_t n);
/* Two of them, at unknown offsets. */
void maker_two_symbols(struct maker *k, uint64_t first, const char *const name[2],
		       const uint64_t module[2], const int64_t offset[2]);
void maker_stacks(struct maker *k, uint64_t first, const uint64_t *up, size_t nup,
		  const uint64_t *symbol, size_t nsymbol);
void maker_task(struct maker *k, uint64_t id, uint64_t tid, uint64_t tgid, const char *comm);
void maker_cgroup(struct maker *k, uint64_t id, const char *path);
void maker_samples(struct maker *k, uint64_t cpu, const uint64_t *stack, size_t n);
void maker_tick(struct maker *k, uint64_t at_ns, const uint64_t *cpu, size_t n);
/* A record of an id and a name, at keys 1 and 2: MODULE, NETDEV, PROGRAM. */
void maker_name(struct maker *k, enum trace_type type, uint64_t id, const char *name);
/* A record of one column. */
void maker_column(struct maker *k, enum trace_type type, unsigned int key, const uint64_t *v,
		  size_t n);

#endif
