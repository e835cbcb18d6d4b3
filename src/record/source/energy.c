// SPDX-License-Identifier: BSD-2-Clause
/* Records energy counters. The values are raw; the report handles wraparound. */
#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/cpuset.h>
#include <netcost/reasons.h>
#include <netcost/trace.h>

#include "energy_zones.h"
#include "record/base/clock.h"
#include "record/base/procfs.h"

#define CPU "/sys/devices/system/cpu/"

struct energy {
	struct energy_zones zones;
	bool defined;
};

static void energy_close(void *ctx)
{
	struct energy *e = ctx;

	energy_zones_close(&e->zones);
	free(e);
}

/*
 * Returns the errno that explains why some or all zones cannot be read, or 0 if all zones can be read. *readable is the
 * number of readable zones.
 */
static int find_refused(const struct energy_zones *e, unsigned int *readable)
{
	int err = 0;

	*readable = 0;
	for (unsigned int i = 0; i < e->n; i++) {
		*readable += e->zone[i].fd >= 0;
		if (e->zone[i].fd < 0)
			err = e->zone[i].err;
	}
	return err;
}

/* Adds perf's zones that powercap lacks: the cores, or all zones. Returns the number of readable zones. */
static unsigned int add_power(struct energy *e, struct source_status *st, int *refused,
			      unsigned int readable)
{
	struct energy_zones *power;
	unsigned int n = e->zones.n;
	int err;

	if (readable) {
		power_scan_cores(&e->zones, &power_host);
		if (e->zones.n > n)
			st->via = reason_power_too;
		*refused = find_refused(&e->zones, &readable);
		return readable;
	}
	power = calloc(1, sizeof(*power));
	if (!power)
		return 0;
	power_scan(power, &power_host);
	err = find_refused(power, &readable);
	if (readable) {
		energy_zones_close(&e->zones);
		e->zones = *power;
		*refused = err;
		st->via = reason_power;
	} else {
		energy_zones_close(power);
	}
	free(power);
	return readable;
}

static int energy_open(void **ctx, const struct source_desc *d, const struct source_host *h,
		       struct source_status *st)
{
	struct energy *e = calloc(1, sizeof(*e));
	const char *elsewhere = getenv("NETCOST_POWERCAP");
	unsigned int readable;
	char path[256];
	int refused, err;

	(void)h;
	*ctx = NULL;
	if (!e)
		return -ENOMEM;
	st->via = elsewhere && *elsewhere ? elsewhere : d->path;
	err = powercap_scan(&e->zones, st->via);
	refused = find_refused(&e->zones, &readable);
	if (!strcmp(st->via, "/sys/class/powercap"))
		readable = add_power(e, st, &refused, readable);
	if (readable) {
		st->state = "measured";
		if (refused)
			snprintf(st->why, sizeof(st->why), reason_zones_refused, refused);
		*ctx = e;
		return 0;
	}
	energy_close(e);
	st->state = refused ? "refused" : "absent";
	if (refused)
		snprintf(st->why, sizeof(st->why), reason_rapl_refused, refused);
	else
		snprintf(st->why, sizeof(st->why), err ? reason_rapl_absent : reason_rapl_none,
			 reason_escape(st->via, path, sizeof(path)));
	return 0;
}

/* ---- zones ------------------------------------------------------------------------------- */

static int topology(uint32_t cpu, const char *what)
{
	char path[96];

	snprintf(path, sizeof(path), CPU "cpu%u/topology/%s", cpu, what);
	return (int)procfs_uint(path, UINT64_MAX);
}

/* Stores in cpu[] the known CPUs of the zone's package. Returns their number. */
static unsigned int find_cpus(const struct energy_zone *z, const struct cpuset *present,
			      uint64_t *cpu)
{
	unsigned int n = 0;

	for (unsigned int i = 0; z->package >= 0 && i < present->n; i++)
		if (topology(present->cpu[i], "physical_package_id") == z->package &&
		    (z->die < 0 || topology(present->cpu[i], "die_id") == z->die) &&
		    (z->core < 0 || topology(present->cpu[i], "core_id") == z->core))
			cpu[n++] = present->cpu[i];
	return n;
}

