// SPDX-License-Identifier: BSD-2-Clause
#include "model_text.h"

#include <inttypes.h>
#include <string.h>

#include "report/base/escape.h"
#include "report/base/text.h"
#include "report/model/filter.h"

#define TEXT_LINES 1024 /* of one probe */

static const char *title(const struct model_probe *p)
{
	const char *t = p->part == TRACE_NIL ? model_event_title(p->event) :
					       model_part_title(p->part);

	return t ? t : p->part == TRACE_NIL ? "(unknown event)" : "(unknown part)";
}

/* "-": not in the trace. */
static const char *or_dash(const struct model *m, model_str s)
{
	return s ? model_string(m, s) : "-";
}

void text_host(FILE *out, const struct model *m)
{
	const struct model_header *h = &m->header;

	fprintf(out, "  kernel    %s %s\n", SAFE(or_dash(m, h->kernel)),
		SAFE(or_dash(m, h->machine)));
	fprintf(out, "  CPU       %s\n", SAFE(or_dash(m, h->cpu_model)));
	if (h->host)
		fprintf(out, "  host      %s\n", SAFE(model_string(m, h->host)));
}

void text_settings(FILE *out, const struct model *m)
{
	const struct model_header *h = &m->header;
	const char *tool = model_string(m, h->tool), *exact = model_string(m, h->exact);
	const char *derived = model_string(m, h->derived.first);

	fprintf(out, "  settings  exact %s; ", *exact ? SAFE(exact) : "-");
	if (h->sample_hz)
		fprintf(out, "samples %" PRIu64 " Hz, %s, %s%s%s; ", h->sample_hz,
			SAFE(model_string(m, h->sampler)), SAFE(model_string(m, h->sample_event)),
			h->sampled ? ", only of: " : "", SAFE(model_string(m, h->sampled)));
	else
		fprintf(out, "no samples; ");
	fprintf(out, "counters every %" PRIu64 " ms\n", h->tick_ms);
	if (*tool)
		fprintf(out, "  by        %s\n", SAFE(tool));
	if (h->derived.n)
		fprintf(out, "  derived   ");
	for (uint32_t i = 0; i < h->derived.n; i++, derived += strlen(derived) + 1)
		fprintf(out, "%s%s", SAFE(derived), i + 1 < h->derived.n ? ", then " : "\n");
}

/* Appends strings of the trace to a buffer of TEXT_LINES; more than fits ends in "...". */
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

/* A part of the RX softirq that is not counted exactly: one line names all of those. */
static bool is_uncounted_part(const struct model_probe *p)
{
	return p->part != TRACE_NIL && !p->hooks.n;
}

static void uncounted_parts(FILE *out, const struct model *m)
{
	char line[TEXT_LINES] = "";
	const struct model_probe *any = NULL;
	int at;

	for (size_t i = 0; i < m->nprobes; i++) {
		size_t n = strlen(line);

		if (!is_uncounted_part(&m->probe[i]))
			continue;
		snprintf(line + n, sizeof(line) - n, "%s%s", any ? ", " : "", title(&m->probe[i]));
		any = &m->probe[i];
	}
	if (!any)
		return;
	at = fprintf(out, "  %-9s %-20s ", "", "by samples alone");
	text_wrap(out, at, at, line);
	fputc('\n', out);
}

void text_probes(FILE *out, const struct model *m)
{
	for (size_t i = 0; i < m->nprobes; i++) {
		const struct model_probe *p = &m->probe[i];
		char line[TEXT_LINES];
		size_t n;
		int at;

		if (is_uncounted_part(p))
			continue;
		at = fprintf(out, "  %-9s %-20s ", i ? "" : "probes", title(p));
		snprintf(line, sizeof(line), "%s", SAFE(model_string(m, p->rung)));
		append(line, m, p->hooks, ": ");
		n = strlen(line);
		if (p->tested)
			snprintf(line + n, sizeof(line) - n,
				 "; %" PRIu64 " of %" PRIu64 " kinds of calls seen", p->seen,
				 p->tested);
		append(line, m, p->unseen, ", not: ");
		text_wrap(out, at, at, line);
		fputc('\n', out);
	}
	uncounted_parts(out, m);
}

void text_refused(FILE *out, const struct model *m)
{
	const char *word = "refused";

	for (size_t i = 0; i < m->nprobes; i++) {
		const struct model_probe *p = &m->probe[i];
		const char *why = model_string(m, p->refused.first), *of = title(p);

		for (uint32_t k = 0; k < p->refused.n; k++, why += strlen(why) + 1) {
			int at = fprintf(out, "  %-9s %-20s ", word, of);

			text_wrap(out, at, at, SAFE(why));
			fputc('\n', out);
			word = of = "";
		}
	}
}

void text_oddities(FILE *out, const struct model *m)
{
	const struct trace_status *st = &m->status;

	if (m->backwards)
		fprintf(out,
			"  counters  %" PRIu64 " steps backwards, left out (the first: %s.%s)\n",
			m->backwards, trace_type_desc(m->backwards_key->type)->name,
			m->backwards_key->name);
	if (st->unknown_types || st->unknown_keys || m->unknown_events)
		fprintf(out,
			"  skipped   %" PRIu64 " records, %" PRIu64 " fields, %" PRIu64
			" events of a newer format\n",
			st->unknown_types, st->unknown_keys, m->unknown_events);
}

static void text_tasks(FILE *out, const struct filter *f)
{
	fprintf(out, "  only      samples of");
	if (f->tasks)
		fprintf(out, " the tasks %s%s", SAFE(f->tasks), f->cgroup ? " in" : "");
	if (f->cgroup)
		fprintf(out, " the cgroup %s", SAFE(f->cgroup));
	fputc('\n', out);
}

void text_filter(FILE *out, const struct model *m)
{
	const struct filter *f = m->filter;

	if (filter_has_cpus(f))
		fprintf(out, "  only      CPUs %s\n", f->cpu_list);
	if (filter_has_tasks(f))
		text_tasks(out, f);
}
