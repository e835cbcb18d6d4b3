/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_only.h: parses the packets that --latency-only selects, and passes them to the programs and to the trace. */
#ifndef NETCOST_RECORD_LATENCY_ONLY_H
#define NETCOST_RECORD_LATENCY_ONLY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_writer;

#define LATENCY_ONLY_NAME 64

/* The selected packets. A field that is 0 or "" selects all packets. */
struct latency_only {
	bool asked; /* some packets are selected */
	char interface[LATENCY_ONLY_NAME], cgroup[PATH_MAX];
	uint32_t ifindex; /* the interface's number in the namespace `netns` */
	uint64_t netns;	  /* inode number of the network namespace */
	uint64_t cgroup_id;
	uint32_t pid, queue;
};

/*
 * Parses KEY=VALUE,… and looks up the values on this host. Returns -EINVAL, with one line in why, if the text is wrong.
 */
int latency_only_parse(struct latency_only *o, const char *text, char *why, size_t size);
/* Returns which facts about a packet must be known: LATENCY_KNOWS_*. */
unsigned int latency_only_asks(const struct latency_only *o);
/* Writes LATENCY_ONLY, if packets are selected. Returns 0 or the writer's error. */
int latency_only_write(const struct latency_only *o, struct trace_writer *w);

#endif
