// SPDX-License-Identifier: BSD-2-Clause
#include "outside_doc.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/text.h"
#include "report/model/filter.h"

#define LINES 8 /* for people */

/* The likely ones of include/linux/socket.h. */
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

/* They are about all CPUs and tasks, and of no use if no messages were seen. */
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

/* "3 sends, 1 receive" */
static char *counts_text(char *dst, size_t size, double sends, double recvs)
{
	char s[48] = "", r[48] = "";

	if (sends > 0)
		snprintf(s, sizeof(s), "%s send%s", NUM(sends, 0), sends == 1 ? "" : "s");
	if (recvs > 0)
		snprintf(r, sizeof(r), "%s receive%s", NUM(recvs, 0), recvs == 1 ? "" : "s");
	snprintf(dst, size, "%s%s%s", s, *s && *r ? ", " : "", r);
	return dst;
}

static char *whose_text(char *dst, size_t size, const struct summary *s,
			const struct model_outside *o)
{
	const char *name = model_string(s->m, o->name);

	if (!o->process)
		snprintf(dst, size, "in softirqs");
	else if (o->process == TRACE_NIL)
		snprintf(dst, size, "of %s", *name ? SAFE(name) : "a process that is not known");
	else
		snprintf(dst, size, "of %s (%" PRIu64 ")", *name ? SAFE(name) : "process",
			 o->process);
	return dst;
}

/* What is in no line, or not in the trace, belongs to others. */
void outside_lines(struct doc *d, const struct summary *s)
{
	struct model_outside rows[MODEL_OUTSIDE];
	size_t n = are_known(s) ? sorted(rows, s->m) : 0;
	double sends = s->recording.sends_outside, recvs = s->recording.recvs_outside;
	char counts[100], whose[SAFE_SIZE + 32], family[32];

	for (size_t i = 0; i < n && i < LINES; i++) {
		const struct model_outside *o = &rows[i];

		doc_line(d, "", "%s %s, %s",
			 counts_text(counts, sizeof(counts), (double)o->sends, (double)o->recvs),
			 whose_text(whose, sizeof(whose), s, o),
			 family_name(o->family, family, sizeof(family)));
		sends -= (double)o->sends;
		recvs -= (double)o->recvs;
	}
	if (n && (sends > 0 || recvs > 0))
		doc_line(d, "", "%s of others", counts_text(counts, sizeof(counts), sends, recvs));
}

static void row(struct doc *d, const struct model *m, const struct model_outside *o)
{
	char family[32];

	doc_row(d, 0, DOC_PROGRAMS);
	doc_string(d, o->name ? model_string(m, o->name) : NULL);
	doc_number(d, o->process == TRACE_NIL ? NAN : (double)o->process);
	doc_string(d, family_name(o->family, family, sizeof(family)));
	doc_number(d, (double)o->sends);
	doc_number(d, (double)o->recvs);
	doc_row_end(d);
}

void outside_table(struct doc *d, const struct summary *s)
{
	static const struct doc_column column[] = {
		{ .key = "name", .kind = DOC_STRING, .about = "of the process's first thread" },
		{ .key = "process",
		  .whole = true,
		  .about = "0: softirqs, which belong to no process; null: not known" },
		{ .key = "family", .kind = DOC_STRING, .known = true },
		{ .key = "sends", .known = true },
		{ .key = "receives", .known = true },
	};
	static const struct doc_table table = {
		.key = "messages_outside_probes",
		.about = "whose they are, as far as the trace says; the rest belong to others",
		DOC_COLUMNS_OF(column),
		.only = DOC_PROGRAMS
	};
	struct model_outside rows[MODEL_OUTSIDE];
	size_t n = sorted(rows, s->m);

	if (!doc_or_null(d, table.key, are_known(s)))
		return;
	doc_table(d, &table);
	for (size_t i = 0; i < n; i++)
		row(d, s->m, &rows[i]);
	doc_table_end(d);
}
