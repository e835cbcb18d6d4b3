/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* types.h: __u64 and its like, for what programs and the recorder share. */
#ifndef NETCOST_TYPES_H
#define NETCOST_TYPES_H

#ifdef __bpf__
#include "kernel_types.h"
#else
#include <linux/types.h>
#endif

#endif
