/* SPDX-License-Identifier: BSD-2-Clause */
/* verified.h: the verdict of `netcost-report verify` on a file, for tests that have no CUnit. */
#ifndef NETCOST_TESTS_VERIFIED_H
#define NETCOST_TESTS_VERIFIED_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the file consists of complete traces that follow every rule, including hints. Otherwise why has the error. */
bool verified(int fd, char *why, size_t size);

#endif
