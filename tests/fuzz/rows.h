/* SPDX-License-Identifier: BSD-2-Clause */
/* rows.h: tables with a row for each task, function, or interval. */
#ifndef NETCOST_TESTS_FUZZ_ROWS_H
#define NETCOST_TESTS_FUZZ_ROWS_H

#include <stdint.h>
#include <stdio.h>

struct classifier;

/* Reports on the first part of a trace. The options select the rows and the part of the time. */
void fuzz_rows(int fd, FILE *out, const struct classifier *classifier, const uint8_t *options);

#endif
