/* SPDX-License-Identifier: BSD-2-Clause */
/* stages_impl.h: a packet's way while it is put together, and where its times go: model_stages.c, model_stages_times.c. */
#ifndef NETCOST_REPORT_STAGES_IMPL_H
#define NETCOST_REPORT_STAGES_IMPL_H

#include "stages.h"

#define STAGES_WAY 32 /* stages of a packet that are kept */

struct stages_way {
	uint64_t packet, at_ns[STAGES_WAY];
	uint8_t stage[STAGES_WAY];
	uint8_t rule[STAGES_WAY]; /* a place in those of the model, from 1; 0: none */
	uint16_t key[STAGES_WAY]; /* likewise, from 0 */
	uint8_t n;
	bool wrong, too_long;
	uint32_t next; /* of its bucket; of those that are free */
	uint32_t older, newer;
};

/* Of a record: interfaces. */
struct stages_devices {
	struct stages_device {
		uint64_t netns, ifindex;
	} * device;
	size_t n;
};

/* All of these: -ENOMEM. */
int stages_devices_read(struct stages_devices *d, const struct trace_record *rec);

/* Times that have no bucket are in the sum all the same. */
int stages_add_way(struct stages_times *t, enum stages_path path, const struct stages_way *w);

/* If they are asked for. */
int stages_make_keys(struct model *m);
/* Of a packet's next event. device: a place in d, from 1; flow: TRACE_NIL: it is not the packet's first one. */
int stages_find_key(struct model_stages *s, const struct stages_way *w,
		    const struct stages_devices *d, uint64_t device, uint64_t flow,
		    unsigned int *key);
/* To those of its keys. */
int stages_add_by(struct model_stages *s, enum stages_path path, struct stages_way *w);

/* What a record says of those that are keys by now: their names and addresses. */
int stages_describe_keys(struct model *m, const struct trace_record *rec);

void stages_free_times(struct model_stages *s);

#endif
