// SPDX-License-Identifier: BSD-2-Clause
/*
 * Applies a filter to samples, and removes the parts of the model that are unknown with this filter.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "filter.h"
#include "model_impl.h"
#include "report/rules/rules.h"

int model_select_tasks(struct model *m, struct trace_column tids, struct trace_column comms)
{
	int err = array_reserve(&m->selected, &m->cap.selected, m->ntasks + (size_t)tids.n + 1,
				sizeof(*m->selected));
	bool *selected = m->selected + m->ntasks;
	uint64_t tid;
	const char *s;
	uint32_t len;

	if (err)
		return err;
	while (trace_column_uint(&tids, &tid) && trace_column_str(&comms, &s, &len)) {
		*++selected = filter_takes_task(m->filter, tid, s, len);
		m->nselected += *selected;
	}
	return 0;
}

int model_select_cgroups(struct model *m, struct trace_column paths)
{
	int err = array_reserve(&m->selected_cgroup, &m->cap.selected_cgroup,
				m->ncgroups + (size_t)paths.n + 1, sizeof(*m->selected_cgroup));
	bool *selected = m->selected_cgroup + m->ncgroups;
	const char *s;
	uint32_t len;

	if (err)
		return err;
	while (trace_column_str(&paths, &s, &len)) {
		*++selected = filter_takes_cgroup(m->filter, s, len);
		m->nselected_cgroups += *selected;
	}
	return 0;
}

/* Returns true if the filter selects a sample. A filter never selects a sample with an unknown task or cgroup. */
bool model_is_selected(const struct model *m, uint64_t task, uint64_t cgroup)
{
	const struct filter *f = m->filter;

	if (f && f->tasks && (!task || task > m->ntasks || !m->selected || !m->selected[task]))
		return false;
	return !f || !f->cgroup ||
	       (cgroup && cgroup <= m->ncgroups && m->selected_cgroup &&
		m->selected_cgroup[cgroup]);
}

/* ---- single samples ----------------------------------------------------------------- */

void model_count_paused(const struct model *m, struct model_cpu *cpu, unsigned int class,
			uint64_t n)
{
	enum own_kind kind = OWN_PROBES;
	enum leaf inside = model_own_leaf(m, class, &kind);

	cpu->paused[model_leaf(m, class)] += n;
	if (inside != LEAF_OWN)
		cpu->paused_own[kind][inside] += n;
}

/*
 * Memory of a pair, and memory of each function of the pair's stack in a flame graph: a node, its two counts, and its
 * slot in a map. Both sizes allow for arrays that grow by half and for a map that doubles.
 */
#define PAIR_BYTES (4 * sizeof(struct model_pair))
#define PAIR_NODE_BYTES 64

static int count_pair(struct model *m, uint32_t stack, uint32_t task)
{
	uint64_t key = (uint64_t)stack << 32 | task;
	uint32_t n = idmap_get(&m->by_pair, key);
	int err = 0;

	if (!n) {
		n = ++m->npairs;
		err = array_reserve(&m->pair, &m->cap.pair, n, sizeof(*m->pair));
		if (!err)
			err = idmap_set(&m->by_pair, key, n);
		if (!err)
			err = budget_take(&m->budget,
					  PAIR_BYTES + (m->depth[stack] + 2u) * PAIR_NODE_BYTES);
		if (err)
			return err;
		m->pair[n - 1] = (struct model_pair){ .stack = stack, .task = task };
	}
	m->pair[n - 1].count++;
	return 0;
}

/* Counts sample i of a record. */
static int count_one(struct model *m, struct model_cpu *cpu, const struct trace_samples *s,
		     size_t i, bool paused)
{
	unsigned int class = model_class(m, i, s->stack), leaf = model_leaf(m, class);
	int err = 0;

	if (!model_is_selected(m, s->task, s->cgroup)) {
		cpu->rest[leaf]++;
		cpu->paused_rest[leaf] += paused;
		return 0;
	}
	if (paused)
		model_count_paused(m, cpu, class, 1);
	m->samples++;
	cpu->samples++;
	m->count[s->stack]++;
	cpu->class[class]++;
	if (m->keep & MODEL_CPU_STACKS)
		err = model_count_id(m, &cpu->stacks, (uint32_t)s->stack, 1);
	if (!err && m->keep & MODEL_CPU_TASKS)
		err = model_count_owner(m, cpu, MODEL_OWNERS_TASKS,
					(uint32_t)s->task * LEAF_COUNT + leaf, 1);
	if (!err && m->keep & MODEL_STACK_TASKS && m->has_user)
		err = count_pair(m, (uint32_t)s->stack, (uint32_t)s->task);
	if (!err && m->keep & MODEL_CPU_CGROUPS)
		err = model_count_owner(m, cpu, MODEL_OWNERS_CGROUPS,
					(uint32_t)s->cgroup * LEAF_COUNT + leaf, 1);
	return err;
}

