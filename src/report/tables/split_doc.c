// SPDX-License-Identifier: BSD-2-Clause
#include "split_doc.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "report/base/text.h"
#include "report/model/filter.h"
#include "colors.h"
#include "split_columns.h"

#define MANY_CPUS 16

/* ---- the tree ---------------------------------------------------------------------------- */

/* Less is 0.00 %. */
#define LEAST_SHOWN 0.00005

static bool is_leaf(unsigned int leaves)
{
	return !(leaves & (leaves - 1));
}

/* "exact", "exact +- 0.02" less the recorder's own part, "remainder +- 0.22", "mixed +- 0.22"; sums say nothing. */
static char *how_text(char *dst, size_t size, const struct split_cpu *c,
		      const struct split_value *v, const struct leaf_node *node)
{
	bool less_own = v->how == SPLIT_EXACT && v->ci95_ns >= LEAST_SHOWN * c->wall_ns;

	*dst = '\0';
	if (v->how == SPLIT_REMAINDER ||
	    (is_leaf(node->leaves) && (less_own || (v->how == SPLIT_MIXED && v->ci95_ns > 0))))
		snprintf(dst, size, "%s +- %s", split_how_name(v->how),
			 PERCENT(v->ci95_ns / c->wall_ns, 2));
	else if (is_leaf(node->leaves) || v->how == SPLIT_AT_LEAST)
		snprintf(dst, size, "%s", split_how_name(v->how));
	return dst;
}

static void node_row(struct doc *d, const struct split_cpu *c, const struct leaf_node *node,
		     unsigned int only)
{
	struct split_value v = split_sum(c, node->leaves);
	char how[64];

	doc_row(d, node->depth, only);
	doc_string_brief(d, node->title, node->brief);
	doc_string(d, node->key);
	doc_bool(d, is_leaf(node->leaves));
	doc_number(d, node->depth);
	doc_bar(d, v.ns / c->wall_ns, color_of(node->leaves));
	doc_number(d, v.ns);
	doc_number(d, isnan(v.ns) ? NAN : v.ci95_ns);
	doc_number(d, 100 * (v.ns / c->wall_ns));
	doc_interval(d, 100 * v.sampled, 100 * v.sampled_ci95);
	doc_string(d, v.how == SPLIT_NOT_MEASURED ? NULL : split_how_name(v.how));
	doc_string(d, how_text(how, sizeof(how), c, &v, node));
	doc_row_end(d);
}

static void networking_cost(struct doc *d, const struct summary *s)
{
	bool at_least = split_sum(&s->split.all, LEAF_NETWORK).how == SPLIT_AT_LEAST;
	bool interval = s->networking_cost_ci95 > 0;

	if (!isnan(s->networking_cost))
		doc_note(d, "Normalized networking cost, network / (all - idle): %s%s %%%s%s",
			 at_least ? "at least " : "", PERCENT(s->networking_cost, 2),
			 interval ? " +- " : "",
			 interval ? PERCENT(s->networking_cost_ci95, 2) : "");
}

/* Why the leaves are not the whole wall time. */
static void sum_note(struct doc *d, const struct summary *s)
{
	const struct split_cpu *all = &s->split.all;

	if (filter_has_tasks(s->m->filter))
		doc_note(
			d,
			"Only by samples of these tasks, which had %s %% of the CPUs' time; exact times are per CPU.",
			PERCENT(all->sum_ns / all->wall_ns, 2));
	else if (summary_samples_of(s->m) == SPLIT_OF_CYCLES &&
		 all->leaf[LEAF_IDLE].how == SPLIT_NOT_MEASURED)
		doc_note(
			d,
			"Samples are of cycles, which do not measure time if idle time was not measured; see top.");
	else if (fabs(all->sum_ns / all->wall_ns - 1) > 0.01 && summary_unclassified(s->m))
		doc_note(
			d,
			"These are %s %% of the wall time: %s, so samples of the kernel are in no leaf.",
			PERCENT(all->sum_ns / all->wall_ns, 1), summary_unclassified(s->m));
	else if (all->sum_ns < 0.99 * all->wall_ns && all->leaf[LEAF_IDLE].how == SPLIT_MIXED)
		doc_note(
			d,
			"These are %s %% of the wall time; the rest was not idle, and has no samples.",
			PERCENT(all->sum_ns / all->wall_ns, 1));
	else if (fabs(all->sum_ns / all->wall_ns - 1) > 0.01)
		doc_note(
			d,
			"These are %s %% of the wall time; the rest has no samples: idle CPUs, as a rule, or the kernel left some out.",
			PERCENT(all->sum_ns / all->wall_ns, 1));
}

