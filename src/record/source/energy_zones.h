/* SPDX-License-Identifier: BSD-2-Clause */
/* energy_zones.h: energy counters of a host, by the interface that has them. */
#ifndef NETCOST_ENERGY_ZONES_H
#define NETCOST_ENERGY_ZONES_H

#include <stdint.h>

#define ENERGY_ZONES 64

struct energy_zone {
	char id[64]; /* powercap's folder: intel-rapl:0:1 */
	char name[64];
	unsigned int parent; /* index + 1; 0: none */
	uint64_t wrap;	     /* largest value; 0: not known */
	uint64_t unit_nj;    /* of the counter */
	int fd;		     /* -1: it cannot be read … */
	int err;	     /* … for this errno; 0: it has no counter */
	int package, die;    /* of the CPUs that it counts for; -1: not known, or all dies */
};

struct energy_zones {
	const char *root;
	unsigned int n;
	int dir; /* the root; -1: not used */
	/* The counter, or TRACE_NIL and an errno; that is 0 where what was read is no counter. */
	uint64_t (*read)(const struct energy_zones *e, struct energy_zone *z, int *err);
	struct energy_zone zone[ENERGY_ZONES]; /* parents first */
};

/* 0; -errno: the root cannot be read. Zones whose counter cannot be read are among them. */
int powercap_scan(struct energy_zones *e, const char *root);
void energy_zones_close(struct energy_zones *e);

#endif
