/* SPDX-License-Identifier: BSD-2-Clause */
/* record_util.h: a temporary directory and a trace in memory for the recorder's tests. */
#ifndef NETCOST_TESTS_RECORD_UTIL_H
#define NETCOST_TESTS_RECORD_UTIL_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netcost/trace.h>

#include "random.h"
#include "unit.h"

/* ---- valgrind ---------------------------------------------------------------------------- */

/*
 * Returns whether the test runs under valgrind, which supports neither pidfd_open(2) nor the newer fields of bpf(2).
 * Tests that need them are skipped then.
 */
bool under_valgrind(void);

/* ---- files ------------------------------------------------------------------------------- */

struct tmp {
	char dir[64];
};

void tmp_make(struct tmp *t);
void tmp_remove(struct tmp *t);
/* Returns the path of a file in the directory. The path is valid for eight calls. */
char *tmp_path(const struct tmp *t, const char *name);
/* Makes a file and its parent directories. Returns its path. */
const char *tmp_file(const struct tmp *t, const char *name, const char *text);
/*
 * Makes the same file, but with 0 for each number, so that counters start at 0 if it is the first reading. Numbers too
 * large for a counter stay, and so does the 13th word of a row, which is the CPU in softnet_stat.
 */
const char *tmp_zeroed(const struct tmp *t, const char *name, const char *text);

/* Returns whether the path exists. A dangling link counts as existing. */
bool exists(const char *path);
/* Returns whether the file's content is exactly this text. */
bool tmp_file_is(const char *path, const char *text);

/* ---- a trace in memory ------------------------------------------------------------------- */

struct mem_trace {
	int fd;
	struct trace_writer *w;
	struct trace_reader *r;
};

/* Opens a writer after a HEADER in its own frame, as in every trace. */
void mem_trace_begin(struct mem_trace *t);
/* Finishes the trace and opens a reader. */
void mem_trace_read(struct mem_trace *t);
/* Reads the next record of a type. Returns false at the end of the trace. */
bool mem_trace_next(struct mem_trace *t, enum trace_type type, struct trace_record *rec);
void mem_trace_end(struct mem_trace *t);

/* Returns the i-th element of a column, which must exist. */
uint64_t column_at(const struct trace_record *rec, unsigned int key, unsigned int i);
uint32_t column_size(const struct trace_record *rec, unsigned int key);

#endif
