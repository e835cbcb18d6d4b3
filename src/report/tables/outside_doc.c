// SPDX-License-Identifier: BSD-2-Clause
#include "outside_doc.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/analysis/known.h"
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

/* Messages of a process and a family of sockets. */
struct outside {
	uint64_t process; /* 0: softirqs; TRACE_NIL: not known */
	const char *name;
	uint64_t family;
	double sends, recvs;
};

static int by_messages(const void *pa, const void *pb)
{
	const struct outside *a = pa, *b = pb;
	double na = a->sends + a->recvs, nb = b->sends + b->recvs;

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

/* Those that the trace does not keep apart belong to others. */
static size_t sorted(struct outside rows[MODEL_OUTSIDE], const struct model *m)
{
	const struct store *s = m->store[MODEL_STORE_OUTSIDE];
	size_t n = 0;

	for (size_t i = 0; s && i < store_rows(s) && n < MODEL_OUTSIDE; i++) {
		struct outside o = { .process = store_dim(s, i, TRACE_OUTSIDE_PROCESS),
				     .name = store_text(s, i, TRACE_OUTSIDE_NAME),
				     .family = store_dim(s, i, TRACE_OUTSIDE_FAMILY),
				     .sends = known_uint(store_value(s, i, TRACE_OUTSIDE_SENDS)),
				     .recvs = known_uint(store_value(s, i, TRACE_OUTSIDE_RECVS)) };

		if (o.family != TRACE_NIL)
			rows[n++] = o;
	}
	qsort(rows, n, sizeof(*rows), by_messages);
	return n;
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

static char *whose_text(char *dst, size_t size, const struct outside *o)
{
	if (!o->process)
		snprintf(dst, size, "in softirqs");
	else if (o->process == TRACE_NIL)
		snprintf(dst, size, "of %s",
			 *o->name ? SAFE(o->name) : "a process that is not known");
	else
		snprintf(dst, size, "of %s (%" PRIu64 ")", *o->name ? SAFE(o->name) : "process",
			 o->process);
	return dst;
}

/* What is in no line, or not in the trace, belongs to others. */
void outside_lines(struct doc *d, const struct summary *s)
{
	struct outside rows[MODEL_OUTSIDE];
	size_t n = are_known(s) ? sorted(rows, s->m) : 0;
	double sends = s->recording.sends_outside, recvs = s->recording.recvs_outside;
	char counts[100], whose[SAFE_SIZE + 32], family[32];

	for (size_t i = 0; i < n && i < LINES; i++) {
		const struct outside *o = &rows[i];

		doc_line(d, "", "%s %s, %s",
			 counts_text(counts, sizeof(counts), o->sends, o->recvs),
			 whose_text(whose, sizeof(whose), o),
			 family_name(o->family, family, sizeof(family)));
		sends -= o->sends;
		recvs -= o->recvs;
	}
	if (n && (sends > 0 || recvs > 0))
		doc_line(d, "", "%s of others", counts_text(counts, sizeof(counts), sends, recvs));
}

static void row(struct doc *d, const struct outside *o)
{
	char family[32];

	doc_row(d, 0, DOC_PROGRAMS);
	doc_string(d, *o->name ? o->name : NULL);
	doc_number(d, known_uint(o->process));
	doc_string(d, family_name(o->family, family, sizeof(family)));
	doc_number(d, o->sends);
	doc_number(d, o->recvs);
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
	struct outside rows[MODEL_OUTSIDE];
	size_t n = sorted(rows, s->m);

	if (!doc_or_null(d, table.key, are_known(s)))
		return;
	doc_table(d, &table);
	for (size_t i = 0; i < n; i++)
		row(d, &rows[i]);
	doc_table_end(d);
}
