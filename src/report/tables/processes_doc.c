// SPDX-License-Identifier: BSD-2-Clause
#include "tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <netcost/text_append.h>

#include "report/base/stats.h"

const char *const processes_sort_names[] = { "cpu",	    "network",	"bytes", "calls",
					     "softirq",	    "switches", "send",	 "receive",
					     "interrupted", "received", NULL };

#define INTERVAL "+-"
#define TIME(title_, width_) .title = title_, .unit = TEXT_NS, .width = width_
#define JOULES(title_, width_) .title = title_, .decimals = 3, .precision = 6, .width = width_

/* ---- reference sums, and what was not measured -------------------------------------- */

#define VALUE(v, KEY) ((v)->value[MODEL_PROCESS_VALUE(KEY)])

static void sums_table(struct doc *d, const struct processes *p)
{
	static const struct doc_column column[] = {
		{ .key = "event", .kind = DOC_STRING, .known = true },
		{ .key = "processes_ns",
		  .about = "sum of the on-CPU time of all rows; null: not measured" },
		{ .key = "cpus_ns", .about = "on-CPU time by the exact counters of the CPUs" },
		{ .key = "remainder_ns", .about = "CPU time that is in no row" },
	};
	static const struct doc_table table = {
		.key = "sums", DOC_COLUMNS_OF(column), .keyed = true, .only = DOC_PROGRAMS
	};

	doc_table(d, &table);
	for (size_t i = 0; i < PROCESSES_TIMES; i++) {
		const struct processes_sum *s = &p->sum[i];

		doc_row(d, 0, DOC_PROGRAMS);
		doc_string(d, model_event_key(s->event));
		doc_number(d, s->processes_ns);
		doc_number(d, s->cpus_ns);
		doc_number(d, s->cpus_ns - s->processes_ns);
		doc_row_end(d);
	}
	doc_table_end(d);
}

#define TOO_MUCH 0.001 /* share of the busy time */

/* Reports why something was not measured. */
static void source_note(struct doc *d, const struct model *m, const char *name, const char *what)
{
	const struct model_source *s = model_find_source(m, name);

	if (s && strcmp(model_string(m, s->state), "measured"))
		doc_note(d, "  %s were not measured: %s", what, SAFE(model_string(m, s->why)));
}

/* Notes that rows cover only the windows, and prints the times of all processes estimated for the whole recording. */
static void windows_note(struct doc *d, const struct processes *p)
{
	char text[256] = "";
	static const struct {
		const char *title;
		enum netcost_event event;
	} of[] = { { "sends", NETCOST_EV_SOCK_SEND },
		   { "receives", NETCOST_EV_SOCK_RECV },
		   { "RX softirqs", NETCOST_EV_RX_SOFTIRQ } };

	if (!(p->paused_ns > 0))
		return;
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		const struct own_part *e = &p->own.event[of[i].event];

		if (isnan(e->exact_ns) || isnan(e->whole_ns))
			continue;
		text_append(text, sizeof(text), ", ", "%s %s", of[i].title,
			    WITHIN(e->whole_ns, e->whole_ci95_ns, TEXT_NS));
	}
	doc_note(
		d,
		"  times, calls and bytes cover only the time in which processes were counted, to stay "
		"within %g %% of a CPU; netcost-record --budget=none counts all the time",
		(double)p->m->header.budget_ppm / 1e4);
	if (*text)
		doc_note(d, "  all processes in the whole recording, as in the summary: %s", text);
}

