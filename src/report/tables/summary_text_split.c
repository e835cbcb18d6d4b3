// SPDX-License-Identifier: BSD-2-Clause
/* The summary as text: the split, of all CPUs and of each. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "report/base/text.h"
#include "report/model/filter.h"
#include "summary_text.h"

#define MANY_CPUS 16

static bool is_leaf(unsigned int leaves)
{
	return !(leaves & (leaves - 1));
}

static void node_row(FILE *out, const struct split_cpu *c, const struct leaf_node *node)
{
	struct split_value v = split_sum(c, node->leaves);

	fprintf(out, "  %*s%-*s %12s %9s %17s", (int)(2 * node->depth), "",
		(int)(28 - 2 * node->depth), node->title, NUM(v.ns / 1e6, 1),
		PERCENT(v.ns / c->wall_ns, 2), SHARE(v.sampled, v.sampled_ci95));
	if (is_leaf(node->leaves) || v.how == SPLIT_AT_LEAST)
		fprintf(out, "  %s", split_how_name(v.how));
	if (v.how == SPLIT_REMAINDER)
		fprintf(out, " +- %s", PERCENT(v.ci95_ns / c->wall_ns, 2));
	fputc('\n', out);
}

void text_split(FILE *out, const struct summary *s)
{
	const struct split_cpu *all = &s->split.all;
	bool task = all->leaf[LEAF_TASK].how != SPLIT_NOT_MEASURED;

	fprintf(out, "\n%-30s %12s %9s %17s  %s\n", "Where the CPU time went", "ms", "% of time",
		"% by samples", "how");
	for (unsigned int i = 0; i < LEAF_NODES; i++)
		if (leaf_node[i].leaves != LEAF_BIT(TASK) || task)
			node_row(out, all, &leaf_node[i]);
	if (!isnan(s->networking_cost)) {
		bool at_least = split_sum(all, LEAF_NETWORK).how == SPLIT_AT_LEAST;

		fprintf(out, "Normalized networking cost, network / (all - idle): %s%s %%",
			at_least ? "at least " : "", PERCENT(s->networking_cost, 2));
		if (s->networking_cost_ci95 > 0)
			fprintf(out, " +- %s", PERCENT(s->networking_cost_ci95, 2));
		fputc('\n', out);
	}
	if (filter_has_tasks(s->m->filter))
		fprintf(out,
			"By samples of these tasks alone, which had %s %% of the CPUs' time; exact times are per CPU.\n",
			PERCENT(all->sum_ns / all->wall_ns, 2));
	else if (summary_samples_of(s->m) == SPLIT_OF_CYCLES &&
		 all->leaf[LEAF_IDLE].how != SPLIT_EXACT)
		fprintf(out,
			"Samples are of cycles, which are no time where idle time was not measured; see top.\n");
	else if (fabs(all->sum_ns / all->wall_ns - 1) > 0.01)
		fprintf(out,
			"These are %s %% of the wall time; the rest has no samples: idle CPUs, as a rule, or the kernel left some out.\n",
			PERCENT(all->sum_ns / all->wall_ns, 1));
	if (all->samples > 0 && summary_samples_of(s->m) == SPLIT_OF_NETWORK)
		fprintf(out,
			"Samples stand for the exact time inside the network; CPUs outside of it were not sampled.\n");
	else if (all->samples > 0 && all->leaf[LEAF_IDLE].how == SPLIT_EXACT)
		fprintf(out,
			"Samples stand for the time that was not idle, which is known exactly.\n");
}

/* ---- each CPU ---------------------------------------------------------------------------- */

static double busy_ns(const struct split_cpu *c)
{
	return split_sum(c, LEAF_BUSY).ns;
}

static int by_busy(const void *pa, const void *pb)
{
	const struct split_cpu *a = *(const struct split_cpu *const *)pa;
	const struct split_cpu *b = *(const struct split_cpu *const *)pb;
	double da = busy_ns(a), db = busy_ns(b);

	if (da != db)
		return da < db ? 1 : -1;
	return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

static int by_cpu(const void *pa, const void *pb)
{
	const struct split_cpu *a = *(const struct split_cpu *const *)pa;
	const struct split_cpu *b = *(const struct split_cpu *const *)pb;

	return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

static void cpu_row(FILE *out, const struct split_cpu *c, bool task)
{
	fprintf(out, "  %4u", c->cpu);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (l != LEAF_TASK || task)
			fprintf(out, " %6s", PERCENT(c->leaf[l].ns / c->wall_ns, 2));
	fprintf(out, " %6s\n", PERCENT(c->sum_ns / c->wall_ns, 2));
}

void text_cpus(FILE *out, const struct summary *s, bool all_cpus)
{
	const struct split_cpu **row = calloc(s->split.ncpus + 1, sizeof(*row));
	bool task = s->split.all.leaf[LEAF_TASK].how != SPLIT_NOT_MEASURED;
	size_t n = s->split.ncpus;

	if (!row || !n) {
		free(row);
		return;
	}
	for (size_t i = 0; i < n; i++)
		row[i] = &s->split.cpu[i];
	if (n > MANY_CPUS && !all_cpus) {
		qsort(row, n, sizeof(*row), by_busy);
		n = MANY_CPUS;
		qsort(row, n, sizeof(*row), by_cpu);
	}
	fprintf(out, "\nEach CPU, in %% of its wall time\n   CPU");
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (l != LEAF_TASK || task)
			fprintf(out, " %6s", leaf_desc[l].column);
	fprintf(out, " %6s\n", "sum");
	for (size_t i = 0; i < n; i++)
		cpu_row(out, row[i], task);
	if (n < s->split.ncpus)
		fprintf(out, "  the busiest %zu of %zu CPUs; --all-cpus shows all\n", n,
			s->split.ncpus);
	free(row);
}
