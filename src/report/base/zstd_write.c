// SPDX-License-Identifier: BSD-2-Clause
#include "zstd_write.h"

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
