// SPDX-License-Identifier: BSD-2-Clause
#include "owners_doc.h"

#include <math.h>
#include <string.h>

#include "colors.h"
#include "fate_doc.h"
#include "report/analysis/known.h"
#include "report/analysis/owners.h"
#include "report/base/doc.h"
#include "report/base/text.h"

#define INTERVAL "+-"
#define MS .scale = 1e-6, .decimals = 2

/* For people, only where there are any. */
static void show_intervals(struct doc_column *column, size_t n, const struct owners *o)
{
	for (size_t i = 0; i < n; i++)
		if (column[i].title && !strcmp(column[i].title, INTERVAL) && o->every <= 1)
			column[i].title = NULL;
}

static void hide_pid(struct doc_column *column, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (column[i].key && !strcmp(column[i].key, "pid"))
			column[i].title = NULL;
}

/* ---- by process -------------------------------------------------------------------------- */

/* First for people, what a page shows first and text last. */
static const struct doc_column columns[] = {
	{ .title = "name", .kind = DOC_STRING, .only = DOC_HTML },
	{ .key = "kind",
	  .kind = DOC_STRING,
	  .known = true,
	  .choices = processes_kinds,
	  .about = "as of the rows by process" },
	{ .key = "own_ns",
	  .title = "own ms",
	  .brief = true,
	  MS,
	  .width = 10,
	  .about = "its own calls: sends, receives, busy polling" },
	{ .key = "received_ns",
	  .title = "received ms",
	  .brief = true,
	  MS,
	  .width = 11,
	  .about = "RX softirqs and threaded NAPI: packets for its sockets" },
	{ .key = "received_ci95_ns",
	  .title = INTERVAL,
	  .brief = true,
	  MS,
	  .width = 8,
	  .about = "half of its 95 % interval, where not all softirqs were looked at; 0: exact" },
	{ .key = "dealt_ns",
	  .title = "dealt ms",
	  .brief = true,
	  MS,
	  .width = 10,
	  .about = "likewise, of the driver and GRO: to each packet the same" },
	{ .key = "network_percent",
	  .title = "pays %",
	  .decimals = 2,
	  .precision = 4,
	  .width = 7,
	  .about = "these three, of the network's time on all CPUs" },
	{ .kind = DOC_BAR },
	{ .key = "packets",
	  .title = "packets",
	  .brief = true,
	  .width = 10,
	  .precision = 1,
	  .about = "received for it" },
	{ .key = "interrupted_ns",
	  .title = "interrupted ms",
	  .brief = true,
	  .spare = 1,
	  MS,
	  .width = 14,
	  .about = "network softirqs that interrupted it, whosever packets they were" },
	{ .key = "pid", .title = "pid", .width = 7, .whole = true },
	{ .title = "name", .kind = DOC_STRING, .only = DOC_TEXT },
	{ .key = "name", .kind = DOC_STRING, .about = "null: not known, or of several" },
};

static void values(struct doc *d, const struct processes *p, const struct owners *o,
		   const struct processes_values *v)
{
	struct owners_paid paid = owners_paid(o, v);
	double share = known_ratio(paid.all_ns, p->cpus_network_ns);

	doc_number(d, paid.own_ns);
	doc_number(d, paid.received_ns);
	doc_number(d, paid.ci95_ns);
	doc_number(d, paid.dealt_ns);
	doc_number(d, 100 * share);
	doc_bar(d, share, COLOR_NETWORK);
	doc_number(d, paid.packets);
	doc_number(d, v->softirq_ns);
}

/* Not one that has nothing to do with the network. */
static bool is_of_use(const struct processes_values *v)
{
	return v->network_ns > 0 || v->received_packets > 0 || v->softirq_ns > 0;
}

#define NAME_SIZE (2 * SAFE_SIZE + 64)

/* The table by process. */
struct shown {
	const struct processes *p;
	const struct owners *o;
	owners_name_fn *name;
	size_t name_size; /* NAME_SIZE at most */
};

static void row(struct doc *d, const struct shown *s, const struct processes_row *r)
{
	const struct processes *p = s->p;
	char buf[NAME_SIZE];
	const char *name = s->name(buf, s->name_size, p, r);
	bool one = p->by == PROCESSES_BY_PROCESS && r->kind == PROCESSES_ONE;

	doc_row(d, 0,
		(is_of_use(&r->v) ? DOC_ALL : DOC_PROGRAMS) |
			(r->kind == PROCESSES_ONE ? 0 : DOC_LAST));
	doc_string(d, name);
	doc_string(d, processes_kinds[r->kind]);
	values(d, p, s->o, &r->v);
	doc_number(d, one && r->pid != TRACE_NIL ? (double)r->pid : NAN);
	doc_string(d, name);
	doc_string(d, r->kind == PROCESSES_ONE && *r->name ? r->name : NULL);
	doc_row_end(d);
}

