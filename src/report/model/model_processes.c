// SPDX-License-Identifier: BSD-2-Clause
/* What was counted by process. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <netcost/array.h>

#include "model_impl.h"

_Static_assert(MODEL_PROCESS_ALL_VALUES <= 64, "a bit for each value");

/* ---- values ------------------------------------------------------------------------------ */

/* Where a value is among those that are not 0. */
static unsigned int place_of(uint64_t has, unsigned int value)
{
	return (unsigned int)__builtin_popcountll(has & ((UINT64_C(1) << value) - 1));
}

static bool has_value(const struct model_process *p, unsigned int value)
{
	return p->has >> value & 1;
}

uint64_t model_process_value(const struct model *m, const struct model_process *p,
			     unsigned int value)
{
	return has_value(p, value) ? m->process_value[p->at + place_of(p->has, value)] : 0;
}

/* Room for n values in a row: what another process has given back, or at the end. */
static int take_values(struct model *m, unsigned int n, uint32_t *at)
{
	size_t had = m->cap.process_value, first = m->nprocess_values ? m->nprocess_values : 1;
	int err;

	*at = m->process_free[n];
	if (*at) {
		m->process_free[n] = (uint32_t)m->process_value[*at];
		return 0;
	}
	if (first + n > UINT32_MAX)
		return -ENOMEM;
	err = array_reserve(&m->process_value, &m->cap.process_value, first + n,
			    sizeof(*m->process_value));
	if (err)
		return err;
	*at = (uint32_t)first;
	m->nprocess_values = first + n;
	return budget_take(&m->budget, (m->cap.process_value - had) * sizeof(*m->process_value));
}

/* The process has one value more than before; the others move. */
static int add_value(struct model *m, struct model_process *p, unsigned int value)
{
	unsigned int n = (unsigned int)__builtin_popcountll(p->has), at = place_of(p->has, value);
	uint64_t *from, *to;
	uint32_t new;
	int err = take_values(m, n + 1, &new);

	if (err)
		return err;
	from = m->process_value + p->at;
	to = m->process_value + new;
	memcpy(to, from, at * sizeof(*to));
	memcpy(to + at + 1, from + at, (n - at) * sizeof(*to));
	if (n) {
		from[0] = m->process_free[n];
		m->process_free[n] = p->at;
	}
	p->has |= UINT64_C(1) << value;
	p->at = new;
	return 0;
}

int model_set_process_value(struct model *m, struct model_process *p, unsigned int value,
			    uint64_t v)
{
	int err = v && !has_value(p, value) ? add_value(m, p, value) : 0;

	if (!err && has_value(p, value))
		m->process_value[p->at + place_of(p->has, value)] = v;
	return err;
}

/* ---- records ----------------------------------------------------------------------------- */

/* All that are defined after id 0, which is there from the start. */
int model_reserve_processes(struct model *m, size_t more)
{
	size_t need = m->nprocesses + more + 1;
	int err = array_reserve(&m->process, &m->cap.process, need, sizeof(*m->process));

	if (!err && !m->nprocesses)
		m->process[0] = (struct model_process){ .pid = TRACE_NIL,
							.start_ns = TRACE_NIL,
							.user = TRACE_NIL };
	return err;
}

int model_processes(struct model *m, const struct trace_record *rec)
{
	struct trace_column pids = trace_record_column(rec, TRACE_PROCESSES_PID);
	struct trace_column names = trace_record_column(rec, TRACE_PROCESSES_NAME);
	struct trace_column starts = trace_record_column(rec, TRACE_PROCESSES_START_NS);
	struct trace_column cgroups = trace_record_column(rec, TRACE_PROCESSES_CGROUP);
	struct trace_column kernels = trace_record_column(rec, TRACE_PROCESSES_KERNEL);
	struct trace_column users = trace_record_column(rec, TRACE_PROCESSES_USER);
	bool has_users = trace_record_field(rec, TRACE_PROCESSES_USER);
	uint64_t cgroup, kernel;
	const char *name;
	uint32_t len;
	int err;

	if (!(m->keep & MODEL_PROCESSES))
		return 0;
	err = model_check_id(m, "process", trace_record_uint(rec, TRACE_PROCESSES_FIRST, 0),
			     m->nprocesses);
	if (err)
		return err;
	if (m->nprocesses + (uint64_t)pids.n >= TRACE_MAX_ID || names.n != pids.n ||
	    starts.n != pids.n || cgroups.n != pids.n || kernels.n != pids.n ||
	    (has_users && users.n != pids.n))
		return model_damaged(m, "columns of PROCESSES have different lengths");
	err = model_reserve_processes(m, pids.n);
	while (!err && pids.n) {
		struct model_process *p = &m->process[m->nprocesses + 1];

		*p = (struct model_process){ .user = TRACE_NIL };
		if (!trace_column_uint(&pids, &p->pid) ||
		    !trace_column_uint(&starts, &p->start_ns) ||
		    !trace_column_uint(&cgroups, &cgroup) ||
		    !trace_column_uint(&kernels, &kernel) ||
		    (has_users && !trace_column_uint(&users, &p->user)) ||
		    !trace_column_str(&names, &name, &len))
			return model_damaged(m, "PROCESSES has elements of other kinds");
		if (m->keep & MODEL_CGROUPS && cgroup > m->ncgroups)
			return model_damaged(m, "a process has an undefined cgroup");
		p->cgroup = (uint32_t)cgroup;
		p->kernel = kernel == 1;
		err = model_keep(m, name, len, &p->name);
		m->nprocesses++;
	}
	return err;
}

static uint64_t sum(uint64_t a, uint64_t b)
{
	if (a == TRACE_NIL || b == TRACE_NIL)
		return TRACE_NIL;
	return a + b < a ? TRACE_NIL - 1 : a + b;
}

static int take_column(struct model *m, const struct trace_record *rec, unsigned int value)
{
	unsigned int key = MODEL_PROCESS_KEY(value);
	struct trace_column ids = trace_record_column(rec, TRACE_PROCESS_STATS_PROCESS);
	struct trace_column values = trace_record_column(rec, key);
	uint64_t id, v;
	int err = 0;

	if (!trace_record_field(rec, key))
		return 0;
	if (values.n != ids.n)
		return model_damaged(m, "columns of PROCESS_STATS have different lengths");
	m->process_has[value] = true;
	while (!err && trace_column_uint(&ids, &id) && trace_column_uint(&values, &v)) {
		struct model_process *p;

		if (id > m->nprocesses)
			return model_damaged(m, "PROCESS_STATS has an undefined process");
		p = &m->process[id];
		err = model_set_process_value(m, p, value,
					      sum(model_process_value(m, p, value), v));
	}
	return err;
}

int model_process_stats(struct model *m, const struct trace_record *rec)
{
	int err;

	if (!(m->keep & MODEL_PROCESSES))
		return 0;
	err = model_reserve_processes(m, 0);
	for (unsigned int v = 0; v < MODEL_PROCESS_VALUES && !err; v++)
		err = take_column(m, rec, v);
	return err;
}
