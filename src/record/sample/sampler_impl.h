/* SPDX-License-Identifier: BSD-2-Clause */
/* sampler_impl.h: internals of the files sampler*.c. */
#ifndef NETCOST_SAMPLER_IMPL_H
#define NETCOST_SAMPLER_IMPL_H

#include <linux/perf_event.h>

#include "sampler.h"
#include "sampler_hole.h"

/*
 * Size of a ring. 512 KiB and a control page are the amount that perf_event_mlock_kb grants any user per CPU (516).
 * They hold half a second of full-depth stacks at 999 Hz, or several seconds of usual stacks.
 */
#define RING_BYTES (512u << 10)
#define MAX_RECORD 65536 /* perf_event_header.size has 16 bits */

struct sampler_bpf;

struct ring {
	int fd, cpu;
	int names_fd; /* the event for names and exits of tasks, and for cgroups */
	/* with a program: the event at which the program runs; otherwise -1, and fd is the clock event itself */
	int clock_fd;
	/* NULL: the CPU is back online, but no ring could be opened */
	struct perf_event_mmap_page *page;
	uint8_t *data;
	uint64_t lost_records, throttled;
	/* the kernel's numbers of lost samples, of this event and of earlier events */
	uint64_t lost, lost_before;
	uint64_t sampled_ns; /* time of the last sample */
	uint64_t seen_head;  /* head of the ring at the last sampler_lives() */
	bool full;	     /* a record may have been lost since the event was read */
	struct hole hole;
	bool suspected; /* the CPU may be offline */
	/* time of the suspicion, and the event's running time then */
	uint64_t suspect_ns, suspect_running_ns;
};

struct sampler {
	struct sampler_bpf *bpf; /* NULL: perf takes the samples */
	struct ring *ring;
	unsigned int n;
	size_t page_size;
	struct perf_event_attr attr;
	struct perf_event_attr clock; /* the clock event: type, config and rate */
	bool settled;		      /* attr was adapted to the kernel */
	unsigned int stack_limit;     /* result of sampler_stack_limit() */
	int epoll_fd;		      /* epoll set of the caller; -1: none */
	uint64_t tag;
	uint8_t copy[MAX_RECORD];
};

/*
 * sampler_event.c: sampler_clock_attr() returns the attributes of the clock event. sampler_perf_attr() and
 * sampler_bpf_attr() return the attributes of the event that takes samples and has the ring: perf's own event, or the
 * program's event.
 */
struct perf_event_attr sampler_clock_attr(const struct sampler_options *o);
/* Returns the kernel's maximum stack depth. It cannot change while events with stacks are open. */
unsigned int sampler_stack_limit(void);
struct perf_event_attr sampler_perf_attr(const struct perf_event_attr *clock, bool user_stacks);
struct perf_event_attr sampler_bpf_attr(void);
/* Opens an event with s->attr, without features that the kernel does not support. Returns a descriptor or -errno. */
int sampler_event_open(struct sampler *s, int cpu);

/* Writes to why the reason for the error that left the CPU without a sampler, and a remedy. */
void sampler_explain(int err, const struct sampler_options *o, int cpu, char *why, size_t size);

/* Passes the ring's current contents to the sink. */
int ring_drain(struct sampler *s, unsigned int i, const struct sampler_sink *sink);

/* sampler_bpf.c: loads the program that puts the samples into the rings. */
int sampler_bpf_load(struct sampler_bpf **bp, int network_only, char *why, size_t whysize);
void sampler_bpf_free(struct sampler_bpf *b); /* NULL is allowed */
/* Opens the clock event of a CPU, stopped. Its samples go into the ring of ring_fd. Returns a descriptor or -errno. */
int sampler_bpf_clock(struct sampler_bpf *b, const struct perf_event_attr *clock, int cpu,
		      int ring_fd);
const struct bpf_program *sampler_bpf_program(const struct sampler_bpf *b);
uint64_t sampler_bpf_lost(const struct sampler_bpf *b, int cpu);

#endif
