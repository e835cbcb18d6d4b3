// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/text_append.h>

#include "tables.h"
#include "report/base/stats.h"
#include "report/base/doc.h"
#include "report/base/text.h"

#define NAME_SIZE (SAFE_SIZE + 64)

/*
 * The state of a table of quantiles. It has rows by checkpoint, or rows by interface or another key
 * at each checkpoint, for the whole time or for each interval.
 */
struct shown {
	const struct model *m;
	const struct latency_view *v;
	const struct store *store; /* rows by interface or another key; NULL for none */
	struct latency_times_row *row;
	size_t n;
	bool namespaces; /* the store has interfaces of several namespaces */
	size_t name_size;
	struct doc_column column[DOC_COLUMNS];
	size_t ncolumns, name; /* name: index of the text column that has the name */
};

static bool is_by(const struct shown *s)
{
	return s->v->by != LATENCY_ALL;
}

/* ---- columns ----------------------------------------------------------------------------- */

static const struct doc_column piece_columns[] = {
	{ .key = "begin_s",
	  .title = "from s",
	  .decimals = 3,
	  .fixed = true,
	  .precision = 6,
	  .width = 8 },
	{ .key = "end_s",
	  .title = "to s",
	  .decimals = 3,
	  .fixed = true,
	  .precision = 6,
	  .width = 10 },
};

/* The column of the checkpoint, and the number of packets. */
static const struct doc_column hook_columns[] = {
	{ .key = "hook",
	  .title = "checkpoint",
	  .kind = DOC_STRING,
	  .width = 23,
	  .known = true,
	  .choices = latency_keys },
	{ .key = "packets", .title = "packets", .width = 10, .known = true },
};

/* Columns that the table has if packets were not followed all the time. */
static const struct doc_column in_all_columns[] = {
	{ .key = "in_all",
	  .ci_key = "in_all_ci95",
	  .title = "in all",
	  .kind = DOC_INTERVAL,
	  .width = 16,
	  .spare = 1,
	  .about =
		  "number of packets estimated for the whole time, and half-width of its 95 % interval; null: packets were followed all the time, or too few windows" },
};

static const struct doc_column quantile_columns[] = {
#define X(name, key, title, share) LATENCY_QUANTILE(name, key, title),
	DIST_QUANTILES(X)
#undef X
		LATENCY_MEAN,
};

static const struct doc_column bounded_columns[] = { PACKETS_QUANTILES };

static const struct doc_column end_columns[] = {
	{ .key = "min_ns", .title = "min", LATENCY_TIME, .spare = 5 },
	{ .key = "max_ns", .title = "max", LATENCY_TIME, .spare = 1 },
};

static const struct doc_column loss_columns[] = {
	{ .key = "variation_ns",
	  .title = "p99-p1",
	  LATENCY_TIME,
	  .spare = 6,
	  .about = "packet delay variation: p99 minus p1" },
#define X(id, name, key_, title_) { .key = key_, .about = title_ },
	NETCOST_LATENCY_LOSSES(X)
#undef X
};

/* Columns with the 95 % confidence intervals of quantiles, for pages and wide text. */
static const struct doc_column interval_columns[] = {
#define X(name, key, title_, share)                                                                \
	{ .title = title_ ", 95 %", .kind = DOC_STRING, .width = 20, .only = DOC_HTML },
	DIST_QUANTILES(X)
#undef X
};

static const struct doc_column who_columns[] = {
	{ .title = "", .kind = DOC_STRING }, /* for people; a separate heading is above it */
	{ .key = "which",
	  .kind = DOC_STRING,
	  .known = true,
	  .choices = latency_which_keys,
	  .about =
		  "kind of the row; one: a single key; not-known: packets whose key is unknown; rest: the sum of all keys beyond the recorder's limit" },
	{ .key = "name",
	  .kind = DOC_STRING,
	  .about = "name of the interface, cgroup or process; null: unknown" },
	{ .key = "ifindex", .whole = true },
	{ .key = "netns", .whole = true, .about = "inode of the interface's network namespace" },
	{ .key = "cgroup_id", .whole = true, .about = "inode of the cgroup, which is its id" },
	{ .key = "pid", .whole = true },
	{ .key = "start_s",
	  .precision = 6,
	  .about = "start of the process, in seconds since the recording began" },
};

