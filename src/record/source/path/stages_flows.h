/* SPDX-License-Identifier: BSD-2-Clause */
/* stages_flows.h: addresses of flows (--stages with --host-details) by their hash, as long as events of them wait. */
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
	uint64_t record; /* the last record that lists it */
};

/* Zeroed is empty. */
struct stages_flows {
	struct stages_flows_of {
		struct idmap at; /* indices, from 1 */
		struct stages_flow *flow;
		size_t n, room;
		/* of this tick and of the previous one, whose young events are written now */
	} now, before;
};

void stages_flows_free(struct stages_flows *f);
/* Of two flows with the same hash only one is kept. -ENOMEM */
int stages_flows_add(struct stages_flows *f, uint32_t hash, const struct netcost_stage_flow *whose);
/* NULL: unknown. Valid until the next call of another function. */
struct stages_flow *stages_flows_find(struct stages_flows *f, uint32_t hash);
/* Call when the tick is written. */
void stages_flows_turn(struct stages_flows *f);

#endif
