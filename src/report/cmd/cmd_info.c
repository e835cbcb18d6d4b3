// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report info: what is in a trace, and how it came about. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "command.h"
#include "report/base/escape.h"
#include "report/base/text.h"
#include "report/input/input.h"
#include "report/tables/cost_tables.h"
#include "report/tables/model_json.h"
#include "report/tables/model_text.h"

/* ---- text -------------------------------------------------------------------------------- */

static void text_ending(FILE *out, const struct model *m)
{
	char damage[400];

	if (m->status.damages)
		fprintf(out, "  DAMAGED   %s\n", model_damage(m, damage, sizeof(damage)));
	else if (!m->status.ended)
		fprintf(out, "  CUT       %s\n", m->status.what);
	else
		fprintf(out, "  complete; ended by: %s\n",
			m->end.why ? SAFE(model_string(m, m->end.why)) : "-");
	if (*m->note)
		fprintf(out, "  WRONG     %s\n", m->note);
}

static void text_header(FILE *out, const struct model *m)
{
	const struct model_header *h = &m->header;
	char cpus[256];

	fprintf(out, "  format    %" PRIu64 ".%" PRIu64 "\n", h->major, h->minor);
	text_host(out, m);
	fprintf(out, "  CPUs      %s recorded, %" PRIu64 " possible\n",
		text_cpu_list(cpus, sizeof(cpus), m->header_cpus, h->ncpus), h->cpus_possible);
	text_settings(out, m);
}

static void text_clock(FILE *out, const char *word, const struct model_clock *c)
{
	fprintf(out, "  %-9s monotonic %.9f s = boot %.9f s = %s, good to %" PRIu64 " ns\n", word,
		(double)c->mono_ns * 1e-9, (double)c->boot_ns * 1e-9, UTC(c->real_ns), c->error_ns);
}

static void text_sizes(FILE *out, const struct model *m)
{
	const struct trace_status *st = &m->status;

	fprintf(out,
		"  size      %" PRIu64 " bytes, %" PRIu64 " frames, %" PRIu64 " records\n"
		"  samples   %" PRIu64 ", %" PRIu64 " lost; %" PRIu32 " stacks, %" PRIu32
		" symbols, %" PRIu32 " modules, %" PRIu32 " tasks, %" PRIu32 " cgroups\n"
		"  counters  %" PRIu64 " ticks; %zu interfaces, %zu energy zones\n",
		st->bytes, st->frames, st->records, m->samples, model_samples_lost(m), m->nstacks,
		m->nsymbols, m->nmodules, m->ntasks, m->ncgroups, m->ticks, m->nnetdevs, m->nzones);
}

static void text_sources(FILE *out, const struct model *m)
{
	fprintf(out, "\nSources\n");
	for (size_t i = 0; i < m->nsources; i++) {
		const struct model_source *s = &m->source[i];
		int at = fprintf(out, "  %-9s %s", SAFE(model_string(m, s->name)),
				 SAFE(model_string(m, s->state)));

		if (s->via)
			at += fprintf(out, ", %s", SAFE(model_string(m, s->via)));
		if (s->why) {
			at += fprintf(out, ": ");
			text_wrap(out, at, 12, SAFE(model_string(m, s->why)));
		}
		fputc('\n', out);
	}
}

static void text_records(FILE *out, const struct model *m)
{
	fprintf(out, "\nRecords\n");
	for (unsigned int t = 0; t <= UINT8_MAX; t++)
		if (m->records[t])
			fprintf(out, "  %-14s %10" PRIu64 "  %s\n", trace_type_desc(t)->name,
				m->records[t], trace_type_desc(t)->doc);
}

static void text(FILE *out, const struct model *m, const struct part *part)
{
	if (!part->first)
		fputs("\n\n", out);
	fprintf(out, "%s\n", PART_TITLE(part));
	text_ending(out, m);
	text_header(out, m);
	if (m->records[TRACE_CLOCK])
		text_clock(out, "clocks", &m->clock_first);
	if (m->records[TRACE_CLOCK] > 1)
		text_clock(out, "", &m->clock_last);
	text_sizes(out, m);
	text_probes(out, m);
	text_refused(out, m);
	text_oddities(out, m);
	text_sources(out, m);
	cost_programs_text(out, m);
	text_records(out, m);
}

/* ---- JSON -------------------------------------------------------------------------------- */

