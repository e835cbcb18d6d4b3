// SPDX-License-Identifier: BSD-2-Clause
#include "path.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>

#include <bpf/libbpf.h>

#include <netcost/reasons.h>

#include "bpf/drops.h"
#include "bpf/path.h"
#include "bpf/path_events.h"
#include "bpf/tail.h"
#include "bpf/path.skel.h" /* made by bpftool from bpf/path.bpf.c, in build/ */
#include "latency_keys.h"
#include "latency_only.h"
#include "record/base/clock.h"
#include "record/kernel/btf_names.h"
#include "record/kernel/cgroup_hierarchy.h"
#include "record/kernel/drop_reasons.h"
#include "record/kernel/module_btf.h"
#include "record/kernel/tracing.h"

#define PREFIX                                                                                     \
	"path_" /* of a program; then, of a function's end, EXIT; then its tracepoint or function */
#define EXIT "exit_"
#define PROGRAMS (sizeof(((struct path_bpf *)NULL)->progs) / sizeof(struct bpf_program *))
_Static_assert(PROGRAMS < SOURCE_PROGRAMS, "and others'");

/* ---- programs ---------------------------------------------------------------------------- */

static const char *path_hook_of(const struct bpf_program *prog)
{
	const char *name = bpf_program__name(prog) + strlen(PREFIX);

	return strncmp(name, EXIT, strlen(EXIT)) ? name : name + strlen(EXIT);
}

/* Where structs of modules have what programs need; without that these are of no use. */
static void path_find_members(struct path *p)
{
	const struct module_member member[] = {
		{ "nf_tables", "nft_pktinfo", "state", &p->skel->rodata->nft_hook },
		{ "nf_tables", "nft_chain", "table", &p->skel->rodata->nft_table },
		{ "nf_tables", "nft_table", "name", &p->skel->rodata->nft_table_name },
		{ "x_tables", "xt_table", "name", &p->skel->rodata->xt_table_name },
	};

	if (!p->points.stages[NETCOST_STAGE_NFTABLES].here &&
	    !p->points.stages[NETCOST_STAGE_IPTABLES].here)
		return;
	module_btf_members(member, sizeof(member) / sizeof(member[0]));
	if (p->skel->rodata->nft_hook == UINT32_MAX || p->skel->rodata->nft_table == UINT32_MAX ||
	    p->skel->rodata->nft_table_name == UINT32_MAX)
		path_points_drop(&p->points, "nft_do_chain");
	if (p->skel->rodata->xt_table_name != UINT32_MAX)
		return;
	path_points_drop(&p->points, "ipt_do_table");
	path_points_drop(&p->points, "ip6t_do_table");
}

/* A program of fentry or fexit learns its function here. In a module it may not be there after all. */
static int path_choose(struct path *p, const struct source_host *h)
{
	struct bpf_program *prog;

	bpf_object__for_each_program (prog, p->skel->obj) {
		const char *name = path_hook_of(prog);
		bool function = strncmp(bpf_program__section_name(prog), "tp_btf/", 7) != 0;
		bool counts = path_points_counts(&p->points, h->kernel, name, function);
		bool follows = path_points_follows(&p->points, name, function);
		int err = (counts || follows) && function ?
				  tracing_function(h->tracing, prog, name) :
				  0;

		if (err && counts)
			return err;
		if (err)
			path_points_drop(&p->points, name);
		bpf_program__set_autoload(prog, !err && (counts || follows));
	}
	return 0;
}

/* ---- constants and maps, before loading ---------------------------------------------------- */

static void path_choose_only(struct path_bpf *skel, const struct latency_only *o)
{
	skel->rodata->only_interface = o->ifindex;
	skel->rodata->only_netns = o->netns;
	skel->rodata->only_cgroup = o->cgroup_id;
	skel->rodata->only_process = o->pid;
	skel->rodata->only_queue = o->queue;
}

