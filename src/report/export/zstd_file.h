/* SPDX-License-Identifier: BSD-2-Clause */
/* zstd_file.h: a file that is compressed while it is written. */
#ifndef NETCOST_REPORT_ZSTD_FILE_H
#define NETCOST_REPORT_ZSTD_FILE_H

#include <stdio.h>

/* What is written to it goes to `to`, compressed; closing it closes that, too. NULL: no memory, and `to` is open. */
FILE *zstd_file(FILE *to);

#endif
