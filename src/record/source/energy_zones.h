/* SPDX-License-Identifier: BSD-2-Clause */
/* energy_zones.h: energy counters of a host, by the interface that has them. */
#ifndef NETCOST_ENERGY_ZONES_H
#define NETCOST_ENERGY_ZONES_H

#include <stdint.h>
#include <sys/types.h>

#define ENERGY_ZONES 512

struct energy_zones;

struct energy_zone {
	char id[64]; /* powercap's folder: intel-rapl:0:1 */
	char name[64];
	unsigned int parent; /* index + 1; 0: none */
	uint64_t wrap;	     /* largest value; 0: not known */
	uint64_t unit_nj;    /* of the counter */
	int fd;		     /* -1: it cannot be read … */
	int err;	     /* … for this errno; 0: it has no counter */
	int package, die;    /* of the CPUs that it counts for; -1: not known, or all dies */
	int core;	     /* likewise; -1: all */
	double step_nj;	     /* perf: of what is read; the counter is in units then */
	/* The counter, or TRACE_NIL and an errno; that is 0 where what was read is no counter. */
	uint64_t (*read)(const struct energy_zones *e, struct energy_zone *z, int *err);
};

/* Where perf's counters are; another place in tests. */
struct power_host {
	const char *pmus, *cpus;				       /* folders of /sys */
	int (*open)(uint32_t type, uint64_t config, unsigned int cpu); /* -errno */
	ssize_t (*read)(int fd, uint64_t *count);
};

extern const struct power_host power_host;

struct energy_zones {
	const char *root;
	unsigned int n;
	int dir; /* the root; -1: not used */
	const struct power_host *power;
	struct energy_zone zone[ENERGY_ZONES]; /* parents first */
};

/* 0; -errno: the root cannot be read. Zones whose counter cannot be read are among them. */
int powercap_scan(struct energy_zones *e, const char *root);
/* Those of perf, instead; and only those of cores, beside others. */
void power_scan(struct energy_zones *e, const struct power_host *h);
void power_scan_cores(struct energy_zones *e, const struct power_host *h);
void energy_zones_close(struct energy_zones *e);

#endif