static void rows(struct doc *d, const void *ctx)
{
	const struct shown *s = ctx;

	for (size_t i = 0; i < s->p->nrows; i++)
		row(d, s, &s->p->row[i]);
	doc_row(d, 0, DOC_PEOPLE | DOC_LAST);
	doc_string(d, "sum");
	doc_blank(d);
	values(d, s->p, s->o, &s->p->all);
	doc_blank(d);
	doc_string(d, "sum");
	doc_blank(d);
	doc_row_end(d);
}

static void by_process(struct doc *d, const struct processes *p, const struct owners *o,
		       owners_name_fn *shown_name)
{
	struct doc_column column[sizeof(columns) / sizeof(columns[0])];
	const struct doc_table table = { .key = "received",
					 .title = "Who pays for received packets",
					 .above = true,
					 .sortable = true,
					 DOC_COLUMNS_OF(column) };
	struct shown s = { p, o, shown_name, NAME_SIZE };

	memcpy(column, columns, sizeof(column));
	show_intervals(column, table.ncolumns, o);
	if (!d->wide && doc_is_for(d, DOC_TEXT) && p->by != PROCESSES_BY_PROCESS)
		hide_pid(column, table.ncolumns);
	doc_fitted(d, &table,
		   &(struct doc_rows){ .add = rows, .ctx = &s, .name_size = &s.name_size });
}

/* ---- what became of packets -------------------------------------------------------------- */

static const struct doc_column fate_columns[] = {
	{ .title = "what became of them", .kind = DOC_STRING, .only = DOC_HTML },
	FATE_COLUMN,
	FATE_WHAT_COLUMN,
	{ .key = "ns", .title = "own ms", MS, .width = 10, .about = "of the packets themselves" },
	{ .key = "ci95_ns", .title = INTERVAL, MS, .width = 8, .about = "as that of received_ns" },
	{ .key = "dealt_ns",
	  .title = "dealt ms",
	  MS,
	  .width = 10,
	  .about = "of the driver and GRO" },
	{ .key = "percent", .title = "%", .decimals = 2, .precision = 4, .width = 7 },
	{ .kind = DOC_BAR },
	{ .key = "packets", .title = "packets", .width = 10, .precision = 1 },
	{ .title = "what became of them", .kind = DOC_STRING, .only = DOC_TEXT },
};

static void fate_row(struct doc *d, const struct owners *o, const struct owners_row *r)
{
	double share = known_ratio(r->ns + r->dealt_ns, o->all_ns);
	char buf[FATE_TEXT];
	const char *text = fate_text(buf, sizeof(buf), r->fate, r->what);

	doc_row(d, 0, DOC_ALL);
	doc_string(d, text);
	fate_cells(d, r->fate, r->what);
	doc_number(d, r->ns);
	doc_number(d, r->ci95_ns);
	doc_number(d, r->dealt_ns);
	doc_number(d, 100 * share);
	doc_bar(d, share, leaf_color[LEAF_RX_SOFTIRQ]);
	doc_number(d, r->packets);
	doc_string(d, text);
	doc_row_end(d);
}

static void fates(struct doc *d, const struct owners *o)
{
	struct doc_column column[sizeof(fate_columns) / sizeof(fate_columns[0])];
	const struct doc_table table = { .key = "fates",
					 .title = FATE_TITLE,
					 .above = true,
					 .sortable = true,
					 DOC_COLUMNS_OF(column) };
	double own = 0, dealt = 0;

	memcpy(column, fate_columns, sizeof(column));
	show_intervals(column, table.ncolumns, o);

	doc_table(d, &table);
	for (size_t i = 0; i < o->nrows; i++) {
		const struct owners_row *r = &o->row[i];

		own += r->ns;
		dealt += r->dealt_ns;
		if (r->ns != 0 || r->dealt_ns != 0 || r->packets != 0)
			fate_row(d, o, r);
	}
	doc_row(d, 0, DOC_PEOPLE | DOC_LAST);
	doc_string(d, "sum");
	doc_blanks(d, 2);
	doc_number(d, own);
	doc_blank(d);
	doc_number(d, dealt);
	doc_number(d, 100 * known_ratio(own + dealt, o->all_ns));
	doc_blank(d);
	doc_number(d, o->packets);
	doc_string(d, "sum");
	doc_row_end(d);
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

void owners_doc(struct doc *d, const struct processes *p, owners_name_fn *shown_name)
{
	struct owners o;

	owners_make(&o, p->m);
	if (!doc_optional(d, o.any))
		return;
	doc_object(d, "owners");
	doc_field(d, "every", o.every, 0);
	doc_field(d, "leaf_ns", o.leaf_ns, 0);
	doc_field(d, "all_ns", o.all_ns, 0);
	doc_field(d, "looked_ns", o.looked_ns, 0);
	doc_field(d, "dealt_packet_ns", o.dealt_ns, 3);
	by_process(d, p, &o, shown_name);
	fates(d, &o);
	if (!doc_is_schema(d))
		notes(d, &o);
	doc_object_end(d);
}

void owners_rows(struct doc *d, const struct processes *p, owners_name_fn *shown_name)
{
	struct owners o;

	owners_make(&o, p->m);
	if (o.any)
		by_process(d, p, &o, shown_name);
}
