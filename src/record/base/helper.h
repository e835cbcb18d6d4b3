/* SPDX-License-Identifier: BSD-2-Clause */
/* helper.h: starts a process that serves the recorder through a socket, and ends with it. */
#ifndef NETCOST_HELPER_H
#define NETCOST_HELPER_H

/*
 * Starts a process that calls serve() with its end of a SOCK_SEQPACKET socket and ends when that returns. No signal
 * reaches it: it ends when the recorder has closed its own end. Returns that end or -errno.
 */
int helper_start(void (*serve)(int socket, const void *arg), const void *arg);

#endif
