// SPDX-License-Identifier: BSD-2-Clause
#include "export.h"

#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>
#include <netcost/hash.h>
#include <netcost/utf8.h>
#include <zlib.h>

#include "report/base/outfile.h"

bool real_time_ns(const struct model *m, uint64_t at_ns, uint64_t *real_ns)
{
	const struct model_clock *c = &m->clock_first;
	bool later = at_ns >= c->mono_ns;

	if (!m->records[TRACE_CLOCK] || c->real_ns == TRACE_NIL || c->mono_ns == TRACE_NIL ||
	    at_ns == TRACE_NIL)
		return false;
	return !(later ? __builtin_add_overflow(c->real_ns, at_ns - c->mono_ns, real_ns) :
			 __builtin_sub_overflow(c->real_ns, c->mono_ns - at_ns, real_ns)) &&
	       *real_ns <= INT64_MAX;
}

/* ---- names ------------------------------------------------------------------------------- */

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

char *clean_utf8(char *dst, size_t size, const char *s)
{
	const unsigned char *p = (const unsigned char *)s, *end = p + strlen(s);
	size_t at = 0;

	while (p < end) {
		size_t len = utf8_len(p, (size_t)(end - p));
		bool bad = !len || utf8_is_control(p, len);
		size_t n = bad ? strlen(REPLACEMENT) : len;

		if (at + n >= size)
			break;
		memcpy(dst + at, bad ? REPLACEMENT : (const char *)p, n);
		at += n;
		p += len ? len : utf8_bad_len(p, (size_t)(end - p));
	}
	dst[at] = '\0';
	return dst;
}

static uint64_t hash_of(const char *text)
{
	return hash_add(HASH_START, text, strlen(text));
}

static bool append(struct strings *s, const char *text)
{
	uint64_t hash = hash_of(text);
	char *copy = strdup(text);

	if (!copy || array_reserve(&s->text, &s->cap_text, s->n + 1, sizeof(*s->text)) ||
	    array_reserve(&s->next, &s->cap_next, s->n + 1, sizeof(*s->next))) {
		free(copy);
		return false;
	}
	s->next[s->n] = idmap_get(&s->by_hash, hash);
	s->text[s->n++] = copy;
	return s->n == 1 || !idmap_set(&s->by_hash, hash, (uint32_t)s->n - 1);
}

void strings_init(struct strings *s)
{
	*s = (struct strings){ 0 };
	s->no_memory = !append(s, "");
}

void strings_free(struct strings *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->text[i]);
	free(s->text);
	free(s->next);
	idmap_free(&s->by_hash);
	*s = (struct strings){ 0 };
}

uint32_t strings_find(const struct strings *s, const char *text)
{
	uint32_t i = idmap_get(&s->by_hash, hash_of(text));

	while (i && strcmp(s->text[i], text) != 0)
		i = s->next[i];
	return i;
}

uint32_t strings_add(struct strings *s, const char *text)
{
	s->no_memory = s->no_memory || !append(s, text);
	return s->no_memory ? 0 : (uint32_t)s->n - 1;
}

uint32_t strings_id(struct strings *s, const char *text)
{
	char clean[CLEAN_SIZE];
	uint32_t id;

	if (!*clean_utf8(clean, sizeof(clean), text) || s->no_memory)
		return 0;
	id = strings_find(s, clean);
	return id ? id : strings_add(s, clean);
}

/* ---- compressed files -------------------------------------------------------------------- */

struct compressed {
	FILE *to;
	ZSTD_CCtx *zstd;
	z_stream gzip;
};

static ssize_t write_zstd(void *ctx, const char *data, size_t n)
{
	struct compressed *c = ctx;

	return zstd_write(c->zstd, c->to, data, n, ZSTD_e_continue) ? (ssize_t)n : 0;
}

static int end_zstd(void *ctx)
{
	struct compressed *c = ctx;
	bool ok = zstd_write(c->zstd, c->to, NULL, 0, ZSTD_e_end);
	int err = fclose(c->to);

	ZSTD_freeCCtx(c->zstd);
	free(c);
	return ok && !err ? 0 : EOF;
}

FILE *zstd_file(FILE *to)
{
	struct compressed *c = calloc(1, sizeof(*c));
	FILE *out = NULL;

	if (!c)
		return NULL;
	c->to = to;
	c->zstd = ZSTD_createCCtx();
	if (c->zstd)
		out = fopencookie(
			c, "w", (cookie_io_functions_t){ .write = write_zstd, .close = end_zstd });
	if (!out) {
		ZSTD_freeCCtx(c->zstd);
		free(c);
	}
	return out;
}

static void deflate_some(struct compressed *c, int flush)
{
	unsigned char buffer[1 << 14];

	do {
		c->gzip.next_out = buffer;
		c->gzip.avail_out = sizeof(buffer);
		deflate(&c->gzip, flush);
		fwrite(buffer, 1, sizeof(buffer) - c->gzip.avail_out, c->to);
	} while (!c->gzip.avail_out);
}

static ssize_t write_gzip(void *ctx, const char *data, size_t n)
{
	struct compressed *c = ctx;

	c->gzip.next_in = (unsigned char *)data;
	c->gzip.avail_in = (unsigned int)n;
	deflate_some(c, Z_NO_FLUSH);
	return (ssize_t)n;
}

static int end_gzip(void *ctx)
{
	struct compressed *c = ctx;

	deflate_some(c, Z_FINISH);
	deflateEnd(&c->gzip);
	free(c);
	return 0;
}

#define GZIP 16 /* added to the window size: makes zlib write a gzip file */

FILE *gzip_file(FILE *to)
{
	struct compressed *c = calloc(1, sizeof(*c));
	FILE *out = NULL;

	if (!c)
		return NULL;
	c->to = to;
	if (deflateInit2(&c->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP,
			 MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK)
		out = fopencookie(
			c, "w", (cookie_io_functions_t){ .write = write_gzip, .close = end_gzip });
	if (!out) {
		deflateEnd(&c->gzip);
		free(c);
	}
	return out;
}
