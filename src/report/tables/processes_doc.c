// SPDX-License-Identifier: BSD-2-Clause
#include "processes_doc.h"

#include <math.h>
#include <string.h>

#include "colors.h"
#include "model_doc.h"
#include "report/analysis/known.h"
#include "report/analysis/processes_shares.h"

const char *const processes_by_names[] = { "process", "cgroup", "container", "name", "user", NULL };
const char *const processes_sort_names[] = { "cpu",	    "network",	"bytes", "calls",
					     "softirq",	    "switches", "send",	 "receive",
					     "interrupted", "received", NULL };

/* ---- columns ----------------------------------------------------------------------------- */

/* A row, as it is shown: what is not of it, for what it is a row of, is not known. */
struct line {
	struct processes_row r;
	const char *shown, *runtime, *container, *pod;
	double start_s;
	double on_cpu, network, interrupted; /* shares */
	struct energy_range own_j, received_j, second_j;
	char ghz[24], ipc[24];
};

/* What text leaves out where there is no room, the last one first. */
enum {
	SPARE_TIMES = 1,
	SPARE_ENERGY,
	SPARE_SOFTIRQS,
	SPARE_BYTES,
	SPARE_CALLS,
	SPARE_SWITCHES,
	SPARE_GHZ,
	SPARE_IPC,
	SPARE_AGAIN
};

#define AT(member) DOC_AT(struct line, member)
#define AT_VALUE(KEY) AT(r.v.value[MODEL_PROCESS_VALUE(KEY)])
#define BRIEF(spare_) .brief = true, .spare = spare_
#define MS(title_, width_) .title = title_, .scale = 1e-6, .decimals = 2, .width = width_
#define JOULES(title_, width_) .title = title_, .decimals = 3, .precision = 6, .width = width_

static const char *const network_color = COLOR_NETWORK;

