/* SPDX-License-Identifier: BSD-2-Clause */
/* preemption.h: whether the kernel may switch tasks within its own code. */
#ifndef NETCOST_PREEMPTION_H
#define NETCOST_PREEMPTION_H

#include <stddef.h>

/* The build option: PREEMPT_DYNAMIC: chosen at boot; PREEMPT_RT …; "": not preemptible. Returns dst. */
const char *preemption_built(char *dst, size_t size);
/* PREEMPT_DYNAMIC: none, voluntary, full, lazy. -errno, and "": unreadable. */
int preemption_chosen(char *dst, size_t size);

#endif