static void sums_notes(struct doc *d, const struct processes *p)
{
	double remainder = p->cpus_busy_ns - p->busy_ns;

	if (!p->m->records[TRACE_PROCESS_STATS]) {
		doc_note(d, "No counters by process. Record with netcost-record --processes.");
		return;
	}
	if (fabs(remainder) > TOO_MUCH * p->cpus_busy_ns)
		doc_alert(d, "sums",
			  remainder > 0 ? "%s of the %s of busy CPU time are in no row" :
					  "the rows have %s more than the %s of busy CPU time",
			  MEASURED(fabs(remainder), TEXT_NS), MEASURED(p->cpus_busy_ns, TEXT_NS));
	else
		doc_note(
			d,
			"  the rows sum to %s of on-CPU time; the per-CPU counters differ from this by %s",
			MEASURED(p->busy_ns, TEXT_NS), MEASURED(round(fabs(remainder)), TEXT_NS));
	if (p->own_ns > 0)
		doc_note(
			d,
			"  %s of netcost's own time are subtracted from the rows, in proportion to their calls, softirqs and switches; --with-own-cost keeps them",
			MEASURED(p->own_ns, TEXT_NS));
	windows_note(d, p);
	if (isnan(VALUE(&p->all, SOCK_SEND_NS)) && isnan(VALUE(&p->all, SOCK_RECV_NS)))
		doc_note(d,
			 "  sends and receives were counted, but not timed: their time is part of "
			 "on-CPU time (record with netcost-record --exact=entry)");
	if (VALUE(&p->all, UNSEEN) > 0)
		doc_note(
			d,
			"  %s of %s context switches were not seen: the time before each may belong to two processes",
			NUM(VALUE(&p->all, UNSEEN), 0), NUM(VALUE(&p->all, SWITCHES), 0));
	source_note(d, p->m, "pmu", "hardware counters");
	source_note(d, p->m, "page-cache", "hits of the page cache");
}

/* ---- energy ------------------------------------------------------------------------- */

static const struct {
	const char *key, *title;
} parts[PROCESSES_ENERGY_PARTS] = {
	[PROCESSES_ENERGY_ROWS] = { "rows", "on-CPU time of the rows above" },
	[PROCESSES_ENERGY_RECEIVED] = { "received", "packets received for rows above" },
	[PROCESSES_ENERGY_UNOWNED] = { "unowned", "unattributed received packets" },
	[PROCESSES_ENERGY_INTERRUPTS] = { "interrupts", "network softirqs and hard interrupts" },
	[PROCESSES_ENERGY_MISSING] = { "in_no_row", "busy time that is in no row" },
	[PROCESSES_ENERGY_IDLE] = { "idle", "idle power, or idle time" },
};

static void part_row(struct doc *d, const char *key, const char *title,
		     const struct energy_range *r, unsigned int only)
{
	doc_row(d, 0, only);
	doc_string(d, key);
	doc_string(d, title);
	doc_number(d, r->low);
	doc_number(d, r->high);
	doc_row_end(d);
}

static bool is_of_owners(unsigned int part)
{
	return part == PROCESSES_ENERGY_RECEIVED || part == PROCESSES_ENERGY_UNOWNED;
}

static void parts_table(struct doc *d, const struct processes_energy *e, bool there)
{
	static const struct doc_column column[] = {
		{ .key = "part", .kind = DOC_STRING, .known = true },
		{ .title = "energy of packages and memory", .kind = DOC_STRING, .width = 38 },
		{ .key = "low_j",
		  JOULES("J, low", 12),
		  .about =
			  "energy of the softirqs and threaded NAPI of received packets; null: idle power or receivers are unknown" },
		{ .key = "high_j", JOULES("J, high", 12) },
	};
	const struct doc_table t = {
		.key = "parts",
		.caption = "Energy of packages and memory, distributed",
		.about =
			"distribution of the energy of packages and memory: the parts sum to the total, for the lower and the upper bounds",
		DOC_COLUMNS_OF(column),
		.keyed = true,
		.only = there ? DOC_ALL : DOC_PROGRAMS
	};
	struct energy_range all = { isnan(e->joules_a_ns.low) ? NAN : e->total_j, e->total_j };

	doc_table(d, &t);
	for (unsigned int i = 0; i < PROCESSES_ENERGY_PARTS; i++)
		part_row(d, parts[i].key, parts[i].title, &e->part[i],
			 e->owners.any || !is_of_owners(i) ? DOC_ALL : DOC_PROGRAMS);
	part_row(d, "all", "all", &all, DOC_PEOPLE);
	doc_table_end(d);
}