/* Where cgroups of version 2 are not used, sockets are all in their root. */
static int path_choose_keys(struct path *p, const struct source_host *h)
{
	struct path_bpf *skel = p->skel;
	char dir[PATH_MAX];
	int err;

	if (!h->latency_by)
		return 0;
	skel->rodata->latency_by = latency_keys_by(h->latency_by) + 1u;
	skel->rodata->cgroups_known = cgroup_hierarchy_mount(CGROUPS_V2, dir, sizeof(dir));
	err = bpf_map__set_max_entries(skel->maps.latency_keys, 2 * NETCOST_LATENCY_KEYS);
	return err ? err : bpf_map__set_max_entries(skel->maps.keyed, NETCOST_LATENCY_KEYED);
}

static bool path_has_tail(const struct path *p)
{
	return p->points.of_tail.way;
}

static int path_choose_tail(const struct path *p)
{
	const struct path_bpf *skel = p->skel;
	int err = 0;

	if (!path_has_tail(p))
		return 0;
	skel->rodata->with_tail = true;
	err = bpf_map__set_max_entries(skel->maps.tail_edges, p->ncpus);
	if (!err)
		err = bpf_map__set_max_entries(skel->maps.tail_runnable, NETCOST_RUNNABLES);
	if (!err)
		err = bpf_map__set_max_entries(skel->maps.tail_exemplars, NETCOST_EXEMPLARS);
	return err;
}

static int path_choose_latency(struct path *p, const struct source_host *h)
{
	struct path_bpf *skel = p->skel;

	for (unsigned int hook = 0; hook < NETCOST_LATENCY_COUNT; hook++)
		if (path_points_measures(&p->points, hook))
			skel->rodata->measured |= 1u << hook;
	if (h->latency_by && latency_keys_by(h->latency_by) == NETCOST_LATENCY_BY_INTERFACE)
		skel->rodata->measured |= 1u << NETCOST_LATENCY_RECEIVE; /* it knows their names */
	skel->rodata->tcp_start_by_function =
		path_points_by(&p->points, NETCOST_LATENCY_TCP_START, "tcp_v4_rcv");
	skel->rodata->reads_by_functions =
		path_points_by(&p->points, NETCOST_LATENCY_UDP_READ, "udp_recvmsg");
	skel->bss->tick = 1;
	path_choose_only(skel, h->latency_only);
	return path_choose_keys(p, h);
}

static int path_choose_sample(struct path *p, const struct source_host *h)
{
	struct path_bpf *skel = p->skel;
	uint64_t random[2] = { 0 };

	if (getrandom(random, sizeof(random), 0) < 0)
		random[0] = (uint64_t)(uintptr_t)p; /* better than none */
	memcpy((void *)skel->rodata->key, random, sizeof(random));
	skel->rodata->with_sample = true;
	skel->rodata->addresses = h->addresses;
	skel->bss->below = ((1ull << 32) + h->stages_every - 1) / h->stages_every;
	return bpf_map__set_max_entries(skel->maps.events, NETCOST_STAGE_RING);
}

static int path_choose_constants(struct path *p, const struct source_host *h)
{
	unsigned int bits = 0;
	int err;

	while (p->ncpus > 1u << bits)
		bits++;
	p->skel->rodata->cpu_bits = bits;
	p->skel->rodata->has_reasons = drop_reasons_here(h->kernel) == DROP_REASONS_GIVEN;
	p->skel->rodata->with_drops = p->drops;
	if (btf_names_func(h->kernel, "bpf_rdonly_cast")) {
		p->skel->rodata->sk_buff_type = tracing_struct(h->tracing, "sk_buff");
		p->skel->rodata->udp_sock_type = tracing_struct(h->tracing, "udp_sock");
		p->skel->rodata->tcp_sock_type = tracing_struct(h->tracing, "tcp_sock");
	}
	err = bpf_map__set_max_entries(p->skel->maps.path_cpus, p->ncpus);
	if (!err && p->drops)
		err = bpf_map__set_max_entries(p->skel->maps.drops, p->ncpus);
	if (!err && p->points.latency)
		err = path_choose_latency(p, h);
	if (!err && p->points.sample)
		err = path_choose_sample(p, h);
	return err ? err : path_choose_tail(p);
}

