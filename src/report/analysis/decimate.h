/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * decimate.h: which of a CPU's samples slower samplers would have taken: every 2nd, 5th … 100th,
 * each beginning at several moments (phases).
 *
 * A sampler on a clock is due at the points of a grid in time. One that is due while interrupts
 * are off, or the CPU halts, comes when that ends, and what it was due for meanwhile is one
 * sample. So a slower sampler takes, of each of its periods, the first sample that is there; none
 * of a period without. Counting samples instead ("every tenth") would be wrong where some are
 * missing: one sample after a gap is all that the fast sampler has of the gap, and a slow sampler
 * has one, too, not a tenth of one (test_accuracy.c simulates both). A
 * sampler of another event (cycles) has no grid in time: there each k-th sample is taken.
 */
#ifndef NETCOST_REPORT_DECIMATE_H
#define NETCOST_REPORT_DECIMATE_H

#include <stdbool.h>
#include <stdint.h>

#define DECIMATE_FACTORS 7
#define DECIMATE_PHASES 5  /* of each factor at most */
#define DECIMATE_TRACKS 28 /* of all factors; track 0 takes all samples */

extern const unsigned int decimate_factor[DECIMATE_FACTORS]; /* rising, the first one is 1 */

struct decimate_track {
	unsigned int factor; /* its place in decimate_factor[] */
	unsigned int phase;  /* in periods of the full rate */
};

extern const struct decimate_track decimate_track[DECIMATE_TRACKS];
unsigned int decimate_phases(unsigned int factor);

/* Of one CPU. Begin with zeros. */
struct decimate {
	uint64_t count, before_ns;   /* samples so far, the last one's time */
	uint64_t due_ns, due_number; /* a point of the grid, and which one */
	/* The track takes its next sample from this period on, in periods of the full rate less the phase. */
	uint64_t next[DECIMATE_TRACKS];
};

/*
 * The tracks that take this sample, as a set. period_ns: of the full rate; 0: samples are chosen by
 * their order.
 */
uint32_t decimate_sample(struct decimate *d, uint64_t period_ns, uint64_t time_ns);

#endif
