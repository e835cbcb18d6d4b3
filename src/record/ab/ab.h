/* SPDX-License-Identifier: BSD-2-Clause */
/* ab.h: what recording costs a process (--ab): alternates recording and not recording, and compares both. */
#ifndef NETCOST_AB_H
#define NETCOST_AB_H

struct config;

/*
 * Measures the process of cfg->pid, or cfg->command, and prints the comparison on stderr. record() is called in a child
 * process: it makes one recording until SIGTERM, writes a byte to cfg->begun_fd when the recording has begun, and
 * returns an exit status. ab_run() returns the exit status of the program.
 */
int ab_run(const struct config *cfg, int (*record)(const struct config *cfg));

#endif
