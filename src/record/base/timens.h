/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timens.h: time namespaces. BPF programs and perf's records use the kernel's own CLOCK_MONOTONIC;
 * clock_gettime(2) differs from it by the offset of the caller's time namespace.
 */
#ifndef NETCOST_TIMENS_H
#define NETCOST_TIMENS_H

#include <stddef.h>

#define TIMENS_WHY 320

/* 0: this process's clocks are the kernel's. -ENOTSUP: they are not, or that is unknown; sets why. proc: /proc/self */
int timens_check(const char *proc, char *why, size_t size);

#endif
