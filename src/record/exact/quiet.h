/* SPDX-License-Identifier: BSD-2-Clause */
/* quiet.h: waits for programs that run. */
#ifndef NETCOST_QUIET_H
#define NETCOST_QUIET_H

/*
 * Until no program runs that was called before: each runs in a section of RCU, and this ends after all of these. Where the
 * kernel has no such call (nohz_full) it is by far long enough.
 */
void quiet_wait(void);

#endif
