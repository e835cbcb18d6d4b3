// SPDX-License-Identifier: BSD-2-Clause
#include "sampler_hole.h"

/* Tolerance for differences between clocks, and for the time that a reading takes. */
#define TOLERANCE_NS 2000000u

void hole_end(struct hole *h, uint64_t now)
{
	h->ended_ns = hole_ns(h, now);
	h->since_ns = 0;
	h->read_ns = now;
	h->running_ns = 0;
}

bool hole_suspected(const struct hole *h, uint64_t running_ns, uint64_t now)
{
	return now - h->read_ns > running_ns - h->running_ns + TOLERANCE_NS;
}

void hole_read(struct hole *h, uint64_t running_ns, uint64_t now)
{
	h->read_ns = now;
	h->running_ns = running_ns;
}

void hole_begin(struct hole *h, uint64_t running_ns, uint64_t now)
{
	uint64_t since = h->read_ns + (running_ns - h->running_ns);

	h->since_ns = since < now ? since : now;
}

uint64_t hole_ns(const struct hole *h, uint64_t now)
{
	return h->ended_ns + (h->since_ns ? now - h->since_ns : 0);
}
