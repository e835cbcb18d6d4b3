// SPDX-License-Identifier: BSD-2-Clause
/* The split of CPU time: the tree of leaves, each CPU, and the cost of each unit that --per counts. */
#include "tables.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/text.h"
#include "report/model/filter.h"

/* ---- columns of a split ------------------------------------------------------------------ */

static const struct {
	const char *title;
	unsigned int leaves;
	/* rank of the column on a narrow terminal: higher numbers are left out first */
	uint8_t spare;
} split_shown[SPLIT_SHOWN] = {
	{ "idle", LEAF_BIT(IDLE), 2 },
	{ "user", LEAF_BIT(USER), 3 },
	{ "send", LEAF_BIT(SOCK_SEND), 0 },
	{ "recv", LEAF_BIT(SOCK_RECV), 0 },
	{ "RX", LEAF_BIT(RX_SOFTIRQ), 0 },
	{ "TX", LEAF_BIT(TX_SOFTIRQ), 5 },
	{ "irq", LEAF_BIT(HARDIRQ_NET), 5 },
	{ "othnet", LEAF_BIT(OTHER_NETWORK), 4 },
	{ "other", LEAF_BIT(SOCK_LOCAL) | LEAF_BIT(IO_WORKER) | LEAF_BIT(OTHER_KERNEL), 4 },
	{ "task", LEAF_BIT(TASK), 5 },
	{ "own", LEAF_BIT(OWN), 5 },
};

static const struct doc_column network_column[] = {
	{ .key = "network_ns", .title = "net time", .unit = TEXT_NS, .width = 9, .spare = 6 },
	{ .key = "network_ci95_ns" },
	{ .title = "network", .kind = DOC_INTERVAL, .decimals = 2, .width = 15 },
	{ DOC_PERCENT("network_percent", NULL, 0), .about = "share of the time of the row" },
	{ DOC_PERCENT_INTERVAL("network_sampled_percent", "network_sampled_ci95_percent", NULL,
			       0) },
};

static const char *const leaf_ns[LEAF_COUNT] = {
#define X(name, key, title, column, event) "leaf_ns." key,
	LEAVES(X)
#undef X
};

static const char *const leaf_sampled[LEAF_COUNT] = {
#define X(name, key, title, column, event) "leaf_sampled_percent." key,
	LEAVES(X)
#undef X
};

const char *const leaf_keys[LEAF_COUNT + 1] = {
#define X(name, key, title, column, event) key,
	LEAVES(X)
#undef X
};

/* Makes only the columns for programs: the time of each leaf, and its share by samples. */
static void split_leaf_columns(struct doc_column to[SPLIT_LEAF_COLUMNS])
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		*to++ = (struct doc_column){ .key = leaf_ns[l] };
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		*to++ = (struct doc_column){ .key = leaf_sampled[l], .precision = 4 };
}

static void split_leaf_cells(struct doc *d, const struct split_cpu *c)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		doc_number(d, c->leaf[l].ns);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		doc_number(d, 100 * c->leaf[l].sampled);
}

unsigned int split_title_width(unsigned int absent)
{
	unsigned int width = 28;

	for (unsigned int i = 0; i < LEAF_NODES; i++) {
		const struct leaf_node *n = &leaf_node[i];
		unsigned int own = 2 * n->depth + (unsigned int)strlen(n->title);

		if (n->leaves & ~absent && own > width)
			width = own;
	}
	return width;
}

void split_columns(struct doc_column to[SPLIT_COLUMNS], unsigned int absent)
{
	for (size_t i = 0; i < SPLIT_SHOWN; i++)
		*to++ = (struct doc_column){
			.title = split_shown[i].leaves & ~absent ? split_shown[i].title : NULL,
			.decimals = 2,
			.width = 6,
			.spare = split_shown[i].spare,
		};
	memcpy(to, network_column, sizeof(network_column));
	split_leaf_columns(to + sizeof(network_column) / sizeof(*network_column));
}

static void share_cell(struct doc *d, const struct split_cpu *c, struct split_value v)
{
	doc_interval_to(d, 100 * (v.ns / c->wall_ns), 100 * (v.ci95_ns / c->wall_ns), 100);
}

