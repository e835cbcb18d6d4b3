// SPDX-License-Identifier: BSD-2-Clause
#include "stages_by_doc.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "report/analysis/latency.h"
#include "model_doc.h"
#include "report/base/doc.h"
#include "report/base/text.h"
#include "stages_columns.h"
#include "stages_doc.h"

#define NAME_SIZE (2 * SAFE_SIZE + 64)
#define FLOW_WIDTH 48 /* in text that is not wide; quantiles make room for it */
#define SHOWN_AT                                                                                   \
	(6 + 3 * DIST_QUANTILE_COUNT + 1) /* the name for people, with a heading of its own */

/* A table that is being made. */
struct shown {
	const struct model *m;
	enum stages_by by;
	struct stages_by_row {
		const struct stages_key *key;
		const struct stages_step **step; /* in order */
	} * row;
	size_t n;
	enum stages_path path; /* by which rows are in order */
	const struct stages_times *all;
	bool namespaces; /* interfaces of several */
	size_t name_size;
};

static const struct doc_column columns[] = {
	STAGES_STEP,
	{ .title = "", .kind = DOC_STRING },
	{ .key = "which",
	  .kind = DOC_STRING,
	  .known = true,
	  .choices = latency_which_keys,
	  .about =
		  "one; not-known: it is not known which one; rest: all that there was no room to keep "
		  "apart" },
	{ .key = "netns", .whole = true, .about = "inode of the network namespace" },
	{ .key = "ifindex", .whole = true, .about = "the interface's number there" },
	{ .key = "interface", .kind = DOC_STRING, .about = "its name; null: not known" },
	{ .key = "flow", .whole = true, .about = "hash of addresses, ports and protocol" },
	{ .key = "protocol", .whole = true, .about = "IP's number of it (record --host-details)" },
	{ .key = "source", .kind = DOC_STRING, .about = "address, likewise" },
	{ .key = "source_port", .whole = true, .about = "likewise; null: it has none" },
	{ .key = "destination", .kind = DOC_STRING, .about = "address, likewise" },
	{ .key = "destination_port", .whole = true, .about = "likewise; null: it has none" },
};

/* ---- names ------------------------------------------------------------------------------- */

/* "192.0.2.1:80", "[2001:db8::1]:80". */
static void address(char *dst, size_t size, const char *text, uint64_t port)
{
	bool colons = strchr(text, ':') != NULL;

	if (port == TRACE_NIL)
		snprintf(dst, size, "%s", SAFE(text));
	else
		snprintf(dst, size, colons ? "[%s]:%" PRIu64 : "%s:%" PRIu64, SAFE(text), port);
}

static void protocol(char *dst, size_t size, uint64_t number)
{
	if (number == TRACE_NIL)
		snprintf(dst, size, "?");
	else if (number == IPPROTO_TCP || number == IPPROTO_UDP)
		snprintf(dst, size, "%s", number == IPPROTO_TCP ? "tcp" : "udp");
	else
		snprintf(dst, size, "protocol %" PRIu64, number);
}

static void flow_name(char *dst, size_t size, const struct shown *s, const struct stages_key *k)
{
	const struct stages_addresses *a = &k->addresses;
	char from[SAFE_SIZE + 32], to[SAFE_SIZE + 32], of[32];

	if (!a->known) {
		snprintf(dst, size, "%08" PRIx32, k->flow);
		return;
	}
	address(from, sizeof(from), model_string(s->m, a->from), a->from_port);
	address(to, sizeof(to), model_string(s->m, a->to), a->to_port);
	protocol(of, sizeof(of), a->protocol);
	snprintf(dst, size, "%s %s > %s", of, from, to);
}

static void interface_name(char *dst, size_t size, const struct shown *s,
			   const struct stages_key *k)
{
	const char *name = model_string(s->m, k->name);
	char number[16];

	snprintf(number, sizeof(number), "%" PRIu32, k->ifindex);
	if (s->namespaces)
		snprintf(dst, size, "%s in %" PRIu32, *name ? SAFE(name) : number, k->netns);
	else
		snprintf(dst, size, "%s", *name ? SAFE(name) : number);
}

static void shown_name(char *dst, const struct shown *s, const struct stages_key *k)
{
	if (k->which == NETCOST_LATENCY_NOT_KNOWN)
		snprintf(dst, s->name_size, "not known there");
	else if (k->which == NETCOST_LATENCY_REST)
		snprintf(dst, s->name_size, "everything else");
	else if (s->by == STAGES_BY_FLOW)
		flow_name(dst, s->name_size, s, k);
	else if (s->by == STAGES_BY_INTERFACE)
		interface_name(dst, s->name_size, s, k);
	else
		snprintf(dst, s->name_size, "%" PRIu32, k->netns);
}

/* ---- rows, by path, those with the most time first --------------------------------------- */

static int free_rows(struct shown *s, int err)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->row[i].step);
	free(s->row);
	return err;
}

