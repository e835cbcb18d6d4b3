// SPDX-License-Identifier: BSD-2-Clause
#include "processes_doc.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "colors.h"
#include "model_doc.h"
#include "owners_doc.h"
#include "process_title.h"
#include "processes_energy_doc.h"
#include "processes_sums_doc.h"
#include "report/analysis/known.h"
#include "report/base/escape.h"
#include "report/base/text.h"

const char *const processes_by_names[] = { "process", "cgroup", "container", "name", "user", NULL };
const char *const processes_sort_names[] = { "cpu",	    "network",	"bytes", "calls",
					     "softirq",	    "switches", "send",	 "receive",
					     "interrupted", "received", NULL };

enum processes_by processes_by_of(const char *name)
{
	unsigned int by = 0;

	while (name && strcmp(name, processes_by_names[by]))
		by++;
	return by;
}

#define VALUE(v, KEY) ((v)->value[MODEL_PROCESS_VALUE(KEY)])
#define MS .scale = 1e-6, .decimals = 2

#define BEFORE_NAME 21 /* columns, of what text shows last, and a page first */

/* First for people, then the rest of what there is. */
static const struct doc_column columns[] = {
	{ .title = "name", .kind = DOC_STRING, .only = DOC_HTML },
	{ .key = "kind",
	  .kind = DOC_STRING,
	  .known = true,
	  .choices = processes_kinds,
	  .about =
		  "idle: what interrupted the idle tasks; rest: processes that the recorder had no "
		  "room to keep apart; others: those without a row here" },
	{ .key = "on_cpu_ns", .title = "on-CPU ms", MS, .width = 12 },
	{ .key = "on_cpu_percent",
	  .title = "%",
	  .decimals = 2,
	  .precision = 4,
	  .width = 7,
	  .about = "of the CPUs' busy time" },
	{ .kind = DOC_BAR },
	{ .key = "sock_send_ns", .title = "send ms", MS, .width = 10 },
	{ .key = "sock_recv_ns", .title = "receive ms", MS, .width = 11 },
	{ .key = "network_percent",
	  .title = "net %",
	  .decimals = 2,
	  .precision = 4,
	  .width = 7,
	  .about = "its own network time, of the network's on all CPUs" },
	{ .kind = DOC_BAR },
	{ .key = "calls", .title = "calls", .width = 10, .about = "on network sockets" },
	{ .key = "bytes", .title = "bytes", .width = 13, .about = "likewise" },
	{ .key = "softirq_ns",
	  .title = "softirq ms",
	  MS,
	  .width = 11,
	  .about = "of network softirqs that interrupted it" },
	{ .key = "interrupted_percent",
	  .precision = 4,
	  .about = "network softirqs and hard interrupts that interrupted it, of the network's "
		   "time on all CPUs" },
	{ .key = "energy_low_j",
	  .title = "J, low",
	  .decimals = 3,
	  .precision = 6,
	  .width = 9,
	  .about = "by on-CPU time, of the energy above idle power" },
	{ .key = "energy_high_j",
	  .title = "high",
	  .decimals = 3,
	  .precision = 6,
	  .width = 9,
	  .about = "likewise, of all energy, by the share of CPU time" },
	{ .key = "energy_second_low_j",
	  .title = "again, low",
	  .decimals = 3,
	  .precision = 6,
	  .width = 10,
	  .about = "by hardware counters, with what interrupted it; energy.second_by" },
	{ .key = "energy_second_high_j",
	  .title = "high",
	  .decimals = 3,
	  .precision = 6,
	  .width = 9 },
	{ .key = "switches", .title = "switches", .width = 9 },
	{ .title = "GHz", .kind = DOC_STRING, .width = 7 },
	{ .title = "IPC", .kind = DOC_STRING, .width = 7 },
	{ .key = "pid", .title = "pid", .width = 8, .whole = true },
	{ .title = "name", .kind = DOC_STRING, .only = DOC_TEXT },
	{ .key = "name", .kind = DOC_STRING, .about = "null: not known" },
	{ .key = "kernel",
	  .kind = DOC_BOOL,
	  .about = "a thread of the kernel; by user: all of them" },
	{ .key = "user", .whole = true, .about = "its real user id, by process or user" },
	{ .key = "start_s",
	  .precision = 6,
	  .about = "when the process began, since the recording did; null: not known" },
	{ .key = "processes", .whole = true },
	{ .key = "cgroup", .kind = DOC_STRING },
	{ .key = "runtime", .kind = DOC_STRING },
	{ .key = "container", .kind = DOC_STRING },
	{ .key = "pod", .kind = DOC_STRING, .about = "its uid" },
	{ .key = "network_ns", .about = "sends, receives, busy polling and threaded NAPI" },
#define X(key_, about_) { .key = key_, .about = about_ },
#define REST(X)                                                                                    \
	X("task_ns", "user + other kernel")                                                        \
	X("io_worker_ns", NULL)                                                                    \
	X("sock_local_ns", NULL)                                                                   \
	X("rx_thread_ns", NULL)                                                                    \
	X("rx_busy_poll_ns", NULL)                                                                 \
	X("rx_softirq_ns", "that interrupted it")                                                  \
	X("tx_softirq_ns", "likewise")                                                             \
	X("hardirq_net_ns", "likewise")                                                            \
	X("rx_softirqs", "likewise")                                                               \
	X("tx_softirqs", "likewise")                                                               \
	X("hardirqs_net", "likewise")                                                              \
	X("send_calls", NULL)                                                                      \
	X("recv_calls", NULL)                                                                      \
	X("local_calls", NULL)                                                                     \
	X("send_failed", NULL)                                                                     \
	X("recv_failed", NULL)                                                                     \
	X("local_failed", NULL)                                                                    \
	X("send_bytes", NULL)                                                                      \
	X("recv_bytes", NULL)                                                                      \
	X("local_bytes", NULL)                                                                     \
	X("unseen", "switches to or from it that were not seen: what came before may be of both")  \
	X("page_hits", "pages of the page cache that it found there")                              \
	X("cycles", "with what interrupted it, as all that hardware counters count")               \
	X("ref_cycles", NULL)                                                                      \
	X("instructions", NULL)                                                                    \
	X("cache_misses", NULL)                                                                    \
	X("pmu_ns", "for so long hardware counters were to count; they may take turns")            \
	X("cycles_ns", "for so long that one did")                                                 \
	X("ref_cycles_ns", "likewise")                                                             \
	X("instructions_ns", "likewise")                                                           \
	X("cache_misses_ns", "likewise")
	REST(X)
#undef X
		{ .key = "frequency_hz", .about = "of the CPU while it had it, on average" },
	{ .key = "instructions_per_cycle", .precision = 4 },
};

