/* SPDX-License-Identifier: BSD-2-Clause */
/* ab.h: what recording costs a process (--ab): alternates recording and not recording, and compares both. */
#ifndef NETCOST_AB_H
#define NETCOST_AB_H

struct config;

/*
 * Measures the process of cfg->pid, or cfg->command, and prints the comparison on stderr. record: makes one recording
 * until SIGTERM, writes a byte to cfg->begun_fd when it has begun, and returns an exit status; it runs in a process of
 * its own. Returns the exit status of the program.
 */
int ab_run(const struct config *cfg, int (*record)(const struct config *cfg));

#endif
