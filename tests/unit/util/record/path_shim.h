/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * path_shim.h: compiles bpf/path.bpf.c into a user-space program. Include this file before all other headers, because
 * the kernel types define bool themselves. The including file defines the functions shim_states() and shim_next(), and
 * sets shim_reserve and shim_submit if the test samples packets. Each reading of the clock advances the clock by
 * shim_step.
 */
#ifndef NETCOST_TESTS_PATH_SHIM_H
#define NETCOST_TESTS_PATH_SHIM_H

/* Include guards of libbpf's headers. This file defines what the programs use of these headers. */
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
#define barrier_var(var) __asm__ volatile("" : "+r"(var))
#define bpf_ktime_get_ns() (shim_now += shim_step)
#define bpf_get_smp_processor_id() shim_cpu
#define bpf_map_lookup_elem(map, key) shim_lookup(map, key)
#define bpf_map_update_elem(map, key, value, flags) ((void)(map), shim_add(key, *(value)))
#define bpf_get_current_task() ((unsigned long)shim_task)
#define CONFIG static
#define bpf_core_type_size(type) sizeof(type)
#define bpf_probe_read_kernel(to, size, from) shim_read(to, from, size)
#define bpf_get_current_pid_tgid() ((unsigned long long)shim_pid << 32 | shim_pid)
#define bpf_get_current_comm(to, size) __builtin_memcpy(to, shim_name, size)
#define bpf_loop(n, function, context, flags)                                                      \
	do {                                                                                       \
		for (unsigned int i_ = 0; i_ < (n) && !function(i_, context); i_++)                \
			;                                                                          \
	} while (0)
#define __noinline __attribute__((noinline))
#define bpf_get_current_task_btf() ((void *)0)
#define bpf_task_storage_get(map, task, value, flags) ((void)(map), (void)(flags), shim_waits(task))
#define bpf_sk_storage_get(map, sk, value, flags) shim_stored(map, sk)
#define READ_1(p, a) ((p)->a)
#define READ_2(p, a, b) ((p)->a ? (p)->a->b : 0)
#define READ_3(p, a, b, c) ((p)->a ? (p)->a->b->c : 0)
#define READ_OF(a, b, c, name, ...) name
#define BPF_CORE_READ(src, ...) READ_OF(__VA_ARGS__, READ_3, READ_2, READ_1, )(src, __VA_ARGS__)
#define BPF_CORE_READ_BITFIELD_PROBED(s, field) ((s)->field)
#define bpf_ringbuf_reserve(map, size, flags) ((void)(map), shim_reserve())
#define bpf_ringbuf_submit(event, flags) shim_submit()
#define bpf_ringbuf_discard(event, flags) ((void)(event))
#define bpf_get_func_arg(ctx, n, value) memcpy(value, &(ctx)[n], sizeof(*(value)))
#define BPF_CORE_READ_BITFIELD(s, field) ((s)->field)
#define bpf_probe_read_kernel_str(dst, size, src) snprintf(dst, size, "%s", (const char *)(src))
#define kernel_cast(address, type) ((void *)(unsigned long)(address))

#define CPUS 2
static unsigned long long shim_now;
static unsigned int shim_cpu, shim_pid;
static char shim_name[16];
static unsigned long long shim_step, ctx[3];
static long shim_read(void *to, const void *from, unsigned int size);
/* returns memory for an event, or NULL if there is no room */
static void *(*shim_reserve)(void);
static void (*shim_submit)(void);
struct netcost_path_cpu;
struct netcost_udp_next;
struct netcost_waiting;
struct sock;
static struct netcost_path_cpu *shim_states(void);
static struct netcost_udp_next *shim_next(const struct sock *sk);
static struct netcost_waiting *shim_waits(const void *task);
static void *shim_stored(const void *map, const struct sock *sk);
static void *shim_lookup(const void *map, const void *key);
static int shim_add(const void *key, unsigned int at);
static const struct task_struct *shim_task; /* current task, which reads from the socket */

#include <stdio.h>
#include <string.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "bpf/path.bpf.c"
#pragma GCC diagnostic pop

/* Returns the count of a bucket on a CPU. Reads of UDP sockets are counted in two histograms. */
__attribute__((unused)) static __u64 shim_bucket(const struct netcost_path_cpu *c,
						 enum netcost_latency hook, unsigned int bucket)
{
	return c->hist[hook].bucket[bucket] +
	       (hook == NETCOST_LATENCY_UDP_READ ? c->late_read.bucket[bucket] : 0);
}

__attribute__((unused)) static __u64 shim_lost(const struct netcost_path_cpu *c,
					       enum netcost_latency hook, unsigned int why)
{
	return c->hist[hook].lost[why] +
	       (hook == NETCOST_LATENCY_UDP_READ ? c->late_read.lost[why] : 0);
}

static long shim_read(void *to, const void *from, unsigned int size)
{
	memcpy(to, from, size);
	return 0;
}

/* State of the test's only waiting task, and of its only throttled socket. */
static struct netcost_waiting shim_waiting;
static struct netcost_throttled shim_throttled;

static void *shim_stored(const void *map, const struct sock *sk)
{
	return map == &throttled ? (void *)&shim_throttled : shim_next(sk);
}

static struct netcost_waiting *shim_waits(const void *task)
{
	(void)task;
	return &shim_waiting;
}

static struct netcost_latency_keyed shim_keyed[NETCOST_LATENCY_KEYED];
static struct netcost_latency_key shim_key[NETCOST_LATENCY_KEYS];
static __u32 shim_at[NETCOST_LATENCY_KEYS], shim_keys;
static struct netcost_edges shim_edges[CPUS];
static __u64 shim_runnable[NETCOST_RUNNABLES];
static struct netcost_drops shim_drops[CPUS];
static struct netcost_exemplar shim_exemplars[NETCOST_EXEMPLARS];

static void *shim_known_key(const void *key)
{
	for (__u32 i = 0; i < shim_keys; i++)
		if (!memcmp(&shim_key[i], key, sizeof(*shim_key)))
			return &shim_at[i];
	return NULL;
}

static void *shim_lookup(const void *map, const void *key)
{
	const __u32 *at = key;

	if (map == &path_cpus)
		return &shim_states()[*at];
	if (map == &keyed)
		return &shim_keyed[*at];
	if (map == &tail_edges)
		return &shim_edges[*at];
	if (map == &tail_runnable)
		return &shim_runnable[*at];
	if (map == &drops)
		return &shim_drops[*at];
	if (map == &tail_exemplars)
		return &shim_exemplars[*at];
	return shim_known_key(key);
}

static int shim_add(const void *key, unsigned int at)
{
	memcpy(&shim_key[shim_keys], key, sizeof(*shim_key));
	shim_at[shim_keys++] = at;
	return 0;
}

#endif
