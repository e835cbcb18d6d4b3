/* SPDX-License-Identifier: BSD-2-Clause */
/* record_util.h: what the recorder's tests share: a directory for files, a trace in memory. */
#ifndef NETCOST_TESTS_RECORD_UTIL_H
#define NETCOST_TESTS_RECORD_UTIL_H

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netcost/trace.h>

#include "unit.h"

/* ---- random numbers: the same in every run, everywhere ----------------------------------- */

/* xorshift64*, Vigna 2014. *state is not 0. */
static inline uint64_t random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull;
}

/* 0 .. n - 1 */
static inline uint32_t random_below(uint64_t *state, uint32_t n)
{
	return (uint32_t)((random_next(state) >> 32) * n >> 32);
}

/* ---- valgrind ---------------------------------------------------------------------------- */

/* Knows neither pidfd_open(2) nor the newer fields of bpf(2): what needs them is left out there. */
static inline bool under_valgrind(void)
{
	const char *preload = getenv("LD_PRELOAD");

	return preload && strstr(preload, "vgpreload");
}

/* ---- files ------------------------------------------------------------------------------- */

struct tmp {
	char dir[64];
};

static inline void tmp_make(struct tmp *t)
{
	snprintf(t->dir, sizeof(t->dir), "/tmp/netcost-unit.XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(t->dir));
}

static inline int tmp_remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void tmp_remove(struct tmp *t)
{
	CU_ASSERT_EQUAL(nftw(t->dir, tmp_remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* The path of a name in the directory; good until eight calls later. */
static inline char *tmp_path(const struct tmp *t, const char *name)
{
	static char path[8][256];
	static unsigned int next;
	char *p = path[next++ % 8];

	snprintf(p, sizeof(path[0]), "%s/%s", t->dir, name);
	return p;
}

/* Makes a file, and the directories on the way to it. Returns its path. */
static inline const char *tmp_file(const struct tmp *t, const char *name, const char *text)
{
	char *path = tmp_path(t, name);
	FILE *f;

	for (char *p = path + strlen(t->dir) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}
	f = fopen(path, "we");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT(fputs(text, f) >= 0);
	CU_ASSERT_EQUAL(fclose(f), 0);
	return path;
}

/* Be it a link that leads to nothing. */
static inline bool exists(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}

/* Has the file exactly this text? */
static inline bool tmp_file_is(const char *path, const char *text)
{
	char got[256] = { 0 };
	FILE *f = fopen(path, "re");
	size_t n;

	if (!f)
		return false;
	n = fread(got, 1, sizeof(got) - 1, f);
	fclose(f);
	return n == strlen(text) && !memcmp(got, text, n);
}

/* ---- a trace in memory ------------------------------------------------------------------- */

struct mem_trace {
	int fd;
	struct trace_writer *w;
	struct trace_reader *r;
};

/* Opens a writer behind a HEADER, which is a frame of its own as in every trace. */
static inline void mem_trace_begin(struct mem_trace *t)
{
	*t = (struct mem_trace){ .fd = memfd_create("trace", MFD_CLOEXEC) };
	CU_ASSERT_FATAL(t->fd >= 0);
	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&t->w, t->fd, 1), 0);
	trace_writer_begin(t->w, TRACE_HEADER, 1);
	trace_writer_uint(t->w, TRACE_HEADER_MAJOR, TRACE_MAJOR);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(t->w), 0);
	CU_ASSERT_EQUAL_FATAL(trace_writer_flush(t->w), 0);
}

/* Ends the writing and opens a reader. */
static inline void mem_trace_read(struct mem_trace *t)
{
	CU_ASSERT_EQUAL_FATAL(trace_writer_flush(t->w), 0);
	trace_writer_free(t->w);
	t->w = NULL;
	CU_ASSERT_EQUAL_FATAL(lseek(t->fd, 0, SEEK_SET), 0);
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&t->r, t->fd), 0);
}

/* The next record of a type; false when there is none. */
static inline bool mem_trace_next(struct mem_trace *t, enum trace_type type,
				  struct trace_record *rec)
{
	int got;

	while ((got = trace_reader_next(t->r, rec)) == 1)
		if (rec->type == type)
			return true;
	CU_ASSERT_EQUAL(got, 0);
	return false;
}

static inline void mem_trace_end(struct mem_trace *t)
{
	trace_writer_free(t->w);
	trace_reader_free(t->r);
	close(t->fd);
}

/* The i-th element of a column; it must be there. */
static inline uint64_t column_at(const struct trace_record *rec, unsigned int key, unsigned int i)
{
	struct trace_column c = trace_record_column(rec, key);
	uint64_t v = 0;

	for (unsigned int k = 0; k <= i; k++)
		CU_ASSERT_FATAL(trace_column_uint(&c, &v));
	return v;
}

static inline uint32_t column_size(const struct trace_record *rec, unsigned int key)
{
	return trace_record_column(rec, key).n;
}

#endif
