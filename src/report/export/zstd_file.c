// SPDX-License-Identifier: BSD-2-Clause
#include "zstd_file.h"

#include <stdlib.h>

#include "report/base/archive.h"

struct zstd_out {
	FILE *to;
	ZSTD_CCtx *ctx;
};

static ssize_t write_some(void *ctx, const char *data, size_t n)
{
	struct zstd_out *z = ctx;

	return zstd_write(z->ctx, z->to, data, n, ZSTD_e_continue) ? (ssize_t)n : 0;
}

static int end(void *ctx)
{
	struct zstd_out *z = ctx;
	bool ok = zstd_write(z->ctx, z->to, NULL, 0, ZSTD_e_end);
	int err = fclose(z->to);

	ZSTD_freeCCtx(z->ctx);
	free(z);
	return ok && !err ? 0 : EOF;
}

FILE *zstd_file(FILE *to)
{
	struct zstd_out *z = calloc(1, sizeof(*z));
	FILE *out = NULL;

	if (z) {
		*z = (struct zstd_out){ .to = to, .ctx = ZSTD_createCCtx() };
		if (z->ctx)
			out = fopencookie(z, "w",
					  (cookie_io_functions_t){ .write = write_some,
								   .close = end });
		if (!out) {
			ZSTD_freeCCtx(z->ctx);
			free(z);
		}
	}
	return out;
}
