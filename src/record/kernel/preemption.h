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
/*
 * Stores the mode chosen with PREEMPT_DYNAMIC in dst: none, voluntary, full or lazy. Stores "" and returns -errno if it
 * cannot be read.
 */
int preemption_chosen(char *dst, size_t size);

#endif
