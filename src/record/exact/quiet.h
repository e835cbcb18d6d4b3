/* SPDX-License-Identifier: BSD-2-Clause */
/* quiet.h: waits until running programs have ended. */
#ifndef NETCOST_QUIET_H
#define NETCOST_QUIET_H

/*
 * Waits until all programs that ran at the time of the call have ended. Each program runs in an RCU read-side section,
 * and membarrier waits for all of these sections. If the kernel does not offer membarrier (nohz_full), the function
 * sleeps longer than any program runs.
 */
void quiet_wait(void);

#endif
