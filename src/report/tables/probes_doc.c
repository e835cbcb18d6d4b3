// SPDX-License-Identifier: BSD-2-Clause
#include "probes_doc.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <netcost/text_append.h>

#include "report/base/text.h"

#define TEXT_LINES 1024 /* of one probe */

static const char *string(const struct model *m, model_str s)
{
	return s ? model_string(m, s) : NULL;
}

void probe_cells(struct doc *d, const struct model *m, const struct model_probe *p)
{
	doc_string(d, model_string(m, p->method));
	doc_list(d, model_string(m, p->hooks.first), p->hooks.n);
	doc_string(d, string(m, p->reason));
}

void probe_note(struct doc *d, const struct model *m, enum netcost_of of, uint64_t number,
		const char *name)
{
	const struct model_probe *p = model_find_probe(m, of, number);

	if (p && p->reason)
		doc_note(d, "  %s: %s%s", name,
			 model_is_measured(m, of, number) ? "" : "not measured: ",
			 SAFE(model_string(m, p->reason)));
}

/* ---- a table, for the page and for programs ---------------------------------------------- */

static void row(struct doc *d, const struct model *m, const struct model_probe *p)
{
	bool part = p->of == NETCOST_OF_PART;
	char seen[64];

	if (!model_probe_of(p))
		return;

	snprintf(seen, sizeof(seen), "%" PRIu64 " of %" PRIu64, p->seen, p->tested);
	doc_row(d, 0, DOC_ALL);
	doc_string(d, model_probe_of(p));
	doc_number(d, part ? NAN : (double)p->number);
	doc_string(d, part ? NULL : model_event_key(p->number));
	doc_number(d, part ? (double)p->number : NAN);
	doc_string(d, part ? model_part_key(p->number) : NULL);
	doc_string(d, string(m, p->method));
	doc_list(d, model_string(m, p->hooks.first), p->hooks.n);
	doc_string(d, p->tested ? seen : "-");
	doc_number(d, p->tested ? (double)p->tested : NAN);
	doc_number(d, p->tested ? (double)p->seen : NAN);
	doc_list(d, model_string(m, p->unseen.first), p->unseen.n);
	doc_list(d, model_string(m, p->refused.first), p->refused.n);
	doc_string(d, string(m, p->reason));
	doc_row_end(d);
}

static void table(struct doc *d, const struct model *m)
{
	static const struct doc_column column[] = {
		{ .title = "event", .kind = DOC_STRING },
		{ .key = "event_id", .whole = true },
		{ .key = "event", .kind = DOC_STRING },
		{ .key = "part_id", .whole = true },
		{ .key = "part", .kind = DOC_STRING },
		{ .key = "rung", .title = "how", .kind = DOC_STRING },
		{ .key = "hooks", .title = "hooks", .kind = DOC_LIST },
		{ .title = "calls seen", .kind = DOC_STRING },
		{ .key = "tested", .about = "kinds of calls" },
		{ .key = "seen" },
		{ .key = "unseen", .title = "not seen", .kind = DOC_LIST },
		{ .key = "refused", .title = "refused", .kind = DOC_LIST },
		{ .key = "why", .title = "why", .kind = DOC_STRING },
	};
	static const struct doc_table desc = {
		.key = "probes",
		.about = "of events, and of parts of the RX softirq",
		.title = "What was attached, and kinds of calls that a test saw",
		DOC_COLUMNS_OF(column),
		.only = DOC_HTML | DOC_PROGRAMS
	};

	doc_table(d, &desc);
	for (size_t i = 0; i < m->nprobes; i++)
		row(d, m, &m->probe[i]);
	doc_table_end(d);
}

/* ---- lines, for a terminal --------------------------------------------------------------- */

/* Appends strings from the trace to a buffer of TEXT_LINES; what does not fit becomes "...". */
static void append(char *dst, const struct model *m, struct model_strs strs, const char *before)
{
	const char *s = model_string(m, strs.first);

	for (uint32_t k = 0; k < strs.n; k++, s += strlen(s) + 1, before = ", ") {
		size_t n = strlen(dst), room = TEXT_LINES - n;

		if (snprintf(dst + n, room, "%s%s", before, SAFE(s)) < (int)room)
			continue;
		snprintf(dst + TEXT_LINES - 4, 4, "...");
		return;
	}
}

