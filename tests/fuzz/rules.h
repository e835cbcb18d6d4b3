/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef NETCOST_TESTS_FUZZ_RULES_H
#define NETCOST_TESTS_FUZZ_RULES_H

void fuzz_rules(int fd);

#endif
