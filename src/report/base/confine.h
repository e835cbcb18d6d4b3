/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * confine.h: restricts the rights of a process that follows a trace for hours, perhaps as root and for clients on a
 * network.
 */
#ifndef NETCOST_CONFINE_H
#define NETCOST_CONFINE_H

enum confine_keep {
	CONFINE_REMOVES = 1, /* removes files */
	CONFINE_WRITES = 2,  /* opens files for writing */
};

/*
 * After the call, this thread and everything that it starts cannot run programs, open files for writing, create
 * sockets, change folders, gain rights, or trace processes. Such system calls fail with EPERM. keep: the exceptions, as
 * bits of enum confine_keep. Does nothing if the kernel has no seccomp filters, or if the system calls of this
 * processor are not known.
 */
void confine(unsigned int keep);

#endif