/* A part of the RX softirq that is not counted exactly; one line names all of them. */
static bool is_uncounted_part(const struct model_probe *p)
{
	return p->of == NETCOST_OF_PART && !p->hooks.n;
}

static void uncounted_parts(struct doc *d, const struct model *m)
{
	char line[TEXT_LINES] = "";

	for (size_t i = 0; i < m->nprobes; i++)
		if (is_uncounted_part(&m->probe[i]))
			text_append(line, sizeof(line), ", ", "%s", model_probe_of(&m->probe[i]));
	if (*line)
		doc_subline(d, "", "by samples alone", line);
}

/* Its calls were counted, and not its time. */
static bool has_only_calls(const struct model *m, const struct model_probe *p)
{
	const struct model_cpu *c;
	bool any = false;

	if (p->of != NETCOST_OF_EVENT)
		return false;
	model_for_each_cpu(m, c)
	{
		if (!isnan(counter_moved(&c->ns[p->number])))
			return false;
		any |= !isnan(counter_moved(&c->calls[p->number]));
	}
	return any;
}

static void lines(struct doc *d, const struct model *m)
{
	const char *word = "probes";

	for (size_t i = 0; i < m->nprobes; i++) {
		const struct model_probe *p = &m->probe[i];
		char line[TEXT_LINES];
		size_t n;

		if (!model_probe_of(p) || is_uncounted_part(p))
			continue;
		snprintf(line, sizeof(line), "%s", SAFE(model_string(m, p->method)));
		append(line, m, p->hooks, ": ");
		n = strlen(line);
		if (p->tested)
			snprintf(line + n, sizeof(line) - n,
				 "; %" PRIu64 " of %" PRIu64 " kinds of calls seen", p->seen,
				 p->tested);
		append(line, m, p->unseen, ", not: ");
		if (has_only_calls(m, p))
			text_append(line, sizeof(line), "; ", "counted, not timed");
		doc_subline(d, word, model_probe_of(p), line);
		word = "";
	}
	uncounted_parts(d, m);
}

void probes_doc(struct doc *d, const struct model *m)
{
	table(d, m);
	if (doc_is_for(d, DOC_TEXT))
		lines(d, m);
}

void probes_refused(struct doc *d, const struct model *m)
{
	const char *word = "refused";

	for (size_t i = 0; i < m->nprobes; i++) {
		const struct model_probe *p = &m->probe[i];
		const char *why = model_string(m, p->refused.first), *of = model_probe_of(p);

		for (uint32_t k = 0; of && k < p->refused.n; k++, why += strlen(why) + 1) {
			doc_subline(d, word, of, SAFE(why));
			word = of = "";
		}
	}
}

/* ---- sources ----------------------------------------------------------------------------- */

void sources_doc(struct doc *d, const struct model *m)
{
	static const struct doc_column column[] = {
		{ .key = "name", .title = "source", .kind = DOC_STRING },
		{ .key = "state", .title = "state", .kind = DOC_STRING },
		{ .key = "via", .title = "via", .kind = DOC_STRING },
		{ .key = "why", .title = "why", .kind = DOC_STRING },
	};
	static const struct doc_table desc = { .key = "sources",
					       .about = "of data: measured, or why not",
					       .title = "What was measured, and what was not",
					       DOC_COLUMNS_OF(column),
					       .only = DOC_HTML | DOC_PROGRAMS };

	doc_table(d, &desc);
	for (size_t i = 0; i < m->nsources; i++) {
		const struct model_source *s = &m->source[i];

		doc_row(d, 0, DOC_ALL);
		doc_string(d, string(m, s->name));
		doc_string(d, string(m, s->state));
		doc_string(d, string(m, s->via));
		doc_string(d, string(m, s->why));
		doc_row_end(d);
	}
	doc_table_end(d);
}
