/* SPDX-License-Identifier: BSD-2-Clause */
/* syscall_filter.h: allows a process only the system calls that it needs, by libseccomp. */
#ifndef NETCOST_SYSCALL_FILTER_H
#define NETCOST_SYSCALL_FILTER_H

/* Limits this process and all processes that it starts later. who: as for privileges_keep(). */
void syscall_filter_load(unsigned int who);
/* Returns a text for the user that describes the filter, or says that system calls are not restricted. */
const char *syscall_filter_text(void);

#endif