_Static_assert((uint64_t)TRACE_MAX_ID *LEAF_COUNT <= UINT32_MAX,
	       "owner and leaf together must fit into an id");

int model_count_each(struct model *m, struct model_cpu *cpu, const struct trace_record *rec)
{
	struct trace_samples s = trace_record_samples(rec);
	bool pauses = m->npauses && !(m->keep & MODEL_BY_STACK);
	struct model_around around = { 0 };
	int err = 0;

	for (size_t i = 0; !err && trace_samples_next(&s); i++) {
		if (s.stack > m->nstacks || s.task > m->ntasks || s.cgroup > m->ncgroups)
			return model_damaged(m, "a sample of CPU %u has an undefined %s", cpu->cpu,
					     s.stack > m->nstacks ? "stack" :
					     s.task > m->ntasks	  ? "task" :
								    "cgroup");
		err = count_one(m, cpu, &s, i, pauses && model_is_paused(m, &around, s.time_ns));
	}
	return err;
}

/* ---- after the trace was read ------------------------------------------------------- */

static void drop_cpus(struct model *m)
{
	uint64_t n = 0;

	for (unsigned int i = 0; i < m->cpu_end; i++) {
		if (filter_takes_cpu(m->filter, i))
			continue;
		model_free_cpu(m->cpu[i]);
		m->cpu[i] = NULL;
	}
	for (uint64_t i = 0; i < m->header.ncpus; i++)
		if (filter_takes_cpu(m->filter, m->header_cpus[i]))
			m->header_cpus[n++] = m->header_cpus[i];
	m->header.ncpus = n;
}

/* Drops all counters except the counters of elapsed time and of losses. */
static void drop_counters(struct model_cpu *c)
{
	struct model_cpu left = {
		.cpu = c->cpu,
		.tick = c->tick,
		.exact_at_ns = c->exact_at_ns,
		.offline_ns = c->offline_ns,
		.off_ns = c->off_ns,
		.written = c->written,
		.lost = c->lost,
		.throttled = c->throttled,
		.unsampled_ns = c->unsampled_ns,
		.stat_idle = c->stat_idle,
		.stat_idle_at_ns = c->stat_idle_at_ns,
		.stat_idle_first = c->stat_idle_first,
		.stat_idle_last = c->stat_idle_last,
		.frame_lost = c->frame_lost,
		.samples = c->samples,
		.class = c->class,
		.nclasses = c->nclasses,
		.stacks = c->stacks,
	};

	left.ns[NETCOST_EV_IDLE] = c->ns[NETCOST_EV_IDLE];
	left.ns[NETCOST_EV_HARDIRQ_NET] = c->ns[NETCOST_EV_HARDIRQ_NET];
	memcpy(left.owned, c->owned, sizeof(left.owned));
	memcpy(left.rest, c->rest, sizeof(left.rest));
	memcpy(left.paused, c->paused, sizeof(left.paused));
	memcpy(left.paused_own, c->paused_own, sizeof(left.paused_own));
	memcpy(left.paused_rest, c->paused_rest, sizeof(left.paused_rest));
	*c = left;
}

bool model_is_of_some_cpus(const struct model *m)
{
	return filter_has_cpus(m->filter) || m->header.cpus_online > m->recorded_cpus;
}

bool model_is_of_all(const struct model *m)
{
	return !model_is_of_some_cpus(m) && !filter_has_tasks(m->filter);
}

void model_apply_filter(struct model *m)
{
	struct model_cpu *c;

	if (filter_has_cpus(m->filter))
		drop_cpus(m);
	if (!filter_has_tasks(m->filter))
		return;
	model_for_each_cpu(m, c) drop_counters(c);
	model_free_netdevs(m);
	model_free_zones(m);
}