#define COLUMNS(s, columns) add_columns(s, columns, sizeof(columns) / sizeof(*(columns)))

static void add_columns(struct shown *s, const struct doc_column *column, size_t n)
{
	memcpy(&s->column[s->ncolumns], column, n * sizeof(*column));
	s->ncolumns += n;
}

static void add_in_all(struct shown *s)
{
	size_t first = s->ncolumns;

	COLUMNS(s, in_all_columns);
	for (size_t i = first; i < s->ncolumns; i++)
		s->column[i].only = model_follows_in_windows(s->m) ? DOC_ALL : DOC_PROGRAMS;
}

/* Makes the columns, in the order of the cells in row(). */
static void make_columns(struct shown *s, const struct doc *d)
{
	if (s->v->iv)
		COLUMNS(s, piece_columns);
	COLUMNS(s, hook_columns);
	if (!is_by(s) && !s->v->iv)
		add_in_all(s);
	if (s->v->iv)
		COLUMNS(s, quantile_columns);
	else
		COLUMNS(s, bounded_columns);
	if (!is_by(s))
		COLUMNS(s, end_columns);
	if (!is_by(s) && !s->v->iv)
		COLUMNS(s, loss_columns);
	if (!s->v->iv)
		COLUMNS(s, interval_columns);
	for (size_t i = 0; d->wide && i < s->ncolumns; i++)
		if (s->column[i].only == DOC_HTML)
			s->column[i].only = DOC_PEOPLE;
	if (!is_by(s))
		return;
	s->name = s->ncolumns;
	COLUMNS(s, who_columns);
	s->column[s->name].title = latency_by_keys[s->v->by];
}

/* ---- cells ------------------------------------------------------------------------------- */

static char *interval_text(char *dst, size_t size, double low_ns, double high_ns)
{
	if (isnan(low_ns) && isnan(high_ns))
		snprintf(dst, size, "-");
	else
		snprintf(dst, size, "%s to %s", MEASURED(low_ns, TEXT_NS),
			 MEASURED(high_ns, TEXT_NS));
	return dst;
}

char *latency_text(char *dst, size_t size, const struct dist_summary *r, enum dist_quantile q)
{
	return text_measured(dst, size,
			     &(struct text_measure){ .v = r->ns[q],
						     .ci95 = (r->high_ns[q] - r->low_ns[q]) / 2,
						     .unit = TEXT_NS,
						     .most = -1,
						     .alone = true });
}

static void shown_name(char *dst, const struct shown *s, const struct model_latency_by *b)
{
	const char *name = *b->name ? SAFE(b->name) : "not known";

	if (b->which == NETCOST_LATENCY_NOT_KNOWN)
		snprintf(dst, s->name_size, "not known there");
	else if (b->which == NETCOST_LATENCY_REST)
		snprintf(dst, s->name_size, "everything else");
	else if (b->by == NETCOST_LATENCY_BY_CGROUP && *b->name)
		process_path(dst, s->name_size, name);
	else if (b->by == NETCOST_LATENCY_BY_INTERFACE && s->namespaces)
		snprintf(dst, s->name_size, "%s in %" PRIu64, name, b->id);
	else if (b->by == NETCOST_LATENCY_BY_PROCESS)
		snprintf(dst, s->name_size, "%s (%" PRIu64 ")", name, b->number);
	else
		snprintf(dst, s->name_size, "%s", name);
}

static double number(uint64_t v, bool is)
{
	return is ? known_uint(v) : NAN;
}

/*
 * Adds the cells of a key. name: a buffer of NAME_SIZE bytes that must live until the end of the
 * row.
 */
