// SPDX-License-Identifier: BSD-2-Clause
/*
 * The columns and rows of each table. Tables of figures (leaves, costs, categories) use the same
 * analysis as `summary`. Tables of records use the structures of the model directly.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "report/analysis/cost.h"
#include "report/analysis/energy.h"
#include "report/base/stats.h"
#include "report/analysis/latency.h"
#include "report/analysis/processes.h"
#include "report/analysis/functions.h"
#include "report/rules/rules.h"
#include "report/stacks/stacks.h"
#include "tables.h"

#define COLUMNS(array) .column = (array), .ncolumns = sizeof(array) / sizeof(*(array))
#define ROW_NUMBER TABLE_OF_ROW, 0, 0

/* Returns s, or NULL if s is NULL or "". */
static const char *unless_empty(const char *s)
{
	return s && *s ? s : NULL;
}

/* ---- recordings: a row for each ---------------------------------------------------------- */

/*
 * Columns of rows with leaves: structure 0 is a split_cpu, structure 1 the sum over the network's
 * leaves.
 */
#define SPLIT(member) TABLE_MEMBER(0, struct split_cpu, member)
#define NETWORK(member) TABLE_MEMBER(1, struct split_value, member)
#define LEAF_COLUMN(name, key, title, column, event)                                               \
	{ key "_ns", "ns", SPLIT(leaf[LEAF_##name].ns), false, title },
#define LEAF_COLUMNS                                                                               \
	LEAVES(LEAF_COLUMN)                                                                        \
	{                                                                                          \
		"network_ns", "ns", NETWORK(ns), false, "sum of the network's leaves"              \
	}

struct recording {
	uint64_t tick_ms;
	const char *ended_why, *damage, *interface_basis;
	double wall_ns, dropped_packets, joules, own_cost;
};

#define MODEL(member) TABLE_MEMBER(2, struct model, member)
#define SUMMARY(member) TABLE_MEMBER(3, struct summary, member)
#define RECORDING(member) TABLE_MEMBER(4, struct recording, member)

static const struct table_column recording_column[] = {
	{ "seconds", "s", SUMMARY(duration_s), false, "length of the recording" },
	{ "ticks_seconds", "s", SUMMARY(ticks_s), false,
	  "time from the first tick to the last; counters cover this time" },
	{ "kernel", NULL, MODEL(header.kernel), false, "kernel release, as uname reports it" },
	{ "machine", NULL, MODEL(header.machine), false, "architecture, as uname reports it" },
	{ "cpu_model", NULL, MODEL(header.cpu_model), false, NULL },
	{ "cpus", NULL, MODEL(header.ncpus), false, "number of recorded CPUs" },
	{ "tool", NULL, MODEL(header.tool), false,
	  "program that made the recording, with its version" },
	{ "exact", NULL, MODEL(header.exact), false, "method of the exact times" },
	{ "sampler", NULL, MODEL(header.sampler), false, NULL },
	{ "sample_hz", "Hz", MODEL(header.sample_hz), false, "samples per second on each CPU" },
	{ "tick_ms", "ms", RECORDING(tick_ms), false, "interval between readings of the counters" },
	{ "ended", NULL, MODEL(status.ended), true,
	  "1: the trace is complete; 0: the trace is cut off" },
	{ "ended_why", NULL, RECORDING(ended_why), false, "why the recording ended" },
	{ "damage", NULL, RECORDING(damage), false, "what is missing in the trace; null: nothing" },
	{ "wall_ns", "ns", RECORDING(wall_ns), false,
	  "wall time of all CPUs; the leaves sum to it" },
	LEAF_COLUMNS,
	{ "network_ci95_ns", "ns", NETWORK(ci95_ns), false,
	  "half-width of the 95 % confidence interval of network_ns; 0: exact" },
	{ "networking_cost", NULL, SUMMARY(networking_cost), false,
	  "network time as a share of the CPU time that was not idle: network / (all - idle - netcost itself)" },
	{ "networking_cost_ci95", NULL, SUMMARY(networking_cost_ci95), false, NULL },
	{ "packets", "packets", SUMMARY(packets), false,
	  "packets of the interfaces of interface_basis, rx + tx" },
	{ "bytes", "bytes", SUMMARY(bytes), false,
	  "bytes of the interfaces of interface_basis, rx + tx" },
	{ "interface_basis", NULL, RECORDING(interface_basis), true,
	  "which interfaces count: physical, own_namespace (those of the recorder's namespace) or all" },
	{ "ns_per_packet", "ns", SUMMARY(unit[UNIT_NETWORK_PACKET].value), false,
	  "network time per packet of the column packets" },
	{ "ms_per_gb", "ms", SUMMARY(unit[UNIT_NETWORK_GB].value), false,
	  "network time per 1e9 bytes of the column bytes" },
	{ "rx_ns_per_packet", "ns", SUMMARY(unit[UNIT_RX_PACKET].value), false,
	  "RX softirq time per packet that it processed, counted after GRO" },
	{ "rx_ns_per_polled_packet", "ns", SUMMARY(unit[UNIT_RX_POLLED].value), false,
	  "RX softirq time per packet that NAPI polled, counted before GRO and including packets consumed by XDP" },
	{ "dropped_packets", "packets", RECORDING(dropped_packets), false,
	  "packets that the kernel dropped, for any reason" },
	{ "backlog_dropped_packets", "packets", SUMMARY(softnet_dropped), false,
	  "drops counted by softnet_stat" },
	{ "joules", "J", RECORDING(joules), false, "energy of packages and memory" },
	{ "samples", NULL, MODEL(samples), true, "number of samples taken" },
	{ "samples_lost", NULL, SUMMARY(recording.samples_lost), false, NULL },
	{ "samples_expected", NULL, SUMMARY(recording.samples_expected), false, NULL },
	{ "paused_seconds", "s", SUMMARY(recording.paused_s), false,
	  "time in which exact counting was paused" },
	{ "untracked", NULL, SUMMARY(recording.untracked), false,
	  "socket operations that were not measured" },
	{ "own_cost", NULL, RECORDING(own_cost), false,
	  "share of CPU time that the recording itself cost" },
	{ "marks", NULL, MODEL(records[TRACE_MARK]), true, "number of moments that were marked" },
};

static int recordings(const struct tables_source *from, table_row_fn *row, struct rows *r)
{
	const struct model *m = from->m;
	const struct split_cpu *all = &from->summary.split.all;
	struct split_value network = split_sum(all, LEAF_NETWORK);
	char damage[256];
	const struct recording more = {
		.tick_ms = m->header.tick_ms ? m->header.tick_ms : TRACE_NIL,
		.ended_why = m->status.ended ? unless_empty(model_string(m, m->end.why)) : NULL,
		.damage = unless_empty(model_damage(m, damage, sizeof(damage))),
		.interface_basis = interfaces_basis_keys[from->summary.basis],
		.wall_ns = from->summary.split.ncpus ? all->wall_ns : NAN,
		.dropped_packets = from->drops.packets,
		.joules = energy_joules(m),
		.own_cost = cost_of(&from->summary).all,
	};

	if (isnan(network.ns))
		network.ci95_ns = NAN;
	row(r, (const void *[]){ all, &network, m, &from->summary, &more });
	return 0;
}

/* ---- leaves: a row for each CPU in each interval ----------------------------------------- */

struct cpu_time {
	uint64_t piece, cpu;
};

#define INTERVAL(kind, member) TABLE_OF_##kind, 2, offsetof(struct interval, member)
#define CPU_TIME(member) TABLE_MEMBER(3, struct cpu_time, member)

static const struct table_column leaf_column[] = {
	{ "piece", NULL, CPU_TIME(piece), true, "number of the interval, counted from 1" },
	{ "cpu", NULL, CPU_TIME(cpu), true, NULL },
	{ "time", NULL, INTERVAL(TIME, begin_ns), true, "start of the interval" },
	{ "begin_s", "s", INTERVAL(SECONDS, begin_ns), true,
	  "start of the interval, in seconds since the recording began" },
	{ "end_s", "s", INTERVAL(SECONDS, end_ns), true, NULL },
	{ "wall_ns", "ns", SPLIT(wall_ns), false,
	  "wall time of the CPU in the interval; the leaves sum to it" },
	LEAF_COLUMNS,
};

static int leaves(const struct tables_source *from, table_row_fn *row, struct rows *r)
{
	size_t n = intervals_closed(from->iv);

	for (size_t i = 0; i < n; i++) {
		struct split split;
		int err = interval_split_cpus(from->iv, i, from->m, &split);

		if (err)
			return err;
		for (size_t c = 0; c < split.ncpus; c++) {
			const struct split_cpu *cpu = &split.cpu[c];
			struct split_value network = split_sum(cpu, LEAF_NETWORK);
			struct cpu_time more = { i + 1, cpu->cpu };

			row(r, (const void *[]){ cpu, &network, &from->iv->row[i], &more });
		}
		split_free(&split);
	}
	return 0;
}

/* ---- categories: the contents of leaves, by samples --------------------------------- */

struct category {
	const char *key, *parent, *leaf;
};

#define CATEGORY(member) TABLE_MEMBER(0, struct category, member)
#define INSIDE(member) TABLE_MEMBER(1, struct inside_row, member)
#define INSIDE_COLUMNS(prefix, member, about_)                                                     \
	{ prefix "samples", NULL, INSIDE(member.samples), true, about_ },                          \
		{ prefix "share", NULL, INSIDE(member.share), false, "share of CPU time" },        \
	{                                                                                          \
		prefix "share_ci95", NULL, INSIDE(member.ci95), false,                             \
			"half-width of the 95 % confidence interval of the share"                  \
	}

static const struct table_column category_column[] = {
	{ "category", NULL, CATEGORY(key), true, "key of the category in the rules" },
	{ "parent", NULL, CATEGORY(parent), false,
	  "category that contains this category; null: this category is a leaf" },
	{ "leaf", NULL, CATEGORY(leaf), true, NULL },
	INSIDE_COLUMNS("", exclusive, "samples of the category, including nested categories"),
	INSIDE_COLUMNS("self_", self, "samples whose innermost category is this one"),
	INSIDE_COLUMNS("inclusive_", inclusive,
		       "samples of the category's leaf with this category anywhere in the stack"),
};

static int categories(const struct tables_source *from, table_row_fn *row, struct rows *r)
{
	const struct inside *in = &from->summary.inside;
	const struct rules *rules = in->rules;

	for (unsigned int i = 0; rules && i < rules->ncategories; i++) {
		const struct rules_category *c = &rules->category[i];
		const struct category names = {
			.key = c->key,
			.parent = i < LEAF_COUNT ? NULL : rules->category[c->parent].key,
			.leaf = leaf_desc[c->leaf].key,
		};

		if (leaf_is_sampled(i) && inside_known(from->summary.m, c))
			row(r, (const void *[]){ &names, &in->row[i] });
	}
	return 0;
}

/* ---- functions --------------------------------------------------------------------------- */

struct named {
	const char *name, *category;
};

#define TOP(member) TABLE_MEMBER(0, struct top_row, member)
#define NAMED(member) TABLE_MEMBER(1, struct named, member)

static const struct table_column function_column[] = {
	{ "function", NULL, NAMED(name), true,
	  "name of the function; [user]: user mode; [unknown]: the function has no name" },
	{ "module", NULL, TOP(module), true,
	  "kernel module of the function; '': built into the kernel" },
	{ "self_samples", NULL, TOP(self.samples), true,
	  "samples whose innermost function is this one" },
	{ "inclusive_samples", NULL, TOP(inclusive.samples), true,
	  "samples in the function or its callees" },
	{ "category", NULL, NAMED(category), true, "category of most of the function's samples" },
	{ "category_share", NULL, TOP(category_share), false,
	  "share of the function's samples that are in the column category" },
};

static int functions(const struct tables_source *from, table_row_fn *row, struct rows *r)
{
	struct top top;
	int err = top_make(&top, from->m, &(struct model_choice){ LEAF_ALL, NULL },
			   (size_t)from->m->nsymbols + 2);

	if (err)
		return err;
	for (size_t i = 0; i < top.n; i++) {
		const struct top_row *f = &top.row[i];
		struct named names = { *f->name ? f->name : "[unknown]", f->category->key };

		row(r, (const void *[]){ f, &names });
	}
	top_free(&top);
	return 0;
}

/* ---- stacks ------------------------------------------------------------------------------ */

struct stack {
	uint64_t id, samples;
	const char *text, *leaf, *category;
};

#define STACK(member) TABLE_MEMBER(0, struct stack, member)

static const struct table_column stack_column[] = {
	{ "id", NULL, STACK(id), true, "id of the stack, valid in this recording only" },
	{ "stack", NULL, STACK(text), true,
	  "functions of the stack, separated by ';', the outermost first" },
	{ "leaf", NULL, STACK(leaf), true, NULL },
	{ "category", NULL, STACK(category), true, NULL },
	{ "samples", NULL, STACK(samples), true, NULL },
};

/* Returns the text of a stack, which the caller frees, or NULL if out of memory. */
static char *stack_text(const struct model *m, uint32_t id)
{
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	if (out)
		folded_stack(out, m, id);
	if (!out || fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

static int stacks(const struct tables_source *from, table_row_fn *row, struct rows *r)
{
	const struct model *m = from->m;

	for (uint32_t i = 0; i <= m->nstacks; i++) {
		const struct rules *rules;
		struct stack stack = { .id = i, .samples = m->count[i] };
		char *text = stack.samples ? stack_text(m, i) : NULL;

		if (!stack.samples)
			continue;
		if (!text)
			return -ENOMEM;
		rules = classifier_rules(m->classes->classifier);
		stack.text = text;
		stack.leaf = leaf_desc[model_leaf(m, m->class[i])].key;
		stack.category = rules->category[m->classes->at[m->class[i]].category].key;
		row(r, (const void *[]){ &stack });
		free(text);
	}
	return 0;
}

/* ---- processes --------------------------------------------------------------------------- */

struct process {
	const char *kind, *name, *cgroup, *runtime, *container, *pod, *label[MODEL_CGROUP_NAMES];
	uint64_t pid, start_ns, user;
	bool kernel;
	double received_ns, received_packets;
};

#define PROCESS(member) TABLE_MEMBER(0, struct process, member)
#define PROCESS_TIME(member) TABLE_OF_SECONDS, 0, offsetof(struct process, member)
#define VALUES(member) TABLE_MEMBER(1, struct processes_values, member)

static const struct table_column process_column[] = {
	{ "number", NULL, ROW_NUMBER, true,
	  "number of the row, counted from 1, in descending order of CPU time" },
	{ "kind", NULL, PROCESS(kind), true,
	  "kind of the row: a process, or a sum of processes without a row of their own; see netcost-report who" },
	{ "name", NULL, PROCESS(name), false, NULL },
	{ "pid", NULL, PROCESS(pid), false, NULL },
	{ "started_s", "s", PROCESS_TIME(start_ns), false,
	  "start of the process, in seconds since the recording began; negative: before the recording" },
	{ "kernel", NULL, PROCESS(kernel), true, "1: a kernel thread" },
	{ "uid", NULL, PROCESS(user), false, "real user id of the process" },
	{ "cgroup", NULL, PROCESS(cgroup), false, "last known cgroup of the process" },
	{ "container_runtime", NULL, PROCESS(runtime), false, NULL },
	{ "container", NULL, PROCESS(container), false, "id of the container" },
	{ "pod", NULL, PROCESS(pod), false, "uid of the pod" },
	{ "pod_name", NULL, PROCESS(label[MODEL_CGROUP_POD]), false, NULL },
	{ "namespace", NULL, PROCESS(label[MODEL_CGROUP_NAMESPACE]), false, NULL },
	{ "container_name", NULL, PROCESS(label[MODEL_CGROUP_CONTAINER]), false, NULL },
	{ "image", NULL, PROCESS(label[MODEL_CGROUP_IMAGE]), false, NULL },
	{ "workload", NULL, PROCESS(label[MODEL_CGROUP_WORKLOAD]), false,
	  "workload that runs the pod; may be a guess from pod_name" },
	{ "on_cpu_ns", "ns", VALUES(on_cpu_ns), false, "on-CPU time, without interrupts" },
	{ "network_ns", "ns", VALUES(network_ns), false,
	  "part of on_cpu_ns that was spent in the network" },
	{ "interrupted_ns", "ns", VALUES(interrupted_ns), false,
	  "time of network softirqs and hard interrupts while the process ran, for packets of any process" },
	{ "received_ns", "ns", PROCESS(received_ns), false,
	  "softirq time of the packets that the process received" },
	{ "received_packets", "packets", PROCESS(received_packets), false, NULL },
	{ "calls", NULL, VALUES(calls), false, "number of calls on network sockets" },
	{ "bytes", "bytes", VALUES(bytes), false, "bytes sent and received by the calls" },
	{ "switches", NULL, VALUES(value[MODEL_PROCESS_VALUE(SWITCHES)]), false,
	  "number of context switches to the process" },
};

/*
 * Returns the row of a process. Rows for processes that were not distinguished have only a kind and
 * values.
 */
static struct process process_of(const struct processes_row *p)
{
	const struct container *c = p->container;
	struct process one;

	if (p->kind != PROCESSES_ONE)
		return (struct process){ .kind = processes_kinds[p->kind],
					 .pid = TRACE_NIL,
					 .start_ns = TRACE_NIL,
					 .user = TRACE_NIL };
	one = (struct process){ .kind = processes_kinds[p->kind],
				.name = unless_empty(p->name),
				.cgroup = unless_empty(p->cgroup),
				.runtime = c ? unless_empty(c->runtime) : NULL,
				.container = c ? unless_empty(c->id) : NULL,
				.pod = c ? unless_empty(c->pod) : NULL,
				.pid = p->pid,
				.start_ns = p->start_ns,
				.user = p->user,
				.kernel = p->kernel };
	for (unsigned int i = 0; i < MODEL_CGROUP_NAMES; i++)
		one.label[i] = unless_empty(p->label[i]);
	return one;
}

static int processes(const struct tables_source *from, table_row_fn *row, struct rows *r)
{
	const struct model *m = from->m;
	struct processes p;
	int err;

	if (!m->nprocesses)
		return 0;
	err = processes_make(&p, m, PROCESSES_BY_PROCESS, PROCESSES_SORT_CPU,
			     (size_t)m->nprocesses + 1);
	if (err)
		return err;
	for (size_t i = 0; i < p.nrows; i++) {
		const struct processes_values *v = &p.row[i].v;
		struct process names = process_of(&p.row[i]);

		/* Without --owners the receivers are unknown, so the model's 0 is not a measured value. */
		names.received_ns = model_fates(m) ? v->received_ns : NAN;
		names.received_packets = model_fates(m) ? v->received_packets : NAN;
		row(r, (const void *[]){ &names, v });
	}
	processes_free(&p);
	return 0;
}

/* ---- interfaces -------------------------------------------------------------------------- */

struct interface {
	uint64_t netns;
	double seconds, interrupts_s, interrupts, interrupts_ns;
};

#define INTERFACE(member) TABLE_MEMBER(0, struct interface, member)
#define NETDEV(member) TABLE_MEMBER(1, struct model_netdev, member)

static const struct table_column interface_column[] = {
	{ "id", NULL, ROW_NUMBER, true, "id of the interface, valid in this recording only" },
	{ "interface", NULL, NETDEV(name), true, NULL },
	{ "netns", NULL, INTERFACE(netns), false, "inode of the network namespace; null: unknown" },
	{ "driver", NULL, NETDEV(driver), false, NULL },
	{ "class", NULL, NETDEV(class), false, "physical, virtual or loopback; null: unknown" },
	{ "seconds", "s", INTERFACE(seconds), false,
	  "time between the first and the last reading of the counters" },
	{ "rx_packets", "packets", NETDEV(counter[NETDEV_RX_PACKETS]), false,
	  "packets received in the time of the column seconds, which all following columns up to tx_dropped cover" },
	{ "rx_bytes", "bytes", NETDEV(counter[NETDEV_RX_BYTES]), false, NULL },
	{ "rx_errors", NULL, NETDEV(counter[NETDEV_RX_ERRORS]), false, NULL },
	{ "rx_dropped", "packets", NETDEV(counter[NETDEV_RX_DROPPED]), false, NULL },
	{ "tx_packets", "packets", NETDEV(counter[NETDEV_TX_PACKETS]), false, NULL },
	{ "tx_bytes", "bytes", NETDEV(counter[NETDEV_TX_BYTES]), false, NULL },
	{ "tx_errors", NULL, NETDEV(counter[NETDEV_TX_ERRORS]), false, NULL },
	{ "tx_dropped", "packets", NETDEV(counter[NETDEV_TX_DROPPED]), false, NULL },
	{ "interrupts_seconds", "s", INTERFACE(interrupts_s), false,
	  "time between the first and the last reading of the hard interrupts" },
	{ "interrupts", NULL, INTERFACE(interrupts), false,
	  "number of hard interrupts in the time of the column interrupts_seconds" },
	{ "interrupts_ns", "ns", INTERFACE(interrupts_ns), false,
	  "time of the interrupt handlers" },
};

static int interfaces(const struct tables_source *from, table_row_fn *row, struct rows *r)
{
	for (size_t i = 0; i < from->m->nnetdevs; i++) {
		const struct model_netdev *d = &from->m->netdev[i];
		struct interface more = {
			.netns = d->netns ? d->netns : TRACE_NIL,
			.seconds = counter_moved(&d->at_ns) * 1e-9,
			.interrupts_s = counter_moved(&d->irqs_at_ns) * 1e-9,
			.interrupts_ns = d->irqs_timed ? (double)d->irqs_ns : NAN,
		};

		more.interrupts = isnan(more.interrupts_s) ? NAN : (double)d->interrupts;
		row(r, (const void *[]){ &more, d });
	}
	return 0;
}

/* ---- dropped packets --------------------------------------------------------------------- */

#define DROP(member) TABLE_MEMBER(0, struct drops_row, member)
#define DROPS(member) TABLE_MEMBER(1, struct drops, member)

static const struct table_column drop_column[] = {
	{ "reason", NULL, DROP(reason), true, "drop reason, as the kernel names it" },
	{ "packets", "packets", DROP(packets), false, NULL },
	{ "seconds", "s", DROPS(seconds), false,
	  "time between the first and the last reading of the counters" },
};

static int drops(const struct tables_source *from, table_row_fn *row, struct rows *r)
{
	for (size_t i = 0; i < from->drops.n; i++)
		row(r, (const void *[]){ &from->drops.row[i], &from->drops });
	return 0;
}

/* ---- packet latency: a row for each checkpoint, and one for each bucket ------------- */

struct hook {
	const char *key;
	double sum_ns;
	uint64_t lost[NETCOST_LATENCY_LOSS_COUNT];
};

#define HOOK(member) TABLE_MEMBER(0, struct hook, member)
#define DIST(member) TABLE_MEMBER(1, struct dist_summary, member)

static const struct table_column latency_column[] = {
	{ "hook", NULL, HOOK(key), true, "checkpoint, see netcost-report latency" },
	{ "packets", "packets", DIST(count), false, "number of packets with a known latency" },
#define X(name, key, title, share) { key "_ns", "ns", DIST(ns[DIST_##name]), false, NULL },
	DIST_QUANTILES(X)
#undef X
		{ "sum_ns", "ns", HOOK(sum_ns), false,
		  "sum of the latencies of the counted packets" },
	{ "min_ns", "ns", DIST(min_ns), false, NULL },
	{ "max_ns", "ns", DIST(max_ns), false, NULL },
#define X(id, name, key, title) { key "_packets", "packets", HOOK(lost[id]), false, title },
	NETCOST_LATENCY_LOSSES(X)
#undef X
};

static int latency(const struct tables_source *from, table_row_fn *row, struct rows *r)
{
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++) {
		const struct dist *l = model_latency_dist(from->m, h);
		struct hook hook = { .key = latency_keys[h], .sum_ns = known_uint(l->ns) };
		struct dist_summary summary;

		if (!model_is_measured(from->m, NETCOST_OF_LATENCY, h))
			continue;
		for (unsigned int i = 0; i < NETCOST_LATENCY_LOSS_COUNT; i++)
			hook.lost[i] = model_latency_lost(from->m, h, i);
		dist_summarize(&summary, l);
		row(r, (const void *[]){ &hook, &summary });
	}
	return 0;
}

struct bucket {
	const char *hook;
	uint64_t lower_ns, upper_ns, packets;
};

#define BUCKET(member) TABLE_MEMBER(0, struct bucket, member)

static const struct table_column bucket_column[] = {
	{ "hook", NULL, BUCKET(hook), true, NULL },
	{ "lower_ns", "ns", BUCKET(lower_ns), true,
	  "lower bound of the bucket, exclusive; the first bucket includes 0" },
	{ "upper_ns", "ns", BUCKET(upper_ns), true, "upper bound of the bucket, inclusive" },
	{ "packets", "packets", BUCKET(packets), true,
	  "number of packets in the bucket; empty buckets have no row" },
};

static int buckets(const struct tables_source *from, table_row_fn *row, struct rows *r)
{
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++) {
		const uint64_t *packets = model_latency_dist(from->m, h)->bucket;

		for (unsigned int b = 0; packets && b < NETCOST_LATENCY_BUCKETS; b++) {
			struct bucket bucket = { latency_keys[h], netcost_latency_lower(b),
						 netcost_latency_upper(b), packets[b] };

			if (packets[b])
				row(r, (const void *[]){ &bucket });
		}
	}
	return 0;
}

/* ---- settings and marks ------------------------------------------------------------------ */

struct setting {
	const char *value, *first, *why;
	bool changed;
};

#define MODEL_SETTING(member) TABLE_MEMBER(0, struct model_setting, member)
#define SETTING(member) TABLE_MEMBER(1, struct setting, member)

static const struct table_column setting_column[] = {
	{ "subject", NULL, MODEL_SETTING(subject), true,
	  "subject of the setting, such as net.core, cpu, interface eth0" },
	{ "name", NULL, MODEL_SETTING(name), true, NULL },
	{ "value", NULL, SETTING(value), false,
	  "value at the end of the recording; null: not read" },
	{ "first_value", NULL, SETTING(first), false,
	  "value at the start of the recording; null: not read" },
	{ "changed", NULL, SETTING(changed), true, "1: the setting changed during the recording" },
	{ "why", NULL, SETTING(why), false,
	  "reason why the value was not read; null: it was read" },
};

static int settings(const struct tables_source *from, table_row_fn *row, struct rows *r)
{
	const struct model *m = from->m;

	for (size_t i = 0; i < m->nsettings; i++) {
		const struct model_setting *s = &m->setting[i];
		const struct setting values = {
			.value = s->why ? NULL : model_string(m, s->value),
			.first = s->first_why ? NULL : model_string(m, s->first),
			.why = s->why ? model_string(m, s->why) : NULL,
			.changed = model_setting_changed(m, s),
		};

		row(r, (const void *[]){ s, &values });
	}
	return 0;
}

#define MARK(kind, member) TABLE_OF_##kind, 0, offsetof(struct model_moment, member)

static const struct table_column mark_column[] = {
	{ "number", NULL, ROW_NUMBER, true, "number of the mark, counted from 1" },
	{ "time", NULL, MARK(TIME, at_ns), false, "time of the mark; null: unknown" },
	{ "at_s", "s", MARK(SECONDS, at_ns), false,
	  "time of the mark, in seconds since the recording began; null: unknown" },
	{ "text", NULL, MARK(STR, text), true, NULL },
};

static int marks(const struct tables_source *from, table_row_fn *row, struct rows *r)
{
	for (size_t i = 0; i < from->m->nmoments; i++)
		row(r, (const void *[]){ &from->m->moment[i] });
	return 0;
}

/* ---- views (view.h) ---------------------------------------------------------------------- */

struct words {
	const char *s[VIEW_ATTRIBUTES];
	uint64_t n[VIEW_ATTRIBUTES];
};

/*
 * Writes the rows of `counts`. Structure 0 of a row has a word for each attribute, in the order of
 * the attributes in `order`. Structure 1 has the values.
 */
static int counts(const struct tables_source *from, table_row_fn *row, struct rows *r)
{
	const struct store *s = model_answer(from->m, r->table->type);
	struct view_order order;
	struct view_rows rows;
	struct view v;
	int err;

	if (!view_usual(&v, &order, r->table->type))
		return -ENOMEM;
	order.sort = VIEW_UNSORTED;
	err = view_rows_make(&rows, &v, &order, from->m, s, false);
	for (size_t i = 0; !err && i < rows.n; i++) {
		struct words w = { .s = { NULL } };

		for (size_t a = 0; a < order.nby; a++) {
			w.s[a] = unless_empty(rows.row[i].by[a].s);
			w.n[a] = rows.row[i].by[a].n;
		}
		row(r, (const void *[]){ &w, rows.row[i].value });
	}
	if (!err)
		view_rows_free(&rows);
	return err;
}

static void add_column(struct table_room *t, struct table_column c)
{
	t->column[t->table.ncolumns++] = c;
}

static bool make_view(struct table_room *t, unsigned int type, const char *name, const char *about)
{
	struct view_order order;
	struct view v;

	if (!view_usual(&v, &order, type))
		return false;
	t->table = (struct table){ .name = name,
				   .about = about,
				   .order = "number",
				   .column = t->column,
				   .type = type,
				   .fill = counts };
	add_column(t,
		   (struct table_column){ "number", NULL, ROW_NUMBER, true, "number of the row" });
	for (size_t i = 0; i < order.nby; i++) {
		const struct view_attribute *a = &v.attribute[order.by[i]];

		add_column(t, (struct table_column){
				      a->name, NULL, a->number ? TABLE_OF_UINT : TABLE_OF_TEXT, 0,
				      a->number ? offsetof(struct words, n) + i * sizeof(uint64_t) :
						  offsetof(struct words, s) + i * sizeof(char *),
				      false, a->about });
	}
	for (size_t i = 0; i < v.nvalues; i++)
		add_column(t,
			   (struct table_column){
				   v.value[i]->name,
				   v.value[i]->unit && *v.value[i]->unit ? v.value[i]->unit : NULL,
				   TABLE_OF_NUMBER, 1, i * sizeof(double), false, NULL });
	return true;
}

/* ---- the list of tables ------------------------------------------------------------- */

static const struct table tables[] = {
	{ "recordings",
	  "Recordings, one per row: the host, how it was recorded, and the cost of the network",
	  NULL, COLUMNS(recording_column), recordings },
	{ "leaves",
	  "CPU time by leaf: a row for each CPU and each interval between ticks, or longer intervals",
	  "piece, cpu", COLUMNS(leaf_column), leaves },
	{ "categories", "Contents of the leaves, by samples: a row for each category", "category",
	  COLUMNS(category_column), categories },
	{ "functions", "Kernel functions, by samples of all CPUs, including idle time",
	  "function, module", COLUMNS(function_column), functions },
	{ "stacks", "Stacks, with the number of samples of each", "id", COLUMNS(stack_column),
	  stacks },
	{ "processes", "Counters by process, for recordings with --processes", "number",
	  COLUMNS(process_column), processes },
	{ "interfaces", "Counters of interfaces over the recording", "id",
	  COLUMNS(interface_column), interfaces },
	{ "drops",
	  "Packets that the kernel dropped, by drop reason; recordings.dropped_packets is null if drops were not measured",
	  "reason", COLUMNS(drop_column), drops },
	{ "latency", "Packet latency: a row for each checkpoint that was measured", "hook",
	  COLUMNS(latency_column), latency },
	{ "settings", "Settings of the host", "subject, name", COLUMNS(setting_column), settings },
	{ "latency_buckets",
	  "Packet latency as histograms, which can be added up over recordings and hosts",
	  "hook, lower_ns", COLUMNS(bucket_column), buckets },
	{ "marks",
	  "Moments that the user marked: at most the first 1000; recordings.marks is the number of all marks",
	  "number", COLUMNS(mark_column), marks },
};

bool table_get(struct table_room *t, size_t i)
{
	size_t n = sizeof(tables) / sizeof(*tables);

	if (i < n) {
		t->table = tables[i];
		return true;
	}
	for (const struct view_use *use = view_uses; use < view_uses + VIEW_USES_COUNT; use++)
		if (use->where & VIEW_TABLE && i-- == n)
			return make_view(t, use->type, use->name, use->title);
	return false;
}

bool table_any(struct table_room *t, size_t i)
{
	unsigned int type = (unsigned int)(i - EXPORT_FILES_MAX) % TRACE_TYPES_MAX;
	const struct trace_type_desc *desc = trace_type_desc(type);

	if (i < EXPORT_FILES_MAX)
		return table_get(t, i);
	if (i >= EXPORT_FILES_MAX + TRACE_TYPES_MAX)
		return i < TABLES_ANY && table_of_records(t, type);
	snprintf(t->name, sizeof(t->name), "counts_%s", desc ? desc->name : "");
	return desc && make_view(t, type, t->name, desc->doc);
}
