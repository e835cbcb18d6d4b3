// SPDX-License-Identifier: BSD-2-Clause
#include "processes_doc.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "colors.h"
#include "model_doc.h"
#include "owners_doc.h"
#include "process_title.h"
#include "processes_columns.h"
#include "processes_energy_doc.h"
#include "processes_sums_doc.h"
#include "report/analysis/known.h"
#include "report/base/doc.h"
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

/* ---- rows -------------------------------------------------------------------------------- */

/* Cells of a row that are there until it ends. */
struct texts {
	char ghz[24], ipc[24];
};

/* What hardware counters say, or why they say nothing; NULL: it is not known. */
static const char *pmu_text(char *dst, size_t size, const struct model *m, double v, bool narrow)
{
	const struct model_source *pmu = model_find_source(m, "pmu");
	const char *state = pmu && !narrow ? model_string(m, pmu->state) : "";

	if (isnan(v) && strcmp(state, "absent"))
		return strcmp(state, "refused") ? NULL : "refused";
	snprintf(dst, size, isnan(v) ? "no PMU" : "%.2f", v);
	return dst;
}

#define NAME_SIZE (2 * SAFE_SIZE + 64)
#define NAME_SHORT 32 /* with less, the rest has a short one */

/* A table that is being made. */
struct shown {
	const struct processes *p;
	const struct processes_energy *e;
	size_t name_size; /* NAME_SIZE at most */
};

/* There a column that says nothing but why is one line of the notes. */
static bool is_narrow(const struct doc *d)
{
	return doc_is_for(d, DOC_TEXT) && !d->wide;
}

static void values(struct doc *d, const struct shown *s, const struct processes_values *v,
		   struct texts *t)
{
	const struct processes *p = s->p;
	double own = known_ratio(v->network_ns, p->cpus_network_ns);
	struct energy_range energy = processes_energy_own(s->e, v);
	struct energy_range received = processes_energy_received(s->e, v);
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
	doc_number(d, received.low);
	doc_number(d, received.high);
	doc_number(d, second.low);
	doc_number(d, second.high);
	doc_number(d, VALUE(v, SWITCHES));
	doc_string(d, pmu_text(t->ghz, sizeof(t->ghz), p->m, v->hz * 1e-9, is_narrow(d)));
	doc_string(d, pmu_text(t->ipc, sizeof(t->ipc), p->m, v->ipc, is_narrow(d)));
}

/* For people a process with its container, a container with its runtime, and what there is room for of a path its end. */
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
		snprintf(dst, size, "everything else%s",
			 size >= NAME_SHORT ? ", not kept apart" : "");
	else if (r->kind == PROCESSES_OTHERS)
		snprintf(dst, size, "%zu other%s", r->processes, r->processes == 1 ? "" : "s");
	else if (p->by == PROCESSES_BY_CONTAINER)
		snprintf(dst, size, "%s", *where ? where : "in no container that is known");
	else if (p->by == PROCESSES_BY_USER)
		process_user_title(dst, size, r->name, r->kernel);
	else if (p->by == PROCESSES_BY_CGROUP && strlen(name) + strlen(where) + 2 >= size)
		process_path(dst, size, name);
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
	char buf[NAME_SIZE];
	const char *name = shown_name(buf, s->name_size, s->p, r);
	struct texts t;

	doc_row(d, 0, DOC_ALL | (r->kind == PROCESSES_ONE ? 0 : DOC_LAST));
	doc_string(d, name);
	doc_string(d, processes_kinds[r->kind]);
	values(d, s, &r->v, &t);
	who(d, s->p, r, name);
	processes_cells_last(d, &r->v);
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
	doc_blanks(d, d->table->ncolumns - PROCESSES_BEFORE_NAME - 1);
	doc_row_end(d);
}

static void rows(struct doc *d, const void *ctx)
{
	const struct shown *s = ctx;

	for (size_t i = 0; i < s->p->nrows; i++)
		row(d, s, &s->p->row[i]);
	if (s->p->nrows)
		sum_row(d, s);
}

static void table(struct doc *d, const struct processes *p, const struct processes_energy *e)
{
	static const char *const captions[] = { "Processes", "Cgroups", "Containers",
						"Processes by name", "Users" };
	struct shown s = { p, e, NAME_SIZE };
	struct doc_column column[DOC_COLUMNS];
	const struct doc_table table = { .key = "rows",
					 .caption = captions[p->by],
					 .tight = true,
					 .sortable = true,
					 .column = column,
					 .ncolumns = processes_columns(column, d, p->by, e),
					 .only = p->nrows ? DOC_ALL : DOC_PROGRAMS };

	doc_fitted(d, &table,
		   &(struct doc_rows){ .add = rows, .ctx = &s, .name_size = &s.name_size });
}

/* ---- all of it --------------------------------------------------------------------------- */

void processes_table(struct doc *d, const struct processes *p, bool explained)
{
	struct processes_energy e;

	processes_energy_make(&e, p);
	table(d, p, &e);
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

	if (!model_fates(m) && !doc_is_schema(d))
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
	processes_sums_doc(d, p);
	processes_energy_doc(d, p, &e);
	err = processes_owners(d, p->m, p->by, ones(p), true);
	doc_object_end(d);
	return err;
}
