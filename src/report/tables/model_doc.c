// SPDX-License-Identifier: BSD-2-Clause
/* Reports about the trace itself: host, probes, sources, certificates, settings. */
#include "tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <netcost/parts.h>
#include <netcost/text_append.h>

#include "report/base/text.h"
#include "report/model/filter.h"

const char *model_string_or_null(const struct model *m, model_str s)
{
	return s ? model_string(m, s) : NULL;
}

void doc_model_string(struct doc *d, const char *key, const struct model *m, model_str s)
{
	doc_field_string(d, key, model_string_or_null(m, s));
}

static const char *or_null(const char *text)
{
	return *text ? text : NULL;
}

void doc_ended(struct doc *d, const struct model *m)
{
	const struct trace_status *st = &m->status;
	char damage[400];

	doc_about(d, "true: the trace has its END record, and nothing is damaged");
	doc_field_bool(d, "complete", st->ended && !st->damages);
	doc_about(d, "how the trace was cut off; null: the trace was not cut off");
	doc_field_string(d, "cut", st->ended || st->damages ? NULL : or_null(st->what));
	doc_about(d, "what is damaged or missing; null: nothing");
	doc_field_string(d, "damaged", or_null(model_damage(m, damage, sizeof(damage))));
	doc_field_uint(d, "frames_missing", st->frames_missing);
	doc_about(d, "statement in the trace that contradicts its contents; null: none");
	doc_field_string(d, "wrong", or_null(m->note));
}

void doc_problems(struct doc *d, const struct model *m)
{
	char damage[400];

	if (m->status.damages)
		doc_alert(d, "DAMAGED", "%s", model_damage(m, damage, sizeof(damage)));
	else if (!m->status.ended)
		doc_alert(d, "CUT", "%s; the report covers what comes before", m->status.what);
	if (*m->note)
		doc_alert(d, "WRONG", "%s", m->note);
}

void doc_filter(struct doc *d, const struct model *m)
{
	const struct filter *f = m->filter;

	doc_about(d,
		  "CPUs, tasks and cgroup that the report is limited to; null: all CPUs and tasks");
	if (!doc_or_null(d, "only", filter_has_cpus(f) || filter_has_tasks(f)))
		return;
	if (filter_has_cpus(f))
		doc_line(d, "only", "CPUs %s", f->cpus.text);
	if (filter_has_tasks(f))
		doc_line(d, "only", "samples of%s%s%s%s%s", f->tasks ? " the tasks " : "",
			 f->tasks ? f->tasks : "", f->tasks && f->cgroup ? " in" : "",
			 f->cgroup ? " the cgroup " : "", f->cgroup ? f->cgroup : "");
	doc_object(d, "only");
	doc_field_string(d, "cpus", f ? f->cpus.text : NULL);
	doc_field_string(d, "tasks", f ? f->tasks : NULL);
	doc_field_string(d, "cgroup", f ? f->cgroup : NULL);
	doc_object_end(d);
}

void doc_derived(struct doc *d, const struct model *m, uint32_t most)
{
	const struct model_header *h = &m->header;
	const char *derived = model_string(m, h->derived.first);
	char line[512] = "";

	for (uint32_t i = 0; i < h->derived.n && i < most; i++, derived += strlen(derived) + 1)
		text_append(line, sizeof(line), ", then ", "%s", derived);
	if (h->derived.n > most)
		text_append(line, sizeof(line), ", then ", "more");
	if (h->derived.n)
		doc_line(d, "derived", "%s", line);
}

void doc_part(struct doc *d, const struct part *part)
{
	doc_about(d, "name of the file, as given on the command line");
	doc_field_text(d, "file", part->file);
	doc_about(
		d,
		"number of the trace in the file, counted from 1; null: the file has only one trace");
	if (doc_or_null(d, "part", part->number))
		doc_field_uint(d, "part", part->number);
}

