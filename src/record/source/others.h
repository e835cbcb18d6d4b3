/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * others.h: what the host's other BPF programs cost, anyone's but ours, as the kernel counts it while its statistics are
 * on. All programs are read when that begins, now and then meanwhile, and when it ends.
 */
#ifndef NETCOST_OTHERS_H
#define NETCOST_OTHERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct others;
struct bpf_program_info;
struct source_status;
struct trace_writer;

#define OTHERS_PROGRAMS 1024 /* no more are told apart */
#define OTHERS_PLACE 120

/* Called with a place that a program is attached to. */
typedef void others_place_fn(void *ctx, uint32_t id, const char *place);

/* The kernel; another one in tests. */
struct others_host {
	/* The program after that id: 0, -ENOENT: it was the last, or -errno. */
	int (*next)(uint32_t id, uint32_t *next);
	int (*info)(uint32_t id, struct bpf_program_info *info);
	/* Our own: those that this process holds. *id is the caller's to free. -ENOMEM. */
	int (*own)(uint32_t **id, size_t *n);
	void (*places)(others_place_fn *fn, void *ctx);
	/* In cgroups, which takes longer: of programs of those types, a bit for each. */
	void (*cgroups)(uint64_t types, others_place_fn *fn, void *ctx);
	uint64_t (*now_ns)(void), (*boot_ns)(void); /* CLOCK_MONOTONIC, CLOCK_BOOTTIME */
};

extern const struct others_host others_kernel; /* others_host.c */

int others_new(struct others **op, const struct others_host *host); /* 0 or -ENOMEM */
void others_free(struct others *o);				    /* takes NULL */

/* Changes what st says of the statistics if programs cannot be looked at. */
void others_status(const struct others *o, struct source_status *st);

/* Which there are, and where. To ask takes calls on sockets, so it is done before a recording counts any. */
void others_find(struct others *o);

/* Reads all. counted: the statistics have been on since the last time. */
void others_look(struct others *o, bool counted);

/* Likewise, between the first look and the last, unless there are so many programs that it would cost too much. */
void others_look_between(struct others *o);

/* What is new since the last time. Negative: no memory, or the writer's error. */
int others_write(struct others *o, struct trace_writer *w);
/* Another file begins: what was defined so far, by the same ids. */
int others_again(struct others *o, struct trace_writer *w);

#endif
