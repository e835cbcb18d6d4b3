// SPDX-License-Identifier: BSD-2-Clause
/* What CPUs did while the slowest packets waited. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model_impl.h"

/* The end of the scale stays there. */
static void add(uint64_t *sum, uint64_t more)
{
	if (__builtin_add_overflow(*sum, more, sum) || *sum == TRACE_NIL)
		*sum = TRACE_NIL - 1;
}

static bool is_same(const struct model *m, const struct model_culprit *a,
		    const struct model_culprit *b, const char *name, uint32_t len)
{
	const char *had = model_string(m, a->name);

	return a->hook == b->hook && a->what == b->what && a->reader == b->reader &&
	       a->number == b->number && strlen(had) == len && !memcmp(had, name, len);
}

/* There is always room for what is not known, of each hook. */
static struct model_culprit *row_of(struct model *m, struct model_culprit is, const char *name,
				    uint32_t len)
{
	struct model_tail *t = &m->tail;
	bool known = is.what != NETCOST_CULPRIT_UNKNOWN;

	if (!known) {
		is.number = TRACE_NIL;
		len = 0;
	}
	for (size_t i = 0; i < t->nculprits; i++)
		if (is_same(m, &t->culprit[i], &is, name, len))
			return &t->culprit[i];
	if (known && t->nculprits >= MODEL_CULPRITS - 2 * NETCOST_LATENCY_COUNT) {
		is.what = NETCOST_CULPRIT_UNKNOWN;
		return row_of(m, is, "", 0);
	}
	if (model_keep(m, name, len, &is.name))
		return NULL;
	t->culprit[t->nculprits] = is;
	return &t->culprit[t->nculprits++];
}

/* Its rows: the first one that took most of the time is the culprit. Adds up the time. */
static int add_rows(struct model *m, const struct trace_record *rec, enum netcost_latency hook)
{
	struct trace_column whats = trace_record_column(rec, TRACE_LATENCY_TAIL_WHAT);
	struct trace_column readers = trace_record_column(rec, TRACE_LATENCY_TAIL_READER);
	struct trace_column numbers = trace_record_column(rec, TRACE_LATENCY_TAIL_NUMBER);
	struct trace_column names = trace_record_column(rec, TRACE_LATENCY_TAIL_NAME);
	struct trace_column times = trace_record_column(rec, TRACE_LATENCY_TAIL_TOOK_NS);
	struct model_culprit *most = NULL;
	uint64_t what, reader, number, ns, most_ns = 0;
	const char *name;
	uint32_t len;

	while (trace_column_uint(&whats, &what) && trace_column_uint(&readers, &reader) &&
	       trace_column_uint(&numbers, &number) && trace_column_str(&names, &name, &len) &&
	       trace_column_uint(&times, &ns)) {
		bool known = what < NETCOST_CULPRIT_COUNT; /* otherwise it is a newer one */
		struct model_culprit is = { .hook = hook,
					    .what = known ? (enum netcost_culprit)what :
							    NETCOST_CULPRIT_UNKNOWN,
					    .reader = reader == 1,
					    .number = number };
		struct model_culprit *row = row_of(m, is, name, (uint32_t)strnlen(name, len));

		if (!row)
			return -ENOMEM;
		if (ns == TRACE_NIL)
			continue;
		add(&row->ns, ns);
		add(&row->packets, 1);
		if (ns > most_ns) {
			most = row;
			most_ns = ns;
		}
	}
	if (most)
		add(&most->first, 1);
	return 0;
}

/* ---- where they were --------------------------------------------------------------------- */

static void add_step(model_steps *steps, enum netcost_latency hook, unsigned int from, uint64_t to,
		     uint64_t ns)
{
	add(&(*steps)[hook][from][to].packets, 1);
	add(&(*steps)[hook][from][to].ns, ns);
}

/* The steps sum to its time. A hook that is newer, or a time that cannot be, is passed over, as if it were not known. */
static int add_way(struct model *m, const struct trace_record *rec, enum netcost_latency hook,
		   uint64_t whole_ns)
{
	struct trace_column hooks = trace_record_column(rec, TRACE_LATENCY_TAIL_PASSED_HOOK);
	struct trace_column times = trace_record_column(rec, TRACE_LATENCY_TAIL_PASSED_NS);
	struct model_tail *t = &m->tail;
	unsigned int from = MODEL_ENTRY;
	uint64_t from_ns = 0, to, ns;

	if (!trace_record_field(rec, TRACE_LATENCY_TAIL_PASSED_HOOK))
		return 0;
	if (!t->steps)
		t->steps = calloc(1, sizeof(*t->steps));
	if (!t->steps)
		return -ENOMEM;
	add(&t->hook[hook].told, 1);
	add(&t->hook[hook].told_ns, whole_ns);
	while (trace_column_uint(&hooks, &to) && trace_column_uint(&times, &ns)) {
		if (to >= NETCOST_LATENCY_COUNT || ns < from_ns || ns > whole_ns)
			continue;
		add_step(t->steps, hook, from, to, ns - from_ns);
		from = (unsigned int)to;
		from_ns = ns;
	}
	add_step(t->steps, hook, from, hook, whole_ns - from_ns);
	return 0;
}

static void add_before(struct model *m, const struct trace_record *rec, enum netcost_latency hook)
{
	uint64_t before = trace_record_uint(rec, TRACE_LATENCY_TAIL_BEFORE, TRACE_NIL);

	if (before == TRACE_NIL)
		return;
	add(&m->tail.hook[hook].counted, 1);
	add(&m->tail.hook[hook].before, before);
	if (before > m->tail.hook[hook].before_most)
		m->tail.hook[hook].before_most = before;
}

void model_free_tail(struct model *m)
{
	free(m->tail.steps);
}

/* ---- a packet ---------------------------------------------------------------------------- */

int model_tail(struct model *m, const struct trace_record *rec)
{
	int err;

	uint64_t hook = trace_record_uint(rec, TRACE_LATENCY_TAIL_HOOK, UINT64_MAX);
	size_t n = trace_record_column(rec, TRACE_LATENCY_TAIL_WHAT).n;
	uint64_t ns = trace_record_uint(rec, TRACE_LATENCY_TAIL_NS, TRACE_NIL);

	if (!(m->keep & MODEL_LATENCY) || hook >= NETCOST_LATENCY_COUNT || ns == TRACE_NIL)
		return 0;
	for (unsigned int key = TRACE_LATENCY_TAIL_WHAT; key <= TRACE_LATENCY_TAIL_TOOK_NS; key++)
		if (trace_record_column(rec, key).n != n)
			return model_damaged(m, "columns of LATENCY_TAIL have different lengths");
	add(&m->tail.hook[hook].packets, 1);
	add(&m->tail.hook[hook].ns, ns);
	add_before(m, rec, (enum netcost_latency)hook);
	err = add_way(m, rec, (enum netcost_latency)hook, ns);
	return err ? err : add_rows(m, rec, (enum netcost_latency)hook);
}
