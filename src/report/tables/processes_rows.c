// SPDX-License-Identifier: BSD-2-Clause
/* Rows of processes as tables: names, activity, and costs of received packets. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tables.h"
#include "report/base/stats.h"

#define BY_NAMES                                                                                   \
	"process", "cgroup", "container", "name", "user", "pod", "namespace", "workload", "image"
const char *const processes_by_names[] = { BY_NAMES, NULL };
const char *const who_by_names[] = { BY_NAMES, "peer", "port", "service", NULL };

/* ---- names ------------------------------------------------------------------------------- */

#define NAME_MOST 18 /* largest name; the kernel's names have 15 characters */

char *process_named(char *dst, size_t size, const char *name, uint64_t id, bool kernel)
{
	char pid[24] = "";
	int room;

	name = name && *name ? SAFE(name) : PROCESS_UNKNOWN;
	kernel = kernel && strcmp(name, PROCESS_UNKNOWN) != 0;
	if (id != TRACE_NIL)
		snprintf(pid, sizeof(pid), " (%" PRIu64 ")", id);
	room = (int)size - 1 - (int)strlen(pid) - 2 * kernel;
	room = room < 0 ? 0 : room < NAME_MOST ? room : NAME_MOST;
	snprintf(dst, size, kernel ? "[%.*s]%s" : "%.*s%s", room, name, pid);
	return dst;
}

char *process_path(char *dst, size_t size, const char *path)
{
	const char *safe = SAFE(path);
	size_t len = strlen(safe);

	snprintf(dst, size, "%s%s", len < size ? "" : "..",
		 len < size ? safe : safe + len - (size - 3));
	return dst;
}

void process_user_title(char *dst, size_t size, const char *id, bool kernel)
{
	const char *known = *id ? "user " : "unknown user";

	snprintf(dst, size, "%s%s%s", kernel ? "kernel threads" : known, kernel ? "" : id,
		 !kernel && !strcmp(id, "0") ? " (root)" : "");
}

/*
 * Writes the names of a container, such as "shop/web-0/nginx", as far as they are known, or "docker
 * 0123456789ab" for a container without names. Writes "" if the process is in no container, pod and
 * so on.
 */
static void of_container(char *dst, size_t size, const struct processes *p,
			 const struct processes_row *r)
{
	const char *space = r->label[MODEL_CGROUP_NAMESPACE], *pod = r->label[MODEL_CGROUP_POD];
	const struct container *c = r->container;
	const char *last = p->by > PROCESSES_BY_USER ? r->name : r->label[MODEL_CGROUP_CONTAINER];
	char text[3 * SAFE_SIZE], id[32];

	if (p->by == PROCESSES_BY_NAMESPACE || (p->by == PROCESSES_BY_POD && *pod))
		last = "";
	snprintf(id, sizeof(id), "%s %.12s", *c->runtime ? c->runtime : "container", c->id);
	if (p->by <= PROCESSES_BY_CONTAINER && *c->id && !*last)
		last = id;
	snprintf(text, sizeof(text), "%.255s%s%.255s%s%.250s", space,
		 *space && (*pod || *last) ? "/" : "", pod, *pod && *last ? "/" : "", last);
	process_path(dst, size, text);
}

char *process_title(char *dst, size_t size, const struct processes *p,
		    const struct processes_row *r)
{
	if (p->by == PROCESSES_BY_PROCESS || p->by == PROCESSES_BY_NAME)
		process_named(dst, size, r->name, r->pid, r->kernel);
	else if (p->by == PROCESSES_BY_USER)
		process_user_title(dst, size, r->name, r->kernel);
	else
		of_container(dst, size, p, r);
	if (!*dst && p->by == PROCESSES_BY_CGROUP)
		process_path(dst, size, *r->name ? r->name : PROCESS_UNKNOWN);
	else if (!*dst)
		snprintf(dst, size, "no %s", processes_by_names[p->by]);
	return dst;
}

#define NAME_SHORT 32 /* a size below this has only room for a short name */

