// SPDX-License-Identifier: BSD-2-Clause
#include "certify_spin.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/if_link.h> /* for XDP_FLAGS_SKB_MODE */

#include <netcost/reasons.h>

#include "bpf/spin.h"

#include "bpf/certify.skel.h" /* generated in build/ by bpftool from bpf/certify.bpf.c */
#include "record/kernel/probe_object.h"

/* interface number of the loopback, which is the same in every network namespace */
#define LOOPBACK 1

struct certify_spin {
	struct probe_object probe;
	struct certify_bpf *skel;
	const struct way *way;
	bool attached;
};

PROBE_OPENER(certify)

static int attach_xdp(const struct bpf_program *prog)
{
	return bpf_xdp_attach(LOOPBACK, bpf_program__fd(prog), XDP_FLAGS_SKB_MODE, NULL);
}

static int attach_tc(const struct bpf_program *prog)
{
	LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = LOOPBACK, .attach_point = BPF_TC_INGRESS);
	LIBBPF_OPTS(bpf_tc_opts, opts, .prog_fd = bpf_program__fd(prog));
	int err = bpf_tc_hook_create(&hook);

	return err ? err : bpf_tc_attach(&hook, &opts);
}

/*
 * The ways to attach the program. XDP is tried first, because a classifier may load modules, which would stay loaded.
 */
static const struct way {
	const char *program;
	int (*attach)(const struct bpf_program *prog);
} ways[] = { { "certify_xdp", attach_xdp }, { "certify_tc", attach_tc } };

#define NWAYS (sizeof(ways) / sizeof(ways[0]))

int certify_spin_attach(struct certify_spin *s)
{
	const struct bpf_program *prog;
	int err;

	if (s->attached)
		return 0;
	prog = bpf_object__find_program_by_name(s->probe.obj, s->way->program);
	err = s->way->attach(prog);
	s->attached = !err;
	return err;
}

void certify_spin_detach(struct certify_spin *s)
{
	if (s->way->attach == attach_xdp)
		s->attached = bpf_xdp_detach(LOOPBACK, XDP_FLAGS_SKB_MODE, NULL) != 0;
}

static int try_way(struct certify_spin *s, const struct way *way)
{
	int err = probe_open(&s->probe, certify_open, NULL);
	struct bpf_program *prog;

	if (!err) {
		bpf_object__for_each_program (prog, s->probe.obj)
			bpf_program__set_autoload(prog,
						  !strcmp(bpf_program__name(prog), way->program));
		err = probe_load(&s->probe);
	}
	s->way = way;
	if (!err)
		err = certify_spin_attach(s);
	if (err)
		probe_close(&s->probe);
	s->skel = s->probe.skel;
	return err;
}

int certify_spin_new(struct certify_spin **sp, char *why, size_t whysize)
{
	struct certify_spin *s = calloc(1, sizeof(*s));
	int err[NWAYS] = { s ? -1 : -ENOMEM };

	*sp = NULL;
	for (size_t i = 0; s && i < NWAYS; i++) {
		err[i] = try_way(s, &ways[i]);
		if (!err[i]) {
			*sp = s;
			return 0;
		}
	}
	free(s);
	snprintf(why, whysize, reason_certify_programs, -err[0], -err[1]);
	return err[0];
}

void certify_spin_free(struct certify_spin *s)
{
	if (!s)
		return;
	probe_close(&s->probe);
	free(s);
}

volatile struct netcost_spin *certify_spin_shared(const struct certify_spin *s)
{
	return &s->skel->bss->spin;
}
