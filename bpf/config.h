/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * config.h: constants, and accessors for kernel objects that depend on these constants. User space sets the constants
 * before it loads the programs, so that the verifier removes disabled code.
 */
#ifndef NETCOST_CONFIG_H
#define NETCOST_CONFIG_H

#include "kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "wire.h"

#ifndef CONFIG /* the unit tests define CONFIG themselves and change these values at run time */
#define CONFIG const volatile
#endif

CONFIG bool has_witness;
CONFIG bool counts_messages; /* the bytes of sendmmsg and recvmmsg are counted */
/* each message counts as one operation, and operations are not timed */
CONFIG bool counts_calls;
CONFIG bool hooks_cast; /* the kernel has bpf_rdonly_cast() */
CONFIG bool hardirqs;	/* interrupts of network devices are timed */
CONFIG bool processes;	/* all counters are also kept per process */
/* selects the cgroup of a process: 0 for cgroup v2, otherwise 1 + the index of a v1 controller */
CONFIG __u32 cgroup_place;
CONFIG __u32 processes_each; /* number of rows per CPU in each half; a power of two */
CONFIG __u32 processes_cpus; /* number of CPUs for which rows are allocated */
CONFIG __u32 pmu_events;     /* bit mask of the hardware counters to read per process */
/* packet receivers are observed in 1 of owners_every softirqs; 0: never */
CONFIG __u32 owners_every;
CONFIG bool full;	   /* the stages of the RX softirq are timed */
CONFIG bool full_polls;	   /* tracepoints time the stages */
CONFIG bool polls_witness; /* napi_poll is the witness for kprobes on driver polls */
CONFIG struct netcost_hook hooks[HOOK_COUNT];
CONFIG struct netcost_stage_hook stage_hooks[NETCOST_STAGE_HOOK_SLOTS];
/* enum netcost_what of each system call, by its number on this architecture */
CONFIG __u8 syscalls[NETCOST_SYSCALLS];
CONFIG struct netcost_types types; /* valid only if hooks_cast is set */

#ifndef kernel_cast
static void *(*const kernel_cast)(const void *obj, __u32 btf_id) = (void *)NETCOST_CALL_CAST;
#endif

/*
 * Reads a field of the kernel object at an address. `casts` is true if the verifier can learn the object's type
 * (bpf_rdonly_cast(), Linux 6.2, commit a35b9af4ec2c). In that case the access is a load. Otherwise the access is a
 * helper call of about 80 instructions.
 */
#define FIELD(type, address, field, casts)                                                         \
	((casts) ? ((struct type *)kernel_cast((const void *)(address), types.type))->field :      \
		   BPF_CORE_READ((struct type *)(address), field))

/*
 * Reads the pointer at an address. The cast needs a struct that begins with a pointer: struct list_head, which every
 * kernel has.
 */
#define POINTER_AT(address, casts) ((void *)FIELD(list_head, address, next, casts))

/*
 * Makes the verifier treat an object as untrusted. Programs also read pointers from objects. If the object is trusted,
 * the verifier of Linux 6.4 and later looks up in the kernel's BTF, by name, whether the pointer can be trusted. Each
 * lookup takes some milliseconds.
 */
#define UNTRUSTED(type, object, casts)                                                             \
	((casts) ? (struct type *)kernel_cast(object, types.type) : (object))

#endif