/*
 * Writes the name of a row: a process with its container, a container with its runtime, or as much
 * of the end of a path as fits.
 */
static const char *processes_name(char *dst, size_t size, const struct processes *p,
				  const struct processes_row *r)
{
	const char *name = *r->name ? SAFE(r->name) : PROCESS_UNKNOWN;
	bool process = *r->name && (p->by == PROCESSES_BY_PROCESS || p->by == PROCESSES_BY_NAME);
	char where[SAFE_SIZE + 32] = "";

	if (r->kind == PROCESSES_ONE)
		of_container(where, sizeof(where), p, r);
	if (r->kind == PROCESSES_IDLE)
		snprintf(dst, size, "interrupts on idle CPUs");
	else if (r->kind == PROCESSES_REST)
		snprintf(dst, size, "everything else%s",
			 size >= NAME_SHORT ? ", not counted separately" : "");
	else if (r->kind == PROCESSES_OTHERS)
		snprintf(dst, size, "%zu other%s", r->processes, r->processes == 1 ? "" : "s");
	else if (p->by == PROCESSES_BY_USER)
		process_user_title(dst, size, r->name, r->kernel);
	else if ((p->by == PROCESSES_BY_CONTAINER || p->by > PROCESSES_BY_USER) && *where)
		of_container(dst, size, p, r); /* writes as much of the end of the name as fits */
	else if (p->by == PROCESSES_BY_CONTAINER || p->by > PROCESSES_BY_USER)
		snprintf(dst, size, "in no known %s", processes_by_names[p->by]);
	else if (p->by == PROCESSES_BY_CGROUP && strlen(name) + strlen(where) + 2 >= size)
		process_path(dst, size, name);
	else
		snprintf(dst, size, r->kernel && process ? "[%s]%s%s" : "%s%s%s", name,
			 *where ? "  " : "", where);
	return dst;
}

const char *processes_counted(char *dst, size_t size, const struct model *m)
{
	double all_ns = (double)m->at_ns.sum;
	double paused_ns = model_paused_ns(m, m->at_ns.first, m->at_ns.last);

	*dst = '\0';
	if (paused_ns > 0)
		snprintf(dst, size, ", counted for %s of %s", MEASURED(all_ns - paused_ns, TEXT_NS),
			 MEASURED(all_ns, TEXT_NS));
	return dst;
}

/* ---- columns ----------------------------------------------------------------------------- */

/* A row to show. Values that a row of this kind cannot have are unknown. */
struct line {
	struct processes_row r;
	const char *shown, *runtime, *container, *pod;
	double start_s;
	double on_cpu, network, interrupted; /* shares of CPU time */
	struct energy_range own_j, received_j, second_j;
	char ghz[24], ipc[24];
	/* The next members are for rows of payers only. */
	struct owners_paid paid;
	double pays; /* share of the network's time on all CPUs */
};

/* Columns that narrow text leaves out. The last one is left out first. */
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
#define INTERVAL "+-"
#define BRIEF(spare_) .brief = true, .spare = spare_
#define TIME(title_, width_) .title = title_, .unit = TEXT_NS, .width = width_
#define JOULES(title_, width_) .title = title_, .decimals = 3, .precision = 6, .width = width_

static const char *const network_color = COLOR_NETWORK;