/* ---- maps -------------------------------------------------------------------------------- */

#define KEYED_BYTES (NETCOST_LATENCY_KEYED * sizeof(struct netcost_latency_keyed))
#define EXEMPLAR_BYTES (NETCOST_EXEMPLARS * sizeof(struct netcost_exemplar))

static int path_map(void *to, const struct bpf_map *map, size_t bytes, int prot)
{
	void *at = mmap(NULL, bytes, prot, MAP_SHARED, bpf_map__fd(map), 0);

	if (at == MAP_FAILED)
		return -errno;
	memcpy(to, &at, sizeof(at));
	return 0;
}

static int path_map_all(struct path *p, const struct source_host *h)
{
	struct path_bpf *skel = p->skel;
	int err = path_map(&p->cpu, skel->maps.path_cpus, p->ncpus * sizeof(*p->cpu),
			   PROT_READ | PROT_WRITE);

	if (!err && p->drops)
		err = path_map(&p->dropped, skel->maps.drops, p->ncpus * sizeof(*p->dropped),
			       PROT_READ);
	if (!err && p->points.latency && h->latency_by)
		err = path_map(&p->keyed, skel->maps.keyed, KEYED_BYTES, PROT_READ);
	if (!err && path_has_tail(p))
		err = path_map(&p->exemplars, skel->maps.tail_exemplars, EXEMPLAR_BYTES, PROT_READ);
	return err;
}

static void path_unmap(const void *at, size_t bytes)
{
	if (at)
		munmap((void *)(uintptr_t)at, bytes);
}

/* ---- loading ----------------------------------------------------------------------------- */

/*
 * Is it attached while the others are not? The kernel needs up to 0.25 s to detach a program from a function: so these stay, and
 * return at once.
 */
static bool path_stays(const struct path *p, const struct bpf_program *prog)
{
	return (p->drops && prog == p->skel->progs.path_kfree_skb) ||
	       strncmp(bpf_program__section_name(prog), "tp_btf/", 7) != 0;
}

/* again: what stays is attached still. */
static int path_attach(struct path *p, bool again)
{
	struct bpf_program *prog;

	bpf_object__for_each_program (prog, p->skel->obj) {
		struct bpf_link *link;
		int err;

		if (!bpf_program__autoload(prog) || (again && path_stays(p, prog)))
			continue;
		link = bpf_program__attach_trace(prog);
		if (!link) {
			err = -errno;
			snprintf(p->why, sizeof(p->why), reason_not_attached, path_hook_of(prog),
				 -err);
			return err;
		}
		if (path_stays(p, prog))
			p->link[PROGRAMS - ++p->nstay] = link;
		else
			p->link[p->nlinks++] = link;
	}
	return 0;
}

static void path_detach(struct path *p)
{
	while (p->nlinks)
		bpf_link__destroy(p->link[--p->nlinks]);
}

bool path_follows(const struct path *p)
{
	return !__atomic_load_n(&p->skel->bss->paused, __ATOMIC_RELAXED);
}

void path_follow(struct path *p, bool follow)
{
	if (follow)
		p->skel->bss->attached_ns = now_ns();
	__atomic_store_n(&p->skel->bss->paused, !follow, __ATOMIC_RELEASE);
}

void path_pause(struct path *p)
{
	path_follow(p, false);
	path_detach(p);
}

/* Between two programs, on their CPU. */
static void path_forget_between(struct netcost_path_cpu *c)
{
	c->received = c->driver_packet = c->tcp_sk = 0;
}

int path_resume(struct path *p)
{
	for (unsigned int cpu = 0; cpu < p->ncpus; cpu++)
		path_forget_between(&p->cpu[cpu]);
	memset(p->skel->bss->packets, 0, sizeof(p->skel->bss->packets));
	memset(p->skel->bss->sources, 0, sizeof(p->skel->bss->sources));
	return path_attach(p, true);
}

