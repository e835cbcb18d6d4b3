// SPDX-License-Identifier: BSD-2-Clause
#include "gzip.h"

#define GZIP 16 /* beside the size of the window: what zlib writes is a gzip file */

void gzip_begin(struct gzip *z, FILE *out)
{
	*z = (struct gzip){ .out = out };
	z->failed = deflateInit2(&z->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP,
				 MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK;
}

static void run(struct gzip *z, int flush)
{
	unsigned char buffer[1 << 14];

	do {
		z->stream.next_out = buffer;
		z->stream.avail_out = sizeof(buffer);
		deflate(&z->stream, flush);
		fwrite(buffer, 1, sizeof(buffer) - z->stream.avail_out, z->out);
	} while (!z->stream.avail_out);
}

void gzip_write(struct gzip *z, const void *data, size_t n)
{
	if (z->failed || !n)
		return;
	z->stream.next_in = (unsigned char *)data;
	z->stream.avail_in = (unsigned int)n;
	run(z, Z_NO_FLUSH);
}

bool gzip_end(struct gzip *z)
{
	if (z->failed)
		return false;
	run(z, Z_FINISH);
	deflateEnd(&z->stream);
	return true;
}
