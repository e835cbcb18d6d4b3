/* SPDX-License-Identifier: BSD-2-Clause */
/* layout.h: the bytes of a trace file outside of its zstd frames. See SPEC.md, "The file". */
#ifndef NETCOST_LAYOUT_H
#define NETCOST_LAYOUT_H

#include <stdint.h>

#define ZSTD_FRAME_MAGIC 0xfd2fb528u
#define SKIPPABLE_MAGIC 0x184d2a50u /* the first of 16 magics, up to 0x184d2a5f */
#define SKIPPABLE_MASK 0xfffffff0u

/* Size of the skippable zstd frame at the start of each part. The last byte of the frame is the major version. */
#define MAGIC_FRAME_SIZE 16
#define MAGIC_FRAME "\x5c\x2a\x4d\x18\x08\0\0\0netcost\x01"
#define MAGIC_MAJOR 15 /* offset of the version in the magic */

/* The seek table of zstd's seekable format, which is a skippable frame at the end of the file. */
#define SEEK_TABLE_MAGIC 0x184d2a5eu
#define SEEK_FOOTER_MAGIC 0x8f92eab1u
#define SEEK_ENTRY_SIZE 8
#define SEEK_FOOTER_SIZE 9

static inline uint32_t le32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint8_t *put_le32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		*p++ = (uint8_t)(v >> 8 * i);
	return p;
}

#endif
