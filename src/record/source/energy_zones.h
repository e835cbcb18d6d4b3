/* SPDX-License-Identifier: BSD-2-Clause */
/* energy_zones.h: a host's energy counters, by interface (powercap or perf). */
#ifndef NETCOST_ENERGY_ZONES_H
#define NETCOST_ENERGY_ZONES_H

#include <stdint.h>
#include <sys/types.h>

#define ENERGY_ZONES 512

struct energy_zones;

struct energy_zone {
	char id[64]; /* powercap's folder: intel-rapl:0:1 */
	char name[64];
	unsigned int parent; /* 1 + index; 0: none */
	uint64_t wrap;	     /* largest value; 0: unknown */
	uint64_t unit_nj;    /* the counter's unit */
	int fd;		     /* -1: not readable … */
	int err;	     /* … for this errno; 0: it has no counter */
	int package, die;    /* of the CPUs that it covers; -1: unknown, or all dies */
	int core;	     /* core that it covers; -1: all */
	double step_nj;	     /* perf: nJ per count; the counter is in units then */
	/* Returns the counter, or TRACE_NIL and an errno in *err, 0 if the text is no counter. */
	uint64_t (*read)(const struct energy_zones *e, struct energy_zone *z, int *err);
};

/* The location of perf's counters; replaced in tests. */
struct power_host {
	const char *pmus, *cpus;				       /* folders of /sys */
	int (*open)(uint32_t type, uint64_t config, unsigned int cpu); /* -errno */
	ssize_t (*read)(int fd, uint64_t *count);
};

extern const struct power_host power_host;

struct energy_zones {
	const char *root;
	unsigned int n;
	int dir; /* the root folder; -1: unused */
	const struct power_host *power;
	struct energy_zone zone[ENERGY_ZONES]; /* parents first */
};

/* 0, or -errno if the root cannot be read. Includes zones with unreadable counters. */
int powercap_scan(struct energy_zones *e, const char *root);
/* Finds perf's zones instead of powercap's; or only those of cores, in addition. */
void power_scan(struct energy_zones *e, const struct power_host *h);
void power_scan_cores(struct energy_zones *e, const struct power_host *h);
void energy_zones_close(struct energy_zones *e);

#endif
