// SPDX-License-Identifier: BSD-2-Clause
#include "cost_doc.h"

#include <math.h>

#include "report/base/text.h"

#define SHOWN_SHARE 0.00005 /* less is printed as 0.00 % */

/* Programs of the recorder whose runs were not measured to cost something: --latency, --tail, --stages. */
static void others_line(struct doc *d, const struct cost *c)
{
	char samples[64] = "not known";

	if (!isnan(c->others_samples))
		snprintf(samples, sizeof(samples), "%s +- %s", PERCENT(c->others_samples, 2),
			 PERCENT(c->others_samples_ci95, 2));
	doc_line(
		d, "",
		"other own programs: the larger of two lower bounds, samples below them (%s) and the kernel's "
		"statistics (%s)",
		samples,
		isnan(c->others_statistics) ? "not known" : PERCENT(c->others_statistics, 2));
}

/* By what runs and samples were measured to cost. */
static void measured_lines(struct doc *d, const struct cost *c)
{
	bool has_others = c->has_others && !(c->others < SHOWN_SHARE);
	char all[64], others[64] = "";

	if (c->at_least)
		snprintf(all, sizeof(all), "at least %s", PERCENT(c->all, 2));
	else
		snprintf(all, sizeof(all), "%s +- %s", PERCENT(c->all, 2), PERCENT(c->ci95, 2));
	if (has_others)
		snprintf(others, sizeof(others), "other own programs %s, ", PERCENT(c->others, 2));
	doc_line(d, "cost", "%s %% of CPU time: probes %s, %ssamples %s, recorder %s", all,
		 PERCENT(c->probes, 2), others, PERCENT(c->samples, 2), PERCENT(c->recorder, 2));
	if (has_others)
		others_line(d, c);
	if (c->by_statistics)
		doc_line(d, "",
			 "probes and samples: the kernel's statistics exceed what runs were "
			 "measured to cost");
	doc_line(d, "", "on the busiest CPU, without the recorder: %s %% of its time",
		 PERCENT(c->busiest, 2));
	if (c->has_programs && isnan(c->programs))
		doc_line(d, "", "the kernel's statistics of BPF programs: not known");
	else if (c->has_programs)
		doc_line(d, "",
			 "the kernel's statistics, which know program code alone: %s; %s of %s s",
			 PERCENT(c->programs, 2), NUM(c->counted_s, 1), NUM(c->of_s, 1));
}

void cost_line(struct doc *d, const struct model *m)
{
	struct cost c = cost_make(m);
	char all[64];

	if (c.measured) {
		measured_lines(d, &c);
		return;
	}
	if (isnan(c.recorder) && isnan(c.programs))
		return;
	if (isnan(c.all))
		snprintf(all, sizeof(all), "not known, in %% of CPU time");
	else
		snprintf(all, sizeof(all), "%s%s %% of CPU time", c.at_least ? "at least " : "",
			 PERCENT(c.all, 2));
	if (!c.has_programs)
		doc_line(d, "cost", "%s: recorder %s; it had no BPF programs", all,
			 PERCENT(c.recorder, 2));
	else if (isnan(c.all_programs))
		doc_line(d, "cost", "%s: recorder %s, BPF programs not known", all,
			 PERCENT(c.recorder, 2));
	else
		doc_line(d, "cost", "%s: BPF programs %s, recorder %s", all,
			 PERCENT(c.all_programs, 2), PERCENT(c.recorder, 2));
	if (c.by_samples > c.programs || (isnan(c.programs) && !isnan(c.by_samples)))
		doc_line(d, "",
			 "programs: by the samples below them; the kernel's statistics say %s",
			 isnan(c.programs) ? "nothing" : PERCENT(c.programs, 2));
	if (c.has_programs && !isnan(c.programs))
		doc_line(d, "", "programs: without entry and exit of each run; %s of %s s counted",
			 NUM(c.counted_s, 1), NUM(c.of_s, 1));
}

static void program(struct doc *d, const struct model *m, const struct model_program *g)
{
	struct cost_program p = cost_program(m, g);

	doc_row(d, 0, DOC_ALL);
	doc_string(d, model_string(m, g->name));
	doc_number(d, p.runs);
	doc_number(d, p.run_ns);
	doc_number(d, p.ns_per_run);
	doc_number(d, 100 * p.share);
	doc_number(d, p.recursion);
	doc_number(d, p.missed);
	doc_string(d, g->function ? model_string(m, g->function) : NULL);
	doc_row_end(d);
}

