// SPDX-License-Identifier: BSD-2-Clause
#include "timeline_doc.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <netcost/text_append.h>

#include "model_doc.h"
#include "report/analysis/timeline.h"
#include "report/analysis/latency.h"
#include "report/base/text.h"
#include "report/model/filter.h"
#include "split_columns.h"

#define BEFORE 4
#define AFTER 8

/* A table that is being made. */
struct shown {
	const struct intervals *iv;
	const struct model *m;
	const struct latency_times *latency; /* NULL: nothing of that */
	bool has_latency;		     /* for people, too */
};

static size_t columns(struct doc_column to[BEFORE + SPLIT_COLUMNS + AFTER], unsigned int absent,
		      bool has_latency)
{
	static const struct doc_column before[BEFORE] = {
		{ .key = "begin_s", .title = "from s", .decimals = 3, .precision = 6, .width = 8 },
		{ .key = "end_s", .title = "to s", .decimals = 3, .precision = 6, .width = 10 },
		{ .key = "samples", .known = true },
		{ .key = "ns", .about = "all time of the row" },
	};
	static const struct doc_column after[AFTER] = {
		{ .key = "interface_packets_per_s",
		  .title = "packets/s",
		  .precision = 1,
		  .width = 11 },
		{ .key = "interface_bits_per_s",
		  .title = "Mbit/s",
		  .scale = 1e-6,
		  .decimals = 1,
		  .width = 9 },
		{ .key = "package_and_dram_w", .precision = 6 },
		{ .key = "network_w",
		  .title = "net W",
		  .decimals = 2,
		  .precision = 6,
		  .width = 7,
		  .spare = 5 },
		{ .key = "latency_packets", .whole = true, .about = "those that waited" },
		{ .key = "latency_p50_ns",
		  .title = "p50 us",
		  .scale = 1e-3,
		  .decimals = 2,
		  .precision = 1,
		  .width = 10,
		  .about =
			  "for how long packets waited up to latency_hook; null: it was not measured, or "
			  "there were none" },
		{ .key = "latency_p99_ns",
		  .title = "p99 us",
		  .scale = 1e-3,
		  .decimals = 2,
		  .precision = 1,
		  .width = 10,
		  .about = "likewise" },
		{ .key = "marks",
		  .title = "marks",
		  .kind = DOC_STRING,
		  .about = "their texts",
		  .only = DOC_HTML | DOC_PROGRAMS },
	};

	memcpy(to, before, sizeof(before));
	split_columns(to + BEFORE, absent);
	to += BEFORE + SPLIT_COLUMNS;
	memcpy(to, after, sizeof(after));
	for (size_t i = 0; i < AFTER && !has_latency; i++)
		if (!strncmp(to[i].key, "latency_", strlen("latency_")))
			to[i].title = NULL;
	return BEFORE + SPLIT_COLUMNS + AFTER;
}

/* The marks of a row are one cell, separated by semicolons; in text each has a line below the row. */
static void marks_text(char *dst, size_t size, const struct model *m, const struct timeline_row *r)
{
	*dst = '\0';
	for (size_t i = r->moment; i < r->moment + r->nmoments; i++)
		text_append(dst, size, "; ", "%s", model_string(m, m->moment[i].text));
}

static void marks_below(struct doc *d, const struct model *m, const struct timeline_row *r)
{
	for (size_t i = r->moment; i < r->moment + r->nmoments; i++)
		doc_note(d, "  mark at %s s: %s", NUM(model_seconds(m, m->moment[i].at_ns), 3),
			 SAFE(model_string(m, m->moment[i].text)));
}

static void latency_cells(struct doc *d, const struct shown *s, size_t i)
{
	struct dist_summary l = { .count = NAN, .ns = { [DIST_P50] = NAN, [DIST_P99] = NAN } };

	if (s->has_latency)
		l = latency_times_merged(s->latency, i);
	doc_number(d, l.count);
	doc_number(d, l.ns[DIST_P50]);
	doc_number(d, l.ns[DIST_P99]);
}

