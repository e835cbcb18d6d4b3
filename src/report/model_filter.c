// SPDX-License-Identifier: BSD-2-Clause
/* What of a trace is taken into the model, and what of the rest can be known then. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "classes.h"
#include "filter.h"
#include "model_impl.h"

int model_select_tasks(struct model *m, struct trace_column tids, struct trace_column comms)
{
	int err = model_reserve(&m->selected, &m->cap.selected, m->ntasks + (size_t)tids.n + 1,
				sizeof(*m->selected));
	bool *selected = m->selected + m->ntasks;
	uint64_t tid;
	const char *s;
	uint32_t len;

	if (err)
		return err;
	m->selected[0] = false; /* nobody knows which task */
	while (trace_column_uint(&tids, &tid) && trace_column_str(&comms, &s, &len)) {
		*++selected = filter_takes_task(m->filter, tid, s, len);
		m->nselected += *selected;
	}
	return 0;
}

/* ---- samples, one by one ----------------------------------------------------------------- */

static int count_one(struct model *m, struct model_cpu *cpu, uint32_t stack, uint32_t task)
{
	unsigned int class = m->class[stack], leaf = model_leaf(m, class);

	if (m->selected && !m->selected[task]) {
		cpu->rest[leaf]++;
		return 0;
	}
	m->samples++;
	cpu->samples++;
	m->count[stack]++;
	cpu->class[class]++;
	if (m->keep & MODEL_CPU_STACKS && !countmap_add(&cpu->stacks, stack, 1))
		return -ENOMEM;
	if (m->keep & MODEL_CPU_TASKS && !countmap_add(&cpu->tasks, task * LEAF_COUNT + leaf, 1))
		return -ENOMEM;
	return 0;
}

_Static_assert((uint64_t)TRACE_MAX_ID *LEAF_COUNT <= UINT32_MAX, "a task and a leaf are an id");

int model_count_each(struct model *m, struct model_cpu *cpu, struct trace_column stacks,
		     struct trace_column tasks)
{
	uint64_t stack, task;
	int err = 0;

	if (filter_has_tasks(m->filter) && !m->selected)
		err = model_reserve(&m->selected, &m->cap.selected, 1, sizeof(*m->selected));
	if (err)
		return err;
	if (m->selected)
		m->selected[0] = false;
	while (!err && trace_column_uint(&stacks, &stack) && trace_column_uint(&tasks, &task)) {
		if (stack > m->nstacks)
			return model_damaged(m, "a sample of CPU %u has an undefined stack",
					     cpu->cpu);
		if (task > m->ntasks)
			return model_damaged(m, "a sample of CPU %u has an undefined task",
					     cpu->cpu);
		err = count_one(m, cpu, (uint32_t)stack, (uint32_t)task);
	}
	return err;
}

/* ---- what is left ------------------------------------------------------------------------ */

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

/* Of counters only those stay that say how much time there was, and what was lost. */
static void drop_counters(struct model_cpu *c)
{
	struct model_cpu left = {
		.cpu = c->cpu,
		.tick = c->tick,
		.exact_at_ns = c->exact_at_ns,
		.offline_ns = c->offline_ns,
		.written = c->written,
		.lost = c->lost,
		.throttled = c->throttled,
		.unsampled_ns = c->unsampled_ns,
		.frame_lost = c->frame_lost,
		.samples = c->samples,
		.class = c->class,
		.nclasses = c->nclasses,
		.stacks = c->stacks,
		.tasks = c->tasks,
	};

	left.ns[NETCOST_EV_IDLE] = c->ns[NETCOST_EV_IDLE];
	memcpy(left.rest, c->rest, sizeof(left.rest));
	*c = left;
}

void model_apply_filter(struct model *m)
{
	struct model_cpu *c;

	if (filter_has_cpus(m->filter))
		drop_cpus(m);
	if (!filter_has_tasks(m->filter))
		return;
	model_for_each_cpu(m, c) drop_counters(c);
	m->nnetdevs = m->nzones = 0;
}
