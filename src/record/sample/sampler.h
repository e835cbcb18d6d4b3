/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampler.h: the source of stack samples. A sampler passes samples to a sink, in order of time on
 * each CPU. Either perf takes them itself, or a BPF program does: both use perf's rings.
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
	unsigned int i; /* index of the recorded CPU */
	uint64_t time_ns;
	uint32_t tgid, tid;
	uint64_t cgroup; /* the kernel's id, if sampler_cgroups() */
	bool user;	 /* the CPU ran user code: no kernel stack */
	/* the kernel stack has the maximum length, or is missing: outer functions may be missing */
	bool cut;
	const uint64_t *ips; /* innermost first, without ABI markers */
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
	bool cycles; /* cycles instead of time */
	/*
	 * The map of the exact programs, which shows whether a CPU is in the network. Then a BPF
	 * program takes the samples, because perf's own cannot be filtered. -1: all CPUs, by perf.
	 */
	int network_only;
};

/* Opens a sampler on each CPU, stopped. why: on failure, one line with the error and what to do. */
int sampler_new(struct sampler **sp, const struct cpuset *cpus, const struct sampler_options *o,
		char *why, size_t whysize);
void sampler_free(struct sampler *s);
/* Returns whether its samples have the task's cgroup. */
bool sampler_cgroups(const struct sampler *s);
/* The cycles that each sample stands for; 0: time. */
uint64_t sampler_period(const struct sampler *s);
/* The program that takes the samples; NULL: perf does. */
const char *sampler_name(const struct sampler *s); /* perf or bpf; NULL takes no samples: perf */
const struct bpf_program *sampler_program(const struct sampler *s);
int sampler_start(struct sampler *s);
void sampler_stop(struct sampler *s);

/* Adds the descriptors that wake the reader (a ring is half full) to an epoll set; events carry `tag`. */
int sampler_poll_add(struct sampler *s, int epoll_fd, uint64_t tag);
/* Passes everything in the rings to the sink. */
int sampler_drain(struct sampler *s, const struct sampler_sink *sink);
/*
 * True if each ring got data since the last call, nothing can have been lost, all events were read
 * recently, and the rings are nearly empty. Then a tick need not tend them, and should not drain
 * them: most of a drain's cost is reading cold cache lines, so it waits for more data.
 */
bool sampler_lives(struct sampler *s);
/*
 * Call at a tick for which sampler_lives() is false, after a drain: counts lost samples, and opens new samplers on CPUs
 * that were offline and are back. True: a CPU has lost its sampler, or has one again.
 */
bool sampler_tend(struct sampler *s);
/* As of the last sampler_tend() or sampler_stop(). */
struct sampler_loss sampler_loss(const struct sampler *s, unsigned int i);

#endif
