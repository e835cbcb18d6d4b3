/* SPDX-License-Identifier: BSD-2-Clause */
/* gzip.h: a file of gzip, written front to back; without a time or a name in it. */
#ifndef NETCOST_REPORT_GZIP_H
#define NETCOST_REPORT_GZIP_H

#include <stdbool.h>
#include <stdio.h>

#include <zlib.h>

struct gzip {
	z_stream stream;
	FILE *out;
	bool failed; /* no memory; errors of out stay with out */
};

/* Ends with gzip_end(), in any case. */
void gzip_begin(struct gzip *z, FILE *out);
void gzip_write(struct gzip *z, const void *data, size_t n);
/* False: no memory. */
bool gzip_end(struct gzip *z);

#endif