void doc_trace(struct doc *d, const struct model *m)
{
	doc_part(d, d->part);
	doc_ended(d, m);
	doc_filter(d, m);
	doc_derived(d, m, UINT32_MAX);
}

/* ---- host and settings ------------------------------------------------------------------- */

void doc_header(struct doc *d, const struct model *m)
{
	const struct model_header *h = &m->header;

	doc_model_string(d, "kernel", m, h->kernel);
	doc_model_string(d, "machine", m, h->machine);
	doc_model_string(d, "cpu_model", m, h->cpu_model);
	doc_model_string(d, "host", m, h->host);
	doc_model_string(d, "tool", m, h->tool);
	doc_about(d, "changes to the trace since it was recorded, in order");
	doc_field_list(d, "derived", model_string(m, h->derived.first), h->derived.n);
	doc_model_string(d, "exact", m, h->exact);
	doc_about(d, "0: no samples");
	doc_field_uint(d, "sample_hz", h->sample_hz);
	doc_model_string(d, "sampler", m, h->sampler);
	doc_model_string(d, "sample_event", m, h->sample_event);
	if (doc_optional(d, h->sample_period))
		doc_field_uint(d, "sample_period", h->sample_period);
	if (doc_optional(d, h->sampled))
		doc_model_string(d, "sampled", m, h->sampled);
	doc_field_known(d, "tick_ms", h->tick_ms, h->tick_ms);
	doc_field_uints(d, "cpus", m->header_cpus, (uint32_t)h->ncpus);
}

/* Returns the string, or "-" if the trace does not have it. */
static const char *or_dash(const struct model *m, model_str s)
{
	return s ? model_string(m, s) : "-";
}

static void settings(struct doc *d, const struct model *m)
{
	const struct model_header *h = &m->header;
	char samples[256] = "no samples";

	if (h->sample_hz)
		snprintf(samples, sizeof(samples), "samples %" PRIu64 " Hz, %s, %s%s%s",
			 h->sample_hz, model_string(m, h->sampler),
			 model_string(m, h->sample_event), h->sampled ? ", only of: " : "",
			 model_string(m, h->sampled));
	doc_line(d, "settings", "exact %s; %s; counters every %s ms",
		 *model_string(m, h->exact) ? model_string(m, h->exact) : "-", samples,
		 NUM(h->tick_ms ? (double)h->tick_ms : NAN, 0));
}

void doc_host(struct doc *d, const struct model *m)
{
	const struct model_header *h = &m->header;

	doc_line(d, "kernel", "%s %s", or_dash(m, h->kernel), or_dash(m, h->machine));
	if (strcmp(model_string(m, h->cpu_model), "unknown"))
		doc_line(d, "CPU", "%s", or_dash(m, h->cpu_model));
	if (h->host)
		doc_line(d, "host", "%s", model_string(m, h->host));
	settings(d, m);
	if (h->tool)
		doc_line(d, "by", "%s", model_string(m, h->tool));
}

void doc_skipped(struct doc *d, const struct model *m)
{
	const struct trace_status *st = &m->status;

	if (m->backwards)
		doc_line(d, "counters", "%" PRIu64 " counter decreases ignored (the first: %s.%s)",
			 m->backwards, trace_type_desc(m->backwards_key->type)->name,
			 m->backwards_key->name);
	if (st->unknown_types || st->unknown_keys || m->unknown_events)
		doc_line(d, "skipped",
			 "%" PRIu64 " records, %" PRIu64 " fields, %" PRIu64
			 " events of a newer format",
			 st->unknown_types, st->unknown_keys, m->unknown_events);
	doc_field_uint(d, "counter_steps_backwards", m->backwards);
	doc_field_uint(d, "skipped_records", st->unknown_types);
	doc_field_uint(d, "skipped_fields", st->unknown_keys);
	doc_field_uint(d, "skipped_events", m->unknown_events);
}

/* ---- the selection ------------------------------------------------------------------ */

