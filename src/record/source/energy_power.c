// SPDX-License-Identifier: BSD-2-Clause
/*
 * Reads RAPL through perf. The PMU `power` has an event for each domain, on one CPU of each package. The PMU
 * `power_core` (AMD, Linux 6.14) has an event on a CPU of each core. perf is used if there is no powercap driver, or if
 * only root can read the driver's files. perf is also used for single cores, because powercap has no zone for each
 * core.
 */
#include "energy_zones.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/cpuset.h>
#include <netcost/trace.h>

#include "record/base/perf_event.h"
#include "record/base/procfs.h"

/* The events, and powercap's name of each zone. The first zone includes the others. */
static const struct domain {
	const char *pmu, *event, *name;
	bool psys; /* the zone covers the host, and belongs to no package */
} domains[] = {
	{ "power", "energy-pkg", "package", false }, { "power", "energy-psys", "psys", true },
	{ "power", "energy-cores", "core", false },  { "power", "energy-gpu", "uncore", false },
	{ "power", "energy-ram", "dram", false },
};
static const struct domain cores = { "power_core", "energy-core", "core", false };

/* ---- an event ---------------------------------------------------------------------------- */

static int open_event(uint32_t type, uint64_t config, unsigned int cpu)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = type, .config = config };

	return perf_event_open(&attr, (int)cpu);
}

static ssize_t read_event(int fd, uint64_t *count)
{
	return read(fd, count, sizeof(*count));
}

const struct power_host power_host = {
	.pmus = "/sys/bus/event_source/devices",
	.cpus = "/sys/devices/system/cpu",
	.open = open_event,
	.read = read_event,
};

/* Reads the counter. perf's counter is 64 bits wide and starts at 0 when it is opened, so in nJ it never wraps. */
static uint64_t power_read(const struct energy_zones *e, struct energy_zone *z, int *err)
{
	uint64_t count = 0;
	ssize_t n = z->fd < 0 ? -1 : e->power->read(z->fd, &count);

	*err = n < 0 ? (z->fd < 0 ? z->err : errno) : 0;
	if (n != (ssize_t)sizeof(count))
		return TRACE_NIL;
	return (uint64_t)((long double)count * z->step_nj);
}

/* Reads a file of an event or, if event is NULL, of the event's PMU. */
static int text_of(const struct power_host *h, const struct domain *d, const char *event,
		   const char *file, char *dst, size_t size)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s/%s%s%s", h->pmus, d->pmu, event ? "events/" : "",
		 event ? event : "", file);
	return procfs_text(path, dst, size);
}

/*
 * Parses the event's files: "event=0x02" and "2.3283064365386962890625e-10", in Joules. Returns false if the event does
 * not exist.
 */
static bool describe(const struct power_host *h, const struct domain *d, uint32_t *type,
		     uint64_t *config, double *step_nj)
{
	char text[64];
	const char *p = text;
	uint64_t v;

	if (text_of(h, d, NULL, "type", text, sizeof(text)) || !procfs_number(&p, 10, &v))
		return false;
	*type = (uint32_t)v;
	if (text_of(h, d, d->event, "", text, sizeof(text)) || strncmp(text, "event=0x", 8))
		return false;
	p = text + 8;
	if (!procfs_number(&p, 16, config))
		return false;
	if (text_of(h, d, d->event, ".scale", text, sizeof(text)))
		return false;
	*step_nj = strtod(text, NULL) * 1e9;
	return *step_nj > 0 && *step_nj < 1e9;
}

/* ---- zones ------------------------------------------------------------------------------- */

static int topology(const struct power_host *h, unsigned int cpu, const char *what)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/cpu%u/topology/%s", h->cpus, cpu, what);
	return (int)procfs_uint(path, UINT64_MAX);
}

static unsigned int package_of(const struct energy_zones *e, const struct energy_zone *z)
{
	for (unsigned int i = 0; i < e->n; i++) {
		const struct energy_zone *of = &e->zone[i];

		if (!strncmp(of->name, "package", 7) && of->package == z->package &&
		    (of->die < 0 || z->die < 0 || of->die == z->die))
			return i + 1;
	}
	return 0;
}

/* Returns true if the package has several dies, each with its own counter. */
static bool has_dies(const struct power_host *h, const struct cpuset *mask, int package)
{
	int n = 0;

	for (unsigned int i = 0; i < mask->n; i++)
		n += topology(h, mask->cpu[i], "physical_package_id") == package;
	return n > 1;
}

static void place(struct energy_zone *z, const struct power_host *h, const struct domain *d,
		  const struct cpuset *mask, unsigned int cpu)
{
	bool of_core = d == &cores;

	z->package = d->psys ? -1 : topology(h, cpu, "physical_package_id");
	z->die = z->core = -1;
	if (!d->psys && !of_core && has_dies(h, mask, z->package))
		z->die = topology(h, cpu, "die_id");
	if (of_core) {
		z->core = topology(h, cpu, "core_id");
		snprintf(z->name, sizeof(z->name), "core-%d", z->core);
	} else if (strcmp(d->name, "package")) {
		snprintf(z->name, sizeof(z->name), "%s", d->name);
	} else if (z->die >= 0) {
		snprintf(z->name, sizeof(z->name), "package-%d-die-%d", z->package, z->die);
	} else {
		snprintf(z->name, sizeof(z->name), "package-%d", z->package);
	}
}

static void add_domain(struct energy_zones *e, const struct power_host *h, const struct domain *d)
{
	struct cpuset mask = { 0 };
	uint32_t type;
	uint64_t config;
	double step_nj;
	char path[256];

	snprintf(path, sizeof(path), "%s/%s/cpumask", h->pmus, d->pmu);
	if (!describe(h, d, &type, &config, &step_nj) || procfs_cpus(path, &mask))
		return;
	for (unsigned int i = 0; i < mask.n && e->n < ENERGY_ZONES; i++) {
		struct energy_zone *z = &e->zone[e->n];
		int fd = h->open(type, config, mask.cpu[i]);

		*z = (struct energy_zone){ .unit_nj = 1,
					   .step_nj = step_nj,
					   .read = power_read,
					   .fd = fd < 0 ? -1 : fd,
					   .err = fd < 0 ? -fd : 0 };
		place(z, h, d, &mask, mask.cpu[i]);
		if (d != &domains[0] && !d->psys)
			z->parent = package_of(e, z);
		e->n++;
		if (d->psys)
			break;
	}
	cpuset_free(&mask);
}

void power_scan(struct energy_zones *e, const struct power_host *h)
{
	memset(e, 0, sizeof(*e));
	e->root = h->pmus;
	e->dir = -1;
	e->power = h;
	for (size_t i = 0; i < sizeof(domains) / sizeof(*domains); i++)
		add_domain(e, h, &domains[i]);
	power_scan_cores(e, h);
}

void power_scan_cores(struct energy_zones *e, const struct power_host *h)
{
	e->power = h;
	add_domain(e, h, &cores);
}
