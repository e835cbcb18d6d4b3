/* SPDX-License-Identifier: BSD-2-Clause */
/* energy_zones.h: finds and reads a host's energy counters through powercap or perf. */
#ifndef NETCOST_ENERGY_ZONES_H
#define NETCOST_ENERGY_ZONES_H

#include <stdint.h>
#include <sys/types.h>

#define ENERGY_ZONES 512

struct energy_zones;

struct energy_zone {
	char id[64]; /* name of powercap's folder: intel-rapl:0:1 */
	char name[64];
	unsigned int parent; /* 1 + index of the parent zone; 0: none */
	uint64_t wrap;	     /* largest value of the counter; 0: unknown */
	uint64_t unit_nj;    /* unit of the counter, nJ */
	int fd;		     /* descriptor of the counter; -1: the counter cannot be read */
	int err; /* if fd is -1: errno of opening the counter; 0: the zone has no counter */
	/* package and die of the CPUs that the zone covers; -1: unknown, or all dies */
	int package, die;
	int core;	/* core that the zone covers; -1: all cores */
	double step_nj; /* nJ per count of perf's counter */
	/*
	 * Returns the counter, in units. Returns TRACE_NIL on failure, with an errno in *err, or 0 in *err if the text
	 * is not a counter.
	 */
	uint64_t (*read)(const struct energy_zones *e, struct energy_zone *z, int *err);
};

/* The location of perf's counters; replaced in tests. */
struct power_host {
	const char *pmus, *cpus; /* folders of /sys */
	/* returns a descriptor or -errno */
	int (*open)(uint32_t type, uint64_t config, unsigned int cpu);
	ssize_t (*read)(int fd, uint64_t *count);
};

extern const struct power_host power_host;

struct energy_zones {
	const char *root;
	unsigned int n;
	int dir; /* descriptor of the root folder; -1: unused */
	const struct power_host *power;
	struct energy_zone zone[ENERGY_ZONES]; /* zones, parents first */
};

/*
 * Finds powercap's zones, including zones whose counters cannot be read. Returns 0, or -errno if the root cannot be
 * read.
 */
int powercap_scan(struct energy_zones *e, const char *root);
/* power_scan() finds perf's zones, instead of powercap's. power_scan_cores() adds only perf's zones of cores. */
void power_scan(struct energy_zones *e, const struct power_host *h);
void power_scan_cores(struct energy_zones *e, const struct power_host *h);
void energy_zones_close(struct energy_zones *e);

#endif