static void who_cells(struct doc *d, const struct shown *s, const struct model_latency_by *b,
		      char *name)
{
	bool process = b->by == NETCOST_LATENCY_BY_PROCESS && b->id != TRACE_NIL;

	shown_name(name, s, b);
	doc_string(d, name);
	doc_string(d, latency_which_keys[b->which]);
	doc_string(d, *b->name ? b->name : NULL);
	doc_number(d, number(b->number, b->by == NETCOST_LATENCY_BY_INTERFACE));
	doc_number(d, number(b->id, b->by == NETCOST_LATENCY_BY_INTERFACE));
	doc_number(d, number(b->id, b->by == NETCOST_LATENCY_BY_CGROUP));
	doc_number(d, number(b->number, b->by == NETCOST_LATENCY_BY_PROCESS));
	doc_number(d, process ? model_seconds(s->m, b->id) : NAN);
}

/*
 * Text shows a quantile only if at least one packet is expected beyond the quantile, with the digits that its
 * confidence interval allows.
 */
void packets_quantiles(struct doc *d, const struct dist_summary *r, bool bounds)
{
	static const double beyond[] = {
#define X(name, key, title, share) 1 - share,
		DIST_QUANTILES(X)
#undef X
	};

	for (int i = 0; i < DIST_QUANTILE_COUNT; i++) {
		bool known = doc_is_for(d, DOC_PROGRAMS) || r->count * beyond[i] > 0.999;

		doc_interval(d, known ? r->ns[i] : NAN,
			     fmin(r->ns[i], (r->high_ns[i] - r->low_ns[i]) / 2));
		if (!bounds)
			continue;
		doc_number(d, r->low_ns[i]);
		doc_number(d, r->high_ns[i]);
	}
	doc_number(d, r->mean_ns);
}

static void in_all_cells(struct doc *d, const struct shown *s, enum netcost_latency hook)
{
	double ci95, packets = model_packets_in_all(s->m, hook, &ci95);
	doc_interval(d, model_follows_in_windows(s->m) ? packets : NAN,
		     model_follows_in_windows(s->m) ? ci95 : NAN);
}

static void hook_cells(struct doc *d, const struct shown *s, const struct latency_times_row *row)
{
	doc_number(d, row->r.min_ns);
	doc_number(d, row->r.max_ns);
	if (s->v->iv)
		return;
	doc_number(d, row->r.variation_ns);
	for (unsigned int i = 0; i < NETCOST_LATENCY_LOSS_COUNT; i++)
		doc_number(d, known_uint(model_latency_lost(s->m, row->hook, i)));
}

static void row(struct doc *d, const struct shown *s, const struct latency_times_row *row)
{
	char name[NAME_SIZE], text[DIST_QUANTILE_COUNT][64];
	const struct dist_summary *r = &row->r;

	doc_row(d, 0, r->count > 0 ? DOC_ALL : DOC_PROGRAMS);
	if (s->v->iv) {
		doc_number(d, model_seconds(s->m, s->v->iv->row[row->piece].begin_ns));
		doc_number(d, model_seconds(s->m, s->v->iv->row[row->piece].end_ns));
	}
	doc_string(d, latency_keys[row->hook]);
	doc_number(d, r->count);
	if (!is_by(s) && !s->v->iv)
		in_all_cells(d, s, row->hook);
	packets_quantiles(d, r, !s->v->iv);
	if (!is_by(s))
		hook_cells(d, s, row);
	for (int i = 0; !s->v->iv && i < DIST_QUANTILE_COUNT; i++)
		doc_string(d, interval_text(text[i], sizeof(text[i]), r->low_ns[i], r->high_ns[i]));
	if (is_by(s)) {
		struct model_latency_by b = model_latency_by(s->store, row->key);

		who_cells(d, s, &b, name);
	}
	doc_row_end(d);
}

static void rows(struct doc *d, const void *ctx)
{
	const struct shown *s = ctx;

	for (size_t i = 0; i < s->n; i++)
		row(d, s, &s->row[i]);
}

/* ---- rows -------------------------------------------------------------------------------- */

