// SPDX-License-Identifier: BSD-2-Clause
/* Which processes sent and received the messages that no probe saw. */
#include <string.h>

#include "model_impl.h"

/* NULL: there is no room for another row. */
static struct model_outside *row_of(struct model *m, const struct model_outside *like,
				    const char *name, uint32_t len)
{
	size_t i = 0;

	for (; i < m->noutside; i++) {
		const struct model_outside *o = &m->outside[i];
		const char *s = model_string(m, o->name);

		if (o->process == like->process && o->family == like->family && strlen(s) == len &&
		    !memcmp(s, name, len))
			return &m->outside[i];
	}
	if (i == MODEL_OUTSIDE)
		return NULL;
	m->outside[i] = *like;
	m->outside[i].sends = m->outside[i].recvs = 0;
	return model_keep(m, name, len, &m->outside[i].name) ? NULL : &m->outside[m->noutside++];
}

static uint64_t saturated(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

static uint64_t known(uint64_t v)
{
	return v == TRACE_NIL ? 0 : v;
}

int model_take_outside(struct model *m, const struct trace_record *rec)
{
	struct trace_column process = trace_record_column(rec, TRACE_OUTSIDE_PROCESS);
	struct trace_column name = trace_record_column(rec, TRACE_OUTSIDE_NAME);
	struct trace_column family = trace_record_column(rec, TRACE_OUTSIDE_FAMILY);
	struct trace_column sends = trace_record_column(rec, TRACE_OUTSIDE_SENDS);
	struct trace_column recvs = trace_record_column(rec, TRACE_OUTSIDE_RECVS);
	struct model_outside o = { 0 };
	const char *s;
	uint32_t len;

	if (name.n != process.n || family.n != process.n || sends.n != process.n ||
	    recvs.n != process.n)
		return model_damaged(m, "columns of OUTSIDE have different lengths");
	while (trace_column_uint(&process, &o.process) && trace_column_str(&name, &s, &len) &&
	       trace_column_uint(&family, &o.family) && trace_column_uint(&sends, &o.sends) &&
	       trace_column_uint(&recvs, &o.recvs)) {
		struct model_outside *row = row_of(m, &o, s, len);

		if (!row)
			continue;
		row->sends = saturated(row->sends, known(o.sends));
		row->recvs = saturated(row->recvs, known(o.recvs));
	}
	return 0;
}
