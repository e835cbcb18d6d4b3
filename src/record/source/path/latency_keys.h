/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * latency_keys.h: writes latency by interface, cgroup or process (--latency): the rows of bpf/path_keys.h, as records.
 */
#ifndef NETCOST_LATENCY_KEYS_READ_H
#define NETCOST_LATENCY_KEYS_READ_H

#include <stdbool.h>
#include <stdint.h>

#include <netcost/latency.h>

struct latency_keys;
struct netcost_latency_keyed;
struct trace_writer;

/* Returns the value for a key of NETCOST_LATENCY_BYS. */
enum netcost_latency_by latency_keys_by(const char *key);
/* row and taken are mapped memory of the programs. The mappings must outlive *kp. Returns 0 or -ENOMEM. */
int latency_keys_new(struct latency_keys **kp, enum netcost_latency_by by,
		     const struct netcost_latency_keyed *row, const uint32_t *taken);
void latency_keys_free(struct latency_keys *k); /* NULL is allowed */

/*
 * Adds packets that were found in a bucket of a hook. After all buckets of a tick have been added, latency_keys_tick()
 * distributes them over the keys. Packets that are counted after their hook was read are left for the next tick, so
 * that rows always sum to their hook. k is NULL if nothing is counted by key.
 */
void latency_keys_add(struct latency_keys *k, unsigned int hook, unsigned int bucket,
		      uint64_t packets);
/* Writes the records of a tick. If w is NULL, writes nothing yet. Returns 0 or the writer's error. */
int latency_keys_tick(struct latency_keys *k, struct trace_writer *w);

#endif
