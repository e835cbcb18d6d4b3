/* SPDX-License-Identifier: BSD-2-Clause */
/* by.h: what was counted by process, in pieces of time, drawn and compared. */
#ifndef NETCOST_FUZZ_BY_H
#define NETCOST_FUZZ_BY_H

#include <stdint.h>
#include <stdio.h>

struct classifier;

/* The reports that are about pieces of time and processes, of the first part. options: bytes 4 to 7. */
void fuzz_by(int fd, FILE *out, const struct classifier *classifier, const uint8_t *options);

#endif
