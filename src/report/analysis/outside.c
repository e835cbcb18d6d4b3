// SPDX-License-Identifier: BSD-2-Clause
#include "outside.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/escape.h"
#include "report/model/filter.h"
#include "report/base/json.h"
#include "report/model/model_impl.h"
#include "report/tables/model_json.h"
#include "summary.h"
#include "report/base/text.h"

#define LINES 8 /* of the text */

/* ---- what the trace says ----------------------------------------------------------------- */

/* NULL: there is no room for one more. */
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
		row->sends += known(o.sends);
		row->recvs += known(o.recvs);
	}
	return 0;
}

/* ---- what a report says ------------------------------------------------------------------ */

/* include/linux/socket.h; those that are likely. */
static const char *family_name(uint64_t family, char *dst, size_t size)
{
	static const struct {
		uint64_t family;
		const char *name;
	} names[] = {
		{ 2, "AF_INET" },	{ 10, "AF_INET6" }, { 17, "AF_PACKET" }, { 29, "AF_CAN" },
		{ 31, "AF_BLUETOOTH" }, { 43, "AF_SMC" },   { 44, "AF_XDP" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].family == family)
			return names[i].name;
	snprintf(dst, size, "family %" PRIu64, family);
	return dst;
}

static int by_messages(const void *pa, const void *pb)
{
	const struct model_outside *a = pa, *b = pb;
	uint64_t na = a->sends + a->recvs, nb = b->sends + b->recvs;

	if (na != nb)
		return na < nb ? 1 : -1;
	return (a->process > b->process) - (a->process < b->process);
}

/* They are of all CPUs and tasks; and of no use where nobody saw messages. */
static bool are_known(const struct summary *s)
{
	const struct model *m = s->m;

	return !filter_has_tasks(m->filter) && m->header.ncpus == m->recorded_cpus &&
	       !(isnan(s->recording.sends_outside) && isnan(s->recording.recvs_outside));
}

static size_t sorted(struct model_outside *rows, const struct model *m)
{
	memcpy(rows, m->outside, m->noutside * sizeof(*rows));
	qsort(rows, m->noutside, sizeof(*rows), by_messages);
	return m->noutside;
}

static void print_counts(FILE *out, double sends, double recvs)
{
	fputs("            ", out);
	if (sends > 0)
		fprintf(out, "%s send%s", NUM(sends, 0), sends == 1 ? "" : "s");
	if (recvs > 0)
		fprintf(out, "%s%s receive%s", sends > 0 ? ", " : "", NUM(recvs, 0),
			recvs == 1 ? "" : "s");
}

static void print_row(FILE *out, const struct summary *s, const struct model_outside *o)
{
	const char *name = SAFE(model_string(s->m, o->name));
	char family[32];

	print_counts(out, (double)o->sends, (double)o->recvs);
	if (!o->process)
		fputs(" in softirqs", out);
	else if (o->process == TRACE_NIL)
		fprintf(out, " of %s", *name ? name : "a process that is not known");
	else
		fprintf(out, " of %s (%" PRIu64 ")", *name ? name : "process", o->process);
	fprintf(out, ", %s\n", family_name(o->family, family, sizeof(family)));
}

/* What is in no line, or in none of the trace, is of others. */
void outside_text(FILE *out, const struct summary *s)
{
	struct model_outside rows[MODEL_OUTSIDE];
	size_t n = are_known(s) ? sorted(rows, s->m) : 0;
	double sends = s->recording.sends_outside, recvs = s->recording.recvs_outside;

	for (size_t i = 0; i < n && i < LINES; i++) {
		print_row(out, s, &rows[i]);
		sends -= (double)rows[i].sends;
		recvs -= (double)rows[i].recvs;
	}
	if (!n || !(sends > 0 || recvs > 0))
		return;
	print_counts(out, sends, recvs);
	fputs(" of others\n", out);
}

void outside_json(struct json *j, const struct summary *s)
{
	struct model_outside rows[MODEL_OUTSIDE];
	size_t n = sorted(rows, s->m);
	char family[32];

	if (!are_known(s)) {
		json_null(j, "messages_outside_probes");
		return;
	}
	json_array(j, "messages_outside_probes");
	for (size_t i = 0; i < n; i++) {
		json_object(j, NULL);
		json_model_string(j, "name", s->m, rows[i].name);
		json_num(j, "process", rows[i].process == TRACE_NIL ? NAN : (double)rows[i].process,
			 0);
		json_str(j, "family", family_name(rows[i].family, family, sizeof(family)));
		json_uint(j, "sends", rows[i].sends);
		json_uint(j, "receives", rows[i].recvs);
		json_object_end(j);
	}
	json_array_end(j);
}