static void row(struct doc *d, const struct shown *s, size_t i, const struct timeline_row *r)
{
	const struct model *m = s->m;
	char marks[1024];

	marks_text(marks, sizeof(marks), m, r);
	doc_row(d, 0, DOC_ALL);
	doc_number(d, r->begin_s);
	doc_number(d, r->end_s);
	doc_number(d, (double)r->samples);
	doc_number(d, r->split.wall_ns);
	split_cells(d, &r->split);
	doc_number(d, r->packets_per_s);
	doc_number(d, r->bits_per_s);
	doc_number(d, r->total_w);
	doc_number(d, r->network_w);
	latency_cells(d, s, i);
	doc_string(d, *marks ? marks : NULL);
	doc_row_end(d);
	if (doc_is_for(d, DOC_TEXT))
		marks_below(d, m, r);
}

static void notes(struct doc *d, const struct shown *s)
{
	const struct intervals *iv = s->iv;
	const struct model *m = s->m;

	doc_note(d, "Columns from idle to network: %% of CPU time; exact if that is known.");
	if (s->has_latency && !strcmp(s->latency->merged, LATENCY_READ))
		doc_note(d, "p50 and p99: for how long packets waited until they were read.");
	else if (s->has_latency)
		doc_note(d, "p50 and p99: for how long packets waited up to %s.",
			 s->latency->merged);
	if (iv->outside)
		doc_note(d,
			 "%" PRIu64
			 " samples before the first tick or after the last are in no row.",
			 iv->outside);
	if (filter_has_tasks(m->filter))
		doc_note(d, "Only by samples of these tasks: exact times are per CPU.");
	if (!model_is_of_all(m))
		doc_note(d, "Packets and energy are those of all CPUs and tasks, and not shown.");
	else if (m->nnetdevs)
		doc_note(
			d,
			"packets/s, Mbit/s: of interfaces, rx + tx, once on each that a packet passes.");
	if (m->records[TRACE_MARK] > m->nmoments)
		doc_note(d, "%" PRIu64 " more marks; dump has them all.",
			 m->records[TRACE_MARK] - m->nmoments);
}

/* What is shown if it was measured in any piece: as user mode is where samples separate it from the kernel. */
static int find_absent(const struct intervals *iv, const struct model *m, unsigned int *absent)
{
	struct split_cpu all;
	int err = 0;

	*absent = LEAF_NOT_SAMPLED;
	for (size_t i = 0; !err && *absent && i < iv->n; i++) {
		err = interval_split(iv, i, m, &all);
		*absent &= err ? 0 : split_absent(&all);
	}
	return err;
}

static int make_table(struct doc *d, const struct shown *s)
{
	struct doc_column column[BEFORE + SPLIT_COLUMNS + AFTER];
	struct doc_table table = {
		.key = "rows", .caption = "Pieces of time", .tight = true, .column = column
	};
	struct timeline_row r = { 0 };
	struct timeline timeline;
	unsigned int absent;
	int err = find_absent(s->iv, s->m, &absent);

	if (err)
		return err;
	table.ncolumns = columns(column, absent, s->has_latency);
	timeline_init(&timeline, s->iv, s->m);
	doc_table(d, &table);
	for (size_t i = 0; !err && i < s->iv->n; i++) {
		err = timeline_row(&r, &timeline, i);
		if (!err)
			row(d, s, i, &r);
	}
	doc_table_end(d);
	notes(d, s);
	return err;
}

int timeline_table(struct doc *d, const struct intervals *iv, const struct model *m)
{
	const struct shown s = { .iv = iv, .m = m };

	return make_table(d, &s);
}

/* A hook, or those of reads. */
static void latency_hook(struct doc *d, const struct shown *s)
{
	static const char *const choices[] = { LATENCY_READ,
#define X(id, name, key, from, to) key,
					       NETCOST_LATENCIES(X)
#undef X
						       NULL };

	doc_field_choice(d, "latency_hook", s->latency ? s->latency->merged : LATENCY_READ,
			 choices);
}

int timeline_doc(struct doc *d, const struct intervals *iv, const struct model *m,
		 const struct latency_times *latency)
{
	const struct shown s = { .iv = iv,
				 .m = m,
				 .latency = latency,
				 .has_latency = latency && model_is_of_all(m) &&
						latency_is_measured(latency, m) };
	int err;

	if (latency && latency->no_memory)
		return -ENOMEM;
	doc_object(d, NULL);
	doc_heading(d, "%s", "");
	doc_trace(d, m);
	doc_field_uint(d, "samples_outside", iv->outside);
	doc_field_uint(d, "marks_in_all", m->records[TRACE_MARK]);
	latency_hook(d, &s);
	doc_marks(d, m, SIZE_MAX);
	err = make_table(d, &s);
	doc_object_end(d);
	return err;
}
