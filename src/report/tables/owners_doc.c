// SPDX-License-Identifier: BSD-2-Clause
/* What rows by process are called; who pays for received packets, and what became of all of them. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "colors.h"
#include "processes_doc.h"
#include "report/analysis/known.h"
#include "report/analysis/processes_shares.h"

/* ---- names ------------------------------------------------------------------------------- */

/* Its pid is worth more than the end of its name. */
static void of_process(char *dst, size_t size, const struct processes_row *r)
{
	const char *name = *r->name ? SAFE(r->name) : "?";
	char pid[24] = "";
	int room;

	if (r->pid != TRACE_NIL)
		snprintf(pid, sizeof(pid), " %" PRIu64, r->pid);
	room = (int)size - 1 - (int)strlen(pid) - 2 * r->kernel;
	snprintf(dst, size, r->kernel ? "[%.*s]%s" : "%.*s%s", room > 0 ? room : 0, name, pid);
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
	const char *known = *id ? "user " : "user not known";

	snprintf(dst, size, "%s%s%s", kernel ? "kernel threads" : known, kernel ? "" : id,
		 !kernel && !strcmp(id, "0") ? " (root)" : "");
}

/* "docker 0123456789ab" */
static void of_container(char *dst, size_t size, const struct container *c)
{
	snprintf(dst, size, "%s %.12s", *c->runtime ? c->runtime : "container", SAFE(c->id));
}

char *process_title(char *dst, size_t size, const struct processes *p,
		    const struct processes_row *r)
{
	if (p->by == PROCESSES_BY_PROCESS || p->by == PROCESSES_BY_NAME)
		of_process(dst, size, r);
	else if (p->by == PROCESSES_BY_USER)
		process_user_title(dst, size, r->name, r->kernel);
	else if (*r->container->id)
		of_container(dst, size, r->container);
	else if (p->by == PROCESSES_BY_CONTAINER)
		snprintf(dst, size, "no container");
	else
		process_path(dst, size, *r->name ? r->name : "?");
	return dst;
}

#define NAME_SHORT 32 /* with less, the rest has a short one */

/* A process with its container, a container with its runtime, and of a path the end that there is room for. */
const char *processes_name(char *dst, size_t size, const struct processes *p,
			   const struct processes_row *r)
{
	const char *name = *r->name ? SAFE(r->name) : "not known";
	bool process = p->by == PROCESSES_BY_PROCESS || p->by == PROCESSES_BY_NAME;
	char where[SAFE_SIZE + 32] = "";

	if (r->kind == PROCESSES_ONE && *r->container->id)
		of_container(where, sizeof(where), r->container);
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

/* ---- columns of both tables -------------------------------------------------------------- */

#define INTERVAL "+-"
#define MS(title_, width_) .title = title_, .scale = 1e-6, .decimals = 2, .width = width_

static const char *const network_color = COLOR_NETWORK;

/* What people do not see: intervals, where there are none, and the numbers of processes, where a row is none. */
static void hide(struct doc_column *column, size_t n, bool intervals, bool pids)
{
	for (size_t i = 0; i < n; i++) {
		const char *title = column[i].title;

		if (title &&
		    ((intervals && !strcmp(title, INTERVAL)) || (pids && !strcmp(title, "pid"))))
			column[i].title = NULL;
	}
}

/* ---- by process -------------------------------------------------------------------------- */

struct payer {
	struct processes_row r;
	struct owners_paid paid;
	double share; /* of the network's time on all CPUs */
	const char *shown;
};

/* First for people, what a page shows first and text last. */
#define AT(member) DOC_AT(struct payer, member)
static const struct doc_column columns[] = {
	{ AT(shown), .title = "name", .kind = DOC_STRING, .only = DOC_HTML },
	{ AT(r.kind), .key = "kind", .kind = DOC_STRING, .known = true, .choices = processes_kinds,
	  .about = "as of the rows by process" },
	{ AT(paid.own_ns), .key = "own_ns", MS("own ms", 10), .brief = true,
	  .about = "its own calls: sends, receives, busy polling" },
	{ AT(paid.received_ns), .key = "received_ns", MS("received ms", 11), .brief = true,
	  .about = "RX softirqs and threaded NAPI: packets for its sockets" },
	{ AT(paid.ci95_ns), .key = "received_ci95_ns", MS(INTERVAL, 8), .brief = true,
	  .about = "half of its 95 % interval, where not all softirqs were looked at; 0: exact" },
	{ AT(paid.dealt_ns), .key = "dealt_ns", MS("dealt ms", 10), .brief = true,
	  .about = "likewise, of the driver and GRO: to each packet the same" },
	{ AT(share), .times = 100, DOC_PERCENT("network_percent", "pays %", 7),
	  .about = "these three, of the network's time on all CPUs" },
	{ AT(share), .kind = DOC_BAR, .color = &network_color },
	{ AT(paid.packets), .key = "packets", .title = "packets", .brief = true, .width = 10,
	  .precision = 1, .about = "received for it" },
	{ AT(r.v.softirq_ns), .key = "interrupted_ns", MS("interrupted ms", 14), .brief = true,
	  .spare = 1, .about = "network softirqs that interrupted it, whosever packets they were" },
	{ AT(r.pid), .key = "pid", .title = "pid", .width = 7, .whole = true, .single = true },
	{ AT(shown), .title = "name", .kind = DOC_STRING, .only = DOC_TEXT },
	{ AT(r.name), .key = "name", .kind = DOC_STRING,
	  .about = "null: not known, or of several" },
};
#undef AT

/* The table by process. */
struct shown {
	const struct processes *p;
	const struct owners *o;
	size_t name_size; /* PROCESSES_NAME at most */
};

static struct payer payer_of(const struct shown *s, const struct processes_row *r,
			     const char *shown)
{
	struct payer payer = { .r = *r, .shown = shown, .paid = owners_paid(s->o, &r->v) };

	payer.share = known_ratio(payer.paid.all_ns, s->p->cpus_network_ns);
	if (s->p->by != PROCESSES_BY_PROCESS || r->kind != PROCESSES_ONE)
		payer.r.pid = TRACE_NIL;
	if (r->kind != PROCESSES_ONE)
		payer.r.name = NULL;
	return payer;
}

/* Not one that has nothing to do with the network. */
static bool is_of_use(const struct processes_values *v)
{
	return v->network_ns > 0 || v->received_packets > 0 || v->softirq_ns > 0;
}

static void row(struct doc *d, const struct shown *s, const struct processes_row *r)
{
	char name[PROCESSES_NAME];
	struct payer payer = payer_of(s, r, processes_name(name, s->name_size, s->p, r));

	doc_put_row(d, 0,
		    (is_of_use(&r->v) ? DOC_ALL : DOC_PROGRAMS) |
			    (r->kind == PROCESSES_ONE ? 0 : DOC_LAST),
		    &payer);
}

static void rows(struct doc *d, const void *ctx)
{
	const struct shown *s = ctx;
	struct processes_row all = { .v = s->p->all };
	struct payer sum = payer_of(s, &all, "sum");

	for (size_t i = 0; i < s->p->nrows; i++)
		row(d, s, &s->p->row[i]);
	doc_put_sum(d, &sum);
}

static void by_process(struct doc *d, const struct processes *p, const struct owners *o)
{
	struct doc_column column[sizeof(columns) / sizeof(columns[0])];
	const struct doc_table table = { .key = "received",
					 .title = "Who pays for received packets",
					 .above = true,
					 .sortable = true,
					 DOC_COLUMNS_OF(column) };
	struct shown s = { p, o, PROCESSES_NAME };

	memcpy(column, columns, sizeof(column));
	hide(column, table.ncolumns, o->every <= 1,
	     !d->wide && doc_is_for(d, DOC_TEXT) && p->by != PROCESSES_BY_PROCESS);
	doc_fitted(d, &table,
		   &(struct doc_rows){ .add = rows, .ctx = &s, .name_size = &s.name_size });
}

/* ---- what became of packets -------------------------------------------------------------- */

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
	double share; /* of the time of all rows */
	const char *shown;
};