/* The columns for people precede those for programs. */
static const struct doc_column columns[] = {
	{ AT(shown), .title = "name", .kind = DOC_STRING, .only = DOC_HTML },
	{ AT(r.kind), .key = "kind", .kind = DOC_STRING, .known = true, .choices = processes_kinds,
	  .about =
		  "kind of the row; idle: interrupts during idle tasks; rest: processes beyond the recorder's limit; others: processes without a row here" },
	{ AT(r.v.on_cpu_ns), .key = "on_cpu_ns", TIME("CPU time", 9) },
	{ AT(on_cpu), .times = 100, .key = "on_cpu_percent", .title = "%", .decimals = 2,
	  .precision = 4, .width = 7,
	  .about = "on-CPU time as a share of the busy time of the CPUs" },
	{ AT(on_cpu), .kind = DOC_BAR, .color = &leaf_color[LEAF_USER] },
	{ AT_VALUE(SOCK_SEND_NS), .key = "sock_send_ns", TIME("send", 9), .spare = SPARE_TIMES },
	{ AT_VALUE(SOCK_RECV_NS), .key = "sock_recv_ns", TIME("receive", 9), .spare = SPARE_TIMES },
	{ AT(network), .times = 100, DOC_PERCENT("network_percent", "net %", 7),
	  .spare = SPARE_TIMES,
	  .about = "own network time of the process as a share of the network time of all CPUs" },
	{ AT(network), .kind = DOC_BAR, .color = &network_color },
	{ AT(r.v.calls), .key = "calls", .title = "calls", BRIEF(SPARE_CALLS), .width = 10,
	  .about = "number of calls on network sockets" },
	{ AT(r.v.bytes), .key = "bytes", .title = "bytes", BRIEF(SPARE_BYTES), .width = 13,
	  .about = "bytes sent and received by the calls" },
	{ AT(r.v.softirq_ns), .key = "softirq_ns", TIME("softirq", 9), .spare = SPARE_SOFTIRQS,
	  .about =
		  "time of network softirqs that ran while the process was on a CPU, for packets of any process" },
	{ AT(interrupted), .times = 100, .key = "interrupted_percent", .precision = 4,
	  .about =
		  "network softirqs and hard interrupts that ran while the process was on a CPU, as a share of the network time of all CPUs" },
	{ AT(own_j.low), .key = "energy_low_j", JOULES("J, low", 9), .spare = SPARE_ENERGY,
	  .about =
		  "lower bound of the process's energy: energy above idle power, distributed by on-CPU time; excludes threaded NAPI if receivers are known" },
	{ AT(own_j.high), .key = "energy_high_j", JOULES("high", 9), .brief_title = "J, high",
	  .spare = SPARE_ENERGY,
	  .about =
		  "upper bound of the process's energy: all energy, distributed by the share of CPU time" },
	{ AT(received_j.low), .key = "energy_received_low_j", JOULES("J received, low", 15),
	  .brief_title = "received, low", BRIEF(SPARE_ENERGY),
	  .about =
		  "lower bound of the energy of softirqs for packets that the process received; not included in energy_low_j" },
	{ AT(received_j.high), .key = "energy_received_high_j", JOULES("high", 14),
	  .brief_title = "received, high", BRIEF(SPARE_ENERGY) },
	{ AT(second_j.low), .key = "energy_second_low_j", JOULES("again, low", 10),
	  .spare = SPARE_AGAIN,
	  .about =
		  "lower bound of a second estimate, distributed by hardware counters (energy.second_by); includes interrupts that ran while the process was on a CPU" },
	{ AT(second_j.high), .key = "energy_second_high_j", JOULES("high", 9),
	  .brief_title = "again, high", BRIEF(SPARE_AGAIN) },
	{ AT_VALUE(SWITCHES), .key = "switches", .title = "switches", BRIEF(SPARE_SWITCHES),
	  .width = 9 },
	{ AT(ghz), .title = "GHz", .kind = DOC_STRING, .width = 7, .spare = SPARE_GHZ },
	{ AT(ipc), .title = "IPC", .kind = DOC_STRING, .width = 7, .spare = SPARE_IPC },
	{ AT(r.pid), .key = "pid", .title = "pid", .width = 8, .whole = true, .single = true },
	{ AT(shown), .title = "name", .kind = DOC_STRING, .only = DOC_TEXT },
	{ AT(r.name), .key = "name", .kind = DOC_STRING,
	  .about = "name of the process or group; null: unknown" },
	{ AT(r.kernel), .key = "kernel", .kind = DOC_BOOL,
	  .about = "true: a kernel thread; with --by=user: all kernel threads" },
	{ AT(r.user), .key = "user", .whole = true,
	  .about = "real user id; null: unknown, or rows are not processes or users" },
	{ AT(start_s), .key = "start_s", .precision = 6,
	  .about =
		  "seconds from the start of the recording to the start of the process; null: unknown" },
	{ AT(r.processes), .key = "processes", .whole = true },
	{ AT(r.cgroup), .key = "cgroup", .kind = DOC_STRING },
	{ AT(runtime), .key = "runtime", .kind = DOC_STRING },
	{ AT(container), .key = "container", .kind = DOC_STRING },
	{ AT(pod), .key = "pod", .kind = DOC_STRING, .about = "its uid" },
	{ AT(r.label[MODEL_CGROUP_POD]), .key = "pod_name", .kind = DOC_STRING },
	{ AT(r.label[MODEL_CGROUP_NAMESPACE]), .key = "namespace", .kind = DOC_STRING },
	{ AT(r.label[MODEL_CGROUP_CONTAINER]), .key = "container_name", .kind = DOC_STRING },
	{ AT(r.label[MODEL_CGROUP_IMAGE]), .key = "image", .kind = DOC_STRING },
	{ AT(r.label[MODEL_CGROUP_WORKLOAD]), .key = "workload", .kind = DOC_STRING,
	  .about = "workload that runs the pod; may be a guess from the pod's name" },
	{ AT(r.v.network_ns), .key = "network_ns",
	  .about = "time of sends, receives, busy polling and threaded NAPI" },
	{ AT_VALUE(TASK_NS), .key = "task_ns",
	  .about = "time in user mode and in the kernel outside the network" },
	{ AT_VALUE(IO_WORKER_NS), .key = "io_worker_ns" },
	{ AT_VALUE(SOCK_LOCAL_NS), .key = "sock_local_ns" },
	{ AT_VALUE(RX_THREAD_NS), .key = "rx_thread_ns" },
	{ AT_VALUE(RX_BUSY_POLL_NS), .key = "rx_busy_poll_ns" },
	{ AT_VALUE(RX_SOFTIRQ_NS), .key = "rx_softirq_ns",
	  .about = "time of RX softirqs that ran while the process was on a CPU" },
	{ AT_VALUE(TX_SOFTIRQ_NS), .key = "tx_softirq_ns",
	  .about = "time of TX softirqs that ran while the process was on a CPU" },
	{ AT_VALUE(HARDIRQ_NET_NS), .key = "hardirq_net_ns",
	  .about = "time of network hard interrupts that ran while the process was on a CPU" },
	{ AT_VALUE(RX_SOFTIRQS), .key = "rx_softirqs",
	  .about = "number of RX softirqs that ran while the process was on a CPU" },
	{ AT_VALUE(TX_SOFTIRQS), .key = "tx_softirqs",
	  .about = "number of TX softirqs that ran while the process was on a CPU" },
	{ AT_VALUE(HARDIRQS_NET), .key = "hardirqs_net",
	  .about = "number of network hard interrupts that ran while the process was on a CPU" },
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
	  .about =
		  "number of missed context switches to or from the process: the time before each may belong to the other process" },
	{ AT_VALUE(PAGE_HITS), .key = "page_hits", .about = "number of page cache hits" },
	{ AT_VALUE(CYCLES), .key = "cycles",
	  .about =
		  "CPU cycles; like all hardware counters, they include interrupts that ran while the process was on a CPU" },
	{ AT_VALUE(REF_CYCLES), .key = "ref_cycles" },
	{ AT_VALUE(INSTRUCTIONS), .key = "instructions" },
	{ AT_VALUE(CACHE_MISSES), .key = "cache_misses" },
	{ AT_VALUE(PMU_NS), .key = "pmu_ns",
	  .about = "time_enabled of the hardware counters, which may be multiplexed" },
	{ AT_VALUE(CYCLES_NS), .key = "cycles_ns", .about = "time_running of the cycle counter" },
	{ AT_VALUE(REF_CYCLES_NS), .key = "ref_cycles_ns",
	  .about = "time_running of the counter of reference cycles" },
	{ AT_VALUE(INSTRUCTIONS_NS), .key = "instructions_ns",
	  .about = "time_running of the instruction counter" },
	{ AT_VALUE(CACHE_MISSES_NS), .key = "cache_misses_ns",
	  .about = "time_running of the counter of cache misses" },
	{ AT(r.v.hz), .key = "frequency_hz",
	  .about = "mean frequency of the CPU while the process ran" },
	{ AT(r.v.ipc), .key = "instructions_per_cycle", .precision = 4 },
};

