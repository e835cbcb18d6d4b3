/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timens.h: checks the time namespace. BPF programs and perf's records use the kernel's own CLOCK_MONOTONIC.
 * clock_gettime(2) adds the offset of the caller's time namespace to this clock.
 */
#ifndef NETCOST_TIMENS_H
#define NETCOST_TIMENS_H

#include <stddef.h>

#define TIMENS_WHY 320

/*
 * Returns 0 if the clocks of this process are the kernel's clocks. Otherwise, or if this is unknown, returns -ENOTSUP
 * and sets why. proc: /proc/self
 */
int timens_check(const char *proc, char *why, size_t size);

#endif
