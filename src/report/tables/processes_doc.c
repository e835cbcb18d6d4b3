// SPDX-License-Identifier: BSD-2-Clause
#include "processes_doc.h"

#include <inttypes.h>
#include <math.h>

#include "model_doc.h"
#include "owners_doc.h"
#include "report/analysis/known.h"
#include "report/base/escape.h"
#include "report/base/text.h"

const char *const processes_by_names[] = { "process", "cgroup", "container", NULL };
const char *const processes_sort_names[] = { "cpu",	"network",  "bytes", "calls",
					     "softirq", "switches", NULL };

#define VALUE(v, KEY) ((v)->value[MODEL_PROCESS_VALUE(KEY)])
#define MS .scale = 1e-6, .decimals = 2

static const char *const kinds[] = { "process", "idle", "rest", "others", NULL };

/* First for people, then the rest of what there is. */
static const struct doc_column columns[] = {
	{ .key = "kind",
	  .kind = DOC_STRING,
	  .known = true,
	  .choices = kinds,
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
	{ .key = "sock_send_ns", .title = "send ms", MS, .width = 10 },
	{ .key = "sock_recv_ns", .title = "receive ms", MS, .width = 11 },
	{ .key = "calls", .title = "calls", .width = 10, .about = "on network sockets" },
	{ .key = "bytes", .title = "bytes", .width = 13, .about = "likewise" },
	{ .key = "softirq_ns",
	  .title = "softirq ms",
	  MS,
	  .width = 11,
	  .about = "of network softirqs that interrupted it" },
	{ .key = "switches", .title = "switches", .width = 9 },
	{ .key = "pid", .title = "pid", .width = 8, .whole = true },
	{ .title = "name", .kind = DOC_STRING },
	{ .key = "name", .kind = DOC_STRING, .about = "null: not known" },
	{ .key = "kernel", .kind = DOC_BOOL, .about = "a thread of the kernel" },
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
	X("unseen", "switches to or from it that were not seen: what came before may be of both")
	REST(X)
#undef X
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
	MODEL_PROCESS_VALUE(UNSEEN),
};

/* ---- rows -------------------------------------------------------------------------------- */

static void values(struct doc *d, const struct processes *p, const struct processes_values *v)
{
	doc_number(d, v->on_cpu_ns);
	doc_number(d, 100 * known_ratio(v->on_cpu_ns, p->busy_ns));
	doc_number(d, VALUE(v, SOCK_SEND_NS));
	doc_number(d, VALUE(v, SOCK_RECV_NS));
	doc_number(d, v->calls);
	doc_number(d, v->bytes);
	doc_number(d, v->softirq_ns);
	doc_number(d, VALUE(v, SWITCHES));
}

static void more_values(struct doc *d, const struct processes_values *v)
{
	doc_number(d, v->network_ns);
	for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
		doc_number(d, v->value[rest[i]]);
}

/* For people a process with its container, a container with its runtime. */
static const char *shown_name(char *dst, size_t size, const struct processes *p,
			      const struct processes_row *r)
{
	const struct container *c = r->container;
	const char *name = *r->name ? SAFE(r->name) : "not known";
	bool process = p->by == PROCESSES_BY_PROCESS;
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

	doc_number(d, one ? number_of(r->pid) : NAN);
	doc_string(d, shown);
	doc_string(d, r->kind == PROCESSES_ONE ? known_string(r->name) : NULL);
	doc_bool(d, one && r->kernel);
	doc_number(d, one && r->start_ns != TRACE_NIL ? model_seconds(p->m, r->start_ns) : NAN);
	doc_number(d, r->processes ? (double)r->processes : NAN);
	doc_string(d, p->by == PROCESSES_BY_CONTAINER ? NULL : known_string(r->cgroup));
	doc_string(d, placed ? known_string(c->runtime) : NULL);
	doc_string(d, placed ? known_string(c->id) : NULL);
	doc_string(d, placed ? known_string(c->pod) : NULL);
}

static void row(struct doc *d, const struct processes *p, const struct processes_row *r)
{
	char name[2 * SAFE_SIZE + 64];

	doc_row(d, 0, DOC_ALL);
	doc_string(d, kinds[r->kind]);
	values(d, p, &r->v);
	who(d, p, r, shown_name(name, sizeof(name), p, r));
	more_values(d, &r->v);
	doc_row_end(d);
}

/* For people: of all rows. */
static void sum_row(struct doc *d, const struct processes *p)
{
	doc_row(d, 0, DOC_PEOPLE);
	doc_blank(d);
	values(d, p, &p->all);
	doc_blank(d);
	doc_string(d, "sum");
	doc_blanks(d, sizeof(columns) / sizeof(columns[0]) - 11);
	doc_row_end(d);
}

void processes_table(struct doc *d, const struct processes *p)
{
	static const char *const captions[] = { "Processes", "Cgroups", "Containers" };
	const struct doc_table table = { .key = "rows",
					 .caption = captions[p->by],
					 .tight = true,
					 DOC_COLUMNS_OF(columns),
					 .only = p->nrows ? DOC_ALL : DOC_PROGRAMS };

	doc_table(d, &table);
	for (size_t i = 0; i < p->nrows; i++)
		row(d, p, &p->row[i]);
	if (p->nrows)
		sum_row(d, p);
	doc_table_end(d);
}

/* ---- sums -------------------------------------------------------------------------------- */

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
	for (size_t i = 0; i < NETCOST_EV_COUNT - 1; i++) {
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

static void notes(struct doc *d, const struct processes *p)
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
	if (p->paused_ns > 0)
		doc_note(
			d,
			"  exact times were counted now and then (--budget): rows are of those times, "
			"and %s s are in none",
			NUM(p->paused_ns * 1e-9, 3));
}

void processes_doc(struct doc *d, const struct processes *p, enum processes_sort sort)
{
	doc_object(d, NULL);
	doc_heading(d,
		    "%zu %s; softirqs are those that interrupted it, whose packets they were is "
		    "another question",
		    p->groups,
		    p->by == PROCESSES_BY_PROCESS ? "processes" :
		    p->by == PROCESSES_BY_CGROUP  ? "cgroups" :
						    "containers, with what is in none");
	doc_trace(d, p->m);
	doc_field_choice(d, "by", processes_by_names[p->by], processes_by_names);
	doc_field_choice(d, "sort", processes_sort_names[sort], processes_sort_names);
	doc_field_uint(d, "groups", p->groups);
	doc_field(d, "busy_ns", p->busy_ns, 0);
	doc_field(d, "cpus_busy_ns", p->cpus_busy_ns, 0);
	doc_field(d, "paused_ns", p->paused_ns, 0);
	processes_table(d, p);
	sums_table(d, p);
	notes(d, p);
	owners_doc(d, p, shown_name);
	doc_object_end(d);
}
