// SPDX-License-Identifier: BSD-2-Clause
/*
 * Energy: RAPL counters through powercap sysfs. Raw values, as they stand; wrapping is the report's job.
 * Zones are intel-rapl:N (package-N) and their parts intel-rapl:N:M (core, uncore, dram); AMD's are the
 * same since Linux 5.8.
 */
#include "source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/messages.h>
#include <netcost/trace.h>

#include "record/base/clock.h"
#include "record/base/procfs.h"

#define MAX_ZONES 64

struct zone {
	char id[64]; /* the directory: intel-rapl:0:1 */
	char name[64];
	unsigned int parent; /* index + 1; 0: none */
	uint64_t wrap;
	int fd;
};

struct energy {
	struct zone zone[MAX_ZONES];
	unsigned int n;
	bool defined;
};

static int compare_zones(const void *a, const void *b)
{
	return strcmp(((const struct zone *)a)->id, ((const struct zone *)b)->id);
}

/* Opens one zone. -errno of its counter. */
static int open_zone(struct zone *z, const char *powercap, const char *id)
{
	char path[384];

	snprintf(z->id, sizeof(z->id), "%s", id);
	snprintf(path, sizeof(path), "%s/%s/name", powercap, id);
	if (procfs_text(path, z->name, sizeof(z->name)))
		return -ENOENT;
	snprintf(path, sizeof(path), "%s/%s/max_energy_range_uj", powercap, id);
	z->wrap = procfs_uint(path, 0);
	snprintf(path, sizeof(path), "%s/%s/energy_uj", powercap, id);
	z->fd = open(path,
		     O_RDONLY | O_CLOEXEC); /* root only since Linux 5.10: commit 949dd0104c49 */
	return z->fd < 0 ? -errno : 0;
}

static void find_parents(struct energy *e)
{
	for (unsigned int i = 0; i < e->n; i++)
		for (unsigned int k = 0; k < e->n; k++) {
			size_t len = strlen(e->zone[k].id);

			/* intel-rapl:0:1 is a part of intel-rapl:0, intel-rapl:10 is not of intel-rapl:1 */
			if (!strncmp(e->zone[i].id, e->zone[k].id, len) &&
			    e->zone[i].id[len] == ':')
				e->zone[i].parent = k + 1;
		}
}

static int scan(struct energy *e, const char *powercap, int *refused)
{
	DIR *dir = opendir(powercap);
	struct dirent *d;

	*refused = 0;
	if (!dir)
		return -errno;
	while ((d = readdir(dir)) && e->n < MAX_ZONES) {
		int err;

		/* "intel-rapl:0"; not "intel-rapl" (the control type), nor the mmio twins of the same counters */
		if (!strchr(d->d_name, ':') || strstr(d->d_name, "mmio"))
			continue;
		err = open_zone(&e->zone[e->n], powercap, d->d_name);
		if (!err)
			e->n++;
		else if (err != -ENOENT)
			*refused = err;
	}
	closedir(dir);
	qsort(e->zone, e->n, sizeof(e->zone[0]), compare_zones);
	find_parents(e);
	return 0;
}

static void energy_close(void *ctx)
{
	struct energy *e = ctx;

	for (unsigned int i = 0; i < e->n; i++)
		close(e->zone[i].fd);
	free(e);
}

static int energy_open(void **ctx, const struct source_desc *d, const struct source_host *h,
		       struct source_status *st)
{
	struct energy *e = calloc(1, sizeof(*e));
	int refused, err;

	(void)h;
	*ctx = NULL;
	if (!e)
		return -ENOMEM;
	err = scan(e, d->path, &refused);
	st->via = d->path;
	if (e->n) {
		st->state = "measured";
		if (refused)
			snprintf(st->why, sizeof(st->why), said_zones_missing, strerror(-refused));
		*ctx = e;
		return 0;
	}
	energy_close(e);
	st->state = refused ? "refused" : "absent";
	if (refused)
		snprintf(st->why, sizeof(st->why), said_rapl_refused, strerror(-refused));
	else if (err)
		snprintf(st->why, sizeof(st->why), said_rapl_absent, d->path);
	else
		snprintf(st->why, sizeof(st->why), said_rapl_none, d->path);
	return 0;
}

static int define_zones(const struct energy *e, struct trace_writer *w)
{
	int err = 0;

	for (unsigned int i = 0; i < e->n && !err; i++) {
		trace_writer_begin(w, TRACE_ENERGY_ZONE, 5);
		trace_writer_uint(w, TRACE_ENERGY_ZONE_ID, i + 1);
		trace_writer_str(w, TRACE_ENERGY_ZONE_NAME, e->zone[i].name);
		trace_writer_uint(w, TRACE_ENERGY_ZONE_PARENT, e->zone[i].parent);
		trace_writer_uint(w, TRACE_ENERGY_ZONE_UNIT_NJ, 1000);
		trace_writer_uint(w, TRACE_ENERGY_ZONE_WRAP, e->zone[i].wrap);
		err = trace_writer_end(w);
	}
	return err;
}

static uint64_t read_counter(int fd)
{
	char text[32];
	const char *p = text;
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	uint64_t v;

	text[n > 0 ? n : 0] = '\0';
	return procfs_number(&p, 10, &v) ? v : TRACE_NIL;
}

static int energy_tick(void *ctx, struct trace_writer *w)
{
	struct energy *e = ctx;
	uint64_t at[MAX_ZONES], raw[MAX_ZONES];

	if (!e->defined) {
		int err = define_zones(e, w);

		if (err)
			return err;
		e->defined = true;
	}
	for (unsigned int i = 0; i < e->n; i++) {
		raw[i] = read_counter(e->zone[i].fd);
		at[i] = now_ns();
	}
	trace_writer_begin(w, TRACE_ENERGY, 2);
	trace_writer_uints(w, TRACE_ENERGY_READ_NS, at, e->n);
	trace_writer_uints(w, TRACE_ENERGY_RAW, raw, e->n);
	return trace_writer_end(w);
}

const struct source_desc energy_source = {
	.name = "energy",
	.path = said_powercap,
	.open = energy_open,
	.tick = energy_tick,
	.close = energy_close,
};
