/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_only.h: the packets that --latency-only selects: from the command line to the programs and into the trace. */
#ifndef NETCOST_RECORD_LATENCY_ONLY_H
#define NETCOST_RECORD_LATENCY_ONLY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_writer;

#define LATENCY_ONLY_NAME 64

/* 0 or "" selects all. */
struct latency_only {
	bool asked; /* something is selected */
	char interface[LATENCY_ONLY_NAME], cgroup[PATH_MAX];
	uint32_t ifindex; /* the interface's number in … */
	uint64_t netns;	  /* inode */
	uint64_t cgroup_id;
	uint32_t pid, queue;
};

/* Parses KEY=VALUE,… against what exists on this host now. -EINVAL: why has one line. */
int latency_only_parse(struct latency_only *o, const char *text, char *why, size_t size);
/* Returns what must be known of a packet: LATENCY_KNOWS_*. */
unsigned int latency_only_asks(const struct latency_only *o);
/* Writes LATENCY_ONLY, if something is selected. 0 or the writer's error. */
int latency_only_write(const struct latency_only *o, struct trace_writer *w);

#endif
