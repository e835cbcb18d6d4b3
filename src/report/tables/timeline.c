// SPDX-License-Identifier: BSD-2-Clause
/* CPU time, traffic and power over time, and CPU time and energy over time by process or cgroup. */

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <netcost/text_append.h>

#include "tables.h"
#include "report/base/stats.h"
#include "report/base/text.h"
#include "report/model/filter.h"
#include "report/analysis/breakdown.h"

/* ---- the host ---------------------------------------------------------------------------- */

/* Columns of the time. The local time is for text, because people compare it with logs. */
#define TIMES_OF_PIECE                                                                             \
	{ .title = "time", .kind = DOC_STRING, .width = 8, .spare = 7, .only = DOC_TEXT },         \
		{ .key = "begin_s",                                                                \
		  .title = "from s",                                                               \
		  .decimals = 3,                                                                   \
		  .fixed = true,                                                                   \
		  .precision = 6,                                                                  \
		  .width = 8 },                                                                    \
	{                                                                                          \
		.key = "end_s", .title = "to s", .decimals = 3, .fixed = true, .precision = 6,     \
		.width = 10                                                                        \
	}
#define BEFORE 5
#define AFTER 13

/* Prints a local time. buf: a buffer of TEXT_SIZE bytes that must live as long as the row. */
static void clock_cell(struct doc *d, char *buf, const struct model *m, double seconds)
{
	uint64_t origin_ns = m->origin_ns ? m->origin_ns : m->header.start_ns;
	uint64_t real_ns = model_real_ns(m, origin_ns + (uint64_t)llround(1e9 * seconds));

	doc_string(d, real_ns ? text_clock(buf, TEXT_SIZE, real_ns) : "");
}

/* The state of a table. */
struct shown {
	const struct intervals *iv;
	const struct model *m;
	const struct latency_times *latency; /* latency by interval; NULL for none */
	bool has_latency;		     /* text shows the latency too */
};