/* First for people, then the rest of what there is. */
static const struct doc_column columns[] = {
	{ AT(shown), .title = "name", .kind = DOC_STRING, .only = DOC_HTML },
	{ AT(r.kind), .key = "kind", .kind = DOC_STRING, .known = true, .choices = processes_kinds,
	  .about =
		  "idle: what interrupted the idle tasks; rest: processes that the recorder had no "
		  "room to keep apart; others: those without a row here" },
	{ AT(r.v.on_cpu_ns), .key = "on_cpu_ns", MS("on-CPU ms", 12), .brief_title = "CPU ms",
	  .brief = true },
	{ AT(on_cpu), .times = 100, .key = "on_cpu_percent", .title = "%", .decimals = 2,
	  .precision = 4, .width = 7, .about = "of the CPUs' busy time" },
	{ AT(on_cpu), .kind = DOC_BAR, .color = &leaf_color[LEAF_USER] },
	{ AT_VALUE(SOCK_SEND_NS), .key = "sock_send_ns", MS("send ms", 10), BRIEF(SPARE_TIMES) },
	{ AT_VALUE(SOCK_RECV_NS), .key = "sock_recv_ns", MS("receive ms", 11),
	  .brief_title = "recv ms", BRIEF(SPARE_TIMES) },
	{ AT(network), .times = 100, DOC_PERCENT("network_percent", "net %", 7),
	  .spare = SPARE_TIMES, .about = "its own network time, of the network's on all CPUs" },
	{ AT(network), .kind = DOC_BAR, .color = &network_color },
	{ AT(r.v.calls), .key = "calls", .title = "calls", BRIEF(SPARE_CALLS), .width = 10,
	  .about = "on network sockets" },
	{ AT(r.v.bytes), .key = "bytes", .title = "bytes", BRIEF(SPARE_BYTES), .width = 13,
	  .about = "likewise" },
	{ AT(r.v.softirq_ns), .key = "softirq_ns", MS("softirq ms", 11), BRIEF(SPARE_SOFTIRQS),
	  .about = "of network softirqs that interrupted it" },
	{ AT(interrupted), .times = 100, .key = "interrupted_percent", .precision = 4,
	  .about = "network softirqs and hard interrupts that interrupted it, of the network's "
		   "time on all CPUs" },
	{ AT(own_j.low), .key = "energy_low_j", JOULES("J, low", 9), BRIEF(SPARE_ENERGY),
	  .about = "by on-CPU time, of the energy above idle power; where packets have owners "
		   "without threaded NAPI" },
	{ AT(own_j.high), .key = "energy_high_j", JOULES("high", 9), .brief_title = "J, high",
	  BRIEF(SPARE_ENERGY), .about = "likewise, of all energy, by the share of CPU time" },
	{ AT(received_j.low), .key = "energy_received_low_j", JOULES("J received, low", 15),
	  .brief_title = "received, low", BRIEF(SPARE_ENERGY),
	  .about = "of the softirqs of packets that it received; they are not in energy_low_j" },
	{ AT(received_j.high), .key = "energy_received_high_j", JOULES("high", 14),
	  .brief_title = "received, high", BRIEF(SPARE_ENERGY) },
	{ AT(second_j.low), .key = "energy_second_low_j", JOULES("again, low", 10),
	  BRIEF(SPARE_AGAIN),
	  .about = "by hardware counters, with what interrupted it; energy.second_by" },
	{ AT(second_j.high), .key = "energy_second_high_j", JOULES("high", 9),
	  .brief_title = "again, high", BRIEF(SPARE_AGAIN) },
	{ AT_VALUE(SWITCHES), .key = "switches", .title = "switches", BRIEF(SPARE_SWITCHES),
	  .width = 9 },
	{ AT(ghz), .title = "GHz", .kind = DOC_STRING, .width = 7, .spare = SPARE_GHZ },
	{ AT(ipc), .title = "IPC", .kind = DOC_STRING, .width = 7, .spare = SPARE_IPC },
	{ AT(r.pid), .key = "pid", .title = "pid", .width = 8, .whole = true, .single = true },
	{ AT(shown), .title = "name", .kind = DOC_STRING, .only = DOC_TEXT },
	{ AT(r.name), .key = "name", .kind = DOC_STRING, .about = "null: not known" },
	{ AT(r.kernel), .key = "kernel", .kind = DOC_BOOL,
	  .about = "a thread of the kernel; by user: all of them" },
	{ AT(r.user), .key = "user", .whole = true,
	  .about = "its real user id, by process or user" },
	{ AT(start_s), .key = "start_s", .precision = 6,
	  .about = "when the process began, since the recording did; null: not known" },
	{ AT(r.processes), .key = "processes", .whole = true },
	{ AT(r.cgroup), .key = "cgroup", .kind = DOC_STRING },
	{ AT(runtime), .key = "runtime", .kind = DOC_STRING },
	{ AT(container), .key = "container", .kind = DOC_STRING },
	{ AT(pod), .key = "pod", .kind = DOC_STRING, .about = "its uid" },
	{ AT(r.v.network_ns), .key = "network_ns",
	  .about = "sends, receives, busy polling and threaded NAPI" },
	{ AT_VALUE(TASK_NS), .key = "task_ns", .about = "user + other kernel" },
	{ AT_VALUE(IO_WORKER_NS), .key = "io_worker_ns" },
	{ AT_VALUE(SOCK_LOCAL_NS), .key = "sock_local_ns" },
	{ AT_VALUE(RX_THREAD_NS), .key = "rx_thread_ns" },
	{ AT_VALUE(RX_BUSY_POLL_NS), .key = "rx_busy_poll_ns" },
	{ AT_VALUE(RX_SOFTIRQ_NS), .key = "rx_softirq_ns", .about = "that interrupted it" },
	{ AT_VALUE(TX_SOFTIRQ_NS), .key = "tx_softirq_ns", .about = "likewise" },
	{ AT_VALUE(HARDIRQ_NET_NS), .key = "hardirq_net_ns", .about = "likewise" },
	{ AT_VALUE(RX_SOFTIRQS), .key = "rx_softirqs", .about = "likewise" },
	{ AT_VALUE(TX_SOFTIRQS), .key = "tx_softirqs", .about = "likewise" },
	{ AT_VALUE(HARDIRQS_NET), .key = "hardirqs_net", .about = "likewise" },
	{ AT_VALUE(SEND_CALLS), .key = "send_calls" },
	{ AT_VALUE(RECV_CALLS), .key = "recv_calls" },
	{ AT_VALUE(LOCAL_CALLS), .key = "local_calls" },
	{ AT_VALUE(SEND_FAILED), .key = "send_failed" },
	{ AT_VALUE(RECV_FAILED), .key = "recv_failed" },
	{ AT_VALUE(LOCAL_FAILED), .key = "local_failed" },
	{ AT_VALUE(SEND_BYTES), .key = "send_bytes" },
	{ AT_VALUE(RECV_BYTES), .key = "recv_bytes" },
	{ AT_VALUE(LOCAL_BYTES), .key = "local_bytes" },
	{ AT_VALUE(UNSEEN), .key = "unseen",
	  .about = "switches to or from it that were not seen: what came before may be of both" },
	{ AT_VALUE(PAGE_HITS), .key = "page_hits",
	  .about = "pages of the page cache that it found there" },
	{ AT_VALUE(CYCLES), .key = "cycles",
	  .about = "with what interrupted it, as all that hardware counters count" },
	{ AT_VALUE(REF_CYCLES), .key = "ref_cycles" },
	{ AT_VALUE(INSTRUCTIONS), .key = "instructions" },
	{ AT_VALUE(CACHE_MISSES), .key = "cache_misses" },
	{ AT_VALUE(PMU_NS), .key = "pmu_ns",
	  .about = "for so long hardware counters were to count; they may take turns" },
	{ AT_VALUE(CYCLES_NS), .key = "cycles_ns", .about = "for so long that one did" },
	{ AT_VALUE(REF_CYCLES_NS), .key = "ref_cycles_ns", .about = "likewise" },
	{ AT_VALUE(INSTRUCTIONS_NS), .key = "instructions_ns", .about = "likewise" },
	{ AT_VALUE(CACHE_MISSES_NS), .key = "cache_misses_ns", .about = "likewise" },
	{ AT(r.v.hz), .key = "frequency_hz", .about = "of the CPU while it had it, on average" },
	{ AT(r.v.ipc), .key = "instructions_per_cycle", .precision = 4 },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))