static void energy_notes(struct doc *d, const struct processes *p, const struct processes_energy *e)
{
	if (isnan(e->joules_a_ns.low))
		doc_note(d, "  idle power is unknown, so the range has no lower bound: %s",
			 e->idle_why ? e->idle_why : "unknown");
	else
		doc_note(
			d,
			"  low: a share of the energy above idle power%s, minus the error of idle power",
			e->idle_given ? " as given" : "");
	if (e->owners.any)
		doc_note(
			d,
			"  the energy of received packets (softirqs and threaded NAPI) is charged to their receivers; the other "
			"softirqs are one row");
	doc_note(
		d, "  high: all energy, by the share of CPU time (Netto's model)%s",
		e->above_netto ?
			"; the share of the energy above idle power plus the error is larger and is used instead" :
			"");
	doc_note(
		d,
		"  energy is distributed by time, which ignores frequency, SMT and vector instructions: the same time may take two or three times the energy");
	if (e->second.name)
		doc_note(
			d,
			"  J, again: the same energy distributed by %s, which reflect frequency and SMT, but not vector instructions",
			e->second.name);
	if (p->paused_ns > 0)
		doc_note(
			d,
			"  energy covers the whole recording; it is distributed by the time in which processes were counted");
}

static void energy(struct doc *d, const struct processes *p, const struct processes_energy *e)
{
	bool there = !isnan(e->total_j) && p->m->records[TRACE_PROCESS_STATS];

	doc_object(d, "energy");
	parts_table(d, e, there);
	if (there)
		energy_notes(d, p, e);
	doc_field(d, "package_and_dram_j", e->total_j, 6);
	doc_about(d, "lower bound of the energy at idle power; null: unknown");
	doc_field(d, "idle_low_j", e->idle_j.low, 6);
	doc_field(d, "idle_high_j", e->idle_j.high, 6);
	doc_about(d, "the hardware counter of the second estimate; null: no second estimate");
	doc_field_string(d, "second_by", e->second.name);
	doc_about(d, "reason why idle power is unknown");
	doc_field_string(d, "idle_why", isnan(e->idle_j.low) ? e->idle_why : NULL);
	doc_object_end(d);
}

/* ---- packet disposition ------------------------------------------------------------- */

const char *const fate_keys[] = {
#define X(id, name, key, title) [id] = key,
	NETCOST_FATES(X)
#undef X
		NULL
};

static const char *const fate_titles[] = {
#define X(id, name, key, title) [id] = title,
	NETCOST_FATES(X)
#undef X
};

const char *fate_text(char *dst, size_t size, enum netcost_fate fate, const char *what)
{
	snprintf(dst, size, "%s%s%s", fate_titles[fate],
		 !*what				? "" :
		 fate == NETCOST_FATE_FORWARDED ? " to " :
						  ": ",
		 SAFE(what));
	return dst;
}

struct fate {
	struct owners_row r;
	double share; /* share of the time of all rows */
	const char *shown;
};

#define AT(member) DOC_AT(struct fate, member)
static const struct doc_column fate_columns[] = {
	{ AT(shown), .title = "disposition", .kind = DOC_STRING, .only = DOC_HTML },
	{ AT(r.fate), FATE_COLUMN },
	{ AT(r.what), FATE_WHAT_COLUMN },
	{ AT(r.ns), .key = "ns", TIME("own time", 9),
	  .about = "time of processing the packets, without driver and GRO" },
	{ AT(r.ci95_ns), .key = "ci95_ns", TIME(INTERVAL, 8), .single = true,
	  .about = "half-width of the 95 % confidence interval of ns" },
	{ AT(r.dealt_ns), .key = "dealt_ns", TIME("driver", 9),
	  .about = "time of the driver and GRO, distributed evenly over packets" },
	{ AT(share), .times = 100, DOC_PERCENT("percent", "%", 7) },
	{ AT(share), .kind = DOC_BAR, .color = &leaf_color[LEAF_RX_SOFTIRQ], .single = true },
	{ AT(r.packets), .key = "packets", .title = "packets", .width = 10, .precision = 1 },
	{ AT(shown), .title = "disposition", .kind = DOC_STRING, .only = DOC_TEXT },
};
#undef AT

