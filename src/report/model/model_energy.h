/* SPDX-License-Identifier: BSD-2-Clause */
/* model_energy.h: energy counters, as the model has them, and what CPUs did between two reads of them. */
#ifndef NETCOST_REPORT_MODEL_ENERGY_H
#define NETCOST_REPORT_MODEL_ENERGY_H

#include <stddef.h>

#include "counter.h"

struct model;

/* Between two reads of an energy counter, or several: what the CPUs did that it counts for. NaN: not known. */
struct model_energy_piece {
	double ns, joules;
	double busy_ns; /* of all of them, in that time */
};

#define MODEL_ENERGY_PIECES 512 /* when there are so many, each two neighbours become one */
#define MODEL_ENERGY_SERIES 64	/* so many zones have pieces */

struct model_zone {
	model_str name, state, why; /* state: empty: not said */
	uint64_t parent, unit_nj, wrap;
	/* raw: only of the steps between reads that tell the energy; read_ns: all reads */
	struct counter read_ns, raw;
	uint64_t told_ns, untold_ns; /* the time of these steps, and of the others */
	uint64_t reads, unread;	     /* how often it was read, and could not be … */
	bool failed;		     /* … the last time */
	uint64_t error; /* errno of the last time; 0: it was no counter; TRACE_NIL: not said */
	struct model_energy_piece *piece;
	size_t npieces;
	unsigned int together; /* reads in a piece, and in the last one so far */
	unsigned int in_last;
	double told_before, joules_before; /* when the last piece ended */
	/* Bit n: so far it may be the same counter as that of zone n + 1, which comes before it. */
	uint64_t same;
	uint64_t raw_now,
		raw_before; /* at the last two readings of all zones; TRACE_NIL: not known */
};

/* How it was at the last read of energy counters. */
struct model_energy_time {
	double at_ns, covered_ns;     /* the tick; what exact counters cover */
	double exact_ns, busy_ns;     /* of that it was online, and busy */
	double stat_ns, stat_busy_ns; /* likewise, by /proc/stat */
};

/* By its name: the whole of a socket; the memory beside it; one core, not all of them. */
bool model_is_package(const struct model *m, const struct model_zone *z);
bool model_is_dram(const struct model *m, const struct model_zone *z);
bool model_is_core(const struct model *m, const struct model_zone *z);
/*
 * The id of the zone whose counter it shows once more; 0: none. Each die of a package has a zone, and where the hardware counts
 * for the package (AMD Zen 1) all of them show the same counter.
 */
size_t model_zone_mirrors(const struct model_zone *z);
/* The package zone that counts for a CPU, as an id; 0: not known. */
size_t model_cpu_package(const struct model *m, unsigned int cpu);
/* The id of the package that it is, or is below; 0: none. */
size_t model_package_of(const struct model *m, const struct model_zone *z);
double model_zone_joules(const struct model_zone *z); /* of the time that is told */

#endif
