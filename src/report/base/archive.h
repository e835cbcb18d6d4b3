/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * archive.h: a .tar.zst file, written front to back.
 *
 * Its own writer, as a header of ustar is 512 bytes of which we need a few, and zstd is here already: libarchive would be
 * one more library that every build of the report needs, and tar(1) one more program on every host, for a hundred lines.
 * Files have no time and belong to no one: that is private, and the same files give the same bytes.
 */
#ifndef NETCOST_REPORT_ARCHIVE_H
#define NETCOST_REPORT_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <zstd.h> /* ZSTD_CCtx, ZSTD_EndDirective */

/* A stream of zstd's. how: ZSTD_e_continue, or ZSTD_e_end for the end of the frame. False: it could not be compressed, or not be written. */
bool zstd_write(ZSTD_CCtx *ctx, FILE *to, const void *data, size_t n, ZSTD_EndDirective how);

struct archive;

/* NULL: no memory. Errors of out stay with out. */
struct archive *archive_new(FILE *out);
void archive_free(struct archive *a); /* takes NULL */

/* Begins a file of that size, below 8 GiB: that much is then to be written. name: below 100 bytes. False: it is larger. */
bool archive_file(struct archive *a, const char *name, uint64_t size);
void archive_write(struct archive *a, const void *data, size_t n);

/* False: it could not be compressed, or what was written is not what was begun. */
bool archive_end(struct archive *a);

#endif
