/* SPDX-License-Identifier: BSD-2-Clause */
/* exports.h: exports a trace to other formats. */
#ifndef NETCOST_FUZZ_EXPORTS_H
#define NETCOST_FUZZ_EXPORTS_H

#include <stdint.h>
#include <stdio.h>

struct classifier;

/* Exports the first part. options: bytes 0, 3 and 5 select the format and its options. */
void fuzz_exports(int fd, FILE *out, const struct classifier *classifier, const uint8_t *options);

#endif