/* In the order of REST. */
static const unsigned int rest[] = {
	MODEL_PROCESS_VALUE(TASK_NS),	      MODEL_PROCESS_VALUE(IO_WORKER_NS),
	MODEL_PROCESS_VALUE(SOCK_LOCAL_NS),   MODEL_PROCESS_VALUE(RX_THREAD_NS),
	MODEL_PROCESS_VALUE(RX_BUSY_POLL_NS), MODEL_PROCESS_VALUE(RX_SOFTIRQ_NS),
	MODEL_PROCESS_VALUE(TX_SOFTIRQ_NS),   MODEL_PROCESS_VALUE(HARDIRQ_NET_NS),
	MODEL_PROCESS_VALUE(RX_SOFTIRQS),     MODEL_PROCESS_VALUE(TX_SOFTIRQS),
	MODEL_PROCESS_VALUE(HARDIRQS_NET),    MODEL_PROCESS_VALUE(SEND_CALLS),
	MODEL_PROCESS_VALUE(RECV_CALLS),      MODEL_PROCESS_VALUE(LOCAL_CALLS),
	MODEL_PROCESS_VALUE(SEND_FAILED),     MODEL_PROCESS_VALUE(RECV_FAILED),
	MODEL_PROCESS_VALUE(LOCAL_FAILED),    MODEL_PROCESS_VALUE(SEND_BYTES),
	MODEL_PROCESS_VALUE(RECV_BYTES),      MODEL_PROCESS_VALUE(LOCAL_BYTES),
	MODEL_PROCESS_VALUE(UNSEEN),	      MODEL_PROCESS_VALUE(PAGE_HITS),
	MODEL_PROCESS_VALUE(CYCLES),	      MODEL_PROCESS_VALUE(REF_CYCLES),
	MODEL_PROCESS_VALUE(INSTRUCTIONS),    MODEL_PROCESS_VALUE(CACHE_MISSES),
	MODEL_PROCESS_VALUE(PMU_NS),	      MODEL_PROCESS_VALUE(CYCLES_NS),
	MODEL_PROCESS_VALUE(REF_CYCLES_NS),   MODEL_PROCESS_VALUE(INSTRUCTIONS_NS),
	MODEL_PROCESS_VALUE(CACHE_MISSES_NS),
};

/* ---- rows -------------------------------------------------------------------------------- */

/* Cells of a row that are there until it ends. */
struct texts {
	char ghz[24], ipc[24];
};