static struct fate shown_fate(const struct owners *o, const struct owners_row *r, const char *shown)
{
	return (struct fate){ .r = *r,
			      .share = known_ratio(r->ns + r->dealt_ns, o->all_ns),
			      .shown = shown };
}

static void fates(struct doc *d, const struct owners *o)
{
	struct doc_column column[sizeof(fate_columns) / sizeof(fate_columns[0])];
	const struct doc_table table = { .key = "fates",
					 .title = FATE_TITLE,
					 .above = true,
					 .sortable = true,
					 DOC_COLUMNS_OF(column) };
	struct owners_row all = { .packets = o->packets };
	struct fate fate;

	memcpy(column, fate_columns, sizeof(column));
	/* If all values are exact, text shows no intervals. */
	for (size_t i = 0; i < table.ncolumns && o->every <= 1; i++)
		if (column[i].title && !strcmp(column[i].title, INTERVAL))
			column[i].title = NULL;
	doc_table(d, &table);
	for (size_t i = 0; i < o->nrows; i++) {
		const struct owners_row *r = &o->row[i];
		char text[FATE_TEXT];

		all.ns += r->ns;
		all.dealt_ns += r->dealt_ns;
		if (r->ns == 0 && r->dealt_ns == 0 && r->packets == 0)
			continue;
		fate = shown_fate(o, r, fate_text(text, sizeof(text), r->fate, r->what));
		doc_put_row(d, 0, DOC_ALL, &fate);
	}
	fate = shown_fate(o, &all, "sum");
	doc_put_sum(d, &fate);
	doc_table_end(d);
}

static void owners_notes(struct doc *d, const struct owners *o)
{
	double remainder = o->leaf_ns - o->all_ns;

	if (fabs(remainder) >= 1)
		doc_alert(d, "owners", "%s of the %s of RX softirqs are in no row",
			  MEASURED(remainder, TEXT_NS), MEASURED(o->leaf_ns, TEXT_NS));
	else if (!isnan(remainder))
		doc_note(d, "  sum: %s, equal to the time of RX softirqs on the CPUs",
			 MEASURED(o->leaf_ns, TEXT_NS));
	doc_note(
		d,
		"  pays %%: the columns \"in calls\", \"received\" and \"driver\" together, as a share of the network's time on all CPUs; the rest is "
		"unattributed packets (in this table), TX softirqs and hard interrupts");
	if (o->every > 1)
		doc_note(
			d,
			"  one softirq in %s was examined (%s of %s) and represents the others; +- is the 95 %% interval",
			NUM(o->every, 0), MEASURED(o->looked_ns, TEXT_NS),
			MEASURED(o->all_ns, TEXT_NS));
	else
		doc_note(
			d,
			"  received packets are exact; the driver's and GRO's time is distributed evenly over packets");
}

static void owners_doc(struct doc *d, const struct processes *p, bool all)
{
	struct owners o;

	owners_make(&o, p->m);
	if (!all) {
		if (o.any)
			processes_payers(d, p, &o);
		return;
	}
	if (!doc_optional(d, o.any))
		return;
	doc_object(d, "owners");
	doc_field(d, "every", o.every, 0);
	doc_field(d, "leaf_ns", o.leaf_ns, 0);
	doc_field(d, "all_ns", o.all_ns, 0);
	doc_field(d, "looked_ns", o.looked_ns, 0);
	doc_field(d, "dealt_packet_ns", o.dealt_ns, 3);
	processes_payers(d, p, &o);
	fates(d, &o);
	if (!doc_is_schema(d))
		owners_notes(d, &o);
	doc_object_end(d);
}

/* ---- reports ------------------------------------------------------------------------ */

