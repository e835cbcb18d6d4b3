/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sampler.h: takes stack samples and passes them to a sink, in order of time on each CPU. Either perf or a BPF program
 * takes the samples. Both use perf's rings.
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
	uint64_t cgroup; /* the kernel's id of the task's cgroup, if sampler_cgroups() */
	bool user;	 /* the CPU ran user code, so there is no kernel stack */
	/* outer functions may be missing, because the kernel stack has the maximum length or is missing */
	bool cut;
	const uint64_t *ips; /* addresses, innermost first, without ABI markers */
	size_t nips;
	const uint64_t *user_ips; /* addresses of user space, innermost first */
	size_t nuser_ips;
};

#define SAMPLER_AT_ONCE 64

struct sampler_sink {
	void *ctx;
	int (*samples)(void *ctx, const struct sample *s, size_t n); /* n <= SAMPLER_AT_ONCE */
	void (*renamed)(void *ctx, uint32_t tgid, uint32_t tid, const char *comm);
	void (*exited)(void *ctx, uint32_t tid);
	void (*cgroup_made)(void *ctx, uint64_t cgroup, const char *path);
};

/* Lost samples of one CPU since the start. */
struct sampler_loss {
	uint64_t lost, throttled;
	/* time without a sampler: while the CPU was offline, and from then to sampler_tend() */
	uint64_t unsampled_ns;
};

/* Options of a sampler. */
struct sampler_options {
	unsigned int hz;
	bool cycles; /* sample cycles instead of time */
	/*
	 * The map of the exact programs, which shows whether a CPU is in the network. With this map, a BPF program
	 * takes the samples, because perf's own samples cannot be filtered. -1: perf samples all CPUs, whatever they
	 * do.
	 */
	int network_only;
	bool user_stacks; /* also take the stacks of user space */
};

/* Opens a sampler on each CPU, stopped. On failure, writes one line to why, with the error and a remedy. */
int sampler_new(struct sampler **sp, const struct cpuset *cpus, const struct sampler_options *o,
		char *why, size_t whysize);
void sampler_free(struct sampler *s);
/* Returns true if the samples have the task's cgroup. */
bool sampler_cgroups(const struct sampler *s);
/* Returns the number of cycles that each sample represents. Returns 0 if time is sampled. */
uint64_t sampler_period(const struct sampler *s);
/*
 * Return the name of the method (perf or bpf; perf if s is NULL), and the program that takes the samples (NULL if perf
 * does).
 */
const char *sampler_name(const struct sampler *s);
const struct bpf_program *sampler_program(const struct sampler *s);
int sampler_start(struct sampler *s);
void sampler_stop(struct sampler *s);

/* Adds the descriptors that wake the reader (when a ring is half full) to an epoll set. Their events carry `tag`. */
int sampler_poll_add(struct sampler *s, int epoll_fd, uint64_t tag);
/* Passes all samples in the rings to the sink. */
int sampler_drain(struct sampler *s, const struct sampler_sink *sink);
/*
 * Returns true if each ring got data since the last call, no sample can have been lost, all events were read recently,
 * and the rings are nearly empty. Then a tick need not call sampler_tend(), and should not drain the rings. Most of a
 * drain's cost is reading cold cache lines, so a drain waits for more data.
 */
bool sampler_lives(struct sampler *s);
/*
 * Counts lost samples, and opens new samplers on CPUs that were offline and are back. Call it after a drain, at a tick
 * for which sampler_lives() is false. Returns true if a CPU has lost its sampler, or has one again.
 */
bool sampler_tend(struct sampler *s);
/* Returns the losses of a CPU until the last sampler_tend() or sampler_stop(). */
struct sampler_loss sampler_loss(const struct sampler *s, unsigned int i);

#endif