_Static_assert(COLUMNS <= DOC_COLUMNS, "of a table");

static bool begins(const char *s, const char *with)
{
	return s && !strncmp(s, with, strlen(with));
}

/* Whether people see it: energy where there is any, and in text that is not wide a pid where a row is a process. */
static bool is_of_use(const struct doc_column *c, const struct doc *d, enum processes_by by,
		      const struct processes_energy *e)
{
	if (begins(c->key, "energy_second_"))
		return e->second.name;
	if (begins(c->key, "energy_received_"))
		return e->owners.any && !isnan(e->total_j);
	if (begins(c->key, "energy_"))
		return !isnan(e->total_j);
	return d->wide || !doc_is_for(d, DOC_TEXT) || !begins(c->key, "pid") ||
	       by == PROCESSES_BY_PROCESS;
}

/* ---- rows -------------------------------------------------------------------------------- */

/* What hardware counters say, or why they say nothing; empty: it is not known. */
static void pmu_text(char *dst, size_t size, const struct model *m, double v, bool narrow)
{
	const struct model_source *pmu = model_find_source(m, "pmu");
	/* In narrow text a column that says nothing but why is one line of the notes. */
	const char *state = pmu && !narrow ? model_string(m, pmu->state) : "";

	if (!isnan(v))
		snprintf(dst, size, "%.2f", v);
	else
		snprintf(dst, size, "%s",
			 !strcmp(state, "absent")  ? "no PMU" :
			 !strcmp(state, "refused") ? "refused" :
						     "");
}