static void programs(struct doc *d, const struct model *m)
{
	static const struct doc_column column[] = {
		{ .key = "name", .title = "program", .kind = DOC_STRING, .width = 17 },
		{ .key = "runs_counted", .title = "runs", .width = 12 },
		{ .key = "run_ns_counted" },
		{ .key = "ns_per_run",
		  .title = "ns a run",
		  .decimals = 1,
		  .precision = 1,
		  .width = 9 },
		{ .key = "percent", .title = "% of CPU", .decimals = 4, .precision = 6, .width = 9 },
		{ .key = "runs_left_out", .title = "left out", .width = 9 },
		{ .key = "kprobes_missed", .title = "missed", .width = 9 },
		{ .key = "function", .title = "function", .kind = DOC_STRING },
	};
	const struct doc_table table = { .key = "programs",
					 .title = "BPF programs",
					 DOC_COLUMNS_OF(column),
					 .only = m->nprograms ? DOC_ALL : DOC_PROGRAMS };

	doc_table(d, &table);
	for (size_t i = 0; i < m->nprograms; i++)
		program(d, m, &m->program[i]);
	doc_table_end(d);
	if (m->nprograms)
		doc_note(d, "  runs and their time: of %s s that were counted; misses: of all",
			 NUM(counter_moved(&m->counted_ns) * 1e-9, 1));
}

static void probe(struct doc *d, const struct model *m, enum netcost_probe i)
{
	struct cost_probe p = cost_probe(m, i);
	const char *why = model_string(m, m->probe_cost[i].why);

	if (!p.there)
		return;
	doc_row(d, 0, DOC_ALL);
	doc_string(d, model_probe_title(i));
	doc_string(d, model_probe_key(i));
	doc_number(d, p.runs);
	doc_interval(d, p.ns_per_run, p.ci95_per_run);
	doc_number(d, 100 * p.share);
	doc_string(d, *why ? why : NULL);
	doc_row_end(d);
}

static void probes(struct doc *d, const struct model *m, bool measured)
{
	static const struct doc_column column[] = {
		{ .title = "probes", .kind = DOC_STRING, .width = 28 },
		{ .key = "key", .kind = DOC_STRING },
		{ .key = "runs", .title = "runs", .width = 12 },
		{ .key = "ns_per_run",
		  .title = "ns a run",
		  .ci_key = "ci95_ns_per_run",
		  .kind = DOC_INTERVAL,
		  .decimals = 1,
		  .precision = 3,
		  .width = 18 },
		{ .key = "percent", .title = "% of CPU", .decimals = 4, .precision = 6, .width = 9 },
		{ .key = "why", .title = "", .kind = DOC_STRING },
	};
	const struct doc_table table = { .key = "probes",
					 .title = "Probes and samples: what they cost",
					 DOC_COLUMNS_OF(column),
					 .only = measured ? DOC_ALL : DOC_PROGRAMS };

	doc_table(d, &table);
	for (enum netcost_probe i = 0; i < NETCOST_PROBE_COUNT; i++)
		probe(d, m, i);
	doc_table_end(d);
}

void cost_doc(struct doc *d, const struct model *m)
{
	struct cost c = cost_make(m);

	doc_about(d, "what the recording itself cost");
	doc_object(d, "cost");
	doc_field(d, "percent_of_cpu_time", 100 * c.all, 6);
	doc_field(d, "recorder_percent", 100 * c.recorder, 6);
	doc_field_bool(d, "has_programs", c.has_programs);
	doc_field(d, "programs_percent", 100 * c.programs, 6);
	doc_field(d, "programs_counted_s", c.counted_s, 6);
	doc_field(d, "of_s", c.of_s, 6);
	doc_field(d, "runs_left_out", c.recursion, 0);
	doc_field(d, "kprobes_missed", c.missed, 0);
	doc_field_bool(d, "measured", c.measured);
	doc_field_bool(d, "at_least", c.at_least);
	doc_field(d, "ci95_percent", c.measured ? 100 * c.ci95 : NAN, 6);
	doc_field(d, "probes_percent", 100 * c.probes, 6);
	doc_field(d, "other_programs_percent", 100 * c.others, 6);
	doc_field(d, "samples_percent", 100 * c.samples, 6);
	doc_field(d, "busiest_cpu_percent", 100 * c.busiest, 6);
	doc_field_known(d, "probes_not_known", c.lacks, c.measured);
	probes(d, m, c.measured);
	programs(d, m);
	doc_object_end(d);
}