/*
 * Columns of the table of who pays for received packets. The columns for people come first: the
 * columns of pages, then the columns of text.
 */
static const struct doc_column payer_columns[] = {
	{ AT(shown), .title = "name", .kind = DOC_STRING, .only = DOC_HTML },
	{ AT(r.kind), .key = "kind", .kind = DOC_STRING, .known = true, .choices = processes_kinds,
	  .about = "kind of the row, as in the table rows" },
	{ AT(paid.own_ns), .key = "own_ns", TIME("in calls", 9),
	  .about = "time of the process's sends, receives and busy polling" },
	{ AT(paid.received_ns), .key = "received_ns", TIME("received", 9),
	  .about = "time of RX softirqs and threaded NAPI for packets of the process's sockets" },
	{ AT(paid.ci95_ns), .key = "received_ci95_ns", TIME(INTERVAL, 8),
	  .about =
		  "half-width of the 95 % confidence interval of received_ns; 0: exact, all softirqs were examined" },
	{ AT(paid.dealt_ns), .key = "dealt_ns", TIME("driver", 9),
	  .about = "time of the driver and GRO, distributed evenly over packets" },
	{ AT(pays), .times = 100, DOC_PERCENT("network_percent", "pays %", 7),
	  .about =
		  "sum of own_ns, received_ns and dealt_ns, as a share of the network time of all CPUs" },
	{ AT(pays), .kind = DOC_BAR, .color = &network_color },
	{ AT(paid.packets), .key = "packets", .title = "packets", .brief = true, .width = 10,
	  .precision = 1, .about = "number of packets that the process received" },
	{ AT(r.v.softirq_ns), .key = "interrupted_ns", TIME("interrupted", 11), .spare = 1,
	  .about =
		  "time of network softirqs that ran while the process was on a CPU, for packets of any process" },
	{ AT(r.pid), .key = "pid", .title = "pid", .width = 7, .whole = true, .single = true },
	{ AT(shown), .title = "name", .kind = DOC_STRING, .only = DOC_TEXT },
	{ AT(r.name), .key = "name", .kind = DOC_STRING,
	  .about = "name of the process or group; null: unknown, or several names" },
};