static void samples_note(struct doc *d, const struct summary *s)
{
	const struct split_cpu *all = &s->split.all;

	if (!(all->samples > 0))
		return;
	if (summary_samples_of(s->m) == SPLIT_OF_NETWORK)
		doc_note(
			d,
			"Samples represent the exact time inside the network; CPUs outside of it were not sampled.");
	else if (all->leaf[LEAF_IDLE].how == SPLIT_EXACT)
		doc_note(d,
			 "Samples represent the time that was not idle%s, which is known exactly.",
			 all->leaf[LEAF_HARDIRQ_NET].how == SPLIT_EXACT ?
				 ", nor in hard interrupts" :
				 "");
}

void split_tree(struct doc *d, const struct summary *s)
{
	const struct split_cpu *all = &s->split.all;
	unsigned int absent = split_absent(all);
	const struct doc_column column[] = {
		{ .title = "leaf", .kind = DOC_STRING, .width = split_title_width(absent) },
		{ .key = "key", .kind = DOC_STRING, .known = true },
		{ .key = "leaf", .kind = DOC_BOOL },
		{ .key = "depth", .known = true },
		{ .kind = DOC_BAR, .width = 10 },
		{ .key = "ns", .title = "ms", .scale = 1e-6, .decimals = 1, .width = 12, .spare = 1 },
		{ .key = "ci95_ns", .about = "half the width of the 95 % interval; 0: exact" },
		{ DOC_PERCENT("percent", "% of time", 9) },
		{ DOC_PERCENT_INTERVAL("sampled_percent", "sampled_ci95_percent", "% by samples",
				       17) },
		{ .key = "source",
		  .kind = DOC_STRING,
		  .choices = split_how_known,
		  .about = "null: not measured" },
		{ .title = "how", .kind = DOC_STRING },
	};
	const struct doc_table table = { .key = "tree",
					 .title = "Where the CPU time went",
					 .about = "parents and leaves, top to bottom",
					 DOC_COLUMNS_OF(column) };

	doc_field(d, "wall_ns", all->wall_ns, 0);
	doc_about(d, "of all leaves");
	doc_field(d, "sum_ns", all->sum_ns, 0);
	doc_field(d, "sum_percent", 100 * (all->sum_ns / all->wall_ns), 4);
	doc_about(d, "network / (all - idle)");
	doc_field(d, "normalized_networking_cost_percent", 100 * s->networking_cost, 4);
	doc_field(d, "normalized_networking_cost_ci95_percent", 100 * s->networking_cost_ci95, 4);
	doc_table(d, &table);
	for (unsigned int i = 0; i < LEAF_NODES; i++)
		node_row(d, all, &leaf_node[i],
			 leaf_node[i].leaves & ~absent ? DOC_ALL : DOC_PROGRAMS);
	doc_table_end(d);
	networking_cost(d, s);
	sum_note(d, s);
	samples_note(d, s);
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

/* By number: is it one of the busiest? NULL: no memory. */
static bool *find_busiest(const struct split *split, size_t most)
{
	const struct split_cpu **row = calloc(split->ncpus + 1, sizeof(*row));
	bool *busiest = calloc(split->ncpus + 1, sizeof(*busiest));

	if (row && busiest) {
		for (size_t i = 0; i < split->ncpus; i++)
			row[i] = &split->cpu[i];
		qsort(row, split->ncpus, sizeof(*row), by_busy);
		for (size_t i = 0; i < split->ncpus && i < most; i++)
			busiest[row[i] - split->cpu] = true;
	} else {
		free(busiest);
		busiest = NULL;
	}
	free(row);
	return busiest;
}

#define CPU_BEFORE 2
#define CPU_COLUMNS (CPU_BEFORE + 3 * LEAF_COUNT + 2)

static void cpu_columns(struct doc_column c[CPU_COLUMNS], unsigned int absent)
{
	*c++ = (struct doc_column){ .key = "cpu", .title = "CPU", .width = 4, .known = true };
	*c++ = (struct doc_column){ .key = "wall_ns" };
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		*c++ = (struct doc_column){
			.title = absent >> l & 1 ? NULL : leaf_desc[l].column,
			.decimals = 2,
			.width = 6,
		};
	*c++ = (struct doc_column){ DOC_PERCENT("sum_percent", "sum", 6) };
	*c++ = (struct doc_column){ .key = "sum_ns" };
	split_leaf_columns(c);
}

static void cpu_row(struct doc *d, const struct split_cpu *c, unsigned int only)
{
	doc_row(d, 0, only);
	doc_number(d, c->cpu);
	doc_number(d, c->wall_ns);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		doc_number(d, 100 * (c->leaf[l].ns / c->wall_ns));
	doc_number(d, 100 * (c->sum_ns / c->wall_ns));
	doc_number(d, c->sum_ns);
	split_leaf_cells(d, c);
	doc_row_end(d);
}

int split_cpus(struct doc *d, const struct summary *s, bool all)
{
	const struct split *split = &s->split;
	size_t shown = all || split->ncpus <= MANY_CPUS ? split->ncpus : MANY_CPUS;
	bool *busiest = find_busiest(split, shown);
	struct doc_column column[CPU_COLUMNS];
	const struct doc_table table = { .key = "per_cpu",
					 .title = "Each CPU, in % of its wall time",
					 .above = true,
					 .column = column,
					 .ncolumns = CPU_COLUMNS,
					 .only = split->ncpus ? DOC_ALL : DOC_PROGRAMS };

	if (!busiest)
		return -ENOMEM;
	cpu_columns(column, split_absent(&split->all));
	doc_table(d, &table);
	for (size_t i = 0; i < split->ncpus; i++)
		cpu_row(d, &split->cpu[i], busiest[i] ? DOC_ALL : DOC_PROGRAMS);
	doc_table_end(d);
	if (shown < split->ncpus)
		doc_note(d, "  the busiest %zu of %zu CPUs; --all-cpus shows all", shown,
			 split->ncpus);
	free(busiest);
	return 0;
}

/* ---- CSV --------------------------------------------------------------------------------- */

static void leaf_row(struct doc *d, const char *cpu, const struct split_cpu *c, enum leaf l)
{
	const struct split_value *v = &c->leaf[l];

	doc_row(d, 0, DOC_CSV);
	doc_string(d, leaf_desc[l].key);
	doc_string(d, cpu);
	doc_number(d, v->ns);
	doc_number(d, 100 * (v->ns / c->wall_ns));
	doc_interval(d, 100 * v->sampled, 100 * v->sampled_ci95);
	doc_string(d, v->how == SPLIT_NOT_MEASURED ? NULL : split_how_name(v->how));
	doc_row_end(d);
}

void split_leaves(struct doc *d, const struct summary *s)
{
	static const struct doc_column column[] = {
		{ .key = "leaf", .kind = DOC_STRING },
		{ .key = "cpu", .kind = DOC_STRING },
		{ .key = "ns" },
		{ .key = "percent", .precision = 4 },
		{ .key = "sampled_percent",
		  .ci_key = "sampled_ci95_percent",
		  .kind = DOC_INTERVAL,
		  .precision = 4 },
		{ .key = "source", .kind = DOC_STRING },
	};
	static const struct doc_table table = { .key = "leaves",
						DOC_COLUMNS_OF(column),
						.only = DOC_CSV };
	char cpu[16];

	doc_table(d, &table);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		leaf_row(d, "all", &s->split.all, l);
	for (size_t i = 0; i < s->split.ncpus; i++) {
		snprintf(cpu, sizeof(cpu), "%u", s->split.cpu[i].cpu);
		for (unsigned int l = 0; l < LEAF_COUNT; l++)
			leaf_row(d, cpu, &s->split.cpu[i], l);
	}
	doc_table_end(d);
}
