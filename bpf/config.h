/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * config.h: what user space fills in before loading: the kernel compiles nothing that it rules out. And how programs
 * read fields of the kernel's objects, which depends on it.
 */
#ifndef NETCOST_CONFIG_H
#define NETCOST_CONFIG_H

#include "kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "wire.h"

#ifndef CONFIG /* the unit tests change it as they go */
#define CONFIG const volatile
#endif

CONFIG bool has_witness;
CONFIG bool counts_messages; /* the bytes of sendmmsg and recvmmsg are counted */
CONFIG bool counts_calls;    /* operations are messages, and have no times */
CONFIG bool hooks_cast;	     /* the kernel has bpf_rdonly_cast() */
CONFIG bool hardirqs;	     /* those of network devices are timed */
CONFIG bool processes;	     /* all that is counted is counted by process, too */
CONFIG __u32
	cgroup_place; /* of processes' cgroups: 0: of version 2; otherwise the controller of version 1, and 1 */
CONFIG __u32 processes_each; /* rows of a CPU in a half: a power of two */
CONFIG __u32 processes_cpus; /* that have rows */
CONFIG __u32 pmu_events;     /* … and these hardware counters: bits */
CONFIG __u32
	owners_every; /* whose packets are received is looked at in one softirq in so many; 0: never */
CONFIG bool full;     /* the stages of the RX softirq, too */
CONFIG bool full_polls;	   /* these by tracepoints */
CONFIG bool polls_witness; /* napi_poll is the witness for kprobes at driver polls */
CONFIG struct netcost_hook hooks[HOOK_COUNT];
CONFIG struct netcost_stage_hook stage_hooks[NETCOST_STAGE_HOOK_SLOTS];
CONFIG __u8 syscalls[NETCOST_SYSCALLS]; /* enum netcost_what of each, by its number here */
CONFIG struct netcost_types types;	/* with hooks_cast */

#ifndef kernel_cast
static void *(*const kernel_cast)(const void *obj, __u32 btf_id) = (void *)NETCOST_CALL_CAST;
#endif

/*
 * The field of an object of which the address is known. Where the verifier can get its type (casts:
 * bpf_rdonly_cast(); Linux 6.2, commit a35b9af4ec2c) this is a load; otherwise a call that takes some 80
 * instructions.
 */
#define FIELD(type, address, field, casts)                                                         \
	((casts) ? ((struct type *)kernel_cast((const void *)(address), types.type))->field :      \
		   BPF_CORE_READ((struct type *)(address), field))

/* The pointer at an address: a struct that begins with one, which every kernel has, is as good as any. */
#define POINTER_AT(address, casts) ((void *)FIELD(list_head, address, next, casts))

/*
 * For each pointer that is read from an object the verifier looks up by name in the kernel's BTF whether it can be
 * trusted, which takes some milliseconds each (6.4 and later). Not if it does not trust the object itself.
 */
#define UNTRUSTED(type, object, casts)                                                             \
	((casts) ? (struct type *)kernel_cast(object, types.type) : (object))

#endif
