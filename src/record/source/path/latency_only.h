/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_only.h: which packets --latency-only asks for: from the command line to the programs and into the trace. */
#ifndef NETCOST_RECORD_LATENCY_ONLY_H
#define NETCOST_RECORD_LATENCY_ONLY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_writer;

#define LATENCY_ONLY_NAME 64

/* 0 or "": any. */
struct latency_only {
	bool asked; /* for any of it */
	char interface[LATENCY_ONLY_NAME], cgroup[PATH_MAX];
	uint32_t ifindex; /* the interface's number in … */
	uint64_t netns;	  /* inode */
	uint64_t cgroup_id;
	uint32_t pid, queue;
};

/*
 * KEY=VALUE,…, of what is there on this host now. -EINVAL: why has a line that says what is wrong.
 */
int latency_only_parse(struct latency_only *o, const char *text, char *why, size_t size);
/* What has to be known of a packet: LATENCY_KNOWS_*. */
unsigned int latency_only_asks(const struct latency_only *o);
/* LATENCY_ONLY, if anything is asked for. 0 or the writer's error. */
int latency_only_write(const struct latency_only *o, struct trace_writer *w);

#endif
