// SPDX-License-Identifier: BSD-2-Clause
/*
 * The split as CSV: a row a leaf, of all CPUs and of each; of several parts below one line of headings.
 * What the leaves are made of, likewise: a row a category. What was not measured is empty.
 */
#include <inttypes.h>
#include <math.h>

#include "report/analysis/summary.h"
#include "report/base/csv.h"

static void row(FILE *out, const struct part *part, const char *cpu, const struct split_cpu *c,
		enum leaf l)
{
	const struct split_value *v = &c->leaf[l];

	csv_part(out, part);
	fprintf(out, "%s,%s", leaf_desc[l].key, cpu);
	csv_num(out, v->ns, 0);
	csv_num(out, 100 * v->ns / c->wall_ns, 4);
	csv_num(out, 100 * v->sampled, 4);
	csv_num(out, 100 * v->sampled_ci95, 4);
	fprintf(out, ",%s\n", v->how == SPLIT_NOT_MEASURED ? "" : split_how_name(v->how));
}

void summary_csv(FILE *out, const struct summary *s)
{
	if (s->part->first)
		fprintf(out, "%sleaf,cpu,ns,percent,sampled_percent,sampled_ci95,source\n",
			csv_part_heading(s->part));
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		row(out, s->part, "all", &s->split.all, l);
	for (size_t i = 0; i < s->split.ncpus; i++) {
		char cpu[16];

		snprintf(cpu, sizeof(cpu), "%u", s->split.cpu[i].cpu);
		for (unsigned int l = 0; l < LEAF_COUNT; l++)
			row(out, s->part, cpu, &s->split.cpu[i], l);
	}
}

/* ---- what the leaves are made of --------------------------------------------------------- */

static void value(FILE *out, const struct inside_value *v)
{
	fprintf(out, ",%" PRIu64, v->samples);
	csv_num(out, 100 * v->share, 4);
	csv_num(out, 100 * v->ci95, 4);
}

static void category(FILE *out, const struct part *part, const char *cpu, const struct inside *in,
		     unsigned int i)
{
	const struct rules_category *c = &in->rules->category[i];

	csv_part(out, part);
	fprintf(out, "%s,%s,%s,%s", c->key,
		i < LEAF_COUNT ? "" : in->rules->category[c->parent].key, leaf_desc[c->leaf].key,
		cpu);
	value(out, &in->row[i].exclusive);
	value(out, &in->row[i].self);
	value(out, &in->row[i].inclusive);
	fputc('\n', out);
}

void summary_csv_inside(FILE *out, const struct summary *s)
{
	const struct rules *r = s->inside.rules;
	struct inside in;

	if (s->part->first)
		fprintf(out,
			"%scategory,parent,leaf,cpu,samples,percent,ci95,self_samples,self_percent,"
			"self_ci95,inclusive_samples,inclusive_percent,inclusive_ci95\n",
			csv_part_heading(s->part));
	for (unsigned int i = 0; r && i < r->ncategories; i++)
		if (i != LEAF_TASK)
			category(out, s->part, "all", &s->inside, i);
	for (size_t c = 0; r && c < s->split.ncpus; c++) {
		char cpu[16];

		snprintf(cpu, sizeof(cpu), "%u", s->split.cpu[c].cpu);
		inside_cpu(&in, s->m, &s->split, c);
		for (unsigned int i = 0; i < r->ncategories; i++)
			if (i != LEAF_TASK)
				category(out, s->part, cpu, &in, i);
	}
}