void doc_marks(struct doc *d, const struct model *m, size_t n)
{
	static const struct doc_column column[] = {
		{ .key = "s",
		  .precision = 6,
		  .about = "time in seconds since the recording began; null: unknown" },
		{ .key = "text", .kind = DOC_STRING, .known = true },
	};
	const struct doc_table table = {
		.key = "marks", .column = column, .ncolumns = 2, .only = DOC_PROGRAMS
	};

	doc_table(d, &table);
	for (size_t i = 0; i < m->nmoments && i < n; i++) {
		doc_row(d, 0, DOC_PROGRAMS);
		doc_number(d, model_seconds(m, m->moment[i].at_ns));
		doc_string(d, model_string(m, m->moment[i].text));
		doc_row_end(d);
	}
	doc_table_end(d);
}

/* ---- probes ------------------------------------------------------------------------------ */

#define PROBE_TEXT 1024 /* size of the text of one probe */

void probe_cells(struct doc *d, const struct model *m, const struct model_probe *p)
{
	doc_string(d, model_string(m, p->method));
	doc_list(d, model_string(m, p->hooks.first), p->hooks.n);
	doc_string(d, model_string_or_null(m, p->reason));
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

/* ---- a table, for pages and programs ------------------------------------------------ */

static void probe_row(struct doc *d, const struct model *m, const struct model_probe *p)
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
	doc_string(d, model_string_or_null(m, p->method));
	doc_list(d, model_string(m, p->hooks.first), p->hooks.n);
	doc_string(d, p->tested ? seen : "-");
	doc_number(d, p->tested ? (double)p->tested : NAN);
	doc_number(d, p->tested ? (double)p->seen : NAN);
	doc_list(d, model_string(m, p->unseen.first), p->unseen.n);
	doc_list(d, model_string(m, p->refused.first), p->refused.n);
	doc_string(d, model_string_or_null(m, p->reason));
	doc_row_end(d);
}

static void probes_table(struct doc *d, const struct model *m)
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
		{ .key = "tested", .about = "number of kinds of calls that were tested" },
		{ .key = "seen" },
		{ .key = "unseen", .title = "not seen", .kind = DOC_LIST },
		{ .key = "refused", .title = "refused", .kind = DOC_LIST },
		{ .key = "why", .title = "why", .kind = DOC_STRING },
	};
	static const struct doc_table desc = {
		.key = "probes",
		.about = "probes of events and of parts of the RX softirq",
		.title = "Attached probes, and kinds of calls that a test saw",
		DOC_COLUMNS_OF(column),
		.only = DOC_HTML | DOC_PROGRAMS
	};

	doc_table(d, &desc);
	for (size_t i = 0; i < m->nprobes; i++)
		probe_row(d, m, &m->probe[i]);
	doc_table_end(d);
}

/* ---- lines, for a terminal --------------------------------------------------------------- */

/*
 * Appends strings from the trace to a buffer of PROBE_TEXT bytes. Strings that do not fit become
 * "...".
 */
static void append_strings(char *dst, const struct model *m, struct model_strs strs,
			   const char *before)
{
	const char *s = model_string(m, strs.first);

	for (uint32_t k = 0; k < strs.n; k++, s += strlen(s) + 1, before = ", ") {
		size_t n = strlen(dst), room = PROBE_TEXT - n;

		if (snprintf(dst + n, room, "%s%s", before, SAFE(s)) < (int)room)
			continue;
		snprintf(dst + PROBE_TEXT - 4, 4, "...");
		return;
	}
}

/*
 * Returns true for a part of the RX softirq that is not counted exactly. One line lists all such
 * parts.
 */
static bool is_uncounted_part(const struct model_probe *p)
{
	return p->of == NETCOST_OF_PART && !p->hooks.n;
}

static void uncounted_parts(struct doc *d, const struct model *m)
{
	char line[PROBE_TEXT] = "";

	for (size_t i = 0; i < m->nprobes; i++)
		if (is_uncounted_part(&m->probe[i]))
			text_append(line, sizeof(line), ", ", "%s", model_probe_of(&m->probe[i]));
	if (*line)
		doc_subline(d, "", "by samples alone", line);
}

