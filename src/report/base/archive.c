// SPDX-License-Identifier: BSD-2-Clause
#include "archive.h"

#include <stdlib.h>
#include <string.h>

bool zstd_write(ZSTD_CCtx *ctx, FILE *to, const void *data, size_t n, ZSTD_EndDirective how)
{
	char buffer[1 << 14];
	ZSTD_inBuffer in = { .src = data, .size = n };
	size_t left;

	do {
		ZSTD_outBuffer out = { .dst = buffer, .size = sizeof(buffer) };

		left = ZSTD_compressStream2(ctx, &out, &in, how);
		if (ZSTD_isError(left) || fwrite(buffer, 1, out.pos, to) != out.pos)
			return false;
	} while (in.pos < in.size || (how == ZSTD_e_end && left));
	return true;
}

#define BLOCK 512
#define LARGEST (UINT64_C(1) << 33) /* eleven octal digits */

/* POSIX, "ustar Interchange Format"; numbers are octal. */
struct header {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, link[100];
	char magic[6], version[2], user[32], group[32], major[8], minor[8], prefix[155], unused[12];
};

_Static_assert(sizeof(struct header) == BLOCK, "a header is a block");

struct archive {
	FILE *out;
	ZSTD_CCtx *zstd;
	uint64_t left;	/* of the file that is being written */
	size_t padding; /* after it */
	bool failed;
};

struct archive *archive_new(FILE *out)
{
	struct archive *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->out = out;
	a->zstd = ZSTD_createCCtx();
	if (a->zstd)
		ZSTD_CCtx_setParameter(a->zstd, ZSTD_c_checksumFlag, 1);
	if (a->zstd)
		return a;
	archive_free(a);
	return NULL;
}

void archive_free(struct archive *a)
{
	if (!a)
		return;
	ZSTD_freeCCtx(a->zstd);
	free(a);
}

static void compress(struct archive *a, const void *data, size_t n, ZSTD_EndDirective end)
{
	a->failed = a->failed || !zstd_write(a->zstd, a->out, data, n, end);
}

static void pad(struct archive *a, size_t n)
{
	static const char zeros[2 * BLOCK];

	compress(a, zeros, n, ZSTD_e_continue);
}

static void set_sum(struct header *h)
{
	const unsigned char *byte = (const unsigned char *)h;
	unsigned int sum = 0;

	memset(h->sum, ' ', sizeof(h->sum));
	for (size_t i = 0; i < sizeof(*h); i++)
		sum += byte[i];
	snprintf(h->sum, sizeof(h->sum), "%06o", sum);
}

bool archive_file(struct archive *a, const char *name, uint64_t size)
{
	struct header h = { .mode = "0000644", .uid = "0000000", .gid = "0000000", .type = '0' };

	if (size >= LARGEST || strlen(name) >= sizeof(h.name))
		return false;
	a->failed |= a->left != 0;
	pad(a, a->padding);
	snprintf(h.name, sizeof(h.name), "%s", name);
	snprintf(h.size, sizeof(h.size), "%011llo", (unsigned long long)size);
	snprintf(h.mtime, sizeof(h.mtime), "%011o", 0);
	memcpy(h.magic, "ustar", sizeof(h.magic));
	memcpy(h.version, "00", sizeof(h.version));
	set_sum(&h);
	compress(a, &h, sizeof(h), ZSTD_e_continue);
	a->left = size;
	a->padding = (size_t)((BLOCK - size % BLOCK) % BLOCK);
	return true;
}

void archive_write(struct archive *a, const void *data, size_t n)
{
	a->failed |= n > a->left;
	a->left -= n;
	compress(a, data, n, ZSTD_e_continue);
}

bool archive_end(struct archive *a)
{
	a->failed |= a->left != 0;
	pad(a, a->padding);
	pad(a, 2 * BLOCK);
	compress(a, NULL, 0, ZSTD_e_end);
	return !a->failed;
}
