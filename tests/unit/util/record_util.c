// SPDX-License-Identifier: BSD-2-Clause
#include "record_util.h"

#include <ftw.h>
#include <sys/mman.h>

/* ---- valgrind ---------------------------------------------------------------------------- */

bool under_valgrind(void)
{
	const char *preload = getenv("LD_PRELOAD");

	return preload && strstr(preload, "vgpreload");
}

/* ---- files ------------------------------------------------------------------------------- */

void tmp_make(struct tmp *t)
{
	snprintf(t->dir, sizeof(t->dir), "/tmp/netcost-unit.XXXXXX");
	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(t->dir));
}

static int tmp_remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void tmp_remove(struct tmp *t)
{
	CU_ASSERT_EQUAL(nftw(t->dir, tmp_remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

char *tmp_path(const struct tmp *t, const char *name)
{
	static char path[8][256];
	static unsigned int next;
	char *p = path[next++ % 8];

	snprintf(p, sizeof(path[0]), "%s/%s", t->dir, name);
	return p;
}

const char *tmp_file(const struct tmp *t, const char *name, const char *text)
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

static bool is_count(const char *word, size_t n)
{
	return strspn(word, "0123456789abcdef") == n && strtoull(word, NULL, 10) <= INT64_MAX;
}

const char *tmp_zeroed(const struct tmp *t, const char *name, const char *text)
{
	char *zeros = strdup(text);
	unsigned int word = 0;
	const char *path;
	size_t n;

	CU_ASSERT_PTR_NOT_NULL_FATAL(zeros);
	for (char *p = zeros; *p; p += n ? n : 1) {
		n = strcspn(p, " \t\n");
		word = *p == '\n' ? 0 : word + (n > 0);
		if (n && word != 13 && is_count(p, n))
			memset(p, '0', n);
	}
	path = tmp_file(t, name, zeros);
	free(zeros);
	return path;
}

bool exists(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}

bool tmp_file_is(const char *path, const char *text)
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

void mem_trace_begin(struct mem_trace *t)
{
	*t = (struct mem_trace){ .fd = memfd_create("trace", MFD_CLOEXEC) };
	CU_ASSERT_FATAL(t->fd >= 0);
	CU_ASSERT_EQUAL_FATAL(trace_writer_new(&t->w, t->fd, 1), 0);
	trace_writer_begin(t->w, TRACE_HEADER);
	trace_writer_uint(t->w, TRACE_HEADER_MAJOR, TRACE_MAJOR);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(t->w), 0);
	CU_ASSERT_EQUAL_FATAL(trace_writer_flush(t->w), 0);
}

void mem_trace_read(struct mem_trace *t)
{
	CU_ASSERT_EQUAL_FATAL(trace_writer_flush(t->w), 0);
	trace_writer_free(t->w);
	t->w = NULL;
	CU_ASSERT_EQUAL_FATAL(lseek(t->fd, 0, SEEK_SET), 0);
	CU_ASSERT_EQUAL_FATAL(trace_reader_new(&t->r, t->fd), 0);
}

bool mem_trace_next(struct mem_trace *t, enum trace_type type, struct trace_record *rec)
{
	int got;

	while ((got = trace_reader_next(t->r, rec)) == 1)
		if (rec->type == type)
			return true;
	CU_ASSERT_EQUAL(got, 0);
	return false;
}

void mem_trace_end(struct mem_trace *t)
{
	trace_writer_free(t->w);
	trace_reader_free(t->r);
	close(t->fd);
}

uint64_t column_at(const struct trace_record *rec, unsigned int key, unsigned int i)
{
	struct trace_column c = trace_record_column(rec, key);
	uint64_t v = 0;

	for (unsigned int k = 0; k <= i; k++)
		CU_ASSERT_FATAL(trace_column_uint(&c, &v));
	return v;
}

uint32_t column_size(const struct trace_record *rec, unsigned int key)
{
	return trace_record_column(rec, key).n;
}