/* Returns true if the calls were counted, but not their time. */
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

static void probes_lines(struct doc *d, const struct model *m)
{
	const char *word = "probes";

	for (size_t i = 0; i < m->nprobes; i++) {
		const struct model_probe *p = &m->probe[i];
		char line[PROBE_TEXT];
		size_t n;

		if (!model_probe_of(p) || is_uncounted_part(p))
			continue;
		snprintf(line, sizeof(line), "%s", SAFE(model_string(m, p->method)));
		append_strings(line, m, p->hooks, ": ");
		n = strlen(line);
		if (p->tested)
			snprintf(line + n, sizeof(line) - n,
				 "; %" PRIu64 " of %" PRIu64 " kinds of calls seen", p->seen,
				 p->tested);
		append_strings(line, m, p->unseen, ", not: ");
		if (has_only_calls(m, p))
			text_append(line, sizeof(line), "; ", "counted, not timed");
		doc_subline(d, word, model_probe_of(p), line);
		word = "";
	}
	uncounted_parts(d, m);
}

void probes_doc(struct doc *d, const struct model *m)
{
	probes_table(d, m);
	if (doc_is_for(d, DOC_TEXT))
		probes_lines(d, m);
}

/* Returns true if the reason is one of the probe's reasons. */
static bool refused_for(const struct model *m, const struct model_probe *p, const char *why)
{
	const char *own = model_string(m, p->refused.first);

	for (uint32_t k = 0; k < p->refused.n; k++, own += strlen(own) + 1)
		if (!strcmp(own, why))
			return true;
	return false;
}

/* Prints a reason once, with all probes and parts to which it applies. */
static bool refused_line(struct doc *d, const struct model *m, size_t first, const char *why,
			 const char *word)
{
	char of[PROBE_TEXT] = "";

	for (size_t i = 0; i < m->nprobes; i++) {
		const char *name = model_probe_of(&m->probe[i]);

		if (!name || !refused_for(m, &m->probe[i], why))
			continue;
		if (i < first)
			return false;
		text_append(of, sizeof(of), ", ", "%s", name);
	}
	doc_subline(d, word, of, SAFE(why));
	return true;
}