static int collect(struct shown *s, const struct model_stages *stages)
{
	uint32_t netns = 0;

	s->row = calloc(stages->nkeys + 1, sizeof(*s->row));
	if (!s->row)
		return -ENOMEM;
	for (size_t i = 0; i < stages->nkeys; i++) {
		const struct stages_key *k = &stages->key[i];

		s->row[s->n].key = k;
		s->row[s->n].step = stages_in_order(&k->times);
		if (!s->row[s->n++].step)
			return free_rows(s, -ENOMEM);
		s->namespaces |= netns && k->netns && netns != k->netns;
		netns = k->netns ? k->netns : netns;
	}
	return 0;
}

static int compare(const void *va, const void *vb, void *ctx)
{
	const struct shown *s = ctx;
	const struct stages_key *a = ((const struct stages_by_row *)va)->key,
				*b = ((const struct stages_by_row *)vb)->key;
	uint64_t x = a->times.whole[s->path].ns, y = b->times.whole[s->path].ns;

	if (a->which != b->which)
		return a->which < b->which ? -1 : 1;
	if (x != y)
		return x > y ? -1 : 1;
	return a < b ? -1 : a > b; /* as the trace has them */
}

static double number(uint64_t v, bool is)
{
	return is && v != TRACE_NIL ? (double)v : NAN;
}

static void who(struct doc *d, const struct shown *s, const struct stages_key *k)
{
	bool one = k->which == NETCOST_LATENCY_ONE, flow = one && s->by == STAGES_BY_FLOW;
	const struct stages_addresses *a = &k->addresses;
	const char *name = model_string(s->m, k->name);

	doc_string(d, latency_which_keys[k->which]);
	doc_number(d, number(k->netns, one && !flow));
	doc_number(d, number(k->ifindex, one && s->by == STAGES_BY_INTERFACE));
	doc_string(d, *name ? name : NULL);
	doc_number(d, number(k->flow, flow));
	doc_number(d, number(a->protocol, a->known));
	doc_string(d, a->known ? model_string(s->m, a->from) : NULL);
	doc_number(d, number(a->from_port, a->known));
	doc_string(d, a->known ? model_string(s->m, a->to) : NULL);
	doc_number(d, number(a->to_port, a->known));
}

/* step: NULL: the whole of it. */
static void row(struct doc *d, const struct shown *s, const struct stages_key *k,
		const struct stages_step *step)
{
	char name[NAME_SIZE];

	shown_name(name, s, k);
	doc_row(d, 0, DOC_ALL);
	stages_cells(d, s->path, step, &k->times, s->all->whole[s->path].ns);
	doc_string(d, name);
	who(d, s, k);
	doc_row_end(d);
}

static void path_rows(struct doc *d, const struct shown *s)
{
	doc_section(d, stages_path_titles[s->path]);
	for (size_t i = 0; i < s->n; i++) {
		const struct stages_by_row *r = &s->row[i];
		const struct stages_times *t = &r->key->times;

		if (!t->whole[s->path].bucket)
			continue;
		for (size_t k = 0; k < t->nsteps; k++)
			if (r->step[k]->path == s->path)
				row(d, s, r->key, r->step[k]);
		row(d, s, r->key, NULL);
	}
}

static void rows(struct doc *d, const void *ctx)
{
	struct shown s = *(const struct shown *)ctx;

	for (s.path = 0; s.path < STAGES_PATH_COUNT; s.path++) {
		if (!s.n || !s.all->whole[s.path].bucket)
			continue;
		qsort_r(s.row, s.n, sizeof(*s.row), compare, &s);
		path_rows(d, &s);
	}
}

static void table(struct doc *d, struct shown *s)
{
	static const char *const captions[] = { "From stage to stage, by interface",
						"From stage to stage, by network namespace",
						"From stage to stage, by flow" };
	struct doc_column column[sizeof(columns) / sizeof(*columns)];
	const struct doc_table t = {
		.key = "rows",
		.caption = captions[s->by],
		.sections = true,
		.above = true,
		DOC_COLUMNS_OF(column),
		.only = s->n && s->all->nsteps ? DOC_ALL : DOC_PROGRAMS,
		.about =
			"of each path, and of each interface, network namespace or flow: where the step begins, "
			"as far as that is known; the whole: the time that packets spent there"
	};

	memcpy(column, columns, sizeof(columns));
	column[SHOWN_AT].title = stages_by_names[s->by];
	if (s->by == STAGES_BY_FLOW) {
		column[SHOWN_AT].width = FLOW_WIDTH;
		if (d->renderer->is == DOC_TEXT && !d->wide)
			s->name_size = FLOW_WIDTH + 1;
	}
	doc_fitted(d, &t, &(struct doc_rows){ .add = rows, .ctx = s, .name_size = &s->name_size });
}

int stages_by_doc(struct doc *d, const struct model *m, enum stages_by by)
{
	static const struct model_stages none = { .counted = false };
	const struct model_stages *stages = m->stages ? m->stages : &none;
	struct shown s = { .m = m, .by = by, .all = &stages->all, .name_size = NAME_SIZE };

	if (collect(&s, stages))
		return -ENOMEM;
	doc_object(d, NULL);
	doc_heading(d, "packets' ways through the host");
	doc_trace(d, m);
	doc_field_text(d, "by", stages_by_names[by]);
	table(d, &s);
	stages_rest(d, m);
	doc_object_end(d);
	return free_rows(&s, 0);
}
