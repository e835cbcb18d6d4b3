// SPDX-License-Identifier: BSD-2-Clause
/* The split as CSV: a row a leaf, of all CPUs and of each. What was not measured is empty. */
#include <math.h>

#include "summary.h"

static void number(FILE *out, double v, int decimals)
{
	fputc(',', out);
	if (isfinite(v))
		fprintf(out, "%.*f", decimals, v);
}

static void row(FILE *out, const char *cpu, const struct split_cpu *c, enum leaf l)
{
	const struct split_value *v = &c->leaf[l];

	fprintf(out, "%s,%s", leaf_desc[l].key, cpu);
	number(out, v->ns, 0);
	number(out, 100 * v->ns / c->wall_ns, 4);
	number(out, 100 * v->sampled, 4);
	number(out, 100 * v->sampled_ci95, 4);
	fprintf(out, ",%s\n", v->how == SPLIT_NOT_MEASURED ? "" : split_how_name(v->how));
}

void summary_csv(FILE *out, const struct summary *s)
{
	fputs("leaf,cpu,ns,percent,sampled_percent,sampled_ci95,source\n", out);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		row(out, "all", &s->split.all, l);
	for (size_t i = 0; i < s->split.ncpus; i++) {
		char cpu[16];

		snprintf(cpu, sizeof(cpu), "%u", s->split.cpu[i].cpu);
		for (unsigned int l = 0; l < LEAF_COUNT; l++)
			row(out, cpu, &s->split.cpu[i], l);
	}
}
