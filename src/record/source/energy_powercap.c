// SPDX-License-Identifier: BSD-2-Clause
/*
 * Reads RAPL through powercap sysfs. Zones are intel-rapl:N (package-N, psys) and their parts intel-rapl:N:M (core,
 * uncore, dram), all in one folder. AMD has the same names since Linux 5.8.
 */
#include "energy_zones.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netcost/trace.h>

#include "record/base/procfs.h"

/* ---- reading ----------------------------------------------------------------------------- */

/*
 * Opens the counter of a zone. Since Linux 5.10 (commit 949dd0104c49), only root can read the counter. Returns a
 * descriptor or -errno.
 */
static int open_counter(const struct energy_zones *e, const struct energy_zone *z)
{
	char path[96];
	int fd;

	snprintf(path, sizeof(path), "%s/energy_uj", z->id);
	fd = openat(e->dir, path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Parses a text that is exactly one number. Returns TRACE_NIL for any other text. */
static uint64_t counter_of(const char *text, uint64_t wrap)
{
	const char *p = text;
	uint64_t v;

	if (!procfs_number(&p, 10, &v) || (*p && strcmp(p, "\n")))
		return TRACE_NIL;
	return v > INT64_MAX || (wrap && v > wrap) ? TRACE_NIL : v;
}

/* Reads the counter's text. Returns the number of bytes, or -errno. */
static ssize_t read_text(const struct energy_zone *z, char *text, size_t size)
{
	ssize_t n = pread(z->fd, text, size - 1, 0);

	if (n < 0)
		return -errno;
	text[n] = '\0';
	return n;
}

/*
 * Returns true if the file was removed. The driver may have been unloaded; a new file of the same name is another file.
 */
static bool is_gone(int fd)
{
	struct stat st;

	return fd < 0 || fstat(fd, &st) || !st.st_nlink;
}

static int open_again(const struct energy_zones *e, struct energy_zone *z)
{
	int fd = open_counter(e, z);

	if (fd < 0)
		return fd;
	if (z->fd >= 0)
		close(z->fd);
	z->fd = fd;
	return 0;
}

static uint64_t powercap_read(const struct energy_zones *e, struct energy_zone *z, int *err)
{
	char text[32];
	ssize_t n = z->fd < 0 ? -ENOENT : read_text(z, text, sizeof(text));

	if (n < 0 || is_gone(z->fd)) {
		n = open_again(e, z);
		if (!n)
			n = read_text(z, text, sizeof(text));
	}
	*err = n < 0 ? (int)-n : 0;
	return n < 0 ? TRACE_NIL : counter_of(text, z->wrap);
}

/* ---- zones ------------------------------------------------------------------------------- */

/* Finds the package and the die in a zone's name: "package-1" or "package-1-die-0". */
static void find_package(struct energy_zone *z)
{
	int package, die;

	z->package = z->die = -1;
	switch (sscanf(z->name, "package-%d-die-%d", &package, &die)) {
	case 2:
		z->die = die;
		/* fall through */
	case 1:
		z->package = package;
	}
}

/* Opens a zone. Returns false if the folder is not a zone, or has no counter. */
static bool open_zone(const struct energy_zones *e, struct energy_zone *z, const char *id)
{
	char path[96], text[32];
	const char *p = text;

	*z = (struct energy_zone){ .unit_nj = 1000, .read = powercap_read, .core = -1, .fd = -1 };
	if (snprintf(z->id, sizeof(z->id), "%s", id) >= (int)sizeof(z->id))
		return false;
	snprintf(path, sizeof(path), "%s/name", z->id);
	if (procfs_text_at(e->dir, path, z->name, sizeof(z->name)))
		return false;
	find_package(z);
	snprintf(path, sizeof(path), "%s/max_energy_range_uj", z->id);
	if (procfs_text_at(e->dir, path, text, sizeof(text)) || !procfs_number(&p, 10, &z->wrap) ||
	    *p || z->wrap > INT64_MAX)
		z->wrap = 0;
	z->fd = open_counter(e, z);
	if (z->fd < 0) {
		z->err = -z->fd;
		z->fd = -1;
	}
	return z->err != ENOENT;
}

static void find_parents(struct energy_zones *e)
{
	for (unsigned int i = 0; i < e->n; i++)
		for (unsigned int k = 0; k < e->n; k++) {
			size_t len = strlen(e->zone[k].id);

			/* intel-rapl:0:1 is a part of intel-rapl:0, but intel-rapl:10 is not a part of intel-rapl:1 */
			if (!strncmp(e->zone[i].id, e->zone[k].id, len) &&
			    e->zone[i].id[len] == ':')
				e->zone[i].parent = k + 1;
		}
}

static int compare_zones(const void *a, const void *b)
{
	return strcmp(((const struct energy_zone *)a)->id, ((const struct energy_zone *)b)->id);
}

/*
 * Returns true if the name is a zone's: "intel-rapl:0", but neither "intel-rapl" (the control type) nor the mmio
 * duplicates of the same counters.
 */
static bool is_zone(const char *name)
{
	return strchr(name, ':') && !strstr(name, "mmio");
}

int powercap_scan(struct energy_zones *e, const char *root)
{
	struct dirent *d;
	DIR *dir;

	memset(e, 0, sizeof(*e));
	e->root = root;
	e->dir = -1;
	dir = opendir(root);
	if (!dir)
		return -errno;
	e->dir = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	while (e->dir >= 0 && (d = readdir(dir)) && e->n < ENERGY_ZONES)
		if (is_zone(d->d_name) && open_zone(e, &e->zone[e->n], d->d_name))
			e->n++;
	closedir(dir);
	qsort(e->zone, e->n, sizeof(e->zone[0]), compare_zones);
	find_parents(e);
	return 0;
}

void energy_zones_close(struct energy_zones *e)
{
	for (unsigned int i = 0; i < e->n; i++)
		if (e->zone[i].fd >= 0)
			close(e->zone[i].fd);
	if (e->dir >= 0)
		close(e->dir);
}
