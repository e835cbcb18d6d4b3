/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpf_shim.h: compiles bpf/recorder.h into a user-space program. Include this file before all other headers, because
 * the kernel types define bool themselves. Each file that includes it has its own copy of the functions, but the
 * variables are shared. recorder_machine.c defines the functions shim_*.
 */
#ifndef NETCOST_TESTS_BPF_SHIM_H
#define NETCOST_TESTS_BPF_SHIM_H

/*
 * Include guards of libbpf's headers. recorder.h includes these headers, and this file defines what recorder.h uses of
 * them.
 */
#define __BPF_CORE_READ_H__
#define __BPF_HELPERS__

/* The symbols are weak, so that a test has one copy of each, even if several of its files include this header. */
#define SEC(name) __attribute__((weak))
#define __uint(name, val) int(*name)[val]
#define __type(name, val) __typeof__(val) *name
#define __always_inline inline __attribute__((always_inline, unused))

#define __noinline __attribute__((noinline, unused))

#define __TARGET_ARCH_x86

struct task_struct;
struct netcost_cpu;
struct netcost_parked;

/* Is called wherever an interrupt may occur: at barriers and around the helpers that take time. */
void shim_point(void);
unsigned long long shim_ktime(void);
unsigned int shim_cpu_id(void);
unsigned int shim_random(void);
struct netcost_cpu *shim_cpu(unsigned int cpu);
struct task_struct *shim_current(void);
/* Returns the storage of a task in `parked`, or NULL if it is absent or cannot be created. */
struct netcost_parked *shim_storage(struct task_struct *task, _Bool create);

#define barrier() shim_point()
#define bpf_ktime_get_ns() shim_ktime()
#define bpf_get_smp_processor_id() shim_cpu_id()
#define bpf_map_lookup_elem(map, key) shim_cpu(*(key))
#define bpf_get_prandom_u32() shim_random()
#define bpf_get_current_task_btf() shim_current()
#define bpf_get_current_pid_tgid() ((__u64)shim_current()->pid)
#define bpf_task_storage_get(map, task, value, flags)                                              \
	((void)(value), shim_storage(task, (flags) == BPF_LOCAL_STORAGE_GET_F_CREATE))
#define kernel_cast(address, type) ((void *)(address))
#define BPF_CORE_READ_BITFIELD_PROBED(src, field) ((src)->field)
#define bpf_probe_read_kernel(dst, size, src) __builtin_memcpy(dst, src, size)

#define BPF_CORE_READ(src, ...)                                                                    \
	SHIM_READ(__VA_ARGS__, SHIM_READ3, SHIM_READ2, SHIM_READ1)(src, __VA_ARGS__)
#define SHIM_READ(a, b, c, name, ...) name
#define SHIM_READ1(src, a) ((src)->a)
#define SHIM_READ2(src, a, b) ((src)->a->b)
#define SHIM_READ3(src, a, b, c) ((src)->a->b->c)

/*
 * Clang supports the attribute preserve_access_index only for BPF, but accepts the pragma that sets it. An annotation
 * replaces the attribute.
 */
#define preserve_access_index annotate("preserve_access_index")

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#define NETCOST_SLOTS 4 /* fewer slots than tasks */
#include "bpf/wire.h"

/* Returns a row of a process. recorder_machine.c defines it. */
struct netcost_process *shim_process_row(unsigned int index);
#define PROCESS_ROW(index) shim_process_row(index)
#define process_takes_one() 1

/* Reads a hardware counter. Returns 0, or a negative error if the counter cannot be read. */
struct bpf_perf_event_value;
int shim_pmu(unsigned int index, struct bpf_perf_event_value *value);
#define PMU_READ(index, value) shim_pmu(index, value)

/* Returns a row that counts received packets by process or by another disposition. */
struct netcost_owned *shim_owned_row(unsigned int index);
struct netcost_flow *shim_flow(unsigned int place);
#define flow_at(place) shim_flow(place)
#define OWNED_ROW(index) shim_owned_row(index)

extern struct netcost_selftest selftest __attribute__((weak));
extern struct netcost_slot slots[NETCOST_SLOTS] __attribute__((weak));

/*
 * The recorder sets the configuration before it loads the programs. Here the test sets it. The variables are weak, like
 * the symbols above.
 */
#define CONFIG __attribute__((weak))
#include "bpf/recorder.h"
#pragma GCC diagnostic pop

#endif
