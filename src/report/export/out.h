/* SPDX-License-Identifier: BSD-2-Clause */
/* out.h: what several formats write with: times, clean names, tables of strings, compressed files. */
#ifndef NETCOST_REPORT_OUT_H
#define NETCOST_REPORT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <netcost/idmap.h>

#include "report/model/model.h"

/* CLOCK_REALTIME at a time of the trace, by its first CLOCK: it goes on rising where the clock was set. False: not known. */
bool real_time_ns(const struct model *m, uint64_t at_ns, uint64_t *real_ns);

/* ---- names of a trace, which may hold any bytes, as text that every reader takes --------- */

#define CLEAN_SIZE 1024 /* of a name; what is longer ends there */

/* UTF-8 without control characters: of what is neither, each becomes U+FFFD. Returns dst. */
char *clean_utf8(char *dst, size_t size, const char *s);

/* Texts with numbers, each once: tables of strings, as profiles have them. Number 0 is "". */
struct strings {
	char **text;
	uint32_t *next; /* of the same hash; 0: none */
	size_t n, cap_text, cap_next;
	struct idmap by_hash;
	bool no_memory; /* then all texts are number 0 */
};

void strings_init(struct strings *s);
void strings_free(struct strings *s);
/* The number of a text, made clean. */
uint32_t strings_id(struct strings *s, const char *text);
/* The number of a text as it is; 0: there is none. */
uint32_t strings_find(const struct strings *s, const char *text);
/* Adds a text that is not there. */
uint32_t strings_add(struct strings *s, const char *text);

/* ---- files that are compressed while they are written ---- */

/* What is written to it goes to `to`, compressed; closing it closes that, too. NULL: no memory, and `to` is open. */
FILE *zstd_file(FILE *to);
/* A gzip file without a time or a name in it. Closing it leaves `to` open, which keeps its errors. NULL: no memory. */
FILE *gzip_file(FILE *to);

#endif
