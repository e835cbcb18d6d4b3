// SPDX-License-Identifier: BSD-2-Clause
#include "decimate.h"

const unsigned int decimate_factor[DECIMATE_FACTORS] = { 1, 2, 5, 10, 20, 50, 100 };

#define FIVE_PHASES(factor, k)                                                                     \
	{ factor, 0 }, { factor, (k) / 5 }, { factor, 2 * (k) / 5 }, { factor, 3 * (k) / 5 },      \
	{                                                                                          \
		factor, 4 * (k) / 5                                                                \
	}

const struct decimate_track decimate_track[DECIMATE_TRACKS] = {
	{ 0, 0 },	    { 1, 0 },		{ 1, 1 },	    FIVE_PHASES(2, 5),
	FIVE_PHASES(3, 10), FIVE_PHASES(4, 20), FIVE_PHASES(5, 50), FIVE_PHASES(6, 100),
};

unsigned int decimate_phases(unsigned int factor)
{
	unsigned int k = decimate_factor[factor];

	return k < DECIMATE_PHASES ? k : DECIMATE_PHASES;
}

/*
 * Two samples that are as far apart as they should be were most likely both in time: from there on the
 * grid is known, even if the first sample was late. What comes a little early belongs to the period
 * that begins next.
 */
#define NEAR 32
#define EARLY 8

static uint64_t number_of(const struct decimate *d, uint64_t period_ns, uint64_t time_ns)
{
	if (!period_ns)
		return d->count;
	if (time_ns < d->due_ns)
		return d->due_number;
	return d->due_number + (time_ns - d->due_ns + period_ns / EARLY) / period_ns;
}

static bool is_in_time(const struct decimate *d, uint64_t period_ns, uint64_t time_ns)
{
	uint64_t near = period_ns / NEAR, apart = time_ns - d->before_ns;

	return time_ns > d->before_ns && apart >= period_ns - near && apart <= period_ns + near;
}

uint32_t decimate_sample(struct decimate *d, uint64_t period_ns, uint64_t time_ns)
{
	uint32_t taken = 1;
	uint64_t now;

	if (!d->count)
		d->due_ns = time_ns;
	now = number_of(d, period_ns, time_ns);
	if (d->count && period_ns && is_in_time(d, period_ns, time_ns)) {
		d->due_ns = time_ns;
		d->due_number = now;
	}
	d->before_ns = time_ns;
	d->count++;
	for (unsigned int i = 1; i < DECIMATE_TRACKS; i++) {
		const struct decimate_track *t = &decimate_track[i];
		unsigned int k = decimate_factor[t->factor];

		if (now < t->phase || now - t->phase < d->next[i])
			continue;
		taken |= UINT32_C(1) << i;
		d->next[i] = ((now - t->phase) / k + 1) * k;
	}
	return taken;
}