/* A table that is being made. */
struct shown {
	const struct processes *p;
	const struct processes_energy *e;
	size_t name_size; /* PROCESSES_NAME at most */
};

static void set_values(struct line *l, const struct doc *d, const struct shown *s,
		       const struct processes_values *v)
{
	const struct processes *p = s->p;
	bool narrow = doc_is_for(d, DOC_TEXT) && !d->wide;

	l->on_cpu = known_ratio(v->on_cpu_ns, p->busy_ns);
	l->network = known_ratio(v->network_ns, p->cpus_network_ns);
	l->interrupted = known_ratio(v->interrupted_ns, p->cpus_network_ns);
	l->own_j = processes_energy_own(s->e, v);
	l->received_j = processes_energy_received(s->e, v);
	l->second_j = processes_energy_second(s->e, v);
	pmu_text(l->ghz, sizeof(l->ghz), p->m, v->hz * 1e-9, narrow);
	pmu_text(l->ipc, sizeof(l->ipc), p->m, v->ipc, narrow);
}

static void set_who(struct line *l, const struct processes *p)
{
	struct processes_row *r = &l->r;
	const struct container *c = r->container;
	bool one = p->by == PROCESSES_BY_PROCESS && r->kind == PROCESSES_ONE;
	bool user = p->by == PROCESSES_BY_USER && r->kind == PROCESSES_ONE;

	l->start_s = one && r->start_ns != TRACE_NIL ? model_seconds(p->m, r->start_ns) : NAN;
	if (c && (one || p->by != PROCESSES_BY_PROCESS)) {
		l->runtime = c->runtime;
		l->container = c->id;
		l->pod = c->pod;
	}
	if (!one)
		r->pid = TRACE_NIL;
	if (!one && !user) {
		r->kernel = false;
		r->user = TRACE_NIL;
	}
	if (r->kind != PROCESSES_ONE)
		r->name = NULL;
	if (p->by == PROCESSES_BY_CONTAINER)
		r->cgroup = NULL;
	if (!r->processes)
		r->processes = TRACE_NIL;
}

static void row(struct doc *d, const struct shown *s, const struct processes_row *r)
{
	char name[PROCESSES_NAME];
	struct line l = { .r = *r, .shown = processes_name(name, s->name_size, s->p, r) };

	set_values(&l, d, s, &r->v);
	set_who(&l, s->p);
	doc_put_row(d, 0, DOC_ALL | (r->kind == PROCESSES_ONE ? 0 : DOC_LAST), &l);
}

static void rows(struct doc *d, const void *ctx)
{
	const struct shown *s = ctx;
	struct line sum = { .r = { .v = s->p->all }, .shown = "sum" };

	for (size_t i = 0; i < s->p->nrows; i++)
		row(d, s, &s->p->row[i]);
	if (!s->p->nrows)
		return;
	set_values(&sum, d, s, &s->p->all);
	doc_put_sum(d, &sum);
}

static void table(struct doc *d, const struct processes *p, const struct processes_energy *e)
{
	static const char *const captions[] = { "Processes", "Cgroups", "Containers",
						"Processes by name", "Users" };
	struct shown s = { p, e, PROCESSES_NAME };
	struct doc_column column[COLUMNS];
	const struct doc_table table = { .key = "rows",
					 .caption = captions[p->by],
					 .tight = true,
					 .sortable = true,
					 DOC_COLUMNS_OF(column),
					 .only = p->nrows ? DOC_ALL : DOC_PROGRAMS };

	memcpy(column, columns, sizeof(columns));
	for (size_t i = 0; i < COLUMNS; i++)
		if (!is_of_use(&column[i], d, p->by, e))
			column[i].only = DOC_PROGRAMS;
	doc_fitted(d, &table,
		   &(struct doc_rows){ .add = rows, .ctx = &s, .name_size = &s.name_size });
}

/* ---- what rows are compared with, and what was not measured of them ---------------------------- */

