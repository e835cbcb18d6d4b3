/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kretprobes.h: creates kretprobes with the kernel's maximum number of calls in flight (4096). A kretprobe that perf
 * creates allows only about two calls in flight per CPU. If some twenty tasks wait in a receive, such a kretprobe would
 * miss the ends of all other calls. Only tracefs can set the number.
 *
 * Events in tracefs do not end when a descriptor is closed. If the recorder is killed, they stay, disabled. The next
 * recorder removes them.
 */
#ifndef NETCOST_KRETPROBES_H
#define NETCOST_KRETPROBES_H

#include <stdint.h>

struct kretprobes;

/* Returns 0, or -errno if there is no tracefs or no permission. */
int kretprobes_new(struct kretprobes **kp);
/* Removes the events. All perf events must be closed before. k may be NULL. */
void kretprobes_free(struct kretprobes *k);

/* Opens the return of a function, a symbol of kallsyms, as a perf event. Returns a descriptor or -errno. */
int kretprobes_open(struct kretprobes *k, const char *symbol);

/*
 * Stores the number of hits of these kretprobes that the kernel did not handle. Returns -errno if the number is
 * unknown.
 */
int kretprobes_missed(const struct kretprobes *k, uint64_t *missed);

#endif
