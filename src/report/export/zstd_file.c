// SPDX-License-Identifier: BSD-2-Clause
#include "zstd_file.h"

#include <stdlib.h>
#include <zstd.h>

struct zstd_out {
	FILE *to;
	ZSTD_CCtx *ctx;
};

/* What is left in the end; 0: all was written. */
static size_t run(struct zstd_out *z, const char *data, size_t n, ZSTD_EndDirective how)
{
	char buffer[1 << 14];
	ZSTD_inBuffer in = { .src = data, .size = n };
	size_t left;

	do {
		ZSTD_outBuffer out = { .dst = buffer, .size = sizeof(buffer) };

		left = ZSTD_compressStream2(z->ctx, &out, &in, how);
		if (ZSTD_isError(left) || fwrite(buffer, 1, out.pos, z->to) != out.pos)
			return 1;
	} while (in.pos < in.size || (how == ZSTD_e_end && left));
	return 0;
}

static ssize_t write_some(void *ctx, const char *data, size_t n)
{
	return run(ctx, data, n, ZSTD_e_continue) ? 0 : (ssize_t)n;
}

static int end(void *ctx)
{
	struct zstd_out *z = ctx;
	size_t left = run(z, NULL, 0, ZSTD_e_end);
	int err = fclose(z->to);

	ZSTD_freeCCtx(z->ctx);
	free(z);
	return left || err ? EOF : 0;
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