#define VALUE(v, KEY) ((v)->value[MODEL_PROCESS_VALUE(KEY)])

static void sums_table(struct doc *d, const struct processes *p)
{
	static const struct doc_column column[] = {
		{ .key = "event", .kind = DOC_STRING, .known = true },
		{ .key = "processes_ns", .about = "of all rows; null: not measured" },
		{ .key = "cpus_ns", .about = "as the CPUs' exact counters have it" },
		{ .key = "remainder_ns", .about = "what of these is in no row" },
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

#define TOO_MUCH 0.001 /* of the busy time */

/* Why something was not measured. */
static void source_note(struct doc *d, const struct model *m, const char *name, const char *what)
{
	const struct model_source *s = model_find_source(m, name);

	if (s && strcmp(model_string(m, s->state), "measured"))
		doc_note(d, "  %s were not measured: %s", what, SAFE(model_string(m, s->why)));
}

static void sums_notes(struct doc *d, const struct processes *p)
{
	double remainder = p->cpus_busy_ns - p->busy_ns;

	if (!p->m->records[TRACE_PROCESS_STATS]) {
		doc_note(d,
			 "Nothing was counted by process: netcost-record --processes does that.");
		return;
	}
	if (fabs(remainder) > TOO_MUCH * p->cpus_busy_ns)
		doc_alert(d, "sums", "%s ms of the CPUs' %s ms of busy time are in no row",
			  NUM(remainder * 1e-6, 3), NUM(p->cpus_busy_ns * 1e-6, 3));
	else
		doc_note(d,
			 "  %s ms in rows, %s ms by the CPUs' exact counters: %s ms are in no row",
			 NUM(p->busy_ns * 1e-6, 3), NUM(p->cpus_busy_ns * 1e-6, 3),
			 NUM(remainder * 1e-6, 6));
	if (isnan(VALUE(&p->all, SOCK_SEND_NS)) && isnan(VALUE(&p->all, SOCK_RECV_NS)))
		doc_note(d, "  times of sends and receives were not measured (--exact=entry does "
			    "that); they are in on-CPU time");
	if (VALUE(&p->all, UNSEEN) > 0)
		doc_note(
			d,
			"  %s of %s switches were not seen: the time before each may be of two processes",
			NUM(VALUE(&p->all, UNSEEN), 0), NUM(VALUE(&p->all, SWITCHES), 0));
	source_note(d, p->m, "pmu", "hardware counters");
	source_note(d, p->m, "page-cache", "hits of the page cache");
	if (p->paused_ns > 0)
		doc_note(
			d,
			"  exact times were counted now and then (--budget): rows are of those times, "
			"and %s s are in none",
			NUM(p->paused_ns * 1e-9, 3));
}
/* ---- where energy went --------------------------------------------------------------------------- */

static const struct {
	const char *key, *title;
} parts[PROCESSES_ENERGY_PARTS] = {
	[PROCESSES_ENERGY_ROWS] = { "rows", "rows above, by on-CPU time" },
	[PROCESSES_ENERGY_RECEIVED] = { "received", "packets received for rows above" },
	[PROCESSES_ENERGY_UNOWNED] = { "unowned", "received packets of no process" },
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
			  "null: idle power cannot be told, or it is not known who received what" },
		{ .key = "high_j", JOULES("J, high", 12) },
	};
	const struct doc_table t = { .key = "parts",
				     .caption = "Energy of packages and memory, dealt out",
				     .about = "at both ends they sum to all of it",
				     DOC_COLUMNS_OF(column),
				     .keyed = true,
				     .only = there ? DOC_ALL : DOC_PROGRAMS };
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
		doc_note(d, "  idle power cannot be told, and so no low end: %s",
			 e->idle_why ? e->idle_why : "nothing says what it is");
	else
		doc_note(d, "  low: of the energy above idle power%s, less its error",
			 e->idle_given ? " as given" : "");
	if (e->owners.any)
		doc_note(
			d,
			"  softirqs of received packets, and threaded NAPI, are those of the processes that received them; other "
			"softirqs are one sum");
	doc_note(d, "  high: of all energy, by the share of CPU time (Netto's model)%s",
		 e->above_netto ? "; here the low end with its error is more" : "");
	doc_note(d, "  energy is dealt out by time, which does not know frequency, SMT or vector "
		    "instructions: the same time may take two or three times the energy");
	if (e->second.name)
		doc_note(
			d,
			"  again: what rows and network interrupts have together, by %s, which know "
			"frequency and shared cores, but not vector instructions",
			e->second.name);
	if (p->paused_ns > 0)
		doc_note(d,
			 "  energy is that of all the time: what was counted stands for the rest");
}

