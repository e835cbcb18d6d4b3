/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stages_flows.h: keeps the addresses of flows (--stages with --host-details) by their hash, while events of the flows
 * wait to be written.
 */
#ifndef NETCOST_STAGES_FLOWS_H
#define NETCOST_STAGES_FLOWS_H

#include <stddef.h>
#include <stdint.h>

#include <linux/types.h> /* the programs' __u64 */

#include <netcost/idmap.h>

#include "bpf/path_events.h"

struct stages_flow {
	struct netcost_stage_flow whose;
	uint32_t hash;
	uint64_t record; /* number of the last record that lists the flow */
};

/* The known flows. The list is empty if all bytes are zero. */
struct stages_flows {
	struct stages_flows_of {
		struct idmap at; /* indices in `flow` by hash, from 1 */
		struct stages_flow *flow;
		size_t n, room;
		/*
		 * flows of this tick and of the previous tick, because this tick also writes the latest events of the
		 * previous tick
		 */
	} now, before;
};

void stages_flows_free(struct stages_flows *f);
/* Adds a flow. Keeps only one of two flows with the same hash. Returns 0 or -ENOMEM. */
int stages_flows_add(struct stages_flows *f, uint32_t hash, const struct netcost_stage_flow *whose);
/*
 * Finds a flow by its hash. Returns NULL if no flow has this hash. The pointer is valid until another function of this
 * header is called.
 */
struct stages_flow *stages_flows_find(struct stages_flows *f, uint32_t hash);
/* Ends the tick. Call it when the tick has been written. */
void stages_flows_turn(struct stages_flows *f);

#endif
