/* SPDX-License-Identifier: BSD-2-Clause */
/* zstd_write.h: a stream of zstd's into a file. */
#ifndef NETCOST_REPORT_ZSTD_WRITE_H
#define NETCOST_REPORT_ZSTD_WRITE_H

#include <stdbool.h>
#include <stdio.h>

#include <zstd.h> /* ZSTD_CCtx, ZSTD_EndDirective */

/* how: ZSTD_e_continue, or ZSTD_e_end for the end of the frame. False: it could not be compressed, or not be written. */
bool zstd_write(ZSTD_CCtx *ctx, FILE *to, const void *data, size_t n, ZSTD_EndDirective how);

#endif
