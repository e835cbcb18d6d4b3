/* SPDX-License-Identifier: BSD-2-Clause */
/* quiet.h: waits until running programs have ended. */
#ifndef NETCOST_QUIET_H
#define NETCOST_QUIET_H

/*
 * Returns when all programs that were running at the call have ended. Each runs in an RCU read-side section, and
 * membarrier waits for all of these. Where the kernel lacks that call (nohz_full), it sleeps for more than long enough.
 */
void quiet_wait(void);

#endif
