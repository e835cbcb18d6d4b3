// SPDX-License-Identifier: BSD-2-Clause
/* Samples by a BPF program: its clocks, and what it could not put into a ring. */
#include "sampler_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/types.h> /* the program's __u64 */
#include <netcost/trace.h>

#include "bpf/sample.h"
#include "bpf/sample.skel.h" /* made by bpftool from bpf/sample.bpf.c, in build/ */
#include "record/base/perf_event.h"
#include "record/kernel/probe_object.h"

_Static_assert(NETCOST_SAMPLER_STACK == TRACE_MAX_STACK && NETCOST_SAMPLER_CPUS == TRACE_MAX_CPU,
	       "the program's limits are the trace's");

struct sampler_bpf {
	struct probe_object probe;
	struct sample_bpf *skel;
};

PROBE_OPENER(sample)

static int sampler_load(struct sampler_bpf *b, int network_only)
{
	int err = probe_open(&b->probe, sample_open, NULL);

	if (err)
		return err;
	b->skel = b->probe.skel;
	err = bpf_map__reuse_fd(b->skel->maps.cpus, network_only);
	return err ? err : probe_load(&b->probe);
}

int sampler_bpf_load(struct sampler_bpf **bp, int network_only, char *why, size_t whysize)
{
	struct sampler_bpf *b = calloc(1, sizeof(*b));
	int err = b ? sampler_load(b, network_only) : -ENOMEM;

	*bp = b;
	if (!err)
		return 0;
	snprintf(why, whysize, "cannot load the sampler's program: %s; leave out --net-only",
		 strerror(-err));
	sampler_bpf_free(b);
	*bp = NULL;
	return err;
}

void sampler_bpf_free(struct sampler_bpf *b)
{
	if (!b)
		return;
	probe_close(&b->probe);
	free(b);
}

/* The ring's own clock, so that what the kernel says of this one (that it pauses) can go there, too. */
static int clock_open(struct perf_event_attr attr, int cpu)
{
	attr.size = sizeof(attr);
	attr.disabled = 1;
	attr.use_clockid = 1;
	attr.clockid = CLOCK_MONOTONIC;
	return perf_event_open(&attr, cpu);
}

int sampler_bpf_clock(struct sampler_bpf *b, const struct perf_event_attr *clock, int cpu,
		      int ring_fd)
{
	int program = bpf_program__fd(b->skel->progs.netcost_sample);
	int rings = bpf_map__fd(b->skel->maps.rings);
	int err, fd = clock_open(*clock, cpu);

	if (fd < 0)
		return fd;
	err = bpf_map_update_elem(rings, &cpu, &ring_fd, BPF_ANY) ||
			      ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring_fd) ||
			      ioctl(fd, PERF_EVENT_IOC_SET_BPF, program) ?
		      -errno :
		      0;
	if (!err)
		return fd;
	close(fd);
	return err;
}

const struct bpf_program *sampler_bpf_program(const struct sampler_bpf *b)
{
	return b->skel->progs.netcost_sample;
}

uint64_t sampler_bpf_lost(const struct sampler_bpf *b, int cpu)
{
	return __atomic_load_n(&b->skel->bss->lost[cpu], __ATOMIC_RELAXED);
}
