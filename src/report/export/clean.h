/* SPDX-License-Identifier: BSD-2-Clause */
/* clean.h: names of a trace, which may hold anything, as text that no format's reader trips over. */
#ifndef NETCOST_REPORT_CLEAN_H
#define NETCOST_REPORT_CLEAN_H

#include <stddef.h>

#define CLEAN_SIZE 1024 /* of a name; what is longer ends there */

/* UTF-8 without control characters: of what is neither, each becomes U+FFFD. Returns dst. */
char *clean_utf8(char *dst, size_t size, const char *s);

/* For arguments: the buffer lives as long as the block around it. */
#define CLEAN(s) clean_utf8((char[CLEAN_SIZE]){ 0 }, CLEAN_SIZE, s)

#endif
