/* SPDX-License-Identifier: BSD-2-Clause */
/* sampler_hole.h: computes how long a CPU had no sampler, from the time_running of the sampler's event. */
#ifndef NETCOST_SAMPLER_HOLE_H
#define NETCOST_SAMPLER_HOLE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The holes of a CPU: the times when it had no sampler. All times are in ns. running_ns is the event's own clock, which
 * runs while the event is on its CPU.
 */
struct hole {
	uint64_t read_ns, running_ns; /* time and value of the last reading of the event */
	uint64_t since_ns;	      /* start of the current hole; 0: the CPU is sampled */
	uint64_t ended_ns;	      /* sum of all earlier holes */
};

/* Ends the hole, because there is a new event, whose clock starts at 0 now. */
void hole_end(struct hole *h, uint64_t now_ns);
/* Returns true if the event's clock is late. If only the reader was delayed, the clock still advances. */
bool hole_suspected(const struct hole *h, uint64_t running_ns, uint64_t now_ns);
/* hole_read() records that the event's clock runs. hole_begin() records that the clock has stopped. */
void hole_read(struct hole *h, uint64_t running_ns, uint64_t now_ns);
void hole_begin(struct hole *h, uint64_t running_ns, uint64_t now_ns);

uint64_t hole_ns(const struct hole *h, uint64_t now_ns);

#endif
