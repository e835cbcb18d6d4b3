// SPDX-License-Identifier: BSD-2-Clause
#include "timens.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "procfs.h"

#define INITIAL 0xeffffffau /* the kernel's PROC_TIME_INIT_INO */

/* Returns the number of a namespace, or 0 if the namespace does not exist. */
static uint64_t number(const char *proc, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/ns/%s", proc, name);
	return procfs_inode(path);
}

/*
 * Reads the largest offset. The lines have a clock, seconds and nanoseconds, such as "monotonic  86400  0". Returns
 * false if the file is unreadable.
 */
static bool read_offset(const char *proc, double *most_s)
{
	char path[PATH_MAX];
	int64_t s, ns;
	unsigned int n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/timens_offsets", proc);
	f = fopen(path, "re");
	*most_s = 0;
	while (f && fscanf(f, "%*s %" SCNi64 " %" SCNi64, &s, &ns) == 2) {
		double offset = (double)s + (double)ns / 1e9;

		if (offset * offset > *most_s * *most_s)
			*most_s = offset;
		n++;
	}
	if (f)
		fclose(f);
	return n > 0;
}

int timens_check(const char *proc, char *why, size_t size)
{
	uint64_t ours = number(proc, "time");
	double offset_s;

	if (!ours || ours == INITIAL)
		return 0;
	/*
	 * the offsets are those of the children's namespace, so they apply here only if this process is in the same
	 * namespace
	 */
	if (number(proc, "time_for_children") != ours || !read_offset(proc, &offset_s))
		snprintf(
			why, size,
			"runs in a time namespace with unknown clock offsets; start it in the host's namespace: nsenter --time=/proc/1/ns/time netcost-record ...");
	else if (offset_s != 0)
		snprintf(
			why, size,
			"runs in a time namespace whose clocks differ from the host's by %.9g s, but exact times and samples use the host's clocks; start it in the host's namespace: nsenter --time=/proc/1/ns/time netcost-record ...",
			offset_s);
	else
		return 0;
	return -ENOTSUP;
}
