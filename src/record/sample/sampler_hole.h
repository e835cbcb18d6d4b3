/* SPDX-License-Identifier: BSD-2-Clause */
/* sampler_hole.h: for how long a CPU had no sampler, by the time that the sampler's event has run. */
#ifndef NETCOST_SAMPLER_HOLE_H
#define NETCOST_SAMPLER_HOLE_H

#include <stdbool.h>
#include <stdint.h>

/* All times in ns; running_ns: the event's own clock, which runs while it is on its CPU. */
struct hole {
	uint64_t read_ns, running_ns; /* when the event was read last, and what it said */
	uint64_t since_ns;	      /* 0: it is sampled */
	uint64_t ended_ns;	      /* all holes before */
};

/* A new event: its clock begins at 0 now. */
void hole_end(struct hole *h, uint64_t now_ns);
/* Is the event's clock late? Perhaps only the reader was delayed: then the clock moves on. */
bool hole_suspected(const struct hole *h, uint64_t running_ns, uint64_t now_ns);
/* Its clock runs, or stands still. */
void hole_read(struct hole *h, uint64_t running_ns, uint64_t now_ns);
void hole_begin(struct hole *h, uint64_t running_ns, uint64_t now_ns);

uint64_t hole_ns(const struct hole *h, uint64_t now_ns);

#endif