static void json_header(struct json *j, const struct model *m)
{
	const struct model_header *h = &m->header;

	json_object(j, "header");
	json_uint(j, "major", h->major);
	json_uint(j, "minor", h->minor);
	json_model_string(j, "tool", m, h->tool);
	json_model_strings(j, "derived", m, h->derived);
	json_model_string(j, "kernel", m, h->kernel);
	json_model_string(j, "machine", m, h->machine);
	json_model_string(j, "cpu_model", m, h->cpu_model);
	json_model_string(j, "host", m, h->host);
	json_uint(j, "cpus_possible", h->cpus_possible);
	json_array(j, "cpus");
	for (uint64_t i = 0; i < h->ncpus; i++)
		json_uint(j, NULL, m->header_cpus[i]);
	json_array_end(j);
	json_model_string(j, "exact", m, h->exact);
	json_uint(j, "sample_hz", h->sample_hz);
	json_model_string(j, "sampler", m, h->sampler);
	json_model_string(j, "sample_event", m, h->sample_event);
	if (h->sample_period)
		json_uint(j, "sample_period", h->sample_period);
	if (h->sampled)
		json_model_string(j, "sampled", m, h->sampled);
	json_uint(j, "tick_ms", h->tick_ms);
	json_uint(j, "user_hz", h->user_hz);
	json_uint(j, "start_ns", h->start_ns);
	json_object_end(j);
}

static void json_clock(struct json *j, const char *key, const struct model_clock *c)
{
	json_object(j, key);
	json_uint(j, "mono_ns", c->mono_ns);
	json_uint(j, "real_ns", c->real_ns);
	json_uint(j, "boot_ns", c->boot_ns);
	json_uint(j, "error_ns", c->error_ns);
	json_object_end(j);
}

static void json_ending(struct json *j, const struct model *m)
{
	json_ended(j, m);
	json_model_string(j, "ended_by", m, m->end.why);
}

static void json_sizes(struct json *j, const struct model *m)
{
	const struct trace_status *st = &m->status;

	json_uint(j, "file_bytes", st->bytes);
	json_uint(j, "frames", st->frames);
	json_uint(j, "records", st->records);
	json_uint(j, "samples", m->samples);
	json_uint(j, "samples_lost", model_samples_lost(m));
	json_uint(j, "stacks", m->nstacks);
	json_uint(j, "symbols", m->nsymbols);
	json_uint(j, "modules", m->nmodules);
	json_uint(j, "tasks", m->ntasks);
	json_uint(j, "cgroups", m->ncgroups);
	json_uint(j, "ticks", m->ticks);
	json_uint(j, "interfaces", m->nnetdevs);
	json_uint(j, "energy_zones", m->nzones);
	json_uint(j, "counter_steps_backwards", m->backwards);
	json_uint(j, "skipped_records", st->unknown_types);
	json_uint(j, "skipped_fields", st->unknown_keys);
	json_uint(j, "skipped_events", m->unknown_events);
	json_object(j, "records_by_type");
	for (unsigned int t = 0; t <= UINT8_MAX; t++)
		if (m->records[t])
			json_uint(j, trace_type_desc(t)->name, m->records[t]);
	json_object_end(j);
}

/* flat: as CSV, a row for each value. */
static void print_json(FILE *out, const struct model *m, const struct part *part, bool flat)
{
	struct json j = flat ? json_flat(out, part) : (struct json){ .out = out };

	json_object(&j, NULL);
	json_part(&j, part);
	json_ending(&j, m);
	json_header(&j, m);
	if (m->records[TRACE_CLOCK]) {
		json_clock(&j, "clock_first", &m->clock_first);
		json_clock(&j, "clock_last", &m->clock_last);
	}
	json_sizes(&j, m);
	json_probes(&j, m);
	json_sources(&j, m);
	cost_json(&j, m);
	json_object_end(&j);
	json_end(&j);
}

/* ---- command ----------------------------------------------------------------------------- */

static bool print(void *ctx, const struct model *m, const struct part *part)
{
	const struct config *cfg = *(const struct config *const *)ctx;

	if (!strcmp(cfg->format, "text"))
		text(stdout, m, part);
	else
		print_json(stdout, m, part, !strcmp(cfg->format, "csv"));
	return true;
}

static enum exit_status run(const struct config *cfg)
{
	const struct input_wanted wanted = { .file = cfg->file, .select = cfg->part };
	bool ok = input_each_model(&wanted, print, &cfg);

	return command_close(stdout, NULL) || !ok ? EXIT_FAILED : EXIT_DONE;
}

static const char *const formats[] = { "text", "json", "csv", NULL };

static const struct opt_desc opts[] = {
	OPT_FORMAT(formats),
	OPT_PART,
};

const struct command command_info = {
	.name = "info",
	.help = "what is in a trace: settings, clocks, probes, sources, sizes, losses",
	.run = run,
	.opts = opts,
	.nopts = sizeof(opts) / sizeof(*opts),
};