static int define_zone(const struct energy_zone *z, unsigned int id, const struct cpuset *present,
		       uint64_t *cpu, struct trace_writer *w)
{
	unsigned int ncpus = find_cpus(z, present, cpu);
	bool refused = z->fd < 0;
	char why[32];

	snprintf(why, sizeof(why), reason_error, z->err);
	trace_writer_begin(w, TRACE_ENERGY_ZONE);
	trace_writer_uint(w, TRACE_ENERGY_ZONE_ID, id);
	trace_writer_str(w, TRACE_ENERGY_ZONE_NAME, z->name);
	trace_writer_uint(w, TRACE_ENERGY_ZONE_PARENT, z->parent);
	trace_writer_uint(w, TRACE_ENERGY_ZONE_UNIT_NJ, z->unit_nj);
	trace_writer_uint(w, TRACE_ENERGY_ZONE_WRAP, z->wrap);
	trace_writer_str(w, TRACE_ENERGY_ZONE_STATE, refused ? "refused" : "measured");
	if (refused)
		trace_writer_str(w, TRACE_ENERGY_ZONE_WHY, why);
	if (ncpus)
		trace_writer_uints(w, TRACE_ENERGY_ZONE_CPUS, cpu, ncpus);
	return trace_writer_end(w);
}

static int define_zones(const struct energy_zones *e, struct trace_writer *w)
{
	struct cpuset present = { 0 };
	uint64_t *cpu;
	int err = 0;

	if (procfs_cpus(CPU "present", &present) == -ENOMEM)
		return -ENOMEM;
	cpu = malloc((present.n + 1) * sizeof(*cpu));
	if (!cpu)
		err = -ENOMEM;
	for (unsigned int i = 0; i < e->n && !err; i++)
		err = define_zone(&e->zone[i], i + 1, &present, cpu, w);
	free(cpu);
	cpuset_free(&present);
	return err;
}

/* ---- ticks ------------------------------------------------------------------------------- */

static int write_counters(struct energy_zones *e, struct trace_writer *w)
{
	uint64_t at[ENERGY_ZONES], raw[ENERGY_ZONES], error[ENERGY_ZONES];
	uint64_t began_ns = now_ns();
	bool unread = false;

	for (unsigned int i = 0; i < e->n; i++) {
		int err;

		raw[i] = e->zone[i].read(e, &e->zone[i], &err);
		at[i] = now_ns();
		error[i] = raw[i] == TRACE_NIL ? (uint64_t)err : TRACE_NIL;
		unread |= raw[i] == TRACE_NIL;
	}
	trace_writer_begin(w, TRACE_ENERGY);
	trace_writer_uints(w, TRACE_ENERGY_READ_NS, at, e->n);
	trace_writer_uints(w, TRACE_ENERGY_RAW, raw, e->n);
	if (unread)
		trace_writer_uints(w, TRACE_ENERGY_ERROR, error, e->n);
	return source_end(w, began_ns, e->n ? at[e->n - 1] : began_ns);
}

static int energy_tick(void *ctx, struct trace_writer *w)
{
	struct energy *e = ctx;

	if (!e->defined) {
		int err = define_zones(&e->zones, w);

		if (err)
			return err;
		e->defined = true;
	}
	return write_counters(&e->zones, w);
}

static int energy_again(void *ctx, struct trace_writer *w)
{
	const struct energy *e = ctx;

	return e->defined ? define_zones(&e->zones, w) : 0;
}

const struct source_desc energy_source = {
	.name = "energy",
	.path = "/sys/class/powercap",
	.open = energy_open,
	.tick = energy_tick,
	.again = energy_again,
	.close = energy_close,
};