void processes_table(struct doc *d, const struct processes *p, bool explained)
{
	struct processes_energy e;

	processes_energy_make(&e, p);
	processes_rows(d, p, &e);
	if (!explained)
		return;
	sums_table(d, p);
	sums_notes(d, p);
	energy(d, p, &e);
}

int processes_owners(struct doc *d, const struct model *m, enum processes_by by, size_t n,
		     bool fates)
{
	struct processes p;
	int err;

	if (!model_fates(m) && !doc_is_schema(d))
		return 0;
	err = processes_make(&p, m, by, PROCESSES_SORT_RECEIVED, n);
	if (err)
		return err;
	owners_doc(d, &p, fates);
	processes_free(&p);
	return 0;
}

/* Returns the number of rows of the kind PROCESSES_ONE. */
static size_t ones(const struct processes *p)
{
	size_t n = 0;

	while (n < p->nrows && p->row[n].kind == PROCESSES_ONE)
		n++;
	return n;
}

static bool has_network(const struct processes *p)
{
	for (size_t i = 0; i < p->nrows; i++)
		if (!isnan(processes_sort_value(&p->row[i].v, PROCESSES_SORT_NETWORK)))
			return true;
	return false;
}

int processes_doc(struct doc *d, const struct processes *p, enum processes_sort sort)
{
	static const char *const what[][2] = {
		[PROCESSES_BY_PROCESS] = { "process", "processes" },
		[PROCESSES_BY_NAME] = { "name of processes", "names of processes" },
		[PROCESSES_BY_CGROUP] = { "cgroup", "cgroups" },
		[PROCESSES_BY_USER] = { "user", "users" },
		[PROCESSES_BY_CONTAINER] = { "container, or no container",
					     "rows: containers, and processes in no container" },
		[PROCESSES_BY_POD] = { "pod, or no pod", "rows: pods, and processes in no pod" },
		[PROCESSES_BY_NAMESPACE] = { "namespace, or no namespace",
					     "rows: namespaces, and processes in no namespace" },
		[PROCESSES_BY_WORKLOAD] = { "workload, or no workload",
					    "rows: workloads, and processes of no workload" },
		[PROCESSES_BY_IMAGE] = { "image, or no image",
					 "rows: images, and processes of no image" },
	};
	struct processes_energy e;
	char counted[96];
	int err;

	processes_energy_make(&e, p);
	doc_object(d, NULL);
	doc_heading(d, "%zu %s%s", p->groups, what[p->by][p->groups != 1],
		    processes_counted(counted, sizeof(counted), p->m));
	doc_trace(d, p->m);
	doc_field_choice(d, "by", processes_by_names[p->by], processes_by_names);
	doc_field_choice(d, "sort", processes_sort_names[sort], processes_sort_names);
	doc_field_uint(d, "groups", p->groups);
	doc_field(d, "busy_ns", p->busy_ns, 0);
	doc_field(d, "cpus_busy_ns", p->cpus_busy_ns, 0);
	doc_about(d, "netcost's own time in ns, subtracted from the rows; 0 with --with-own-cost");
	doc_field(d, "own_taken_ns", p->own_ns, 0);
	doc_about(
		d,
		"network time in busy_ns: the network time of the rows plus softirqs and hard interrupts");
	doc_field(d, "network_ns", p->network_ns, 0);
	doc_field(d, "cpus_network_ns", p->cpus_network_ns, 0);
	doc_field(d, "paused_ns", p->paused_ns, 0);
	processes_rows(d, p, &e);
	if (p->nrows && sort == PROCESSES_SORT_CPU && !has_network(p))
		doc_note(
			d,
			"  sorted by CPU time, of the network or not: the processes' network time was not measured");
	if (p->nrows)
		doc_note(
			d,
			"  softirq: softirqs that interrupted the process; no other column includes them; %s",
			model_fates(p->m) ?
				"the next table charges softirqs to the receivers" :
				"netcost-record --owners charges softirqs to the receivers");
	sums_table(d, p);
	sums_notes(d, p);
	energy(d, p, &e);
	err = processes_owners(d, p->m, p->by, ones(p), true);
	doc_object_end(d);
	return err;
}
