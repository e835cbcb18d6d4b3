/* SPDX-License-Identifier: BSD-2-Clause */
/* rows.h: tables with a row for each task, function, piece of time. */
#ifndef NETCOST_TESTS_FUZZ_ROWS_H
#define NETCOST_TESTS_FUZZ_ROWS_H

#include <stdint.h>
#include <stdio.h>

struct classifier;

/* Of the first part of a trace. What rows, and of what part of it, the options say. */
void fuzz_rows(int fd, FILE *out, const struct classifier *classifier, const uint8_t *options);

#endif