void split_cells(struct doc *d, const struct split_cpu *c, double network_ci95_ns, bool shares)
{
	struct split_value net = split_sum(c, LEAF_NETWORK);

	/*
	 * The time and its share have the same interval: the wider one of network_ci95_ns and the interval of this row
	 * alone. The row's interval is wider if a sample of the row represents more time than a sample of other rows.
	 */
	net.ci95_ns = fmax(network_ci95_ns, net.ci95_ns);
	for (size_t i = 0; i < SPLIT_SHOWN; i++)
		share_cell(d, c, split_sum(c, shares ? split_shown[i].leaves : 0));
	doc_interval_to(d, net.ns, net.ci95_ns, c->wall_ns);
	doc_number(d, isnan(net.ns) ? NAN : network_ci95_ns);
	share_cell(d, c, shares ? net : split_sum(c, 0));
	doc_number(d, 100 * (net.ns / c->wall_ns));
	doc_interval(d, 100 * net.sampled, 100 * net.sampled_ci95);
	split_leaf_cells(d, c);
}

#define MANY_CPUS 16

/* ---- the tree ---------------------------------------------------------------------------- */

static bool is_leaf(unsigned int leaves)
{
	return !(leaves & (leaves - 1));
}

/* Returns true if the leaves lack time of the CPUs. If tasks are selected, the leaves never have all of this time. */
static bool lacks_time(const struct summary *s)
{
	return s->split.all.sum_ns < 0.99 * s->split.all.wall_ns && !filter_has_tasks(s->m->filter);
}

static void node_row(struct doc *d, const struct summary *s, const struct leaf_node *node,
		     unsigned int only)
{
	const struct split_cpu *c = &s->split.all;
	struct split_value v = split_sum(c, node->leaves);

	if (node->leaves == LEAF_ALL && lacks_time(s))
		v.how = SPLIT_AT_LEAST;
	doc_row(d, node->depth, only);
	doc_string_brief(d, node->title, node->brief);
	doc_string(d, node->key);
	doc_bool(d, is_leaf(node->leaves));
	doc_number(d, node->depth);
	doc_bar(d, v.ns / c->wall_ns, color_of(node->leaves));
	doc_interval_to(d, v.ns, v.ci95_ns, c->wall_ns);
	doc_number(d, isnan(v.ns) ? NAN : v.ci95_ns);
	share_cell(d, c, v);
	doc_number(d, 100 * (v.ns / c->wall_ns));
	doc_interval(d, 100 * v.sampled, 100 * v.sampled_ci95);
	doc_string(d, v.how == SPLIT_NOT_MEASURED ? NULL : split_how_name(v.how));
	doc_string(d,
		   is_leaf(node->leaves) || v.how == SPLIT_AT_LEAST ? split_how_name(v.how) : "");
	doc_row_end(d);
}

static void networking_cost(struct doc *d, const struct summary *s)
{
	bool at_least = split_sum(&s->split.all, LEAF_NETWORK).how == SPLIT_AT_LEAST;

	if (!isnan(s->networking_cost))
		doc_note(
			d,
			"Normalized networking cost, network / (all - idle - netcost itself): %s%s %%",
			at_least ? "at least " : "",
			PERCENT(s->networking_cost, s->networking_cost_ci95));
}

/* Notes the reasons why the leaves do not sum to the wall time. */
static void sum_note(struct doc *d, const struct summary *s)
{
	const struct split_cpu *all = &s->split.all;

	if (filter_has_tasks(s->m->filter))
		doc_note(
			d,
			"Only samples of the selected tasks, which had %s %% of the CPU time; exact times are per CPU%s.",
			PERCENT(all->sum_ns / all->wall_ns, 0),
			s->m->records[TRACE_PROCESS_STATS] ? ", or by process: netcost-report who" :
							     "");
	else if (summary_samples_of(s->m) == SPLIT_OF_CYCLES &&
		 all->leaf[LEAF_IDLE].how == SPLIT_NOT_MEASURED)
		doc_note(
			d,
			"Samples count cycles, which measure time only if idle time is known; see top.");
	else if (fabs(all->sum_ns / all->wall_ns - 1) > 0.01 && summary_unclassified(s->m))
		doc_note(
			d,
			"The leaves cover %s %% of the wall time: %s, so samples of the kernel cannot be assigned to leaves.",
			PERCENT(all->sum_ns / all->wall_ns, 0), summary_unclassified(s->m));
	else if (lacks_time(s) && split_idle_by_stat(all))
		doc_note(
			d,
			"The leaves cover %s %% of the wall time; the rest was busy, but has no samples.",
			PERCENT(all->sum_ns / all->wall_ns, 0));
	else if (all->sum_ns > 1.01 * all->wall_ns)
		doc_note(d,
			 "The leaves cover %s %% of the wall time: readings contradict each other.",
			 PERCENT(all->sum_ns / all->wall_ns, 0));
	else if (all->sum_ns < 0.99 * all->wall_ns)
		doc_note(
			d,
			"The leaves cover %s %% of the wall time; the rest has no samples, because CPUs were idle or the kernel skipped samples.",
			PERCENT(all->sum_ns / all->wall_ns, 0));
}