void probes_refused(struct doc *d, const struct model *m)
{
	const char *word = "refused";

	for (size_t i = 0; i < m->nprobes; i++) {
		const struct model_probe *p = &m->probe[i];
		const char *why = model_string(m, p->refused.first);

		for (uint32_t k = 0; model_probe_of(p) && k < p->refused.n;
		     k++, why += strlen(why) + 1)
			if (refused_line(d, m, i, why, word))
				word = "";
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
	static const struct doc_table desc = {
		.key = "sources",
		.about = "sources of data: whether each was measured, or why not",
		.title = "Measured and missing data",
		DOC_COLUMNS_OF(column),
		.only = DOC_HTML | DOC_PROGRAMS
	};

	doc_table(d, &desc);
	for (size_t i = 0; i < m->nsources; i++) {
		const struct model_source *s = &m->source[i];

		doc_row(d, 0, DOC_ALL);
		doc_string(d, model_string_or_null(m, s->name));
		doc_string(d, model_string_or_null(m, s->state));
		doc_string(d, model_string_or_null(m, s->via));
		doc_string(d, model_string_or_null(m, s->why));
		doc_row_end(d);
	}
	doc_table_end(d);
}

/* ---- certificates ------------------------------------------------------------------------ */

#define CERTIFICATE_TEXT 1024

bool certificate_is(const struct model *m, const struct model_certificate *c, const char *state)
{
	return !strcmp(model_string(m, c->state), state);
}

bool certificate_is_of_more(const struct model *m)
{
	const char *s = model_string(m, m->header.derived.first);

	for (uint32_t i = 0; i < m->header.derived.n; i++, s += strlen(s) + 1)
		if (!strncmp(s, "cut", 3))
			return true;
	return m->window != NULL;
}

char *certificate_text(const struct model *m, const struct model_certificate *c, char *dst,
		       size_t size)
{
	dst[0] = '\0';
	if (!isnan(c->injected_ns))
		text_append(dst, size, ", ", "injected %s, found %s in RX softirq",
			    MEASURED(c->injected_ns, TEXT_NS),
			    WITHIN(c->found_ns, c->error_ns, TEXT_NS));
	if (!isnan(c->packets))
		text_append(dst, size, ", ", "%s of %s packets", NUM(c->packets_counted, 0),
			    NUM(c->packets, 0));
	if (!isnan(c->tested))
		text_append(dst, size, ", ", "%s of %s kinds of calls", NUM(c->seen, 0),
			    NUM(c->tested, 0));
	text_append(dst, size, ": ", "%s", SAFE(or_dash(m, c->state)));
	if (*model_string(m, c->why))
		text_append(dst, size, ": ", "%s", SAFE(model_string(m, c->why)));
	return dst;
}

static void certificate_lines(struct doc *d, const struct model *m)
{
	char text[CERTIFICATE_TEXT];

	for (size_t i = 0; i < m->ncertificates; i++)
		doc_subline(d, i ? "" : "certificate", SAFE(or_dash(m, m->certificate[i].when)),
			    certificate_text(m, &m->certificate[i], text, sizeof(text)));
	if (m->ncertificates && certificate_is_of_more(m))
		doc_line(d, "", "%s", CERTIFICATE_OF_MORE);
}

static void certificate_row(struct doc *d, const struct model *m, const struct model_certificate *c)
{
	doc_row(d, 0, DOC_ALL);
	doc_string(d, model_string_or_null(m, c->when));
	doc_string(d, model_string_or_null(m, c->state));
	doc_string(d, model_string_or_null(m, c->why));
	doc_number(d, c->cpu);
	doc_number(d, c->injected_ns);
	doc_number(d, c->found_ns);
	doc_number(d, c->error_ns);
	doc_number(d, c->packets);
	doc_number(d, c->packets_counted);
	doc_number(d, c->bytes);
	doc_number(d, c->bytes_counted);
	doc_number(d, c->tested);
	doc_number(d, c->seen);
	doc_number(d, 1e-6 * c->took_ns);
	doc_number(d, 1e-6 * c->cpu_ns);
	doc_row_end(d);
}

static void certificate_table(struct doc *d, const struct model *m)
{
	static const struct doc_column column[] = {
		{ .key = "when", .kind = DOC_STRING, .about = "start or end of the recording" },
		{ .key = "state",
		  .kind = DOC_STRING,
		  .about = "result: passed, failed or impossible" },
		{ .key = "why",
		  .kind = DOC_STRING,
		  .about = "what failed, or why the test was impossible; null: the test passed" },
		{ .key = "cpu", .whole = true },
		{ .key = "injected_ns", .whole = true, .about = "run time of the injected program" },
		{ .key = "found_ns",
		  .about =
			  "additional RX softirq time that netcost measured because of the injected program" },
		{ .key = "error_ns",
		  .whole = true,
		  .about = "half-width of the interval of found_ns" },
		{ .key = "packets", .whole = true },
		{ .key = "packets_counted", .whole = true },
		{ .key = "bytes", .whole = true },
		{ .key = "bytes_counted", .whole = true },
		{ .key = "tested",
		  .whole = true,
		  .about = "number of kinds of calls that were tested" },
		{ .key = "seen",
		  .whole = true,
		  .about = "number of kinds of calls that were counted" },
		{ .key = "took_ms", .precision = 3 },
		{ .key = "cpu_ms", .precision = 3, .about = "CPU time of the certification itself" },
	};
	static const struct doc_table desc = {
		.key = "certificates",
		.about =
			"self-tests: the known load that the recorder generated, and how much of this load it counted",
		DOC_COLUMNS_OF(column),
		.only = DOC_PROGRAMS
	};

	doc_table(d, &desc);
	for (size_t i = 0; i < m->ncertificates; i++)
		certificate_row(d, m, &m->certificate[i]);
	doc_table_end(d);
}

void certificate_doc(struct doc *d, const struct model *m)
{
	if (doc_is_for(d, DOC_PEOPLE))
		certificate_lines(d, m);
	else if (doc_optional(d, m->ncertificates))
		certificate_table(d, m);
}

/* ---- settings of the host ---------------------------------------------------------------- */

/* Returns the value of a setting, or NULL if there is a reason why it is missing. */
static const char *setting_value(const struct model *m, model_str setting_value, model_str why)
{
	return why ? NULL : model_string(m, setting_value);
}

/* Returns the value of a setting, or the reason why it is missing. */
static const char *setting_shown(const struct model *m, model_str v, model_str why)
{
	return why ? model_string(m, why) : model_string(m, v);
}

char *setting_text(char *dst, size_t size, const struct model *m, const struct model_setting *s)
{
	const char *last = setting_shown(m, s->value, s->why);

	if (model_setting_changed(m, s))
		snprintf(dst, size, "%s, then %s", setting_shown(m, s->first, s->first_why), last);
	else
		snprintf(dst, size, "%s", last);
	return dst;
}

static void setting_row(struct doc *d, const struct model *m, const struct model_setting *s)
{
	char text[SETTING_TEXT];

	doc_row(d, 0, DOC_ALL);
	doc_string(d, model_string(m, s->subject));
	doc_string(d, model_string(m, s->name));
	doc_string(d, setting_text(text, sizeof(text), m, s));
	doc_string(d, setting_value(m, s->first, s->first_why));
	doc_string(d, setting_value(m, s->value, s->why));
	doc_bool(d, model_setting_changed(m, s));
	doc_string(d, model_string_or_null(m, s->why));
	doc_row_end(d);
}

void settings_table(struct doc *d, const struct model *m)
{
	static const struct doc_column column[] = {
		{ .key = "subject",
		  .title = "of",
		  .kind = DOC_STRING,
		  .width = 24,
		  .known = true,
		  .about = "subject of the setting, such as net.core, cpu, interface eth0" },
		{ .key = "name",
		  .title = "setting",
		  .kind = DOC_STRING,
		  .width = 28,
		  .known = true },
		{ .title = "value", .kind = DOC_STRING },
		{ .key = "first",
		  .kind = DOC_STRING,
		  .about = "value at the start of the recording; null: unknown" },
		{ .key = "value",
		  .kind = DOC_STRING,
		  .about =
			  "value at the end of the recording; null: unknown, or the setting no longer exists" },
		{ .key = "changed",
		  .kind = DOC_BOOL,
		  .about = "true: the setting changed during the recording" },
		{ .key = "why", .kind = DOC_STRING, .about = "reason why value is null" },
	};
	const struct doc_table table = { .key = "settings",
					 .about = "settings of the host, in the order of the trace",
					 .caption = "Settings of the host",
					 DOC_COLUMNS_OF(column),
					 .only = m->nsettings ? DOC_ALL : DOC_PROGRAMS };

	doc_table(d, &table);
	for (size_t i = 0; i < m->nsettings; i++)
		setting_row(d, m, &m->setting[i]);
	doc_table_end(d);
}

static size_t settings_changed(const struct model *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->nsettings; i++)
		n += model_setting_changed(m, &m->setting[i]);
	return n;
}

