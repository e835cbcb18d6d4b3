// SPDX-License-Identifier: BSD-2-Clause
#include "tests/fuzz/input.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h> /* for ZSTD_compress2 */

#include "format/layout.h"

#define END_OF_FRAME 0xc1
#define MOST (1u << 20) /* largest size of a frame in bytes */

enum {
	MISSING = 7,
	SAYS = 8,
	PART = 16,
};

/* ---- frames ------------------------------------------------------------------------------ */

void input_file(int fd, const uint8_t *data, size_t n)
{
	if (write(fd, data, n) != (ssize_t)n)
		abort();
}

/* Writes a frame. Returns its size. */
static size_t put_frame(int fd, const uint8_t *head, size_t nhead, const uint8_t *data, size_t n)
{
	static uint8_t raw[MOST + 64], packed[ZSTD_COMPRESSBOUND(MOST + 64)];
	static ZSTD_CCtx *ctx;
	size_t size;

	if (n > MOST)
		return 0;
	if (!ctx) {
		ctx = ZSTD_createCCtx();
		ZSTD_CCtx_setParameter(ctx, ZSTD_c_checksumFlag, 1);
		ZSTD_CCtx_setParameter(ctx, ZSTD_c_compressionLevel, -10);
	}
	memcpy(raw, head, nhead);
	if (n)
		memcpy(raw + nhead, data, n);
	size = ZSTD_compress2(ctx, packed, sizeof(packed), raw, nhead + n);
	input_file(fd, packed, size);
	return size;
}

/* ---- payload ----------------------------------------------------------------------------- */

static void begin_part(int fd)
{
	static const uint8_t magic[] = "\x5c\x2a\x4d\x18\x08\0\0\0netcost\x01";
	/* [HEADER, {major: 1, minor: 0, cpus: [0, 1], sample_hz: 999}] */
	static const uint8_t header[] = { 0x92, 1, 0x84, 1,  1,	   2, 0,   8,
					  0x92, 0, 1,	 10, 0xcd, 3, 0xe7 };

	input_file(fd, magic, sizeof(magic) - 1);
	put_frame(fd, header, sizeof(header), NULL, 0);
}

static void put_data_frame(int fd, unsigned int seq, const uint8_t *says, const uint8_t *data,
			   size_t n)
{
	/* [FRAME, {seq: , first_ns: , last_ns: , lost: [ , ]}], or only its first members */
	uint8_t frame[] = { 0x92,
			    2,
			    0x81,
			    1,
			    0xcd,
			    (uint8_t)(seq >> 8),
			    (uint8_t)seq,
			    2,
			    0xcd,
			    0,
			    0,
			    3,
			    0xcd,
			    0,
			    0,
			    4,
			    0x92,
			    0xcc,
			    0,
			    0xcc,
			    0 };

	if (says) {
		frame[2] = 0x84;
		frame[9] = says[0];
		frame[13] = says[1];
		frame[18] = says[2];
		frame[20] = says[3];
	}
	put_frame(fd, frame, says ? sizeof(frame) : 7, data, n);
}

void input_payload(int fd, const uint8_t *data, size_t n)
{
	const uint8_t *end = data + n, *says = NULL, *p;
	unsigned int seq = 1;

	begin_part(fd);
	for (data += n < OPTION_BYTES ? n : OPTION_BYTES;;) {
		uint8_t next;

		p = data < end ? memchr(data, END_OF_FRAME, (size_t)(end - data)) : NULL;
		put_data_frame(fd, seq, says, data, (size_t)((p ? p : end) - data));
		if (!p || end - p < 2)
			break;
		next = p[1];
		data = p + 2;
		if (next & PART) {
			begin_part(fd);
			seq = 0;
		}
		seq += 1 + (next & MISSING);
		says = next & SAYS && end - data >= 4 ? data : NULL;
		data += says ? 4 : 0;
	}
}

/* ---- another end ------------------------------------------------------------------------- */

/* Corrects the seek table, because a reader compares it first. */
static void put_other_end(int fd, uint8_t *file, size_t table, size_t size, const uint8_t *options)
{
	static uint8_t content[MOST];
	uint8_t *entry = file + size - SEEK_FOOTER_SIZE - SEEK_ENTRY_SIZE;
	size_t end = table - le32(entry);
	size_t n = ZSTD_decompress(content, sizeof(content), file + end, table - end), packed;

	if (ZSTD_isError(n))
		abort();
	content[(options[0] | (size_t)options[1] << 8) % n] ^= options[2];
	input_file(fd, file, end);
	packed = put_frame(fd, content, 0, content, n);
	put_le32(put_le32(entry, (uint32_t)packed), (uint32_t)n);
	input_file(fd, file + table, size - table);
}

void input_with_other_end(int from, int to, const uint8_t *options)
{
	struct stat st;
	uint8_t *file;
	size_t size;

	if (fstat(from, &st))
		abort();
	size = (size_t)st.st_size;
	file = malloc(size);
	if (!file || pread(from, file, size, 0) != (ssize_t)size)
		abort();
	put_other_end(to, file,
		      size - le32(file + size - SEEK_FOOTER_SIZE) * SEEK_ENTRY_SIZE -
			      SEEK_FOOTER_SIZE - 8,
		      size, options);
	free(file);
}
