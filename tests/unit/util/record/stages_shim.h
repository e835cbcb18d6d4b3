/* SPDX-License-Identifier: BSD-2-Clause */
/* stages_shim.h: bpf/stages.bpf.c as part of a user-space program, as latency_shim.h has latency.bpf.c. */
#ifndef NETCOST_TESTS_STAGES_SHIM_H
#define NETCOST_TESTS_STAGES_SHIM_H

#include <stddef.h>

/* The guards of libbpf's headers: what the programs use of them is here. */
#define __BPF_CORE_READ_H__
#define __BPF_HELPERS__
#define __BPF_TRACING_H__
#define SEC(name)
#define BPF_PROG(name, args...) name(args)
#define __uint(name, val) int(*name)[val]
#define __type(name, val) __typeof__(val) *name
#define __always_inline inline __attribute__((always_inline, unused))
#define __TARGET_ARCH_x86
#define preserve_access_index annotate("preserve_access_index")
#define barrier() __asm__ volatile("" ::: "memory")
#define CONFIG static
#define bpf_ktime_get_ns() (++shim_now)
#define bpf_get_smp_processor_id() shim_cpu
#define bpf_map_lookup_elem(map, key) ((void)(key), &shim_state)
#define bpf_sk_storage_get(map, sk, value, flags) ((void)(map), (void)(sk), &shim_next)
#define bpf_ringbuf_reserve(map, size, flags) ((void)(map), shim_reserve())
#define bpf_ringbuf_submit(event, flags) shim_submit()
#define bpf_probe_read_kernel(dst, size, src) shim_read(dst, size, src)
#define bpf_get_func_arg(ctx, n, value) shim_read(value, sizeof(*(value)), &(ctx)[n])
#define BPF_CORE_READ_BITFIELD_PROBED(s, field) ((s)->field)
#define BPF_CORE_READ_BITFIELD(s, field) ((s)->field)
#define READ_1(p, a) ((p)->a)
#define READ_2(p, a, b) ((p)->a ? (p)->a->b : 0)
#define READ_3(p, a, b, c) ((p)->a ? (p)->a->b->c : 0)
#define READ_OF(a, b, c, name, ...) name
#define bpf_probe_read_kernel_str(dst, size, src) snprintf(dst, size, "%s", (const char *)(src))
#define BPF_CORE_READ(src, ...) READ_OF(__VA_ARGS__, READ_3, READ_2, READ_1, )(src, __VA_ARGS__)

#include <stdio.h>

static unsigned long long shim_now, ctx[3];
static unsigned int shim_cpu;
struct netcost_stages_cpu;
struct netcost_stages_next;
struct netcost_stage_event;
static void *shim_reserve(void);
static void shim_submit(void);
static long shim_read(void *dst, unsigned int size, const void *src);
/* Of one CPU, and of one socket. */
#define shim_state (*shim_cpu_state())
#define shim_next (*shim_next_of())
static struct netcost_stages_cpu *shim_cpu_state(void);
static struct netcost_stages_next *shim_next_of(void);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "bpf/stages.bpf.c"
#pragma GCC diagnostic pop

#endif
