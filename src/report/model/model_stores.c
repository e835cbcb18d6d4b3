// SPDX-License-Identifier: BSD-2-Clause
/* The stores of SINCE and COUNTER records, and the identities of processes. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>
#include <netcost/fates.h>

#include "model_impl.h"

static const struct store_query outside = { .type = TRACE_OUTSIDE,
					    .dim = { TRACE_OUTSIDE_PROCESS, TRACE_OUTSIDE_NAME,
						     TRACE_OUTSIDE_FAMILY },
					    .most = MODEL_OUTSIDE };
const struct store_query model_process_stats_query = { .type = TRACE_PROCESS_STATS,
						       .dim = { TRACE_PROCESS_STATS_PROCESS } };
static const struct store_query model_owner_stats_query = { .type = TRACE_OWNER_STATS,
							    .dim = { TRACE_OWNER_STATS_PROCESS } };
static const struct store_query model_rx_fates_query = {
	.type = TRACE_RX_FATES,
	.dim = { TRACE_RX_FATES_FATE, TRACE_RX_FATES_REASON, TRACE_RX_FATES_NETDEV },
	.most = MODEL_FATES - NETCOST_FATE_COUNT
};

/*
 * The stores that the model makes from records of a type. A store that is not listed here is created by the code that
 * adds its rows.
 */
static const struct {
	const struct store_query *query;
	unsigned int keep; /* enum model_keep; 0: the store is always kept */
} stores[MODEL_STORES] = {
	[MODEL_STORE_LATENCY] = { &model_latency_query, MODEL_LATENCY },
	[MODEL_STORE_LATENCY_BY] = { &model_latency_by_query, MODEL_LATENCY_BY },
	[MODEL_STORE_PROCESSES] = { &model_process_stats_query, MODEL_PROCESSES },
	[MODEL_STORE_OWNERS] = { &model_owner_stats_query, MODEL_PROCESSES },
	[MODEL_STORE_FATES] = { &model_rx_fates_query, MODEL_PROCESSES },
	[MODEL_STORE_OUTSIDE] = { &outside, 0 },
};

/* Writes the name of a type as in SPEC.md. Returns dst. */
static char *type_name(char dst[32], unsigned int type)
{
	const char *s = trace_type_desc(type)->name;
	size_t i = 0;

	for (; s[i] && i < 31; i++)
		dst[i] = (char)toupper((unsigned char)s[i]);
	dst[i] = '\0';
	return dst;
}

/* Makes room for `more` additional processes, and for id 0. Returns 0 or -ENOMEM. */
static int model_reserve_processes(struct model *m, size_t more)
{
	size_t need = m->nprocesses + more + 1;
	int err = array_reserve(&m->process, &m->cap.process, need, sizeof(*m->process));

	if (!err && !m->nprocesses)
		m->process[0] = (struct model_process){ .pid = TRACE_NIL,
							.start_ns = TRACE_NIL,
							.user = TRACE_NIL };
	return err;
}

/* Checks that the processes in a record are defined. */
static int check_processes(struct model *m, const struct trace_record *rec)
{
	const struct trace_key_desc *k = trace_key_desc(rec->type, 1);
	struct trace_column ids = trace_record_column(rec, 1);
	char name[32];
	uint64_t id;

	if (k->ids != TRACE_IDS_PROCESS)
		return 0;
	while (trace_column_uint(&ids, &id))
		if (id > m->nprocesses)
			return model_damaged(m, "%s has an undefined process",
					     type_name(name, rec->type));
	return model_reserve_processes(m, 0);
}

static int take(struct model *m, enum model_store i, const struct trace_record *rec)
{
	size_t had = m->store[i] ? store_bytes(m->store[i]) : 0;
	int err = m->store[i] ? 0 : store_new(&m->store[i], stores[i].query);
	char name[32];

	if (!err)
		err = check_processes(m, rec);
	if (err)
		return err;
	err = store_take(m->store[i], rec, NULL);
	if (err == -EBADMSG)
		return model_damaged(m, "columns of %s have different lengths",
				     type_name(name, rec->type));
	if (err)
		return err;
	for (unsigned int v = 0; i == MODEL_STORE_PROCESSES && v < MODEL_PROCESS_VALUES; v++)
		m->process_has[v] = store_has(m->store[i], MODEL_PROCESS_KEY(v));
	return budget_take(&m->budget, store_bytes(m->store[i]) - had);
}

int model_take_stored(struct model *m, const struct trace_record *rec)
{
	int err = 0;

	if (rec->type == TRACE_RX_FATES)
		m->owners_every = trace_record_uint(rec, TRACE_RX_FATES_EVERY, 1);
	for (enum model_store i = 0; i < MODEL_STORES && !err; i++)
		if (stores[i].query && stores[i].query->type == rec->type &&
		    (!stores[i].keep || m->keep & stores[i].keep))
			err = take(m, i, rec);
	return err;
}

/* ---- requested types ---------------------------------------------------------------- */

struct model_asked {
	struct store_query query;
	struct store *store;
};

int model_ask(struct model *m, const uint8_t *types)
{
	size_t n = 0;

	while (types[n])
		n++;
	m->asked = calloc(n, sizeof(*m->asked));
	if (n && !m->asked)
		return -ENOMEM;
	for (m->nasked = 0; m->nasked < n; m->nasked++)
		(void)store_query_all(&m->asked[m->nasked].query, types[m->nasked]);
	return 0;
}

static int take_asked(struct model *m, struct model_asked *a, const struct trace_record *rec)
{
	const struct store_tick tick = { m->tick_cpu, m->tick_ncpus };
	size_t had = a->store ? store_bytes(a->store) : 0;
	int err = a->store ? 0 : store_new(&a->store, &a->query);
	char name[32];

	if (!err)
		err = store_take(a->store, rec, &tick);
	if (err == -EBADMSG)
		return model_damaged(
			m, "columns of %s differ in length from each other or from its TICK",
			type_name(name, rec->type));
	return err ? err : budget_take(&m->budget, store_bytes(a->store) - had);
}

int model_take_asked(struct model *m, const struct trace_record *rec)
{
	int err = 0;

	for (size_t i = 0; i < m->nasked && !err; i++)
		if (m->asked[i].query.type == rec->type)
			err = take_asked(m, &m->asked[i], rec);
	return err;
}

const struct store *model_answer(const struct model *m, unsigned int type)
{
	for (size_t i = 0; i < m->nasked; i++)
		if (m->asked[i].query.type == type)
			return m->asked[i].store;
	return NULL;
}

void model_free_stores(struct model *m)
{
	for (size_t i = 0; i < m->nasked; i++)
		store_free(m->asked[i].store);
	free(m->asked);
	for (enum model_store i = 0; i < MODEL_STORES; i++)
		store_free(m->store[i]);
}

/* ---- identities of processes -------------------------------------------------------- */

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
			return model_damaged(
				m, "columns of PROCESSES have elements of the wrong type");
		if (m->keep & MODEL_CGROUPS && cgroup > m->ncgroups)
			return model_damaged(m, "a process has an undefined cgroup");
		p->cgroup = (uint32_t)cgroup;
		p->kernel = kernel == 1;
		err = model_keep(m, name, len, &p->name);
		m->nprocesses++;
	}
	return err;
}

/* ---- dispositions of packets -------------------------------------------------------- */

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
