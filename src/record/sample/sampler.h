/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampler.h: where stack samples come from. What a sampler finds goes to a sink, in order of time on each
 * CPU. Either perf makes them itself, or a BPF program does: both come through perf's rings.
 */
#ifndef NETCOST_SAMPLER_H
#define NETCOST_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_program;
struct cpuset;
struct sampler;

struct sample {
	unsigned int i; /* index into the recorded CPUs */
	uint64_t time_ns;
	uint32_t tgid, tid;
	uint64_t cgroup; /* as the kernel calls it, if sampler_cgroups() */
	bool user;	 /* the CPU ran user code: no kernel stack */
	bool cut; /* its kernel stack is as long as stacks may be, or missing: outer functions may lack */
	const uint64_t *ips; /* innermost first, markers of the ABI removed */
	size_t nips;
};

#define SAMPLER_AT_ONCE 64

struct sampler_sink {
	void *ctx;
	int (*samples)(void *ctx, const struct sample *s, size_t n); /* n <= SAMPLER_AT_ONCE */
	void (*renamed)(void *ctx, uint32_t tgid, uint32_t tid, const char *comm);
	void (*exited)(void *ctx, uint32_t tid);
	void (*cgroup_made)(void *ctx, uint64_t cgroup, const char *path);
};

/* Cumulative, of one CPU. */
struct sampler_loss {
	uint64_t lost, throttled;
	uint64_t unsampled_ns; /* while it was offline, and from then to sampler_tend() */
};

/* What is sampled, and how. */
struct sampler_options {
	unsigned int hz;
	bool cycles; /* of the CPU, not time */
	/*
	 * The map of the exact programs, which says whether a CPU is inside the network. A BPF program takes the samples then,
	 * as perf's own cannot be filtered. -1: all CPUs, by perf.
	 */
	int network_only;
};

/* Opens a sampler on each CPU, stopped. why: on failure, one line: what and what to do. */
int sampler_new(struct sampler **sp, const struct cpuset *cpus, const struct sampler_options *o,
		char *why, size_t whysize);
void sampler_free(struct sampler *s);
/* Do its samples say which cgroup the task is in? */
bool sampler_cgroups(const struct sampler *s);
/* What each sample stands for, in cycles; 0: time. */
uint64_t sampler_period(const struct sampler *s);
/* The one that makes them; NULL: perf does. */
const char *sampler_name(const struct sampler *s); /* perf, bpf; NULL takes no samples: perf */
const struct bpf_program *sampler_program(const struct sampler *s);
int sampler_start(struct sampler *s);
void sampler_stop(struct sampler *s);

/* Adds what wakes the reader (a ring half full) to an epoll set; events carry `tag`. */
int sampler_poll_add(struct sampler *s, int epoll_fd, uint64_t tag);
/* Gives everything in the rings to the sink. */
int sampler_drain(struct sampler *s, const struct sampler_sink *sink);
/*
 * Something came into each ring since the last call, nothing can have been lost, all events were read lately, and the
 * rings are nearly empty. Then a tick need not tend them, and should not drain them either: reading cold cache lines
 * is most of what draining costs, so it waits until there is more.
 */
bool sampler_lives(struct sampler *s);
/*
 * At a tick for which sampler_lives() is false, after a drain: counts what is lost, and opens new samplers on CPUs that
 * were offline and are back. True: a CPU has lost its sampler, or has one again.
 */
bool sampler_tend(struct sampler *s);
/* As of the last sampler_tend(), or sampler_stop(). */
struct sampler_loss sampler_loss(const struct sampler *s, unsigned int i);

#endif