/* Returns true if the store has interfaces of several network namespaces. */
static bool are_in_several(const struct store *s, enum netcost_latency_by by)
{
	uint64_t netns = TRACE_NIL;
	bool several = false;

	for (size_t i = 0; s && i < store_rows(s); i++) {
		struct model_latency_by b = model_latency_by(s, i);

		if (b.by != by || b.which != NETCOST_LATENCY_ONE)
			continue;
		several |= netns != TRACE_NIL && netns != b.id;
		netns = b.id;
	}
	return several;
}

/*
 * Makes the rows for the whole time: a row for each measured checkpoint, or for each key of its
 * packets.
 */
static int make_rows(struct shown *s, enum netcost_latency_by by)
{
	size_t n = is_by(s) ? s->store ? store_rows(s->store) : 0 : NETCOST_LATENCY_COUNT;

	s->row = calloc(n + 1, sizeof(*s->row));
	if (!s->row)
		return -ENOMEM;
	if (is_by(s)) {
		s->n = latency_by_sorted(s->row, s->store, by);
		return 0;
	}
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++)
		if (model_is_measured(s->m, NETCOST_OF_LATENCY, h)) {
			s->row[s->n].hook = h;
			dist_summarize(&s->row[s->n++].r, model_latency_dist(s->m, h));
		}
	return 0;
}

static struct doc_table table_of(const struct shown *s)
{
	static const char *const captions[2][LATENCY_ALL + 1] = {
		{ "By checkpoint and interface", "By checkpoint and cgroup",
		  "By checkpoint and process", "By checkpoint" },
		{ "By interval, checkpoint and interface", "By interval, checkpoint and cgroup",
		  "By interval, checkpoint and process", "By interval and checkpoint" },
	};
	static const char *const about[2][2] = {
		{ NULL, "packet latency by checkpoint and interface, cgroup or process" },
		{ "packet latency by interval and checkpoint; rows without packets are left out",
		  "packet latency by interval, checkpoint, and interface, cgroup or process; rows without packets are left out" },
	};
	bool shown = s->n || (!is_by(s) && !s->v->iv && model_has_probes(s->m, NETCOST_OF_LATENCY));

	return (struct doc_table){ .key = "rows",
				   .caption = captions[!!s->v->iv][s->v->by],
				   .column = s->column,
				   .ncolumns = s->ncolumns,
				   .only = shown ? DOC_ALL : DOC_PROGRAMS,
				   .about = about[!!s->v->iv][is_by(s)] };
}

/* Prints the table. Names get the remaining width. */
static void quantiles(struct doc *d, struct shown *s)
{
	struct doc_table table;

	make_columns(s, d);
	table = table_of(s);
	doc_fitted(d, &table,
		   &(struct doc_rows){ .add = rows, .ctx = s, .name_size = &s->name_size });
}

/* Reports packets of checkpoints that no row has, so that the sums of the rows can be compared with `latency`. */
static void without_row(struct doc *d, const struct shown *s)
{
	double packets[NETCOST_LATENCY_COUNT] = { 0 };
	char text[DOC_LINE] = "";

	for (size_t i = 0; i < s->n; i++)
		packets[s->row[i].hook] += s->row[i].r.count;
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++) {
		double all = (double)dist_count(model_latency_dist(s->m, h));

		if (packets[h] > 0 && all > packets[h])
			text_append(text, sizeof(text), ", ", "%s %s of %s", latency_keys[h],
				    NUM(all - packets[h], 0), NUM(all, 0));
	}
	if (*text)
		doc_note(d, "  packets without a row: counted, but not by %s: %s",
			 latency_by_keys[s->v->by], text);
}

static int view(struct doc *d, const struct model *m, const struct latency_view *v)
{
	struct shown s = { .m = m, .v = v, .name_size = NAME_SIZE };
	int err;

	s.store = v->iv ? v->times->pieces.now : m->store[MODEL_STORE_LATENCY_BY];
	s.namespaces = is_by(&s) && are_in_several(s.store, v->by);
	if (v->iv) {
		s.row = v->times->row;
		s.n = v->times->n;
	} else {
		err = make_rows(&s, v->by);
		if (err)
			return err;
	}
	quantiles(d, &s);
	if (is_by(&s) && !v->iv)
		without_row(d, &s);
	if (!v->iv)
		free(s.row);
	return 0;
}

