/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* types.h: __u64 and similar types, for memory that programs and the recorder share. */
#ifndef NETCOST_TYPES_H
#define NETCOST_TYPES_H

#ifdef __bpf__
#include "kernel_types.h"
#else
#include <linux/types.h>
#endif

/*
 * Number of the call by which programs tell the verifier the type of a kernel struct; the type is an id in the kernel's
 * BTF. src/record/kernel/tracing.c turns the call into a call of bpf_rdonly_cast(). If the programs declared that
 * function, libbpf would parse the whole kernel BTF for it.
 */
#define NETCOST_CALL_CAST 0x63617374ul

#endif