static void energy(struct doc *d, const struct processes *p, const struct processes_energy *e)
{
	bool there = !isnan(e->total_j) && p->m->records[TRACE_PROCESS_STATS];

	doc_object(d, "energy");
	parts_table(d, e, there);
	if (there)
		energy_notes(d, p, e);
	doc_field(d, "package_and_dram_j", e->total_j, 6);
	doc_about(d, "what idle power took, with its error; null: cannot be told");
	doc_field(d, "idle_low_j", e->idle_j.low, 6);
	doc_field(d, "idle_high_j", e->idle_j.high, 6);
	doc_about(d, "the hardware counter of the second estimate; null: there is none");
	doc_field_string(d, "second_by", e->second.name);
	doc_about(d, "why that is not known");
	doc_field_string(d, "idle_why", isnan(e->idle_j.low) ? e->idle_why : NULL);
	doc_object_end(d);
}

/* ---- all of it --------------------------------------------------------------------------- */

void processes_table(struct doc *d, const struct processes *p, bool explained)
{
	struct processes_energy e;

	processes_energy_make(&e, p);
	table(d, p, &e);
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

/* Rows of their own. */
static size_t ones(const struct processes *p)
{
	size_t n = 0;

	while (n < p->nrows && p->row[n].kind == PROCESSES_ONE)
		n++;
	return n;
}

int processes_doc(struct doc *d, const struct processes *p, enum processes_sort sort)
{
	static const char *const what[][2] = {
		[PROCESSES_BY_PROCESS] = { "process", "processes" },
		[PROCESSES_BY_NAME] = { "name of processes", "names of processes" },
		[PROCESSES_BY_CGROUP] = { "cgroup", "cgroups" },
		[PROCESSES_BY_USER] = { "user", "users" },
		[PROCESSES_BY_CONTAINER] = { "container, or what is in none",
					     "containers, with what is in none" },
	};
	struct processes_energy e;
	int err;

	processes_energy_make(&e, p);
	doc_object(d, NULL);
	doc_heading(d, "%zu %s", p->groups, what[p->by][p->groups != 1]);
	doc_trace(d, p->m);
	doc_field_choice(d, "by", processes_by_names[p->by], processes_by_names);
	doc_field_choice(d, "sort", processes_sort_names[sort], processes_sort_names);
	doc_field_uint(d, "groups", p->groups);
	doc_field(d, "busy_ns", p->busy_ns, 0);
	doc_field(d, "cpus_busy_ns", p->cpus_busy_ns, 0);
	doc_about(d, "of it, the network's: own times of rows, and interrupts");
	doc_field(d, "network_ns", p->network_ns, 0);
	doc_field(d, "cpus_network_ns", p->cpus_network_ns, 0);
	doc_field(d, "paused_ns", p->paused_ns, 0);
	table(d, p, &e);
	if (p->nrows)
		doc_note(d,
			 "  softirqs are those that interrupted it; whose packets they were is %s",
			 model_fates(p->m) ? "told below" :
					     "not known without netcost-record --owners");
	sums_table(d, p);
	sums_notes(d, p);
	energy(d, p, &e);
	err = processes_owners(d, p->m, p->by, ones(p), true);
	doc_object_end(d);
	return err;
}