/* What hardware counters say, or why they say nothing; NULL: it is not known. */
static const char *pmu_text(char *dst, size_t size, const struct model *m, double v)
{
	const struct model_source *pmu = model_find_source(m, "pmu");
	const char *state = pmu ? model_string(m, pmu->state) : "";

	if (isnan(v) && strcmp(state, "absent"))
		return strcmp(state, "refused") ? NULL : "refused";
	snprintf(dst, size, isnan(v) ? "no PMU" : "%.2f", v);
	return dst;
}

/* A table that is being made. */
struct shown {
	const struct processes *p;
	const struct processes_energy *e;
};

static void values(struct doc *d, const struct shown *s, const struct processes_values *v,
		   struct texts *t)
{
	const struct processes *p = s->p;
	double own = known_ratio(v->network_ns, p->cpus_network_ns);
	struct energy_range energy = processes_energy_of(s->e, v->on_cpu_ns);
	struct energy_range second = processes_energy_second(s->e, v);

	doc_number(d, v->on_cpu_ns);
	doc_number(d, 100 * known_ratio(v->on_cpu_ns, p->busy_ns));
	doc_bar(d, known_ratio(v->on_cpu_ns, p->busy_ns), leaf_color[LEAF_USER]);
	doc_number(d, VALUE(v, SOCK_SEND_NS));
	doc_number(d, VALUE(v, SOCK_RECV_NS));
	doc_number(d, 100 * own);
	doc_bar(d, own, COLOR_NETWORK);
	doc_number(d, v->calls);
	doc_number(d, v->bytes);
	doc_number(d, v->softirq_ns);
	doc_number(d, 100 * known_ratio(v->interrupted_ns, p->cpus_network_ns));
	doc_number(d, energy.low);
	doc_number(d, energy.high);
	doc_number(d, second.low);
	doc_number(d, second.high);
	doc_number(d, VALUE(v, SWITCHES));
	doc_string(d, pmu_text(t->ghz, sizeof(t->ghz), p->m, v->hz * 1e-9));
	doc_string(d, pmu_text(t->ipc, sizeof(t->ipc), p->m, v->ipc));
}

static void more_values(struct doc *d, const struct processes_values *v)
{
	doc_number(d, v->network_ns);
	for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
		doc_number(d, v->value[rest[i]]);
	doc_number(d, v->hz);
	doc_number(d, v->ipc);
}

/* For people a process with its container, a container with its runtime. */
static const char *shown_name(char *dst, size_t size, const struct processes *p,
			      const struct processes_row *r)
{
	const struct container *c = r->container;
	const char *name = *r->name ? SAFE(r->name) : "not known";
	bool process = p->by == PROCESSES_BY_PROCESS || p->by == PROCESSES_BY_NAME;
	char where[SAFE_SIZE + 32] = "";

	if (r->kind == PROCESSES_ONE && *c->id)
		snprintf(where, sizeof(where), "%s %.12s", *c->runtime ? c->runtime : "container",
			 SAFE(c->id));
	if (r->kind == PROCESSES_IDLE)
		snprintf(dst, size, "what interrupted idle CPUs");
	else if (r->kind == PROCESSES_REST)
		snprintf(dst, size, "everything else, not kept apart");
	else if (r->kind == PROCESSES_OTHERS)
		snprintf(dst, size, "%zu others", r->processes);
	else if (p->by == PROCESSES_BY_CONTAINER)
		snprintf(dst, size, "%s", *where ? where : "in no container that is known");
	else if (p->by == PROCESSES_BY_USER)
		process_user_title(dst, size, r->name, r->kernel);
	else
		snprintf(dst, size, r->kernel && process ? "[%s]%s%s" : "%s%s%s", name,
			 *where ? "  " : "", where);
	return dst;
}

static const char *known_string(const char *s)
{
	return s && *s ? s : NULL;
}

static double number_of(uint64_t v)
{
	return v == TRACE_NIL ? NAN : (double)v;
}

static void who(struct doc *d, const struct processes *p, const struct processes_row *r,
		const char *shown)
{
	bool one = p->by == PROCESSES_BY_PROCESS && r->kind == PROCESSES_ONE;
	const struct container *c = r->container;
	bool placed = c && (one || p->by != PROCESSES_BY_PROCESS);
	bool user = r->kind == PROCESSES_ONE && p->by == PROCESSES_BY_USER;

	doc_number(d, one ? number_of(r->pid) : NAN);
	doc_string(d, shown);
	doc_string(d, r->kind == PROCESSES_ONE ? known_string(r->name) : NULL);
	doc_bool(d, (one || user) && r->kernel);
	doc_number(d, one || user ? number_of(r->user) : NAN);
	doc_number(d, one && r->start_ns != TRACE_NIL ? model_seconds(p->m, r->start_ns) : NAN);
	doc_number(d, r->processes ? (double)r->processes : NAN);
	doc_string(d, p->by == PROCESSES_BY_CONTAINER ? NULL : known_string(r->cgroup));
	doc_string(d, placed ? known_string(c->runtime) : NULL);
	doc_string(d, placed ? known_string(c->id) : NULL);
	doc_string(d, placed ? known_string(c->pod) : NULL);
}