/* Prints the number of settings. Recordings of older versions have none. */
void settings_count(struct doc *d, const struct model *m)
{
	if (!doc_optional(d, m->nsettings))
		return;
	doc_line(d, "context",
		 "%zu settings of the host, %zu changed while recording; --context shows them",
		 m->nsettings, settings_changed(m));
	doc_field_uint(d, "host_settings", m->nsettings);
}

void settings_doc(struct doc *d, const struct model *m)
{
	doc_object(d, NULL);
	doc_heading(d, "%s", "");
	doc_part(d, d->part);
	doc_ended(d, m);
	doc_problems(d, m);
	if (!m->nsettings)
		doc_note(d, "The trace has no settings of the host.");
	settings_table(d, m);
	doc_object_end(d);
}

/* ---- colours --------------------------------------------------------------------------- */

const char *const leaf_color[LEAF_COUNT] = {
	[LEAF_IDLE] = "#f2f2f2",	 [LEAF_USER] = "#7fb2d9",
	[LEAF_SOCK_SEND] = "#e69f00",	 [LEAF_SOCK_RECV] = "#56b4e9",
	[LEAF_RX_SOFTIRQ] = "#2fbf8f",	 [LEAF_TX_SOFTIRQ] = "#d98cb8",
	[LEAF_HARDIRQ_NET] = "#b8d98c",	 [LEAF_OTHER_NETWORK] = "#f0e442",
	[LEAF_SOCK_LOCAL] = "#c9b28f",	 [LEAF_IO_WORKER] = "#b3a6d9",
	[LEAF_OTHER_KERNEL] = "#c4c4c4", [LEAF_TASK] = "#c4c4c4",
	[LEAF_OWN] = "#9a9a9a",
};

