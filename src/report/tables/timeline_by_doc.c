// SPDX-License-Identifier: BSD-2-Clause
#include "timeline_by_doc.h"

#include <math.h>
#include <string.h>

#include <netcost/text_append.h>

#include "model_doc.h"
#include "processes_doc.h"
#include "report/analysis/known.h"
#include "report/base/doc.h"
#include "report/base/text.h"

/* ---- for people: a column each ----------------------------------------------------------- */

#define TITLE 17
#define BEFORE 3
#define AFTER 4

static const char caption[] = "CPU time by piece of time, %";

/* A table that is being made. */
struct shown {
	struct timeline_by *t;
	char title[TIMELINE_BY_MOST][TITLE]; /* of the tracks */
	bool numbers; /* instead of their names, for which a terminal has no room */
};

#define ROOM 40 /* columns that the tracks have, where text is not wide */
#define LEAST 5 /* of each */

static bool is_narrow(const struct doc *d)
{
	return doc_is_for(d, DOC_TEXT) && !d->wide;
}

static void name_tracks(struct shown *s, bool narrow)
{
	const struct timeline_by *t = s->t;
	size_t width = 0;

	for (size_t i = 0; i < t->tracks.ntracks; i++) {
		size_t n = strlen(process_title(s->title[i], TITLE, t->p, &t->p->row[i]));

		width += 1 + (n > LEAST ? n : LEAST);
	}
	s->numbers = narrow && width > ROOM;
	for (size_t i = 0; s->numbers && i < t->tracks.ntracks; i++)
		snprintf(s->title[i], TITLE, "#%u", (unsigned int)i + 1);
}

/* Returns how many columns there are. */
static size_t track_columns(struct doc_column *to, const struct shown *s,
			    const struct doc_column *like)
{
	for (size_t i = 0; i < s->t->tracks.ntracks; i++) {
		size_t len = strlen(s->title[i]);

		to[i] = *like;
		to[i].title = s->title[i];
		if (to[i].width < len)
			to[i].width = (uint8_t)len;
	}
	return s->t->tracks.ntracks;
}

/* Which number is whose. */
static void legend(struct doc *d, const void *ctx)
{
	const struct shown *s = ctx;
	char text[DOC_LINE] = "", title[64];

	for (size_t i = 0; i < s->t->tracks.ntracks; i++)
		text_append(text, sizeof(text), ", ", "#%zu %s", i + 1,
			    process_title(title, sizeof(title), s->t->p, &s->t->p->row[i]));
	if (s->numbers)
		doc_note(d, "  %s", text);
}

static size_t columns(struct doc_column *to, const struct shown *s)
{
	static const struct doc_column track = { .decimals = 2, .width = 6 };
	static const struct doc_column before[BEFORE] = {
		{ .title = "from s", .decimals = 3, .width = 8 },
		{ .title = "to s", .decimals = 3, .width = 10 },
		{ .title = "idle", .decimals = 2, .width = 7 },
	};
	static const struct doc_column after[AFTER] = {
		{ .title = "others", .decimals = 2, .width = 8 },
		{ .title = "interrupts", .decimals = 2, .width = 10 },
		{ .title = "in no row", .decimals = 2, .width = 9, .spare = 1 },
		{ .title = "network", .decimals = 2, .width = 8 },
	};
	size_t n = BEFORE;

	memcpy(to, before, sizeof(before));
	n += track_columns(to + n, s, &track);
	memcpy(to + n, after, sizeof(after));
	return n + AFTER;
}

/* NaN: times of sends and receives were not measured. */
static double own_network_ns(const struct timeline_by *t, const struct timeline_by_row *r,
			     size_t track)
{
	return isnan(t->p->all.network_ns) ? NAN : r->track[track][PROCESS_TIME_NETWORK];
}

/* Own times and interrupts, of all. */
static double network_ns(const struct timeline_by *t, const struct timeline_by_row *r)
{
	double ns = r->interrupted_ns;

	for (size_t k = 0; k <= t->tracks.ntracks; k++)
		ns += own_network_ns(t, r, k);
	return ns;
}

static void percent(struct doc *d, const struct timeline_by_row *r, double ns)
{
	doc_number(d, 100 * known_ratio(ns, r->wall_ns));
}

static void row(struct doc *d, const struct timeline_by *t, const struct timeline_by_row *r)
{
	doc_row(d, 0, DOC_PEOPLE);
	doc_number(d, r->begin_s);
	doc_number(d, r->end_s);
	percent(d, r, r->idle_ns);
	for (size_t k = 0; k <= t->tracks.ntracks; k++)
		percent(d, r, r->track[k][PROCESS_TIME_ON_CPU]);
	percent(d, r, r->interrupted_ns);
	percent(d, r, r->missing_ns);
	percent(d, r, network_ns(t, r));
	doc_row_end(d);
}