/* ---- methods, and missing data ------------------------------------------------------ */

void packets_probes(struct doc *d, const struct model *m, enum netcost_of of,
		    const struct doc_table *table, const char *const *const text[], size_t ntexts)
{
	doc_table(d, table);
	for (unsigned int i = 0; text[0][i]; i++) {
		const struct model_probe *p = model_find_probe(m, of, i);

		if (!p)
			continue;
		doc_row(d, 0, DOC_PROGRAMS);
		for (size_t k = 0; k < ntexts; k++)
			doc_string(d, text[k][i]);
		probe_cells(d, m, p);
		doc_row_end(d);
	}
	doc_table_end(d);
}

static bool has_reason(const struct model *m, enum netcost_of of, unsigned int i, model_str reason,
		       bool measured)
{
	const struct model_probe *p = model_find_probe(m, of, i);

	return p && p->reason && model_is_measured(m, of, i) == measured &&
	       !strcmp(model_string(m, p->reason), model_string(m, reason));
}

static bool is_first_of_reason(const struct model *m, enum netcost_of of, unsigned int i)
{
	model_str reason = model_find_probe(m, of, i)->reason;

	for (unsigned int k = 0; k < i; k++)
		if (has_reason(m, of, k, reason, model_is_measured(m, of, i)))
			return false;
	return true;
}

/* Prints notes about probes. A reason that applies to several probes is printed once. */
void packets_probe_notes(struct doc *d, const struct model *m, enum netcost_of of,
			 const char *const name[])
{
	for (unsigned int i = 0; name[i]; i++) {
		const struct model_probe *p = model_find_probe(m, of, i);
		char names[DOC_LINE / 2] = "";

		if (!p || !p->reason || !is_first_of_reason(m, of, i))
			continue;
		for (unsigned int k = i; name[k]; k++)
			if (has_reason(m, of, k, p->reason, model_is_measured(m, of, i)))
				text_append(names, sizeof(names), ", ", "%s", name[k]);
		probe_note(d, m, of, i, names);
	}
}

void packets_not_measured(struct doc *d, const struct model *m, const char *source,
			  const char *could_not, const char *did_not)
{
	const struct model_source *s = model_find_source(m, source);

	if (s)
		doc_note(d, "%s: %s", could_not, SAFE(model_string(m, s->why)));
	else
		doc_note(d, "%s", did_not);
}

static void hooks(struct doc *d, const struct model *m)
{
	static const struct doc_column column[] = {
		{ .key = "hook", .kind = DOC_STRING, .known = true, .choices = latency_keys },
		{ .key = "from",
		  .kind = DOC_STRING,
		  .known = true,
		  .about = "checkpoint from which the latency is measured" },
		{ .key = "to",
		  .kind = DOC_STRING,
		  .known = true,
		  .about = "checkpoint at which the latency is measured" },
		PROBE_COLUMNS,
	};
	static const struct doc_table table = { .key = "hooks",
						DOC_COLUMNS_OF(column),
						.only = DOC_PROGRAMS };
	static const char *const *const text[] = { latency_keys, latency_from, latency_to };

	packets_probes(d, m, NETCOST_OF_LATENCY, &table, text, 3);
}

/* Writes the recorder's filter, such as "interface eth0, pid 7", or "" for all packets. */
static const char *only_text(char *text, size_t size, const struct model *m)
{
	const struct model_latency_only *o = &m->latency_only;
	const char *netdev = model_string(m, o->netdev), *cgroup = model_string(m, o->cgroup);

	*text = '\0';
	if (*netdev)
		text_append(text, size, ", ", "interface %s", SAFE(netdev));
	if (o->netns)
		text_append(text, size, ", ", "network namespace %" PRIu64, o->netns);
	if (*cgroup)
		text_append(text, size, ", ", "cgroup %s and its descendants", SAFE(cgroup));
	if (o->pid)
		text_append(text, size, ", ", "read or sent by process %" PRIu64, o->pid);
	if (o->queue)
		text_append(text, size, ", ", "%" PRIu64 " or more packets in the socket's queue",
			    o->queue);
	return text;
}