const char *color_of(unsigned int leaves)
{
	if (leaves && !(leaves & (leaves - 1)))
		return leaf_color[__builtin_ctz(leaves)];
	return leaves & ~LEAF_NETWORK ? COLOR_MIXED : COLOR_NETWORK;
}

static bool is_several(unsigned int leaves)
{
	return leaves & (leaves - 1);
}

void colors_of(unsigned int leaves, void (*put)(void *ctx, const char *color, const char *title),
	       void *ctx)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (leaves >> l & 1)
			put(ctx, leaf_color[l], leaf_desc[l].title);
	if (is_several(leaves & LEAF_NETWORK))
		put(ctx, COLOR_NETWORK, "callers of several leaves, all in the network");
	if (is_several(leaves) && leaves & ~LEAF_NETWORK)
		put(ctx, COLOR_MIXED, "callers of several leaves");
}

/* Colours of parts. An IPv4 part is darker than the same part of IPv6. */
static const char *const part_color[] = {
	[NETCOST_PART_DRIVER_POLL] = "#b48ac6",	  [NETCOST_PART_GRO] = "#ee8866",
	[NETCOST_PART_RECEIVE] = "#eedd88",	  [NETCOST_PART_XDP_GENERIC] = "#9fc4a8",
	[NETCOST_PART_TC_INGRESS] = "#ffaabb",	  [NETCOST_PART_NF_INGRESS] = "#c8a078",
	[NETCOST_PART_CONNTRACK] = "#55c8c0",	  [NETCOST_PART_BRIDGING] = "#aaaa33",
	[NETCOST_PART_PREROUTING_V4] = "#bbcc33", [NETCOST_PART_PREROUTING_V6] = "#dfe8a0",
	[NETCOST_PART_FORWARD_V4] = "#cc7788",	  [NETCOST_PART_FORWARD_V6] = "#e8c0c8",
	[NETCOST_PART_LOCAL_V4] = "#77aadd",	  [NETCOST_PART_LOCAL_V6] = "#c2d8f0",
};

_Static_assert(sizeof(part_color) / sizeof(*part_color) == NETCOST_PART_COUNT,
	       "each part has a colour");

const char *category_color(const char *key, size_t i)
{
	static const char *const part_key[] = {
#define X(id, name, key, title, doc) [id] = key,
		NETCOST_PARTS(X)
#undef X
	};

	for (size_t p = 0; p < NETCOST_PART_COUNT; p++)
		if (!strcmp(part_key[p], key))
			return part_color[p];
	return part_color[i % NETCOST_PART_COUNT];
}