static void rows(struct doc *d, const void *ctx)
{
	const struct shown *s = ctx;

	for (size_t i = 0; i < s->t->intervals->n; i++)
		row(d, s->t, timeline_by_row(s->t, i));
}

static void times(struct doc *d, const struct shown *s)
{
	struct doc_column column[BEFORE + TIMELINE_BY_MOST + AFTER];
	const struct doc_table table = { .key = "shown",
					 .caption = caption,
					 .tight = true,
					 .column = column,
					 .ncolumns = columns(column, s),
					 .only = DOC_PEOPLE };

	doc_fitted(d, &table, &(struct doc_rows){ .add = rows, .ctx = s, .below = legend });
	doc_note(d, "  %% of CPU time, all columns but the last sum to 100; network: own times and "
		    "interrupts, which are of whosever packets.");
}

/* ---- energy, likewise -------------------------------------------------------------------- */

#define ENERGY_BEFORE 3
#define ENERGY_AFTER 5
#define RANGE 80

/* Wide: a range in a cell. Otherwise its low ends are in a row, and its high ends in the next. */
static size_t energy_columns(struct doc_column *to, const struct shown *s, bool wide)
{
	static const struct doc_column before[ENERGY_BEFORE] = {
		{ .title = "from s", .decimals = 3, .width = 8 },
		{ .title = "to s", .decimals = 3, .width = 10 },
		{ .title = "", .kind = DOC_STRING, .width = 4 },
	};
	static const struct doc_column range = { .kind = DOC_STRING, .width = 16 };
	static const struct doc_column end = { .decimals = 2, .width = 6, .brief = true };
	static const struct doc_column all = {
		.title = "all", .decimals = 2, .width = 8, .brief = true
	};
	static const char *const after[] = { "others", "interrupts", "in no row", "idle" };
	const struct doc_column *like = wide ? &range : &end;
	size_t n = ENERGY_BEFORE;

	memcpy(to, before, sizeof(before));
	if (wide)
		to[n - 1].title = NULL;
	n += track_columns(to + n, s, like);
	for (size_t i = 0; i < sizeof(after) / sizeof(after[0]); i++) {
		to[n] = *like;
		to[n++].title = after[i];
	}
	to[n - 2].spare = 1;
	to[n++] = all;
	return n;
}

/* The parts of a row. */
#define PARTS (TIMELINE_BY_MOST + ENERGY_AFTER - 1)

static size_t energy_parts(struct energy_range part[PARTS], const struct timeline_by *t,
			   const struct timeline_by_row *r)
{
	size_t n = 0;

	for (; n <= t->tracks.ntracks; n++)
		part[n] = timeline_by_energy(r, r->track[n][PROCESS_TIME_ON_CPU]);
	part[n++] = timeline_by_energy(r, r->interrupted_ns);
	part[n++] = timeline_by_energy(r, r->missing_ns);
	part[n++] = timeline_by_idle_energy(r);
	return n;
}

static void energy_row(struct doc *d, const struct timeline_by *t, const struct timeline_by_row *r)
{
	struct energy_range part[PARTS];
	size_t n = energy_parts(part, t, r);
	char text[PARTS][RANGE];

	doc_row(d, 0, DOC_PEOPLE);
	doc_number(d, r->begin_s);
	doc_number(d, r->end_s);
	doc_blank(d);
	for (size_t i = 0; i < n; i++) {
		snprintf(text[i], RANGE, "%6s to %6s", NUM(part[i].low, 2), NUM(part[i].high, 2));
		doc_string(d, text[i]);
	}
	doc_number(d, r->joules);
	doc_row_end(d);
}

static void energy_end(struct doc *d, const struct timeline_by *t, const struct timeline_by_row *r,
		       bool high)
{
	struct energy_range part[PARTS];
	size_t n = energy_parts(part, t, r);

	doc_row(d, 0, DOC_PEOPLE);
	if (high) {
		doc_blanks(d, 2);
	} else {
		doc_number(d, r->begin_s);
		doc_number(d, r->end_s);
	}
	doc_string(d, high ? "high" : "low");
	for (size_t i = 0; i < n; i++)
		doc_number(d, high ? part[i].high : part[i].low);
	doc_number(d, r->joules);
	doc_row_end(d);
}

static void energy_rows(struct doc *d, const void *ctx)
{
	const struct shown *s = ctx;

	for (size_t i = 0; i < s->t->intervals->n; i++)
		energy_row(d, s->t, timeline_by_row(s->t, i));
}

static void energy_ends(struct doc *d, const void *ctx)
{
	const struct shown *s = ctx;

	for (size_t i = 0; i < s->t->intervals->n; i++) {
		const struct timeline_by_row *r = timeline_by_row(s->t, i);

		energy_end(d, s->t, r, false);
		energy_end(d, s->t, r, true);
	}
}

