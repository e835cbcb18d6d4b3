/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* types.h: __u64 and its like, for what programs and the recorder share. */
#ifndef NETCOST_TYPES_H
#define NETCOST_TYPES_H

#ifdef __bpf__
#include "kernel_types.h"
#else
#include <linux/types.h>
#endif

/*
 * The kernel's structs that programs name for the verifier, each by its id in the kernel's BTF: by a call of this
 * number, which src/record/kernel/tracing.c turns into one of bpf_rdonly_cast(). If it were declared as such, libbpf
 * would parse the whole of that BTF for it.
 */
#define NETCOST_CALL_CAST 0x63617374ul

#endif
