// SPDX-License-Identifier: BSD-2-Clause
/* What was counted by process. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <netcost/fates.h>

#include <netcost/array.h>

#include "model_impl.h"

/* ---- who they are ------------------------------------------------------------------------ */

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

/* ---- what was counted -------------------------------------------------------------------- */

const struct store_query model_process_stats_query = { .type = TRACE_PROCESS_STATS,
						       .dim = { TRACE_PROCESS_STATS_PROCESS } };
const struct store_query model_owner_stats_query = { .type = TRACE_OWNER_STATS,
						     .dim = { TRACE_OWNER_STATS_PROCESS } };
const struct store_query model_rx_fates_query = {
	.type = TRACE_RX_FATES,
	.dim = { TRACE_RX_FATES_FATE, TRACE_RX_FATES_REASON, TRACE_RX_FATES_NETDEV },
	.most = MODEL_FATES - NETCOST_FATE_COUNT
};

size_t model_fates(const struct model *m)
{
	return m->store[MODEL_STORE_FATES] ? store_rows(m->store[MODEL_STORE_FATES]) : 0;
}

struct model_fate model_fate(const struct model *m, size_t i)
{
	const struct store *s = m->store[MODEL_STORE_FATES];
	struct model_fate f = { .fate = (unsigned int)store_dim(s, i, TRACE_RX_FATES_FATE),
				.what = "",
				.ns = store_signed(s, i, TRACE_RX_FATES_NS),
				.packets = store_value(s, i, TRACE_RX_FATES_PACKETS),
				.squares = store_value(s, i, TRACE_RX_FATES_SQUARES) };

	if (f.fate == NETCOST_FATE_FORWARDED)
		f.what = store_text(s, i, TRACE_RX_FATES_NETDEV);
	if (f.fate == NETCOST_FATE_DROPPED)
		f.what = store_text(s, i, TRACE_RX_FATES_REASON);
	return f;
}
