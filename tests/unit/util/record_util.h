/* SPDX-License-Identifier: BSD-2-Clause */
/* record_util.h: a directory for files and a trace in memory, for the recorder's tests. */
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

/* valgrind supports neither pidfd_open(2) nor the newer fields of bpf(2): tests that need them are skipped under it. */
bool under_valgrind(void);

/* ---- files ------------------------------------------------------------------------------- */

struct tmp {
	char dir[64];
};

void tmp_make(struct tmp *t);
void tmp_remove(struct tmp *t);
/* Returns the path of a name in the directory; valid for eight calls. */
char *tmp_path(const struct tmp *t, const char *name);
/* Makes a file and its parent directories. Returns its path. */
const char *tmp_file(const struct tmp *t, const char *name, const char *text);
/*
 * Makes the same file with 0 for each number, so that counters start at 0 with a first reading of it. A number too
 * large for a counter stays, and so does the 13th word of a row, which is the CPU in softnet_stat.
 */
const char *tmp_zeroed(const struct tmp *t, const char *name, const char *text);

/* Also true for a dangling link. */
bool exists(const char *path);
/* Whether the file has exactly this text. */
bool tmp_file_is(const char *path, const char *text);

/* ---- a trace in memory ------------------------------------------------------------------- */

struct mem_trace {
	int fd;
	struct trace_writer *w;
	struct trace_reader *r;
};

/* Opens a writer after a HEADER in its own frame, as in every trace. */
void mem_trace_begin(struct mem_trace *t);
/* Ends the writing and opens a reader. */
void mem_trace_read(struct mem_trace *t);
/* The next record of a type; false at the end. */
bool mem_trace_next(struct mem_trace *t, enum trace_type type, struct trace_record *rec);
void mem_trace_end(struct mem_trace *t);

/* The i-th element of a column; it must exist. */
uint64_t column_at(const struct trace_record *rec, unsigned int key, unsigned int i);
uint32_t column_size(const struct trace_record *rec, unsigned int key);

#endif