/* Adds, for programs, the filter on the packets whose latency was measured. */
static void latency_only_field(struct doc *d, const struct model *m)
{
	char text[1024];

	doc_field_string(d, "latency_only",
			 m->latency_only.defined ? only_text(text, sizeof(text), m) : NULL);
}

static void losses(struct doc *d, const struct model *m, enum netcost_latency hook)
{
	for (unsigned int i = 0; i < NETCOST_LATENCY_LOSS_COUNT; i++) {
		uint64_t lost = model_latency_lost(m, hook, i);

		if (lost)
			doc_note(d, "  %s: %s without a latency: %s", latency_keys[hook],
				 COUNT(lost, "packet"), latency_loss_titles[i]);
	}
}

void followed_note(struct doc *d, const struct model *m, bool peers)
{
	const struct model_followed *f = &m->followed;

	if (model_follows_in_windows(m))
		doc_note(
			d,
			peers ? "  Messages were counted in windows, for %s of %s, to stay within %g %% of a CPU; counts cover only this time. netcost-record --budget=none counts all messages." :
				"  Packets were followed in windows, for %s of %s, to stay within %g %% of a CPU; counts cover only this time. A packet that arrived before its window has no latency. netcost-record --budget=none follows all packets.",
			MEASURED(f->on_ns, TEXT_NS), MEASURED(f->all_ns, TEXT_NS),
			(double)m->header.budget_ppm / 1e4);
}

/* Lists the checkpoints without packets, which have no row. */
static void no_packets(struct doc *d, const struct model *m)
{
	char text[DOC_LINE] = "";

	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++)
		if (model_is_measured(m, NETCOST_OF_LATENCY, h) &&
		    !dist_count(model_latency_dist(m, h)))
			text_append(text, sizeof(text), ", ", "%s", latency_keys[h]);
	if (*text)
		doc_note(d, "  no packets: %s", text);
}

#define SLOWEST_SHARE 0.2 /* share of the total latency of all packets */
#define SLOWEST_LEAST 20  /* packets */

/* Reports that a single packet decides the mean. */
static void slowest_note(struct doc *d, const struct model *m, enum netcost_latency hook)
{
	struct dist_summary r;
	double all_ns;

	dist_summarize(&r, model_latency_dist(m, hook));
	all_ns = r.mean_ns * r.count;
	if (!(r.count >= SLOWEST_LEAST) || !(r.max_ns > SLOWEST_SHARE * all_ns))
		return;
	doc_note(
		d,
		"  %s: the slowest packet, %s, has %s %% of the total latency of all packets; the mean of the others is %s",
		latency_keys[hook], MEASURED(r.max_ns, TEXT_NS), PERCENT(r.max_ns / all_ns, 0),
		MEASURED(fmax(0, all_ns - r.max_ns) / (r.count - 1), TEXT_NS));
}

/* Prints in text the recorder's filter, the missing data and the reasons, or that nothing was measured. */
static void latency_notes(struct doc *d, const struct model *m)
{
	char text[1024];

	if (!model_has_probes(m, NETCOST_OF_LATENCY)) {
		packets_not_measured(d, m, "latency", "Packet latency could not be measured",
				     "No latency data. Record with netcost-record --latency.");
		return;
	}
	followed_note(d, m, false);
	if (m->latency_only.defined)
		doc_note(d, "  Only packets of: %s. Other packets were only counted.",
			 only_text(text, sizeof(text), m));
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++) {
		slowest_note(d, m, h);
		losses(d, m, h);
	}
	no_packets(d, m);
	packets_probe_notes(d, m, NETCOST_OF_LATENCY, latency_keys);
}

/* ---- a histogram ------------------------------------------------------------------------- */