#define AT(member) DOC_AT(struct fate, member)
static const struct doc_column fate_columns[] = {
	{ AT(shown), .title = "what became of them", .kind = DOC_STRING, .only = DOC_HTML },
	{ AT(r.fate), FATE_COLUMN },
	{ AT(r.what), FATE_WHAT_COLUMN },
	{ AT(r.ns), .key = "ns", MS("own ms", 10), .about = "of the packets themselves" },
	{ AT(r.ci95_ns), .key = "ci95_ns", MS(INTERVAL, 8), .single = true,
	  .about = "as that of received_ns" },
	{ AT(r.dealt_ns), .key = "dealt_ns", MS("dealt ms", 10), .about = "of the driver and GRO" },
	{ AT(share), .times = 100, DOC_PERCENT("percent", "%", 7) },
	{ AT(share), .kind = DOC_BAR, .color = &leaf_color[LEAF_RX_SOFTIRQ], .single = true },
	{ AT(r.packets), .key = "packets", .title = "packets", .width = 10, .precision = 1 },
	{ AT(shown), .title = "what became of them", .kind = DOC_STRING, .only = DOC_TEXT },
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
	hide(column, table.ncolumns, o->every <= 1, false);
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

static void notes(struct doc *d, const struct owners *o)
{
	double remainder = o->leaf_ns - o->all_ns;

	if (fabs(remainder) >= 1)
		doc_alert(d, "owners", "%s ms of the CPUs' %s ms in RX softirqs are in no row",
			  NUM(remainder * 1e-6, 6), NUM(o->leaf_ns * 1e-6, 6));
	else if (!isnan(remainder))
		doc_note(d, "  sum: %s ms, as the CPUs' exact counters have it, to the nanosecond",
			 NUM(o->leaf_ns * 1e-6, 6));
	doc_note(
		d,
		"  pays %%: own, received and dealt, of the network's time on all CPUs; the rest is "
		"in this table, in TX softirqs and in hard interrupts");
	if (o->every > 1)
		doc_note(d,
			 "  one softirq in %s was looked at, %s of %s ms: that stands for all, "
			 "+- is its 95 %% interval",
			 NUM(o->every, 0), NUM(o->looked_ns * 1e-6, 3), NUM(o->all_ns * 1e-6, 3));
	else
		doc_note(
			d,
			"  what processes received is exact, what is dealt out is not: the driver's "
			"and GRO's time, to each packet the same");
}

void owners_doc(struct doc *d, const struct processes *p, bool all)
{
	struct owners o;

	owners_make(&o, p->m);
	if (!all) {
		if (o.any)
			by_process(d, p, &o);
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
	by_process(d, p, &o);
	fates(d, &o);
	if (!doc_is_schema(d))
		notes(d, &o);
	doc_object_end(d);
}
