// SPDX-License-Identifier: BSD-2-Clause
#include "cost.h"

#include <math.h>
#include <string.h>

#include "report/base/escape.h"
#include "report/base/text.h"
#include "report/tables/model_json.h"

/* ---- numbers ----------------------------------------------------------------------------- */

static double ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

static double add_known(double sum, double v)
{
	return isnan(v) ? sum : isnan(sum) ? v : sum + v;
}

/* Of all CPUs that were recorded. */
static double cpu_ns(const struct model *m, double ns)
{
	return ns * (double)m->recorded_cpus;
}

struct cost_program cost_program(const struct model *m, const struct model_program *p)
{
	double counted_ns = counter_moved(&m->counted_ns);
	bool known = counted_ns > 0;
	double runs = known ? counter_moved(&p->runs) : NAN;
	double run_ns = known ? counter_moved(&p->run_ns) : NAN;

	return (struct cost_program){
		.runs = runs,
		.run_ns = run_ns,
		.ns_per_run = ratio(run_ns, runs),
		.share = ratio(run_ns, cpu_ns(m, counted_ns)),
		.recursion = counter_moved(&p->recursion),
		.missed = counter_moved(&p->missed),
	};
}

struct cost cost_make(const struct model *m)
{
	double self_us = counter_moved(&m->self_user_us) + counter_moved(&m->self_system_us);
	double ticks_ns = counter_moved(&m->at_ns);
	struct cost c = {
		.has_programs = strcmp(model_string(m, m->header.exact), "off") ||
				!strcmp(model_string(m, m->header.sampler), "bpf"),
		.programs = m->nprograms ? 0 : NAN,
		.recorder = ratio(self_us * 1e3, cpu_ns(m, ticks_ns)),
		.counted_s = counter_moved(&m->counted_ns) * 1e-9,
		.of_s = ticks_ns * 1e-9,
		.recursion = NAN,
		.missed = NAN,
	};

	for (size_t i = 0; i < m->nprograms; i++) {
		struct cost_program p = cost_program(m, &m->program[i]);

		c.programs += p.share; /* one that is not known makes the sum so */
		c.recursion = add_known(c.recursion, p.recursion);
		c.missed = add_known(c.missed, p.missed);
	}
	c.all = c.has_programs ? c.programs + c.recorder : c.recorder;
	return c;
}

/*
 * Counting a run takes about as long as the run of a small program does. Where the programs have more
 * than this of the CPUs' time, that is felt; not so where all runs of the recording are counted.
 */
#define SLOWED_SHARE 0.02
#define ALL_COUNTED 0.9

bool cost_slowed(const struct model *m)
{
	struct cost c = cost_make(m);

	return c.programs > SLOWED_SHARE && c.counted_s < ALL_COUNTED * c.of_s;
}

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

/* " (fentry_1 12, sys_enter 3)", as far as there is room. */
static void name_those(const struct model *m, char *dst, size_t size,
		       double (*value)(const struct cost_program *p))
{
	const char *sep = " (";
	size_t at = strlen(dst);

	for (size_t i = 0; i < m->nprograms && at + 40 < size; i++) {
		struct cost_program p = cost_program(m, &m->program[i]);

		if (!(value(&p) > 0))
			continue;
		at += (size_t)snprintf(dst + at, size - at, "%s%.24s %s", sep,
				       SAFE(model_string(m, m->program[i].name)),
				       NUM(value(&p), 0));
		at = at < size ? at : size - 1;
		sep = ", ";
	}
	snprintf(dst + at, size - at, ")");
}

static double recursion(const struct cost_program *p)
{
	return p->recursion;
}

static double missed(const struct cost_program *p)
{
	return p->missed;
}

char *cost_misses(const struct model *m, char *dst, size_t size)
{
	const size_t tail = 100; /* room for what is said at the end */
	struct cost c = cost_make(m);
	size_t n;

	*dst = '\0';
	if (c.recursion > 0) {
		snprintf(dst, size,
			 "%s runs of BPF programs were left out, as one was running already",
			 NUM(c.recursion, 0));
		name_those(m, dst, size / 2, recursion);
	}
	if (c.missed > 0) {
		n = strlen(dst);
		snprintf(dst + n, size - n, "%s%s kprobes were hit and missed", n ? "; " : "",
			 NUM(c.missed, 0));
		name_those(m, dst, size - tail, missed);
	}
	n = strlen(dst);
	if (n)
		snprintf(dst + n, size - n,
			 ": calls, times and bytes of those are missing or in the wrong place");
	return dst;
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
