// SPDX-License-Identifier: BSD-2-Clause
#include "info_doc.h"

#include <inttypes.h>
#include <math.h>

#include "certificate_doc.h"
#include "cost_doc.h"
#include "model_doc.h"
#include "probes_doc.h"
#include "settings_doc.h"
#include "report/base/text.h"

static void ending(struct doc *d, const struct model *m)
{
	doc_problems(d, m);
	if (m->status.ended && !m->status.damages)
		doc_line(d, "complete;", "ended by: %s",
			 m->end.why ? model_string(m, m->end.why) : "-");
	doc_model_string(d, "ended_by", m, m->end.why);
}

static void header(struct doc *d, const struct model *m)
{
	const struct model_header *h = &m->header;
	char cpus[256], online[32] = "";

	if (h->cpus_online)
		snprintf(online, sizeof(online), ", %" PRIu64 " online", h->cpus_online);
	doc_line(d, "format", "%" PRIu64 ".%" PRIu64, h->major, h->minor);
	doc_host(d, m);
	doc_line(d, "CPUs", "%s recorded%s, %s possible",
		 text_cpu_list(cpus, sizeof(cpus), m->header_cpus, h->ncpus), online,
		 NUM(h->cpus_possible ? (double)h->cpus_possible : NAN, 0));
	doc_object(d, "header");
	doc_field_uint(d, "major", h->major);
	doc_field_uint(d, "minor", h->minor);
	doc_header(d, m);
	doc_field_known(d, "cpus_possible", h->cpus_possible, h->cpus_possible);
	doc_field_known(d, "cpus_online", h->cpus_online, h->cpus_online);
	doc_field_known(d, "user_hz", h->user_hz, h->user_hz);
	doc_field_known(d, "start_ns", h->start_ns, h->start_ns);
	doc_object_end(d);
}

static double or_nan(uint64_t ns)
{
	return ns == TRACE_NIL ? NAN : (double)ns;
}

/* word NULL: people have already seen it. */
static void clock(struct doc *d, const char *word, const char *key, const struct model_clock *c)
{
	if (word)
		doc_line(d, word, "monotonic %s s = boot %s s = %s, good to %s ns",
			 NUM(1e-9 * or_nan(c->mono_ns), 9), NUM(1e-9 * or_nan(c->boot_ns), 9),
			 c->real_ns == TRACE_NIL ? "-" : UTC(c->real_ns),
			 NUM(or_nan(c->error_ns), 0));
	doc_object(d, key);
	doc_field_known(d, "mono_ns", c->mono_ns, c->mono_ns != TRACE_NIL);
	doc_field_known(d, "real_ns", c->real_ns, c->real_ns != TRACE_NIL);
	doc_field_known(d, "boot_ns", c->boot_ns, c->boot_ns != TRACE_NIL);
	doc_field_known(d, "error_ns", c->error_ns, c->error_ns != TRACE_NIL);
	doc_object_end(d);
}

static void clocks(struct doc *d, const struct model *m)
{
	uint64_t n = m->records[TRACE_CLOCK];

	if (doc_optional(d, n))
		clock(d, "clocks", "clock_first", &m->clock_first);
	if (doc_optional(d, n))
		clock(d, n > 1 ? "" : NULL, "clock_last", &m->clock_last);
}

static void sizes(struct doc *d, const struct model *m)
{
	const struct trace_status *st = &m->status;

	doc_line(d, "size", "%" PRIu64 " bytes, %" PRIu64 " frames, %" PRIu64 " records", st->bytes,
		 st->frames, st->records);
	doc_line(d, "samples",
		 "%" PRIu64 ", %" PRIu64 " lost; %" PRIu32 " stacks, %" PRIu32 " symbols, %" PRIu32
		 " modules, %" PRIu32 " tasks, %" PRIu32 " cgroups",
		 m->samples, model_samples_lost(m), m->nstacks, m->nsymbols, m->nmodules, m->ntasks,
		 m->ncgroups);
	doc_line(d, "counters", "%" PRIu64 " ticks; %zu interfaces, %zu energy zones", m->ticks,
		 m->nnetdevs, m->nzones);
	doc_field_uint(d, "file_bytes", st->bytes);
	doc_field_uint(d, "frames", st->frames);
	doc_field_uint(d, "records", st->records);
	doc_field_uint(d, "samples", m->samples);
	doc_field_uint(d, "samples_lost", model_samples_lost(m));
	doc_field_uint(d, "stacks", m->nstacks);
	doc_field_uint(d, "symbols", m->nsymbols);
	doc_field_uint(d, "modules", m->nmodules);
	doc_field_uint(d, "tasks", m->ntasks);
	doc_field_uint(d, "cgroups", m->ncgroups);
	doc_field_uint(d, "ticks", m->ticks);
	doc_field_uint(d, "interfaces", m->nnetdevs);
	doc_field_uint(d, "energy_zones", m->nzones);
}

static void records(struct doc *d, const struct model *m)
{
	static const struct doc_column column[] = {
		{ .key = "type", .title = "type", .kind = DOC_STRING, .width = 14 },
		{ .key = "records", .title = "records", .width = 10, .known = true },
		{ .title = "what they are", .kind = DOC_STRING },
	};
	static const struct doc_table table = { .key = "records_by_type",
						.title = "Records",
						.column = column,
						.ncolumns = 3,
						.keyed = true };

	doc_table(d, &table);
	for (unsigned int t = 0; t <= UINT8_MAX; t++) {
		if (!m->records[t])
			continue;
		doc_row(d, 0, DOC_ALL);
		doc_string(d, trace_type_desc(t)->name);
		doc_number(d, (double)m->records[t]);
		doc_string(d, trace_type_desc(t)->doc);
		doc_row_end(d);
	}
	doc_table_end(d);
}

static void sources(struct doc *d, const struct model *m)
{
	doc_title(d, "Sources");
	for (size_t i = 0; i < m->nsources; i++) {
		const struct model_source *s = &m->source[i];

		doc_line(d, model_string(m, s->name), "%s%s%s%s%s", model_string(m, s->state),
			 s->via ? ", " : "", model_string(m, s->via), s->why ? ": " : "",
			 model_string(m, s->why));
	}
	sources_doc(d, m);
}

void info_doc(struct doc *d, const struct model *m)
{
	doc_object(d, NULL);
	doc_heading(d, "%s", "");
	doc_part(d, d->part);
	doc_ended(d, m);
	ending(d, m);
	header(d, m);
	clocks(d, m);
	sizes(d, m);
	settings_count(d, m);
	certificate_doc(d, m);
	probes_doc(d, m);
	probes_refused(d, m);
	doc_skipped(d, m);
	sources(d, m);
	cost_doc(d, m);
	records(d, m);
	doc_object_end(d);
}