uint64_t path_runs(const struct path *p, unsigned int cpu)
{
	return p->cpu[cpu].runs;
}

static void path_unload(struct path *p)
{
	path_detach(p);
	while (p->nstay)
		bpf_link__destroy(p->link[PROGRAMS - p->nstay--]);
	path_unmap(p->cpu, p->ncpus * sizeof(*p->cpu));
	path_unmap(p->dropped, p->ncpus * sizeof(*p->dropped));
	path_unmap(p->keyed, KEYED_BYTES);
	path_unmap(p->exemplars, EXEMPLAR_BYTES);
	p->exemplars = NULL;
	p->cpu = NULL;
	p->dropped = NULL;
	p->keyed = NULL;
	path_bpf__destroy(p->skel);
	p->skel = NULL;
}

static int path_load(struct path *p, const struct source_host *h)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .btf_custom_path = tracing_path(h->tracing));
	int err;

	p->why[0] = '\0';
	p->skel = path_bpf__open_opts(&opts);
	err = p->skel ? tracing_begin(h->tracing, p->skel->obj) : -errno;
	if (!err && p->points.sample)
		path_find_members(p);
	if (!err)
		err = path_choose(p, h);
	if (!err)
		err = path_choose_constants(p, h);
	if (!err)
		err = path_bpf__load(p->skel);
	if (!err)
		err = path_map_all(p, h);
	if (!err)
		return path_attach(p, false);
	snprintf(p->why, sizeof(p->why), reason_not_loaded, -err);
	return err;
}

/* Something less is tried, after that error: false: there is nothing less. What is refused is in the trace. */
static bool path_try_less(struct path_points *p, const struct source_host *h, int err)
{
	if (path_points_modules(p, h->kernel)) {
		p->modules_refused = -err;
	} else if (path_points_functions(p)) {
		p->refused = -err;
	} else if (p->of_tail.way) {
		p->tail_refused = -err;
		p->refused = p->modules_refused = 0;
	} else {
		return false;
	}
	return true;
}

/* Where programs of modules' functions are refused, or of all functions, or those of the tail, the others do what they can. */
static int path_load_best(struct path *p, const struct source_host *h)
{
	int err;

	libbpf_set_print(NULL); /* what is wrong is said once, and by us */
	for (;;) {
		path_points_choose(&p->points, h->kernel);
		err = path_load(p, h);
		if (!err)
			return 0;
		path_unload(p);
		if (!path_try_less(&p->points, h, err))
			return err;
	}
}

/* ---- life -------------------------------------------------------------------------------- */

void path_free(struct path *p)
{
	if (!p)
		return;
	path_unload(p);
	free(p->link);
	free(p);
}

int path_new(struct path **pp, const struct source_host *h)
{
	struct path *p;

	*pp = NULL;
	if ((!h->latency && !h->stages_every) || !h->tracing)
		return 0;
	p = calloc(1, sizeof(*p));
	if (p)
		p->link = calloc(PROGRAMS, sizeof(struct bpf_link *));
	if (!p || !p->link) {
		path_free(p);
		return -ENOMEM;
	}
	p->ncpus = (unsigned int)libbpf_num_possible_cpus();
	p->points.latency = h->latency;
	p->points.tail = h->tail;
	p->points.sample = h->stages_every;
	p->points.asked = h->latency_only ? latency_only_asks(h->latency_only) : 0;
	p->drops = h->programs && drop_reasons_here(h->kernel) == DROP_REASONS_GIVEN;
	(void)path_load_best(p, h); /* p->why says what is wrong */
	*pp = p;
	return 0;
}

const struct bpf_program *path_program(struct path *p, const void *source, size_t i)
{
	struct bpf_program *prog;

	if (!p->lister)
		p->lister = source;
	if (p->lister != source)
		return NULL;
	bpf_object__for_each_program (prog, p->skel->obj)
		if (bpf_program__autoload(prog) && !i--)
			return prog;
	return NULL;
}