static void row(struct doc *d, const struct shown *s, const struct processes_row *r)
{
	char buf[2 * SAFE_SIZE + 64];
	const char *name = shown_name(buf, sizeof(buf), s->p, r);
	struct texts t;

	doc_row(d, 0, DOC_ALL | (r->kind == PROCESSES_ONE ? 0 : DOC_LAST));
	doc_string(d, name);
	doc_string(d, processes_kinds[r->kind]);
	values(d, s, &r->v, &t);
	who(d, s->p, r, name);
	more_values(d, &r->v);
	doc_row_end(d);
}

/* For people: of all rows. */
static void sum_row(struct doc *d, const struct shown *s)
{
	struct texts t;

	doc_row(d, 0, DOC_PEOPLE | DOC_LAST);
	doc_string(d, "sum");
	doc_blank(d);
	values(d, s, &s->p->all, &t);
	doc_blank(d);
	doc_string(d, "sum");
	doc_blanks(d, sizeof(columns) / sizeof(columns[0]) - BEFORE_NAME - 1);
	doc_row_end(d);
}

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static bool begins(const char *s, const char *with)
{
	return s && !strncmp(s, with, strlen(with));
}

/* People see energy only where there is any. */
static void set_columns(struct doc_column to[COLUMNS], const struct processes_energy *e)
{
	memcpy(to, columns, sizeof(columns));
	for (size_t i = 0; i < COLUMNS; i++)
		if ((isnan(e->total_j) && begins(to[i].key, "energy_")) ||
		    (!e->second.name && begins(to[i].key, "energy_second_")))
			to[i].only = DOC_PROGRAMS;
}

static void table(struct doc *d, const struct shown *s)
{
	static const char *const captions[] = { "Processes", "Cgroups", "Containers",
						"Processes by name", "Users" };
	const struct processes *p = s->p;
	struct doc_column column[COLUMNS];
	const struct doc_table table = { .key = "rows",
					 .caption = captions[p->by],
					 .tight = true,
					 .sortable = true,
					 .column = column,
					 .ncolumns = COLUMNS,
					 .only = p->nrows ? DOC_ALL : DOC_PROGRAMS };

	set_columns(column, s->e);
	doc_table(d, &table);
	for (size_t i = 0; i < p->nrows; i++)
		row(d, s, &p->row[i]);
	if (p->nrows)
		sum_row(d, s);
	doc_table_end(d);
}

/* ---- all of it --------------------------------------------------------------------------- */

void processes_table(struct doc *d, const struct processes *p, bool explained)
{
	struct processes_energy e;

	processes_energy_make(&e, p);
	table(d, &(struct shown){ p, &e });
	if (!explained)
		return;
	processes_sums_doc(d, p);
	processes_energy_doc(d, p, &e);
}

int processes_owners(struct doc *d, const struct model *m, enum processes_by by, size_t n,
		     bool fates)
{
	struct processes p;
	int err;

	if (!m->nfates && !doc_is_schema(d))
		return 0;
	err = processes_make(&p, m, by, PROCESSES_SORT_RECEIVED, n);
	if (err)
		return err;
	(fates ? owners_doc : owners_rows)(d, &p, shown_name);
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
	struct processes_energy e;
	int err;

	processes_energy_make(&e, p);
	doc_object(d, NULL);
	doc_heading(d,
		    "%zu %s; softirqs are those that interrupted it, whose packets they were is "
		    "%s",
		    p->groups,
		    p->by == PROCESSES_BY_PROCESS ? "processes" :
		    p->by == PROCESSES_BY_NAME	  ? "names of processes" :
		    p->by == PROCESSES_BY_CGROUP  ? "cgroups" :
		    p->by == PROCESSES_BY_USER	  ? "users" :
						    "containers, with what is in none",
		    p->m->nfates ? "told below" : "another question");
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
	table(d, &(struct shown){ p, &e });
	processes_sums_doc(d, p);
	processes_energy_doc(d, p, &e);
	err = processes_owners(d, p->m, p->by, ones(p), true);
	doc_object_end(d);
	return err;
}