static size_t columns(struct doc_column to[BEFORE + SPLIT_COLUMNS + AFTER], unsigned int absent,
		      bool has_packets, bool has_latency)
{
	static const struct doc_column before[BEFORE] = {
		TIMES_OF_PIECE,
		{ .key = "samples", .known = true },
		{ .key = "ns", .about = "total CPU time of the row in ns" },
	};
	static const struct doc_column after[AFTER] = {
		{ .key = "interface_packets_per_s", .precision = 1 },
		{ .key = "interface_bits_per_s" },
		{ .key = "interface_basis",
		  .kind = DOC_STRING,
		  .choices = interfaces_basis_keys,
		  .known = true,
		  .about = "which interfaces packets and bits are sums over" },
		{ .key = "interface_rx_packets_per_s",
		  .title = "rx pkt/s",
		  .decimals = 2,
		  .precision = 1,
		  .width = 9 },
		{ .key = "interface_tx_packets_per_s",
		  .title = "tx pkt/s",
		  .decimals = 2,
		  .precision = 1,
		  .width = 9 },
		{ .key = "interface_rx_bits_per_s",
		  .title = "rx Mb/s",
		  .scale = 1e-6,
		  .decimals = 3,
		  .width = 9,
		  .spare = 1 },
		{ .key = "interface_tx_bits_per_s",
		  .title = "tx Mb/s",
		  .scale = 1e-6,
		  .decimals = 3,
		  .width = 9,
		  .spare = 1 },
		{ .key = "package_and_dram_w", .precision = 6 },
		{ .key = "network_w",
		  .title = "net W",
		  .decimals = 2,
		  .precision = 6,
		  .width = 7,
		  .spare = 5 },
		{ .key = "latency_packets",
		  .whole = true,
		  .about = "number of packets with a known latency" },
		{ .key = "latency_p50_ns",
		  .title = "p50",
		  .unit = TEXT_NS,
		  .precision = 1,
		  .width = 10,
		  .about = "median packet latency up to latency_hook; null: not measured, or "
			   "there were no packets" },
		{ .key = "latency_p99_ns",
		  .title = "p99",
		  .unit = TEXT_NS,
		  .precision = 1,
		  .width = 10,
		  .about = "99th percentile of the packet latency up to latency_hook; null: not "
			   "measured, or no packets" },
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
	for (size_t i = 0; i < AFTER; i++)
		if ((!has_latency && !strncmp(to[i].key, "latency_", strlen("latency_"))) ||
		    (!has_packets && !strncmp(to[i].key, "interface_", strlen("interface_"))))
			to[i].title = NULL;
	return BEFORE + SPLIT_COLUMNS + AFTER;
}

/* Writes the marks of a row, separated by semicolons, as one cell. In text, each mark has a line below the row. */
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

/* Adds a quantile with as many digits as its confidence interval allows. */
static void quantile_cell(struct doc *d, const struct dist_summary *l, enum dist_quantile q)
{
	doc_interval(d, l->ns[q], fmin(l->ns[q], (l->high_ns[q] - l->low_ns[q]) / 2));
}

static void latency_cells(struct doc *d, const struct shown *s, size_t i)
{
	struct dist_summary l = { .count = NAN, .ns = { [DIST_P50] = NAN, [DIST_P99] = NAN } };

	if (s->has_latency)
		l = latency_times_merged(s->latency, i);
	doc_number(d, l.count);
	quantile_cell(d, &l, DIST_P50);
	quantile_cell(d, &l, DIST_P99);
}

static void row(struct doc *d, const struct shown *s, size_t i, const struct timeline_row *r)
{
	const struct model *m = s->m;
	char marks[1024], clock[TEXT_SIZE];

	marks_text(marks, sizeof(marks), m, r);
	doc_row(d, 0, DOC_ALL);
	clock_cell(d, clock, m, r->begin_s);
	doc_number(d, r->begin_s);
	doc_number(d, r->end_s);
	doc_number(d, (double)r->samples);
	doc_number(d, r->split.wall_ns);
	split_cells(d, &r->split, split_sum(&r->split, LEAF_NETWORK).ci95_ns, true);
	doc_number(d, r->packets_per_s);
	doc_number(d, r->bits_per_s);
	doc_string(d, interfaces_basis_keys[s->iv->basis]);
	doc_number(d, r->rx_packets_per_s);
	doc_number(d, r->tx_packets_per_s);
	doc_number(d, r->rx_bits_per_s);
	doc_number(d, r->tx_bits_per_s);
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

	doc_note(
		d,
		"Columns from idle to network: %% of CPU time; exact where exact times are known.");
	if (s->has_latency && !strcmp(s->latency->merged, LATENCY_READ))
		doc_note(d, "p50 and p99: packet latency until the packets were read.");
	else if (s->has_latency)
		doc_note(d, "p50 and p99: packet latency up to %s.", s->latency->merged);
	if (iv->outside)
		doc_note(d,
			 "%" PRIu64
			 " samples before the first tick or after the last are in no row.",
			 iv->outside);
	if (filter_has_tasks(m->filter))
		doc_note(d, "Only samples of the selected tasks: exact times are per CPU.");
	if (!model_is_of_all(m))
		doc_note(d, "Packets and energy cover all CPUs and tasks, and are not shown.");
	else if (m->nnetdevs)
		doc_note(d, "rx and tx, packets/s and Mbit/s: %s.",
			 interfaces_basis_text[iv->basis]);
	if (m->records[TRACE_MARK] > m->nmoments)
		doc_note(d, "%" PRIu64 " more marks; netcost-report dump prints all marks.",
			 m->records[TRACE_MARK] - m->nmoments);
}

/*
 * Finds the leaves that were not measured in any interval, such as user mode if samples do not
 * separate it from the kernel.
 */
static int find_absent(const struct intervals *iv, const struct model *m, unsigned int *absent)
{
	struct split_cpu all;
	int err = 0;

	*absent = LEAF_ALL;
	for (size_t i = 0; !err && *absent && i < iv->n; i++) {
		err = interval_split(iv, i, m, &all);
		*absent &= err ? 0 : split_absent(&all) | split_unknown(&all);
	}
	return err;
}

static int make_table(struct doc *d, const struct shown *s)
{
	struct doc_column column[BEFORE + SPLIT_COLUMNS + AFTER];
	struct doc_table table = {
		.key = "rows", .caption = "Intervals", .tight = true, .column = column
	};
	struct timeline_row r = { 0 };
	struct timeline timeline;
	unsigned int absent;
	int err = find_absent(s->iv, s->m, &absent);

	if (err)
		return err;
	table.ncolumns =
		columns(column, absent, model_is_of_all(s->m) && s->m->nnetdevs, s->has_latency);
	if (!model_real_ns(s->m, s->m->header.start_ns))
		column[0].title = NULL;
	for (size_t i = 0; i < table.ncolumns && !s->m->nzones; i++)
		if (column[i].key && !strcmp(column[i].key, "network_w"))
			column[i].title = NULL; /* the column would contain only "-" */
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

/* Prints the name of a checkpoint, or of the delay until packets are read. */
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

/* ---- by process or cgroup: parts of an interval ------------------------------------- */

enum kind { KIND_IDLE, KIND_ONE, KIND_OTHERS, KIND_INTERRUPTS, KIND_MISSING, KINDS };

static const char *const kinds[KINDS + 1] = { "idle",	    "process",	 "others",
					      "interrupts", "in no row", NULL };

#define PARTS (TIMELINE_BY_MOST + KINDS - 1)

/* A part of an interval. All parts sum to all CPU time that was counted, and to all energy. */
struct timeline_part {
	enum kind kind;
	const struct processes_row *who; /* the process or cgroup of a part of KIND_ONE */
	double ns, network_ns;
	struct energy_range j;
};

static struct timeline_part part_of(const struct timeline_by_row *r, enum kind kind, double ns,
				    double network_ns)
{
	return (struct timeline_part){ .kind = kind,
				       .ns = ns,
				       .network_ns = network_ns,
				       .j = kind == KIND_IDLE ? timeline_by_idle_energy(r) :
								timeline_by_energy(r, ns) };
}

/* Makes the parts: idle time, the tracks, and all others. Returns the number of parts. */
static size_t make_parts(struct timeline_part part[PARTS], const struct timeline_by *t,
			 const struct timeline_by_row *r)
{
	/* the times of sends and receives were measured */
	bool sends = !isnan(t->p->all.network_ns);
	size_t n = 0;

	part[n++] = part_of(r, KIND_IDLE, r->idle_ns, 0);
	for (size_t k = 0; k <= t->tracks.ntracks; k++, n++) {
		bool one = k < t->tracks.ntracks;

		part[n] = part_of(r, one ? KIND_ONE : KIND_OTHERS, r->track[k][PROCESS_TIME_ON_CPU],
				  sends ? r->track[k][PROCESS_TIME_NETWORK] : NAN);
		part[n].who = one ? &t->p->row[k] : NULL;
	}
	part[n++] = part_of(r, KIND_INTERRUPTS, r->interrupted_ns, r->interrupted_ns);
	part[n++] = part_of(r, KIND_MISSING, r->missing_ns, 0);
	return n;
}

/* The state of a table by process or cgroup. */
struct by_shown {
	struct timeline_by *t;
	char title[TIMELINE_BY_MOST][17]; /* titles of the tracks */
	/* headings are numbers, because a terminal has no room for names */
	bool numbers;
};

#define ROOM 40 /* width for all tracks in narrow text */
#define LEAST 5 /* least width of a track */

static bool is_narrow(const struct doc *d)
{
	return doc_is_for(d, DOC_TEXT) && !d->wide;
}

static void name_tracks(struct by_shown *s, bool narrow)
{
	const struct timeline_by *t = s->t;
	size_t width = 0;

	for (size_t i = 0; i < t->tracks.ntracks; i++) {
		size_t n = strlen(
			process_title(s->title[i], sizeof(s->title[i]), t->p, &t->p->row[i]));

		width += 1 + (n > LEAST ? n : LEAST);
	}
	s->numbers = narrow && width > ROOM;
	for (size_t i = 0; s->numbers && i < t->tracks.ntracks; i++)
		snprintf(s->title[i], sizeof(s->title[i]), "#%u", (unsigned int)i + 1);
}

/* Makes the columns of the tracks. Returns their number. */
static size_t track_columns(struct doc_column *to, const struct by_shown *s,
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

/* Prints the names of the numbered tracks. */
static void legend(struct doc *d, const void *ctx)
{
	const struct by_shown *s = ctx;
	char text[DOC_LINE] = "", title[64];

	for (size_t i = 0; i < s->t->tracks.ntracks; i++)
		text_append(text, sizeof(text), ", ", "#%zu %s", i + 1,
			    process_title(title, sizeof(title), s->t->p, &s->t->p->row[i]));
	if (s->numbers)
		doc_note(d, "  %s", text);
}

/* ---- text: one column per part ------------------------------------------------------ */

#define BY_BEFORE 4
#define BY_AFTER 5

static size_t times_columns(struct doc_column *to, const struct by_shown *s)
{
	static const struct doc_column track = { .decimals = 2, .width = 6 };
	static const struct doc_column before[] = {
		TIMES_OF_PIECE,
		{ .title = "idle", .decimals = 2, .width = 7 },
	};
	static const struct doc_column after[] = {
		{ .title = "others", .decimals = 2, .width = 8 },
		{ .title = "interrupts", .decimals = 2, .width = 10 },
		{ .title = "in no row", .decimals = 2, .width = 9, .spare = 1 },
		{ .title = "network", .decimals = 2, .width = 8 },
	};
	size_t n = BY_BEFORE;

	memcpy(to, before, sizeof(before));
	n += track_columns(to + n, s, &track);
	memcpy(to + n, after, sizeof(after));
	return n + sizeof(after) / sizeof(after[0]);
}

static void percent(struct doc *d, const struct timeline_by_row *r, double ns)
{
	doc_number(d, 100 * known_ratio(ns, r->wall_ns));
}

static void times_rows(struct doc *d, const void *ctx)
{
	const struct by_shown *s = ctx;
	struct timeline_part part[PARTS];

	for (size_t i = 0; i < s->t->intervals->n; i++) {
		const struct timeline_by_row *r = timeline_by_row(s->t, i);
		size_t n = make_parts(part, s->t, r);
		double network_ns = 0;
		char clock[TEXT_SIZE];

		doc_row(d, 0, DOC_PEOPLE);
		clock_cell(d, clock, s->t->p->m, r->begin_s);
		doc_number(d, r->begin_s);
		doc_number(d, r->end_s);
		for (size_t k = 0; k < n; k++) {
			percent(d, r, part[k].ns);
			network_ns += part[k].network_ns;
		}
		percent(d, r, network_ns);
		doc_row_end(d);
	}
}

static void times(struct doc *d, const struct by_shown *s)
{
	struct doc_column column[BY_BEFORE + TIMELINE_BY_MOST + BY_AFTER];
	const struct doc_table table = { .key = "shown",
					 .caption = "CPU time by interval, %",
					 .tight = true,
					 .column = column,
					 .ncolumns = times_columns(column, s),
					 .only = DOC_PEOPLE };

	doc_fitted(d, &table, &(struct doc_rows){ .add = times_rows, .ctx = s, .below = legend });
	doc_note(
		d,
		"  %% of CPU time; all columns except the last sum to 100. network: the rows' own network time plus interrupts, which may process packets of any process.");
	if (s->t->p->own_ns > 0)
		doc_note(
			d,
			"  In no row: includes netcost's own cost, which is subtracted from all processes in proportion.");
}

/* ---- text: energy ------------------------------------------------------------------- */

/*
 * Makes the columns of energy. Wide text shows a range in each cell. Narrow text shows a row of the
 * low ends, then a row of the high ends.
 */
static size_t energy_columns(struct doc_column *to, const struct by_shown *s, bool wide)
{
	static const struct doc_column before[] = {
		TIMES_OF_PIECE,
		{ .title = "", .kind = DOC_STRING, .width = 4 },
	};
	static const struct doc_column range = { .kind = DOC_STRING, .width = 16 };
	static const struct doc_column end = { .decimals = 2, .width = 6, .brief = true };
	static const struct doc_column all = {
		.title = "all", .decimals = 2, .width = 8, .brief = true
	};
	static const char *const after[] = { "others", "interrupts", "in no row", "idle" };
	const struct doc_column *like = wide ? &range : &end;
	size_t n = BY_BEFORE;

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

/* The ends of the ranges that a row shows. The last part is idle. */
enum ends { ENDS_BOTH, ENDS_LOW, ENDS_HIGH };

static void energy_row(struct doc *d, const struct timeline_by *t, const struct timeline_by_row *r,
		       enum ends ends)
{
	static const char *const titles[] = { NULL, "low", "high" };
	struct timeline_part part[PARTS];
	size_t n = make_parts(part, t, r);
	char text[PARTS][80], clock[TEXT_SIZE];

	doc_row(d, 0, DOC_PEOPLE);
	if (ends == ENDS_HIGH) {
		doc_blanks(d, 3);
	} else {
		clock_cell(d, clock, t->p->m, r->begin_s);
		doc_number(d, r->begin_s);
		doc_number(d, r->end_s);
	}
	if (titles[ends])
		doc_string(d, titles[ends]);
	else
		doc_blank(d);
	for (size_t i = 1; i <= n; i++) {
		const struct energy_range *j = &part[i % n].j;

		snprintf(text[i % n], sizeof(text[0]), "%6s to %6s", MEASURED(j->low, TEXT_PLAIN),
			 MEASURED(j->high, TEXT_PLAIN));
		if (ends == ENDS_BOTH)
			doc_string(d, text[i % n]);
		else
			doc_number(d, ends == ENDS_HIGH ? j->high : j->low);
	}
	doc_number(d, r->joules);
	doc_row_end(d);
}

static void energy_rows(struct doc *d, const void *ctx)
{
	const struct by_shown *s = ctx;

	for (size_t i = 0; i < s->t->intervals->n; i++) {
		const struct timeline_by_row *r = timeline_by_row(s->t, i);

		if (!is_narrow(d)) {
			energy_row(d, s->t, r, ENDS_BOTH);
			continue;
		}
		energy_row(d, s->t, r, ENDS_LOW);
		energy_row(d, s->t, r, ENDS_HIGH);
	}
}

static void energy(struct doc *d, const struct by_shown *s)
{
	struct doc_column column[BY_BEFORE + TIMELINE_BY_MOST + BY_AFTER];
	const struct doc_table table = { .key = "energy",
					 .title = "Energy of packages and memory, J, low to high",
					 .above = true,
					 .column = column,
					 .ncolumns = energy_columns(column, s, !is_narrow(d)),
					 .only = DOC_PEOPLE };

	doc_fitted(d, &table, &(struct doc_rows){ .add = energy_rows, .ctx = s });
	doc_note(
		d,
		"  Energy is distributed as in `who`, separately for each interval; the columns sum to the last one.");
}

static void by_shown(struct doc *d, struct timeline_by *t)
{
	struct by_shown s = { .t = t };

	name_tracks(&s, is_narrow(d));
	times(d, &s);
	if (t->has_energy)
		energy(d, &s);
}

/* ---- for programs: one row per part ------------------------------------------------- */

static void part_row(struct doc *d, const struct timeline_by_row *r, const struct timeline_part *p)
{
	const struct processes_row *who = p->who;

	doc_row(d, 0, DOC_PROGRAMS);
	doc_number(d, r->begin_s);
	doc_number(d, r->end_s);
	doc_string(d, kinds[p->kind]);
	doc_number(d, who ? known_uint(who->pid) : NAN);
	doc_string(d, who && *who->name ? who->name : NULL);
	doc_string(d, who && *who->cgroup ? who->cgroup : NULL);
	doc_number(d, p->ns);
	percent(d, r, p->ns);
	doc_number(d, p->network_ns);
	doc_number(d, p->j.low);
	doc_number(d, p->j.high);
	doc_row_end(d);
}

static void part_rows(struct doc *d, const struct timeline_by *t, const struct timeline_by_row *r)
{
	struct timeline_part part[PARTS];
	size_t n = make_parts(part, t, r);

	for (size_t i = 0; i < n; i++)
		part_row(d, r, &part[i]);
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
			  "kind of the row; process: a group that --by selects, such as a process or cgroup. The rows of an interval sum to all counted CPU time" },
		{ .key = "pid", .whole = true },
		{ .key = "name", .kind = DOC_STRING },
		{ .key = "cgroup", .kind = DOC_STRING },
		{ .key = "ns", .about = "on-CPU time in ns, without interrupts" },
		{ .key = "percent", .precision = 4, .about = "share of CPU time in percent" },
		{ .key = "network_ns", .about = "network time in ns; included in the column ns" },
		{ .key = "energy_low_j",
		  .precision = 6,
		  .about =
			  "lower bound of the row's part of the energy of packages and memory; the rows of an interval sum to the total; null: not measured, or idle power is unknown" },
		{ .key = "energy_high_j", .precision = 6 },
	};
	static const struct doc_table table = { .key = "rows",
						DOC_COLUMNS_OF(column),
						.only = DOC_PROGRAMS };

	doc_table(d, &table);
	for (size_t i = 0; i < t->intervals->n; i++)
		part_rows(d, t, timeline_by_row(t, i));
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
		by_shown(d, t);
	} else {
		doc_note(d, "No counters by process. Record with netcost-record --processes.");
	}
	if (p->paused_ns > 0)
		doc_note(
			d,
			"Exact times were counted in windows (--budget): rows cover these windows.");
	all(d, t);
	doc_object_end(d);
}
