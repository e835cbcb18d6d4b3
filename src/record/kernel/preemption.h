/* SPDX-License-Identifier: BSD-2-Clause */
/* preemption.h: finds out whether the kernel may switch tasks within kernel code. */
#ifndef NETCOST_PREEMPTION_H
#define NETCOST_PREEMPTION_H

#include <stddef.h>

/*
 * Stores the build option in dst: PREEMPT_DYNAMIC if preemption is chosen at boot, PREEMPT_RT …, or "" if the kernel is
 * not preemptible. Returns dst.
 */
const char *preemption_built(char *dst, size_t size);
/* Opens the file of the mode chosen with PREEMPT_DYNAMIC, which needs CAP_SYS_ADMIN. Returns a descriptor or -errno. */
int preemption_open(void);
/*
 * Stores the mode chosen with PREEMPT_DYNAMIC in dst: none, voluntary, full or lazy. fd: the file, which this function
 * closes, or the -errno of opening the file. Stores "" and returns -errno if the file cannot be read.
 */
int preemption_chosen(int fd, char *dst, size_t size);

#endif