#define MERGED 8 /* number of consecutive buckets in a row of text; an octave has four rows */
#define BAR 50

static void bucket_row(struct doc *d, unsigned int only, unsigned int first, unsigned int end,
		       double packets, double most)
{
	char bar[BAR + 1] = "";

	for (int i = 0; i < BAR && (i + 0.5) * most < packets * BAR; i++)
		strcat(bar, "#");
	if (packets > 0 && !*bar)
		strcpy(bar, ".");
	doc_row(d, 0, only);
	doc_number(d, (double)netcost_latency_lower(first));
	doc_number(d, (double)netcost_latency_upper(end - 1));
	doc_number(d, packets);
	doc_string(d, bar);
	doc_row_end(d);
}

static double merged(const struct dist *l, unsigned int first)
{
	double n = 0;

	for (unsigned int b = first; b < first + MERGED; b++)
		n += (double)l->bucket[b];
	return n;
}

static void histogram(struct doc *d, const struct model *m, enum netcost_latency hook)
{
	static const struct doc_column column[] = {
		{ .key = "more_than_ns",
		  .title = "more than",
		  .unit = TEXT_NS,
		  .width = 14,
		  .known = true },
		{ .key = "up_to_ns", .title = "up to", .unit = TEXT_NS, .width = 14, .known = true },
		{ .key = "packets", .title = "packets", .width = 12, .known = true },
		{ .title = "", .kind = DOC_STRING },
	};
	const struct doc_table table = { .key = "histogram",
					 .title = hook < NETCOST_LATENCY_COUNT ?
							  latency_keys[hook] :
							  NULL,
					 .above = true,
					 DOC_COLUMNS_OF(column),
					 .about = "latency histogram of the requested checkpoint" };
	const struct dist *l = hook < NETCOST_LATENCY_COUNT ? model_latency_dist(m, hook) : NULL;
	double most = 0;

	if (!doc_optional(d, hook < NETCOST_LATENCY_COUNT))
		return;
	doc_table(d, &table);
	for (unsigned int b = 0; l && l->bucket && b < NETCOST_LATENCY_BUCKETS; b += MERGED)
		most = fmax(most, merged(l, b));
	for (unsigned int b = 0; l && l->bucket && b < NETCOST_LATENCY_BUCKETS; b += MERGED)
		if (merged(l, b) > 0)
			bucket_row(d, DOC_PEOPLE, b, b + MERGED, merged(l, b), most);
	for (unsigned int b = 0; l && l->bucket && b < NETCOST_LATENCY_BUCKETS; b++)
		if (l->bucket[b])
			bucket_row(d, DOC_PROGRAMS, b, b + 1, (double)l->bucket[b], most);
	doc_table_end(d);
}

size_t latency_by_rows(const struct model *m, enum netcost_latency_by by)
{
	size_t n = 0;

	for (size_t i = 0; i < model_latency_bys(m); i++)
		n += model_latency_by(m->store[MODEL_STORE_LATENCY_BY], i).by == by;
	return n;
}

int latency_table(struct doc *d, const struct model *m, enum netcost_latency_by by)
{
	int err = view(d, m, &(struct latency_view){ .by = by });

	if (by == LATENCY_ALL)
		latency_notes(d, m);
	return err;
}

int latency_doc(struct doc *d, const struct model *m, const struct latency_view *v)
{
	bool plain = v->by == LATENCY_ALL && !v->iv;
	int err;

	doc_object(d, NULL);
	doc_heading(d, "packet latency%s", v->iv ? " over time" : "");
	doc_trace(d, m);
	latency_only_field(d, m);
	if (v->by != LATENCY_ALL)
		doc_field_text(d, "by", latency_by_keys[v->by]);
	if (v->iv)
		doc_field_uint(d, "pieces", v->iv->n);
	err = view(d, m, v);
	if (plain)
		hooks(d, m);
	latency_notes(d, m);
	if (plain)
		histogram(d, m, v->histogram);
	doc_object_end(d);
	return err;
}