static void samples_note(struct doc *d, const struct summary *s)
{
	const struct split_cpu *all = &s->split.all;

	if (!(all->samples > 0))
		return;
	if (summary_samples_of(s->m) == SPLIT_OF_NETWORK)
		doc_note(
			d,
			"Samples are scaled to the exact time inside the network; CPUs outside it were not sampled.");
	else if (all->leaf[LEAF_IDLE].how == SPLIT_EXACT)
		doc_note(d, "Samples are scaled to the exact non-idle time%s.",
			 all->leaf[LEAF_HARDIRQ_NET].how == SPLIT_EXACT ?
				 " outside hard interrupts" :
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
		{ .key = "ns", .title = "time", .unit = TEXT_NS, .width = 9, .spare = 1 },
		{ .key = "ci95_ns",
		  .about = "half-width of the 95 % confidence interval; 0: exact" },
		{ .title = "% of time", .kind = DOC_INTERVAL, .decimals = 2, .width = 15 },
		{ DOC_PERCENT("percent", NULL, 0) },
		{ DOC_PERCENT_INTERVAL("sampled_percent", "sampled_ci95_percent", NULL, 0) },
		{ .key = "source",
		  .kind = DOC_STRING,
		  .choices = split_how_known,
		  .about = "how the time was measured; null: not measured" },
		{ .title = "how", .kind = DOC_STRING },
	};
	const struct doc_table table = { .key = "tree",
					 .title = "Where the CPU time went",
					 .about = "leaves and their parents, from top to bottom",
					 DOC_COLUMNS_OF(column) };

	doc_field(d, "wall_ns", all->wall_ns, 0);
	doc_about(d, "sum of the times of all leaves");
	doc_field(d, "sum_ns", all->sum_ns, 0);
	doc_field(d, "sum_percent", 100 * (all->sum_ns / all->wall_ns), 4);
	doc_about(
		d,
		"network time as a percentage of the CPU time that was not idle: network / (all - idle - netcost itself)");
	doc_field(d, "normalized_networking_cost_percent", 100 * s->networking_cost, 4);
	doc_field(d, "normalized_networking_cost_ci95_percent", 100 * s->networking_cost_ci95, 4);
	doc_table(d, &table);
	for (unsigned int i = 0; i < LEAF_NODES; i++)
		node_row(d, s, &leaf_node[i],
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

/* Finds the busiest CPUs. Returns an array of flags by CPU index, or NULL if out of memory. */
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
	*c++ = (struct doc_column){ DOC_PERCENT("sum_percent", NULL, 0) };
	*c++ = (struct doc_column){ .key = "sum_ns" };
	split_leaf_columns(c);
}

static void cpu_row(struct doc *d, const struct split_cpu *c, unsigned int only)
{
	doc_row(d, 0, only);
	doc_number(d, c->cpu);
	doc_number(d, c->wall_ns);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		share_cell(d, c, c->leaf[l]);
	doc_number(d, 100 * (c->sum_ns / c->wall_ns));
	doc_number(d, c->sum_ns);
	split_leaf_cells(d, c);
	doc_row_end(d);
}

/* Returns the leaves that are unknown on all CPUs. */
static unsigned int cpus_absent(const struct split *split)
{
	unsigned int absent = LEAF_ALL;

	for (size_t i = 0; i < split->ncpus; i++)
		absent &= split_absent(&split->cpu[i]) | split_unknown(&split->cpu[i]);
	return absent;
}

int split_cpus(struct doc *d, const struct summary *s, bool all)
{
	const struct split *split = &s->split;
	size_t shown = all || split->ncpus <= MANY_CPUS ? split->ncpus : MANY_CPUS;
	bool *busiest = find_busiest(split, shown);
	struct doc_column column[CPU_COLUMNS];
	unsigned int absent = cpus_absent(split);
	const struct doc_table table = { .key = "per_cpu",
					 .title = "Each CPU, in % of its wall time",
					 .above = true,
					 .column = column,
					 .ncolumns = CPU_COLUMNS,
					 .only = absent != LEAF_ALL ? DOC_ALL : DOC_PROGRAMS };

	if (!busiest)
		return -ENOMEM;
	cpu_columns(column, absent);
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

/* ---- cost of each thing counted (--per) --------------------------------------------- */

bool per_is_wanted(const struct summary *s)
{
	return s->m->filter && s->m->filter->per;
}

/* Writes the name of the unit that --per gives. */
static char *name_of(char *dst, size_t size, const struct filter *f)
{
	snprintf(dst, size, "%.*s", f ? (int)strcspn(f->per, "=") : 0, f ? f->per : "");
	return dst;
}

/* ---- CPU time of each thing counted ------------------------------------------------- */

static void each_time_row(struct doc *d, const struct split_cpu *all, const struct leaf_node *node,
			  double count, unsigned int depth)
{
	unsigned int absent = split_absent(all);
	struct split_value v = split_sum(all, node->leaves);

	doc_row(d, depth, node->leaves & ~absent ? DOC_ALL : DOC_PROGRAMS);
	doc_string(d, node->title);
	doc_string(d, node->key);
	doc_interval(d, v.ns / count, v.ci95_ns / count);
	doc_number(d, v.ns / 1e6 / count);
	doc_number(d, isnan(v.ns) ? NAN : v.ci95_ns / 1e6 / count);
	doc_string(d, v.how == SPLIT_NOT_MEASURED ? NULL : split_how_name(v.how));
	doc_string(d, v.how == SPLIT_NOT_MEASURED ? "" : split_how_name(v.how));
	doc_row_end(d);
}

static void each_times(struct doc *d, const struct split_cpu *all, double count)
{
	static const struct leaf_node busy = { .key = "busy",
					       .title = "all but idle",
					       .leaves = LEAF_BUSY };
	static const struct doc_column column[] = {
		{ .title = "CPU time of", .kind = DOC_STRING, .width = 40 },
		{ .key = "key", .kind = DOC_STRING, .known = true },
		{ .title = "each", .kind = DOC_INTERVAL, .unit = TEXT_NS, .width = 18 },
		{ .key = "cpu_ms", .precision = 9 },
		{ .key = "cpu_ci95_ms",
		  .precision = 9,
		  .about = "half-width of the 95 % confidence interval; 0: exact" },
		{ .key = "source",
		  .kind = DOC_STRING,
		  .choices = split_how_known,
		  .about = "how the time was measured; null: not measured" },
		{ .title = "how", .kind = DOC_STRING },
	};
	static const struct doc_table table = {
		.key = "cpu_time", .caption = "CPU time", .tight = true, DOC_COLUMNS_OF(column)
	};

	doc_table(d, &table);
	each_time_row(d, all, &busy, count, 0);
	for (unsigned int i = 0; i < LEAF_NODES; i++)
		if (leaf_node[i].leaves != LEAF_ALL && leaf_node[i].leaves != LEAF_BIT(IDLE))
			each_time_row(d, all, &leaf_node[i], count, leaf_node[i].depth);
	doc_table_end(d);
}

/* ---- energy of each thing counted --------------------------------------------------- */

static void each_energy(struct doc *d, const struct energy *e, double seconds, double count)
{
	double each_s = seconds / count;

	if (!isnan(e->total_w))
		doc_note(d, "  energy of packages and memory: %s each",
			 MEASURED(1e6 * e->total_w * each_s, TEXT_UJ));
	if (!isnan(e->network_w.high))
		doc_note(d, "  network energy: %s to %s each",
			 MEASURED(1e6 * e->network_w.low * each_s, TEXT_UJ),
			 MEASURED(1e6 * e->network_w.high * each_s, TEXT_UJ));
	doc_field(d, "package_and_dram_j", e->total_w * each_s, 9);
	doc_about(d, "lower bound of the network's energy; see energy");
	doc_field(d, "network_low_j", e->network_w.low * each_s, 9);
	doc_field(d, "network_high_j", e->network_w.high * each_s, 9);
	doc_field(d, "network_share_j", e->share_w * each_s, 9);
	doc_field(d, "network_share_ci95_j", e->share_ci95_w * each_s, 9);
}

void per_doc(struct doc *d, const struct summary *s)
{
	const struct filter *f = per_is_wanted(s) ? s->m->filter : NULL;
	double count = f ? f->per_count : NAN;
	char name[64], title[128];

	name_of(name, sizeof(name), f);
	snprintf(title, sizeof(title), "Each of %s %s", NUM(count, 0), SAFE(name));
	doc_title(d, title);
	doc_about(d, "CPU time and energy per unit of the count given with --per");
	doc_object(d, "per");
	doc_field_text(d, "name", name);
	doc_field(d, "count", count, 6);
	each_times(d, &s->split.all, count);
	each_energy(d, &s->energy, s->ticks_s, count);
	doc_object_end(d);
}