_Static_assert(sizeof(columns) / sizeof(columns[0]) <= DOC_COLUMNS, "of a table");

/* The state of a table. */
struct shown {
	const struct processes *p;
	const struct processes_energy *e;
	/* set for the table of who pays for received packets; otherwise NULL */
	const struct owners *payers;
	size_t name_size; /* size of names, at most PROCESSES_NAME */
};

static bool begins(const char *s, const char *with)
{
	return s && !strncmp(s, with, strlen(with));
}

/*
 * Returns true if people see the column. Intervals and energy are shown if the rows have any.
 * Narrow text shows the pid only if each row is one process.
 */
static bool is_of_use(const struct doc_column *c, const struct doc *d, const struct shown *s)
{
	if (c->title && !strcmp(c->title, INTERVAL))
		return s->payers->every > 1;
	if (begins(c->key, "energy_second_"))
		return s->e->second.name;
	if (begins(c->key, "energy_received_"))
		return s->e->owners.any && !isnan(s->e->total_j);
	if (begins(c->key, "energy_"))
		return !isnan(s->e->total_j);
	return d->wide || !doc_is_for(d, DOC_TEXT) || !begins(c->key, "pid") ||
	       s->p->by == PROCESSES_BY_PROCESS;
}

/* ---- rows -------------------------------------------------------------------------------- */

