// SPDX-License-Identifier: BSD-2-Clause
/* What SINCE records count. */
#include <ctype.h>
#include <errno.h>

#include "model_impl.h"

static const struct store_query outside = { .type = TRACE_OUTSIDE,
					    .dim = { TRACE_OUTSIDE_PROCESS, TRACE_OUTSIDE_NAME,
						     TRACE_OUTSIDE_FAMILY },
					    .most = MODEL_OUTSIDE };

static const struct {
	const struct store_query *const *query;
	unsigned int keep; /* enum model_keep; 0: always */
} stores[MODEL_STORES] = {
	[MODEL_STORE_LATENCY] = { &model_latency_query, MODEL_LATENCY },
	[MODEL_STORE_LATENCY_BY] = { &model_latency_by_query, MODEL_LATENCY_BY },
	[MODEL_STORE_OUTSIDE] = { &(const struct store_query *const){ &outside }, 0 },
};

static int columns_differ(struct model *m, unsigned int type)
{
	char name[32] = "";
	const char *s = trace_type_desc(type)->name;

	for (size_t i = 0; s[i] && i < sizeof(name) - 1; i++)
		name[i] = (char)toupper((unsigned char)s[i]);
	return model_damaged(m, "columns of %s have different lengths", name);
}

static int take(struct model *m, enum model_store i, const struct trace_record *rec)
{
	size_t had = m->store[i] ? store_bytes(m->store[i]) : 0;
	int err = m->store[i] ? 0 : store_new(&m->store[i], *stores[i].query);

	if (!err)
		err = store_take(m->store[i], rec);
	if (err == -EBADMSG)
		return columns_differ(m, rec->type);
	return err ? err : budget_take(&m->budget, store_bytes(m->store[i]) - had);
}

int model_take_stored(struct model *m, const struct trace_record *rec)
{
	int err = 0;

	for (enum model_store i = 0; i < MODEL_STORES && !err; i++)
		if ((*stores[i].query)->type == rec->type &&
		    (!stores[i].keep || m->keep & stores[i].keep))
			err = take(m, i, rec);
	return err;
}

void model_free_stores(struct model *m)
{
	for (enum model_store i = 0; i < MODEL_STORES; i++)
		store_free(m->store[i]);
}
