/* SPDX-License-Identifier: BSD-2-Clause */
/* helper.h: starts a process that serves the recorder through a socket and ends when the recorder ends. */
#ifndef NETCOST_HELPER_H
#define NETCOST_HELPER_H

/*
 * Starts a process that calls serve() with one end of a SOCK_SEQPACKET socket, and ends when serve() returns. Signals
 * are blocked in this process, because the process is to end only when the recorder closes the other end. Returns the
 * other end or -errno.
 */
int helper_start(void (*serve)(int socket, const void *arg), const void *arg);

#endif
