/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timens.h: time namespaces. The kernel tells programs of BPF, and perf's records, its own CLOCK_MONOTONIC; what
 * clock_gettime(2) says is ahead of that by what the caller's time namespace was given.
 */
#ifndef NETCOST_TIMENS_H
#define NETCOST_TIMENS_H

#include <stddef.h>

#define TIMENS_WHY 320

/* 0: this process's clocks are the kernel's. -ENOTSUP: they are not, or nobody can tell; why. proc: /proc/self */
int timens_check(const char *proc, char *why, size_t size);

#endif
