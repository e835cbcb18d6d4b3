/* SPDX-License-Identifier: BSD-2-Clause */
/* sampler_hole.h: how long a CPU had no sampler, by the time_running of the sampler's event. */
#ifndef NETCOST_SAMPLER_HOLE_H
#define NETCOST_SAMPLER_HOLE_H

#include <stdbool.h>
#include <stdint.h>

/* All times in ns; running_ns: the event's own clock, which runs while it is on its CPU. */
struct hole {
	uint64_t read_ns, running_ns; /* the last reading of the event: when, and its value */
	uint64_t since_ns;	      /* start of the current hole; 0: it is sampled */
	uint64_t ended_ns;	      /* sum of all earlier holes */
};

/* A new event: its clock starts at 0 now. */
void hole_end(struct hole *h, uint64_t now_ns);
/* Returns whether the event's clock is late. The reader may only have been delayed: then the clock advances. */
bool hole_suspected(const struct hole *h, uint64_t running_ns, uint64_t now_ns);
/* The event's clock runs; it has stopped. */
void hole_read(struct hole *h, uint64_t running_ns, uint64_t now_ns);
void hole_begin(struct hole *h, uint64_t running_ns, uint64_t now_ns);

uint64_t hole_ns(const struct hole *h, uint64_t now_ns);

#endif
