// SPDX-License-Identifier: BSD-2-Clause
#include "cost_tables.h"

#include <math.h>

#include "report/base/escape.h"
#include "report/base/text.h"
#include "model_json.h"

/* ---- text -------------------------------------------------------------------------------- */

void cost_text(FILE *out, const struct cost *c)
{
	if (isnan(c->recorder) && isnan(c->programs))
		return;
	if (!isnan(c->all))
		fprintf(out, "  cost      %s %% of CPU time: ", PERCENT(c->all, 2));
	else
		fprintf(out, "  cost      not known, in %% of CPU time: ");
	if (!c->has_programs)
		fprintf(out, "recorder %s; it had no BPF programs\n", PERCENT(c->recorder, 2));
	else if (isnan(c->programs))
		fprintf(out, "recorder %s, BPF programs not known\n", PERCENT(c->recorder, 2));
	else
		fprintf(out,
			"BPF programs %s, recorder %s\n%12sprograms: without entry and exit of "
			"each run; %s of %s s counted\n",
			PERCENT(c->programs, 2), PERCENT(c->recorder, 2), "", NUM(c->counted_s, 1),
			NUM(c->of_s, 1));
}

void cost_programs_text(FILE *out, const struct model *m)
{
	if (!m->nprograms)
		return;
	fprintf(out, "\n%-19s %12s %9s %9s %9s %9s  %s\n", "BPF programs", "runs", "ns a run",
		"% of CPU", "left out", "missed", "function");
	for (size_t i = 0; i < m->nprograms; i++) {
		const struct model_program *g = &m->program[i];
		struct cost_program p = cost_program(m, g);

		fprintf(out, "  %-17s %12s %9s %9s %9s %9s", SAFE(model_string(m, g->name)),
			NUM(p.runs, 0), NUM(p.ns_per_run, 1), PERCENT(p.share, 4),
			NUM(p.recursion, 0), NUM(p.missed, 0));
		if (g->function)
			fprintf(out, "  %s", SAFE(model_string(m, g->function)));
		fputc('\n', out);
	}
	fprintf(out, "  runs and their time: of %s s that were counted; misses: of all\n",
		NUM(counter_moved(&m->counted_ns) * 1e-9, 1));
}

/* ---- JSON -------------------------------------------------------------------------------- */

static void program_json(struct json *j, const struct model *m, const struct model_program *g)
{
	struct cost_program p = cost_program(m, g);

	json_object(j, NULL);
	json_model_string(j, "name", m, g->name);
	json_model_string(j, "function", m, g->function);
	json_num(j, "runs_counted", p.runs, 0);
	json_num(j, "run_ns_counted", p.run_ns, 0);
	json_num(j, "ns_per_run", p.ns_per_run, 1);
	json_num(j, "percent", 100 * p.share, 6);
	json_num(j, "runs_left_out", p.recursion, 0);
	json_num(j, "kprobes_missed", p.missed, 0);
	json_object_end(j);
}

void cost_json(struct json *j, const struct model *m)
{
	struct cost c = cost_make(m);

	json_object(j, "cost");
	json_num(j, "percent_of_cpu_time", 100 * c.all, 6);
	json_num(j, "recorder_percent", 100 * c.recorder, 6);
	json_bool(j, "has_programs", c.has_programs);
	json_num(j, "programs_percent", 100 * c.programs, 6);
	json_num(j, "programs_counted_s", c.counted_s, 6);
	json_num(j, "of_s", c.of_s, 6);
	json_num(j, "runs_left_out", c.recursion, 0);
	json_num(j, "kprobes_missed", c.missed, 0);
	json_array(j, "programs");
	for (size_t i = 0; i < m->nprograms; i++)
		program_json(j, m, &m->program[i]);
	json_array_end(j);
	json_object_end(j);
}
