/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kretprobes.h: kretprobes for as many calls in flight as the kernel can have (4096). Those that
 * perf makes are for twice as many as there are CPUs, or fewer: with some twenty tasks that wait in
 * a receive, the ends of all others would be missed. Only tracefs has a way to say how many.
 *
 * What is made there does not end with a descriptor: it stays, turned off, if the recorder is
 * killed. The next one removes it.
 */
#ifndef NETCOST_KRETPROBES_H
#define NETCOST_KRETPROBES_H

#include <stdint.h>

struct kretprobes;

/* 0, or -errno: no tracefs, or no right to use it. */
int kretprobes_new(struct kretprobes **kp);
/* All perf events must be closed before. Takes NULL. */
void kretprobes_free(struct kretprobes *k);

/* The return of a function, a symbol of kallsyms, as a perf event: its descriptor, or -errno. */
int kretprobes_open(struct kretprobes *k, const char *symbol);

/* How often one of ours was hit and not handled. -errno: not known. */
int kretprobes_missed(const struct kretprobes *k, uint64_t *missed);

#endif
