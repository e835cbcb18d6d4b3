// SPDX-License-Identifier: BSD-2-Clause
/* What SINCE records count. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "model_impl.h"

static const struct store_query outside = { .type = TRACE_OUTSIDE,
					    .dim = { TRACE_OUTSIDE_PROCESS, TRACE_OUTSIDE_NAME,
						     TRACE_OUTSIDE_FAMILY },
					    .most = MODEL_OUTSIDE };

/* Those that are not here have rows of no record: who makes the rows makes the store. */
static const struct {
	const struct store_query *query;
	unsigned int keep; /* enum model_keep; 0: always */
} stores[MODEL_STORES] = {
	[MODEL_STORE_LATENCY] = { &model_latency_query, MODEL_LATENCY },
	[MODEL_STORE_LATENCY_BY] = { &model_latency_by_query, MODEL_LATENCY_BY },
	[MODEL_STORE_PROCESSES] = { &model_process_stats_query, MODEL_PROCESSES },
	[MODEL_STORE_OWNERS] = { &model_owner_stats_query, MODEL_PROCESSES },
	[MODEL_STORE_FATES] = { &model_rx_fates_query, MODEL_PROCESSES },
	[MODEL_STORE_OUTSIDE] = { &outside, 0 },
};

/* As SPEC.md has it. Returns dst. */
static char *type_name(char dst[32], unsigned int type)
{
	const char *s = trace_type_desc(type)->name;
	size_t i = 0;

	for (; s[i] && i < 31; i++)
		dst[i] = (char)toupper((unsigned char)s[i]);
	dst[i] = '\0';
	return dst;
}

/* Its processes are defined. */
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

/* ---- types that are asked for -------------------------------------------------------------- */

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
		return model_damaged(m, "columns of %s have different lengths",
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
