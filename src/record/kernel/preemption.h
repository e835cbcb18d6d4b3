/* SPDX-License-Identifier: BSD-2-Clause */
/* preemption.h: may the kernel switch tasks in the middle of its own code? */
#ifndef NETCOST_PREEMPTION_H
#define NETCOST_PREEMPTION_H

#include <stddef.h>

/* How it was built: PREEMPT_DYNAMIC: that is chosen when it starts; PREEMPT_RT …; "": it may not. Returns dst. */
const char *preemption_built(char *dst, size_t size);
/* PREEMPT_DYNAMIC: none, voluntary, full, lazy. -errno, and "": it cannot be read. */
int preemption_chosen(char *dst, size_t size);

#endif
