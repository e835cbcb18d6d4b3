/* SPDX-License-Identifier: BSD-2-Clause */
/* sampler_impl.h: between the files sampler*.c. */
#ifndef NETCOST_SAMPLER_IMPL_H
#define NETCOST_SAMPLER_IMPL_H

#include <linux/perf_event.h>

#include "sampler.h"
#include "sampler_hole.h"

/*
 * 512 KiB and its page of control are what perf_event_mlock_kb lets anybody have on each CPU (516), and
 * hold half a second of full-depth stacks at 999 Hz, or several of usual ones.
 */
#define RING_BYTES (512u << 10)
#define MAX_RECORD 65536 /* perf_event_header.size has 16 bits */

struct sampler_bpf;

struct ring {
	int fd, cpu;
	int names_fd; /* the event for names and ends of tasks, and for cgroups */
	int clock_fd; /* with a program: the event that it runs at; otherwise -1, and fd is the clock itself */
	struct perf_event_mmap_page *page; /* NULL: its CPU is back, but no ring could be opened */
	uint8_t *data;
	uint64_t lost_records, throttled;
	uint64_t lost, lost_before; /* as the kernel counts: of this event, of those before it */
	uint64_t sampled_ns;	    /* when it was sampled last */
	uint64_t seen_head;	    /* of the ring, when sampler_lives() looked last */
	bool full; /* there may have been no room for a record since the event was read */
	struct hole hole;
	bool suspected;				 /* of having no CPU any more */
	uint64_t suspect_ns, suspect_running_ns; /* since when, and how long it had run */
};

struct sampler {
	struct sampler_bpf *bpf; /* NULL: the samples are perf's own */
	struct ring *ring;
	unsigned int n;
	size_t page_size;
	struct perf_event_attr attr;
	struct perf_event_attr clock; /* what samples are taken by: type, config, and how often */
	bool settled;		      /* attr is what the kernel has */
	unsigned int stack_limit;     /* sampler_stack_limit() */
	int epoll_fd;		      /* not ours; -1: nobody waits */
	uint64_t tag;
	uint8_t copy[MAX_RECORD];
};

/* sampler_event.c: what samples are taken by; then what makes them, and their ring: perf, or a program. */
struct perf_event_attr sampler_clock_attr(const struct sampler_options *o);
/* How many functions of a stack the kernel gives. It cannot change while events with stacks are open. */
unsigned int sampler_stack_limit(void);
struct perf_event_attr sampler_perf_attr(const struct perf_event_attr *clock);
struct perf_event_attr sampler_bpf_attr(void);
/* An event of s->attr, without what the kernel does not have. -errno */
int sampler_event_open(struct sampler *s, int cpu);

/* Why there is no sampler on that CPU, and what to do about it. */
void sampler_explain(int err, const struct sampler_options *o, int cpu, char *why, size_t size);

/* What the ring holds now goes to the sink. */
int ring_drain(struct sampler *s, unsigned int i, const struct sampler_sink *sink);

/* sampler_bpf.c: a program that puts the samples into the rings. */
int sampler_bpf_load(struct sampler_bpf **bp, int network_only, char *why, size_t whysize);
void sampler_bpf_free(struct sampler_bpf *b); /* takes NULL */
/* The clock of a CPU, stopped, whose samples go into that ring. A descriptor, or -errno. */
int sampler_bpf_clock(struct sampler_bpf *b, const struct perf_event_attr *clock, int cpu,
		      int ring_fd);
const struct bpf_program *sampler_bpf_program(const struct sampler_bpf *b);
uint64_t sampler_bpf_lost(const struct sampler_bpf *b, int cpu);

#endif
