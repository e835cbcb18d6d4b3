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
 * Programs name kernel structs for the verifier by their ids in the kernel's BTF, by a call of this
 * number. src/record/kernel/tracing.c turns it into a call of bpf_rdonly_cast(). If the programs
 * declared that function, libbpf would parse the whole kernel BTF for it.
 */
#define NETCOST_CALL_CAST 0x63617374ul

#endif