static void energy(struct doc *d, const struct shown *s)
{
	struct doc_column column[ENERGY_BEFORE + TIMELINE_BY_MOST + ENERGY_AFTER];
	bool wide = !is_narrow(d);
	const struct doc_table table = { .key = "energy",
					 .title = "Energy of packages and memory, J, low to high",
					 .above = true,
					 .column = column,
					 .ncolumns = energy_columns(column, s, wide),
					 .only = DOC_PEOPLE };

	doc_fitted(d, &table,
		   &(struct doc_rows){ .add = wide ? energy_rows : energy_ends, .ctx = s });
	doc_note(
		d,
		"  Dealt out as processes does it, piece by piece; at both ends all columns sum to "
		"the last one.");
}

static void shown(struct doc *d, struct timeline_by *t)
{
	struct shown s = { .t = t };

	name_tracks(&s, is_narrow(d));
	times(d, &s);
	if (t->has_energy)
		energy(d, &s);
}

/* ---- for programs: a row each ------------------------------------------------------------ */

enum kind { KIND_IDLE, KIND_ONE, KIND_OTHERS, KIND_INTERRUPTS, KIND_MISSING, KINDS };

static const char *const kinds[KINDS + 1] = { "idle",	    "process",	 "others",
					      "interrupts", "in no row", NULL };

static void one(struct doc *d, const struct timeline_by_row *r, enum kind kind,
		const struct processes_row *who, double ns, double net_ns)
{
	struct energy_range j = kind == KIND_IDLE ? timeline_by_idle_energy(r) :
						    timeline_by_energy(r, ns);

	doc_row(d, 0, DOC_PROGRAMS);
	doc_number(d, r->begin_s);
	doc_number(d, r->end_s);
	doc_string(d, kinds[kind]);
	doc_number(d, who && who->pid != TRACE_NIL ? (double)who->pid : NAN);
	doc_string(d, who && *who->name ? who->name : NULL);
	doc_string(d, who && *who->cgroup ? who->cgroup : NULL);
	doc_number(d, ns);
	percent(d, r, ns);
	doc_number(d, net_ns);
	doc_number(d, j.low);
	doc_number(d, j.high);
	doc_row_end(d);
}

static void ones(struct doc *d, const struct timeline_by *t, const struct timeline_by_row *r)
{
	size_t n = t->tracks.ntracks;

	one(d, r, KIND_IDLE, NULL, r->idle_ns, 0);
	for (size_t k = 0; k < n; k++)
		one(d, r, KIND_ONE, &t->p->row[k], r->track[k][PROCESS_TIME_ON_CPU],
		    own_network_ns(t, r, k));
	one(d, r, KIND_OTHERS, NULL, r->track[n][PROCESS_TIME_ON_CPU], own_network_ns(t, r, n));
	one(d, r, KIND_INTERRUPTS, NULL, r->interrupted_ns, r->interrupted_ns);
	one(d, r, KIND_MISSING, NULL, r->missing_ns, 0);
}

static void all(struct doc *d, struct timeline_by *t)
{
	static const struct doc_column column[] = {
		{ .key = "begin_s", .precision = 6 },
		{ .key = "end_s", .precision = 6 },
		{ .key = "kind",
		  .kind = DOC_STRING,
		  .known = true,
		  .choices = kinds,
		  .about =
			  "process: or what is asked for; they sum to all CPU time that was counted" },
		{ .key = "pid", .whole = true },
		{ .key = "name", .kind = DOC_STRING },
		{ .key = "cgroup", .kind = DOC_STRING },
		{ .key = "ns", .about = "on-CPU time without what interrupted it" },
		{ .key = "percent", .precision = 4, .about = "of CPU time" },
		{ .key = "network_ns", .about = "of it, the network's" },
		{ .key = "energy_low_j",
		  .precision = 6,
		  .about = "of packages and memory: all rows of a piece sum to that, at both ends; "
			   "null: not measured, or idle power cannot be told" },
		{ .key = "energy_high_j", .precision = 6 },
	};
	static const struct doc_table table = { .key = "rows",
						DOC_COLUMNS_OF(column),
						.only = DOC_PROGRAMS };

	doc_table(d, &table);
	for (size_t i = 0; i < t->intervals->n; i++)
		ones(d, t, timeline_by_row(t, i));
	doc_table_end(d);
}

void timeline_by_doc(struct doc *d, struct timeline_by *t)
{
	const struct processes *p = t->p;

	doc_object(d, NULL);
	doc_heading(d, "%s", "");
	doc_trace(d, p->m);
	doc_field_choice(d, "by", processes_by_names[p->by], processes_by_names);
	doc_field_uint(d, "groups", p->groups);
	if (p->m->records[TRACE_PROCESS_STATS] || doc_is_schema(d)) {
		shown(d, t);
	} else {
		doc_note(d,
			 "Nothing was counted by process: netcost-record --processes does that.");
	}
	if (p->paused_ns > 0)
		doc_note(
			d,
			"Exact times were counted now and then (--budget): rows are of those times.");
	all(d, t);
	doc_object_end(d);
}
