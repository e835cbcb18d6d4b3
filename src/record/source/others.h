/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * others.h: records the cost of other BPF programs of the host, as the kernel counts it while BPF statistics are on.
 * All programs are read when the statistics are turned on, occasionally in between, and when they are turned off.
 */
#ifndef NETCOST_OTHERS_H
#define NETCOST_OTHERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct admin;
struct others;
struct bpf_program_info;
struct source_status;
struct trace_writer;

#define OTHERS_PROGRAMS 1024 /* maximum number of programs that are distinguished */
#define OTHERS_PLACE 120

/* Callback for an attach point of a program. */
typedef void others_place_fn(void *ctx, uint32_t id, const char *place);

/* Access to the kernel; replaced in tests. */
struct others_host {
	/* Reads programs, as admin_programs() does. */
	int (*list)(struct admin *a, uint32_t after, struct bpf_program_info *info, size_t most);
	/*
	 * Lists the recorder's own programs: those for which this process has descriptors. The caller frees *id.
	 * Returns 0 or -ENOMEM.
	 */
	int (*own)(uint32_t **id, size_t *n);
	void (*places)(struct admin *a, others_place_fn *fn, void *ctx);
	/*
	 * Calls fn for each cgroup to which a program of these types (bit mask) is attached. Finding these cgroups
	 * takes longer than finding other attach points.
	 */
	void (*cgroups)(uint64_t types, others_place_fn *fn, void *ctx);
	uint64_t (*now_ns)(void), (*boot_ns)(void); /* CLOCK_MONOTONIC, CLOCK_BOOTTIME */
};

extern const struct others_host others_kernel; /* defined in others_host.c */

/* Returns 0 or -ENOMEM. */
int others_new(struct others **op, const struct others_host *host, struct admin *admin);
void others_free(struct others *o); /* NULL is allowed */

/* Changes the status of the statistics in st if programs cannot be read. */
void others_status(const struct others *o, struct source_status *st);

/*
 * Finds the existing programs and their attach points. The function makes socket calls, so it is called before the
 * recording counts socket calls.
 */
void others_find(struct others *o);

/* Reads all programs. counted: BPF statistics have been on since the last read. */
void others_look(struct others *o, bool counted);

/*
 * Reads all programs once more while the statistics are on, unless there are too many programs or the last reading was
 * recent.
 */
void others_look_between(struct others *o);

/*
 * Writes the programs and readings that are new since the last write. Returns negative if out of memory, or the
 * writer's error.
 */
int others_write(struct others *o, struct trace_writer *w);
/* Writes all definitions again, with the same ids, because another file begins. */
int others_again(struct others *o, struct trace_writer *w);

#endif
