// SPDX-License-Identifier: BSD-2-Clause
/* What is needed to find out what the programs cost: see own_cost.h. */
#include "exact_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf/wire.h"

#include "attach.h"
#include "bpf/netcost.skel.h" /* made by bpftool from bpf/netcost.bpf.c, in build/ */

void exact_runs(const struct exact *e, unsigned int cpu, struct exact_runs *r)
{
	const struct netcost_cpu *c = &e->cpu[cpu];

	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	for (int p = 0; p < NETCOST_PROBE_COUNT; p++)
		memcpy(r->of[p], c->runs_of[p], sizeof(r->of[p]));
	memcpy(r->op_ns, c->op_ns, sizeof(r->op_ns));
}

/* The handlers of an interrupt that never comes are timed, or those of none. */
static int time_no_interrupt(struct exact *e, bool timed)
{
	int fd = bpf_map__fd(e->skel->maps.irqs), err = 0;
	__u32 number = NETCOST_IRQ_NONE;
	struct netcost_irq *none;

	if (!timed) {
		bpf_map_delete_elem(fd, &number);
		return 0;
	}
	none = calloc(e->ncpus, sizeof(*none));
	if (!none)
		return -ENOMEM;
	if (bpf_map_update_elem(fd, &number, none, BPF_ANY))
		err = -errno;
	free(none);
	return err;
}

static int run_pair(struct exact *e, const struct bpf_program *prog, double *all_ns,
		    double *inside_ns)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);

	if (bpf_prog_test_run_opts(bpf_program__fd(prog), &opts))
		return -errno;
	*all_ns = (double)e->skel->bss->spare.all_ns / NETCOST_SPARE_RUNS;
	*inside_ns = (double)e->skel->bss->spare.inside_ns / NETCOST_SPARE_RUNS;
	return 0;
}

unsigned int exact_softirq_programs(const struct exact *e)
{
	return 2 + e->polls_in_softirq;
}

int exact_pair_ns(struct exact *e, enum exact_pair pair, double *all_ns, double *inside_ns)
{
	int err;

	if (pair == EXACT_SOFTIRQ)
		return run_pair(e, e->skel->progs.own_cost_softirq, all_ns, inside_ns);
	if (!e->skel->rodata->hardirqs)
		return -ENOENT;
	err = time_no_interrupt(e, pair == EXACT_HARDIRQ);
	if (!err)
		err = run_pair(e, e->skel->progs.own_cost_hardirq, all_ns, inside_ns);
	time_no_interrupt(e, false);
	return err;
}

bool exact_can_leave_owners(const struct exact *e)
{
	return attach_can_leave_owners(e->attach);
}

int exact_leave_owners(struct exact *e, bool leave, char *why, size_t whysize)
{
	return attach_leave_owners(e->attach, leave, why, whysize);
}
