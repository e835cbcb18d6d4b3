// SPDX-License-Identifier: BSD-2-Clause
#include "model_doc.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <netcost/text_append.h>

#include "report/base/text.h"
#include "report/model/filter.h"

void doc_model_string(struct doc *d, const char *key, const struct model *m, model_str s)
{
	doc_field_string(d, key, s ? model_string(m, s) : NULL);
}

static const char *or_null(const char *text)
{
	return *text ? text : NULL;
}

void doc_ended(struct doc *d, const struct model *m)
{
	const struct trace_status *st = &m->status;
	char damage[400];

	doc_about(d, "the trace has its END, and nothing is damaged");
	doc_field_bool(d, "complete", st->ended && !st->damages);
	doc_about(d, "how the trace was cut off");
	doc_field_string(d, "cut", st->ended || st->damages ? NULL : or_null(st->what));
	doc_about(d, "what is damaged or missing");
	doc_field_string(d, "damaged", or_null(model_damage(m, damage, sizeof(damage))));
	doc_field_uint(d, "frames_missing", st->frames_missing);
	doc_about(d, "what the trace says about itself and is not true");
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

	doc_about(d, "null: of all CPUs and tasks");
	if (!doc_or_null(d, "only", filter_has_cpus(f) || filter_has_tasks(f)))
		return;
	if (filter_has_cpus(f))
		doc_line(d, "only", "CPUs %s", f->cpu_list);
	if (filter_has_tasks(f))
		doc_line(d, "only", "samples of%s%s%s%s%s", f->tasks ? " the tasks " : "",
			 f->tasks ? f->tasks : "", f->tasks && f->cgroup ? " in" : "",
			 f->cgroup ? " the cgroup " : "", f->cgroup ? f->cgroup : "");
	doc_object(d, "only");
	doc_field_string(d, "cpus", f ? f->cpu_list : NULL);
	doc_field_string(d, "tasks", f ? f->tasks : NULL);
	doc_field_string(d, "cgroup", f ? f->cgroup : NULL);
	doc_object_end(d);
}

void doc_part(struct doc *d, const struct part *part)
{
	doc_about(d, "the name as given");
	doc_field_text(d, "file", part->file);
	doc_about(d, "the number of the trace, if the file has several");
	if (doc_or_null(d, "part", part->number))
		doc_field_uint(d, "part", part->number);
}

void doc_trace(struct doc *d, const struct model *m)
{
	doc_part(d, d->part);
	doc_ended(d, m);
	doc_filter(d, m);
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
	doc_about(d, "what was done to the trace since it was recorded, in order");
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

/* "-": not in the trace. */
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
	const char *derived = model_string(m, h->derived.first);
	char line[512] = "";

	doc_line(d, "kernel", "%s %s", or_dash(m, h->kernel), or_dash(m, h->machine));
	doc_line(d, "CPU", "%s", or_dash(m, h->cpu_model));
	if (h->host)
		doc_line(d, "host", "%s", model_string(m, h->host));
	settings(d, m);
	if (h->tool)
		doc_line(d, "by", "%s", model_string(m, h->tool));
	for (uint32_t i = 0; i < h->derived.n; i++, derived += strlen(derived) + 1)
		text_append(line, sizeof(line), ", then ", "%s", derived);
	if (h->derived.n)
		doc_line(d, "derived", "%s", line);
}

void doc_skipped(struct doc *d, const struct model *m)
{
	const struct trace_status *st = &m->status;

	if (m->backwards)
		doc_line(d, "counters", "%" PRIu64 " steps backwards, left out (the first: %s.%s)",
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

/* ---- what a report is about -------------------------------------------------------------- */

void doc_marks(struct doc *d, const struct model *m, size_t n)
{
	static const struct doc_column column[] = {
		{ .key = "s", .precision = 6, .about = "since the recording began" },
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
