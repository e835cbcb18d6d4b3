// SPDX-License-Identifier: BSD-2-Clause
#include "cgroup_births.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf/cgroups.h"
#include "bpf/cgroups.skel.h" /* made by bpftool from bpf/cgroups.bpf.c, in build/ */
#include "probe_object.h"

struct cgroup_births {
	struct probe_object probe;
	struct cgroups_bpf *skel;
};

PROBE_OPENER(cgroups)

static int births_load(struct cgroup_births *b, enum cgroup_hierarchy is, struct tracing *tracing)
{
	int err = probe_open(&b->probe, cgroups_open, tracing);
	char why[160];

	if (err)
		return err;
	b->skel = b->probe.skel;
	b->skel->rodata->hierarchy = cgroup_hierarchy_number(is);
	err = probe_load(&b->probe);
	return err ? err : probe_attach(&b->probe, why, sizeof(why));
}

int cgroup_births_new(struct cgroup_births **bp, enum cgroup_hierarchy is, struct tracing *tracing)
{
	struct cgroup_births *b = calloc(1, sizeof(*b));
	int err = b ? births_load(b, is, tracing) : -ENOMEM;

	if (err) {
		cgroup_births_free(b);
		b = NULL;
	}
	*bp = b;
	return err;
}

void cgroup_births_free(struct cgroup_births *b)
{
	if (!b)
		return;
	probe_close(&b->probe);
	free(b);
}

const struct bpf_program *cgroup_births_program(const struct cgroup_births *b)
{
	return b->skel->progs.cgroup_mkdir;
}

void cgroup_births_find(const struct cgroup_births *b, uint64_t kernel, char *dst, size_t size)
{
	struct netcost_made made;

	*dst = '\0';
	if (!bpf_map_lookup_elem(bpf_map__fd(b->skel->maps.made), &kernel, &made))
		snprintf(dst, size, "%.*s", (int)sizeof(made.path), made.path);
}
