/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kretprobes.h: kretprobes with the kernel's maximum number of calls in flight (4096). Those that
 * perf creates allow twice the number of CPUs, or fewer: with some twenty tasks waiting in a
 * receive, the ends of all others would be missed. Only tracefs can set the number.
 *
 * Events in tracefs do not end with a descriptor: they stay, disabled, if the recorder is killed.
 * The next recorder removes them.
 */
#ifndef NETCOST_KRETPROBES_H
#define NETCOST_KRETPROBES_H

#include <stdint.h>

struct kretprobes;

/* 0, or -errno: no tracefs, or no permission. */
int kretprobes_new(struct kretprobes **kp);
/* All perf events must be closed before. NULL is allowed. */
void kretprobes_free(struct kretprobes *k);

/* Opens the return of a function, a symbol of kallsyms, as a perf event. Returns its descriptor, or -errno. */
int kretprobes_open(struct kretprobes *k, const char *symbol);

/* Number of hits of our kretprobes that were not handled. -errno: unknown. */
int kretprobes_missed(const struct kretprobes *k, uint64_t *missed);

#endif