/* Writes the value of a hardware counter, or why it is missing. Writes "" if the reason is unknown. */
static void pmu_text(char *dst, size_t size, const struct model *m, double v, bool narrow)
{
	const struct model_source *pmu = model_find_source(m, "pmu");
	/* In narrow text, a note replaces a column that would only contain a reason. */
	const char *state = pmu && !narrow ? model_string(m, pmu->state) : "";

	if (!isnan(v))
		snprintf(dst, size, "%.2f", v);
	else
		snprintf(dst, size, "%s",
			 !strcmp(state, "absent")  ? "no PMU" :
			 !strcmp(state, "refused") ? "refused" :
						     "");
}

static void set_values(struct line *l, const struct doc *d, const struct shown *s,
		       const struct processes_values *v)
{
	const struct processes *p = s->p;
	bool narrow = doc_is_for(d, DOC_TEXT) && !d->wide;

	if (s->payers) {
		l->paid = owners_paid(s->payers, v);
		l->pays = known_ratio(l->paid.all_ns, p->cpus_network_ns);
		return;
	}
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
		l->runtime = p->by == PROCESSES_BY_POD ? NULL : c->runtime;
		l->container = p->by == PROCESSES_BY_POD ? NULL : c->id;
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

/* Returns false for rows that do not use the network. */
static bool may_pay(const struct processes_values *v)
{
	return v->network_ns > 0 || v->received_packets > 0 || v->softirq_ns > 0;
}

static void row(struct doc *d, const struct shown *s, const struct processes_row *r)
{
	char name[PROCESSES_NAME];
	struct line l = { .r = *r, .shown = processes_name(name, s->name_size, s->p, r) };
	unsigned int only = s->payers && !may_pay(&r->v) ? DOC_PROGRAMS : DOC_ALL;

	set_values(&l, d, s, &r->v);
	set_who(&l, s->p);
	doc_put_row(d, 0, only | (r->kind == PROCESSES_ONE ? 0 : DOC_LAST), &l);
}

static void rows(struct doc *d, const void *ctx)
{
	const struct shown *s = ctx;
	struct line sum = { .r = { .v = s->p->all }, .shown = "sum" };

	for (size_t i = 0; i < s->p->nrows; i++)
		row(d, s, &s->p->row[i]);
	if (!s->p->nrows && !s->payers)
		return;
	set_values(&sum, d, s, &s->p->all);
	doc_put_sum(d, &sum);
}

static void table(struct doc *d, struct shown s, struct doc_table t)
{
	struct doc_column column[DOC_COLUMNS];

	memcpy(column, t.column, t.ncolumns * sizeof(*column));
	for (size_t i = 0; i < t.ncolumns; i++)
		if (!is_of_use(&column[i], d, &s))
			column[i].only = DOC_PROGRAMS;
	t.column = column;
	t.sortable = true;
	s.name_size = PROCESSES_NAME;
	doc_fitted(d, &t, &(struct doc_rows){ .add = rows, .ctx = &s, .name_size = &s.name_size });
}

void processes_rows(struct doc *d, const struct processes *p, const struct processes_energy *e)
{
	static const char *const captions[] = { "Processes",	     "Cgroups",	  "Containers",
						"Processes by name", "Users",	  "Pods",
						"Namespaces",	     "Workloads", "Images" };
	char caption[160], counted[96];

	snprintf(caption, sizeof(caption), "%s%s", captions[p->by],
		 processes_counted(counted, sizeof(counted), p->m));

	table(d, (struct shown){ .p = p, .e = e },
	      (struct doc_table){ .key = "rows",
				  .caption = caption,
				  .tight = true,
				  DOC_COLUMNS_OF(columns),
				  .only = p->nrows ? DOC_ALL : DOC_PROGRAMS });
}

void processes_payers(struct doc *d, const struct processes *p, const struct owners *o)
{
	table(d, (struct shown){ .p = p, .payers = o },
	      (struct doc_table){ .key = "received",
				  .title = "Who pays for received packets",
				  .above = true,
				  DOC_COLUMNS_OF(payer_columns) });
}
