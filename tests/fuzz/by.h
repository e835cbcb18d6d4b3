/* SPDX-License-Identifier: BSD-2-Clause */
/* by.h: draws and compares counters by process in intervals of time. */
#ifndef NETCOST_FUZZ_BY_H
#define NETCOST_FUZZ_BY_H

#include <stdint.h>
#include <stdio.h>

struct classifier;

/*
 * Runs the reports about intervals and processes on the first part. options: bytes 4 to 7 select
 * them.
 */
void fuzz_by(int fd, FILE *out, const struct classifier *classifier, const uint8_t *options);

#endif
