// SPDX-License-Identifier: BSD-2-Clause
/*
 * Packet paths (record --stages): steps from stage to stage, for all packets, or by interface,
 * network namespace or flow.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "tables.h"
#include "report/base/stats.h"
#include "report/base/text.h"

#define NAME_SIZE (2 * SAFE_SIZE + 64)
#define FLOW_WIDTH 48 /* width in narrow text, which leaves room for quantiles */

/* The state of a table. */
struct shown {
	const struct model *m;
	const struct model_stages *s;
	const struct stages_rows *rows;
	enum stages_by by; /* key of the rows; STAGES_BY_COUNT for all packets */
	bool namespaces;   /* the rows have interfaces of several namespaces */
	size_t name_size;
};

static bool is_by(const struct shown *s)
{
	return s->by < STAGES_BY_COUNT;
}

/* ---- columns ----------------------------------------------------------------------------- */

#define QUANTILES                                                                                  \
	PACKETS_QUANTILES,                                                                         \
	{                                                                                          \
		.key = "sum_ns", .precision = 0                                                    \
	}

static const struct doc_column columns[] = {
	{ .key = "path", .kind = DOC_STRING, .known = true, .choices = stages_path_keys },
	{ .key = "from",
	  .title = "from",
	  .kind = DOC_STRING,
	  .width = 10,
	  .choices = stages_keys,
	  .about = "stage where the step begins; null: the row is the whole path" },
	{ .key = "to", .title = "to", .kind = DOC_STRING, .width = 10, .choices = stages_keys },
	{ .key = "packets", .title = "packets", .width = 10, .known = true },
	QUANTILES,
	{ DOC_PERCENT("share_percent", "% of way", 9),
	  .about = "share of the total time of the packets on this path" },
};

/* The columns that identify the key of a row. */
static const struct doc_column who_columns[] = {
	{ .title = "", .kind = DOC_STRING },
	{ .key = "which",
	  .kind = DOC_STRING,
	  .known = true,
	  .choices = latency_which_keys,
	  .about =
		  "kind of the row; one: a single key; not-known: packets whose key is unknown; rest: the sum of all keys beyond the recorder's limit" },
	{ .key = "netns", .whole = true, .about = "inode of the interface's network namespace" },
	{ .key = "ifindex",
	  .whole = true,
	  .about = "number of the interface (ifindex) in its network namespace" },
	{ .key = "interface", .kind = DOC_STRING, .about = "name of the interface; null: unknown" },
	{ .key = "flow", .whole = true, .about = "hash of addresses, ports and protocol" },
	{ .key = "protocol",
	  .whole = true,
	  .about = "number of the IP protocol (only with record --host-details)" },
	{ .key = "source",
	  .kind = DOC_STRING,
	  .about = "source address (only with record --host-details)" },
	{ .key = "source_port",
	  .whole = true,
	  .about = "source port (only with record --host-details); null: no ports" },
	{ .key = "destination",
	  .kind = DOC_STRING,
	  .about = "destination address (only with record --host-details)" },
	{ .key = "destination_port",
	  .whole = true,
	  .about = "destination port (only with record --host-details); null: no ports" },
};

#define COLUMNS (sizeof(columns) / sizeof(*columns))
#define WHO_COLUMNS (sizeof(who_columns) / sizeof(*who_columns))

/* ---- names ------------------------------------------------------------------------------- */

/* Writes an address such as "192.0.2.1:80" or "[2001:db8::1]:80". */
static void address(char *dst, size_t size, const char *text, uint64_t port)
{
	bool colons = strchr(text, ':') != NULL;

	if (port == TRACE_NIL)
		snprintf(dst, size, "%s", SAFE(text));
	else
		snprintf(dst, size, colons ? "[%s]:%" PRIu64 : "%s:%" PRIu64, SAFE(text), port);
}

static void protocol(char *dst, size_t size, uint64_t number)
{
	if (number == TRACE_NIL)
		snprintf(dst, size, "?");
	else if (number == IPPROTO_TCP || number == IPPROTO_UDP)
		snprintf(dst, size, "%s", number == IPPROTO_TCP ? "tcp" : "udp");
	else
		snprintf(dst, size, "protocol %" PRIu64, number);
}

static void flow_name(char *dst, size_t size, const struct shown *s, const struct stages_key *k)
{
	const struct stages_addresses *a = &k->addresses;
	char from[SAFE_SIZE + 32], to[SAFE_SIZE + 32], of[32];

	if (!a->known) {
		snprintf(dst, size, "%08" PRIx32, k->flow);
		return;
	}
	address(from, sizeof(from), model_string(s->m, a->from), a->from_port);
	address(to, sizeof(to), model_string(s->m, a->to), a->to_port);
	protocol(of, sizeof(of), a->protocol);
	snprintf(dst, size, "%s %s > %s", of, from, to);
}

static void interface_name(char *dst, size_t size, const struct shown *s,
			   const struct stages_key *k)
{
	const char *name = model_string(s->m, k->name);
	char number[16];

	snprintf(number, sizeof(number), "%" PRIu32, k->ifindex);
	if (s->namespaces)
		snprintf(dst, size, "%s in %" PRIu32, *name ? SAFE(name) : number, k->netns);
	else
		snprintf(dst, size, "%s", *name ? SAFE(name) : number);
}

static bool are_in_several(const struct model_stages *s)
{
	uint32_t netns = 0;
	bool several = false;

	for (size_t i = 0; i < s->nkeys; i++) {
		several |= netns && s->key[i].netns && netns != s->key[i].netns;
		netns = s->key[i].netns ? s->key[i].netns : netns;
	}
	return several;
}

static void shown_name(char *dst, const struct shown *s, const struct stages_key *k)
{
	if (k->which == NETCOST_LATENCY_NOT_KNOWN)
		snprintf(dst, s->name_size, "not known there");
	else if (k->which == NETCOST_LATENCY_REST)
		snprintf(dst, s->name_size, "everything else");
	else if (s->by == STAGES_BY_FLOW)
		flow_name(dst, s->name_size, s, k);
	else if (s->by == STAGES_BY_INTERFACE)
		interface_name(dst, s->name_size, s, k);
	else
		snprintf(dst, s->name_size, "%" PRIu32, k->netns);
}

/* ---- steps -------------------------------------------------------------------------- */

static double number(uint64_t v, bool is)
{
	return is ? known_uint(v) : NAN;
}

static void who_cells(struct doc *d, const struct shown *s, const struct stages_key *k)
{
	bool one = k->which == NETCOST_LATENCY_ONE, flow = one && s->by == STAGES_BY_FLOW;
	const struct stages_addresses *a = &k->addresses;
	const char *name = model_string(s->m, k->name);

	doc_string(d, latency_which_keys[k->which]);
	doc_number(d, number(k->netns, one && !flow));
	doc_number(d, number(k->ifindex, one && s->by == STAGES_BY_INTERFACE));
	doc_string(d, *name ? name : NULL);
	doc_number(d, number(k->flow, flow));
	doc_number(d, number(a->protocol, a->known));
	doc_string(d, a->known ? model_string(s->m, a->from) : NULL);
	doc_number(d, number(a->from_port, a->known));
	doc_string(d, a->known ? model_string(s->m, a->to) : NULL);
	doc_number(d, number(a->to_port, a->known));
}

/* Returns the key of a stage. People see a name for the whole path, programs see null. */
static const char *stage_name(const struct doc *d, unsigned int stage, const char *whole)
{
	if (stage != STAGES_WHOLE)
		return stages_keys[stage];
	return doc_is_for(d, DOC_PEOPLE) ? whole : NULL;
}

static void quantile_cells(struct doc *d, const struct dist_summary *r, uint64_t sum_ns)
{
	packets_quantiles(d, r, true);
	doc_number(d, (double)sum_ns);
}

static void step_row(struct doc *d, const struct shown *s, const struct stages_row *r)
{
	const struct stages_key *k = is_by(s) ? &s->s->key[r->key] : NULL;
	char name[NAME_SIZE];
	struct dist_summary times;

	dist_summarize(&times, r->times);
	doc_row(d, 0, DOC_ALL);
	doc_string(d, stages_path_keys[r->path]);
	doc_string(d, stage_name(d, r->from, "all"));
	doc_string(d, stage_name(d, r->to, ""));
	doc_number(d, times.count);
	quantile_cells(d, &times, r->times->ns);
	doc_number(d, 100 * known_ratio((double)r->times->ns, (double)r->whole_ns));
	if (k) {
		shown_name(name, s, k);
		doc_string(d, name);
		who_cells(d, s, k);
	}
	doc_row_end(d);
}

static void step_rows(struct doc *d, const void *ctx)
{
	const struct shown *s = ctx;
	enum stages_path path = STAGES_PATH_COUNT;

	for (size_t i = 0; i < s->rows->n; i++) {
		const struct stages_row *r = &s->rows->row[i];

		if ((r->key != STAGES_KEY_ALL) != is_by(s))
			continue;
		if (r->path != path)
			doc_section(d, stages_path_titles[r->path]);
		path = r->path;
		step_row(d, s, r);
	}
}

static void steps(struct doc *d, struct shown *s)
{
	static const char *const captions[] = { "From stage to stage, by interface",
						"From stage to stage, by network namespace",
						"From stage to stage, by flow",
						"From stage to stage" };
	struct doc_column column[COLUMNS + WHO_COLUMNS], *who = &column[COLUMNS];
	const struct doc_table t = {
		.key = "rows",
		.caption = captions[s->by],
		.sections = true,
		.above = true,
		.column = column,
		.ncolumns = COLUMNS + (is_by(s) ? WHO_COLUMNS : 0),
		.only = s->rows->n ? DOC_ALL : DOC_PROGRAMS,
		.about =
			is_by(s) ?
				"durations of the steps of each path, by the interface, network namespace or flow where the step begins, if known; rows of the whole path: the total time of the packets" :
				NULL
	};

	memcpy(column, columns, sizeof(columns));
	memcpy(who, who_columns, sizeof(who_columns));
	who->title = stages_by_names[s->by];
	if (s->by == STAGES_BY_FLOW) {
		who->width = FLOW_WIDTH;
		if (d->renderer->is == DOC_TEXT && !d->wide)
			s->name_size = FLOW_WIDTH + 1;
	}
	doc_fitted(d, &t,
		   &(struct doc_rows){ .add = step_rows, .ctx = s, .name_size = &s->name_size });
}

/* ---- netfilter ---------------------------------------------------------------------- */

static const struct doc_column rule_columns[] = {
	{ .key = "stage",
	  .title = "until the next stage, from",
	  .kind = DOC_STRING,
	  .width = 28,
	  .known = true,
	  .choices = stages_keys },
	{ .key = "hook",
	  .title = "hook",
	  .kind = DOC_STRING,
	  .width = 18,
	  .about =
		  "netfilter family and hook; null: the sum of all hooks beyond the recorder's limit" },
	{ .key = "table", .title = "table", .kind = DOC_STRING, .width = 16 },
	{ .key = "packets", .title = "packets", .width = 10, .known = true },
	QUANTILES,
};

static void rule_row(struct doc *d, const struct store *s, size_t row)
{
	const char *hook = store_text(s, row, STAGES_RULE_HOOK),
		   *table = store_text(s, row, STAGES_RULE_TABLE);
	struct dist_summary r;

	dist_summarize(&r, store_dist(s, row));
	doc_row(d, 0, DOC_ALL);
	doc_string(d, stages_keys[store_dim(s, row, STAGES_RULE_STAGE)]);
	doc_string(d, *hook ? hook : NULL);
	doc_string(d, *table || doc_is_for(d, DOC_PEOPLE) ? table : NULL);
	doc_number(d, r.count);
	quantile_cells(d, &r, store_dist(s, row)->ns);
	doc_row_end(d);
}

static void rule_rows(struct doc *d, const void *ctx)
{
	const struct shown *shown = ctx;
	const struct store *s = shown->m->store[MODEL_STORE_RULES];

	for (size_t i = 0; s && i < store_rows(s); i++)
		if (store_dist(s, i)->bucket)
			rule_row(d, s, i);
}

static void rules(struct doc *d, const struct shown *s)
{
	const struct store *store = s->m->store[MODEL_STORE_RULES];
	const struct doc_table table = {
		.key = "rules",
		.caption = "In netfilter, by hook and table",
		DOC_COLUMNS_OF(rule_columns),
		.only = store && store_rows(store) ? DOC_ALL : DOC_PROGRAMS,
		.about =
			"time from netfilter hooks to the next stage, for packets that reached the end of their path"
	};

	doc_fitted(d, &table, &(struct doc_rows){ .add = rule_rows, .ctx = s });
}

/* ---- packets without times ---------------------------------------------------------- */

static const char *const unfinished_why[NETCOST_STAGE_COUNT] = {
	[NETCOST_STAGE_ENTRY] = "merged into other packets by GRO, or still in flight at the end",
	[NETCOST_STAGE_RECEIVE] =
		"freed by the protocol without an event, or still in flight at the end",
	[NETCOST_STAGE_TCP] =
		"queued by TCP out of order, or merged without an event, or still in flight at the end",
	[NETCOST_STAGE_SOCKET] =
		"still in a socket's queue at the end, or read by several tasks at once",
};

static const char *why_unfinished(unsigned int stage)
{
	return unfinished_why[stage] ? unfinished_why[stage] :
				       "still in flight at the end, or freed without an event";
}

static void unfinished(struct doc *d, const struct model_stages *s)
{
	static const struct doc_column column[] = {
		{ .key = "last", .kind = DOC_STRING, .known = true, .choices = stages_keys },
		{ .key = "packets", .known = true },
		{ .key = "why", .kind = DOC_STRING, .known = true },
	};
	static const struct doc_table table = {
		.key = "unfinished",
		DOC_COLUMNS_OF(column),
		.only = DOC_PROGRAMS,
		.about =
			"packets that did not reach the end of a path, by the last stage that they reached"
	};

	doc_table(d, &table);
	for (unsigned int i = 0; i < NETCOST_STAGE_COUNT; i++) {
		if (!s->unfinished[i])
			continue;
		doc_row(d, 0, DOC_PROGRAMS);
		doc_string(d, stages_keys[i]);
		doc_number(d, (double)s->unfinished[i]);
		doc_string(d, why_unfinished(i));
		doc_row_end(d);
		doc_note(d, "  not finished: %s after %s: %s", COUNT(s->unfinished[i], "packet"),
			 stages_keys[i], why_unfinished(i));
	}
	doc_table_end(d);
}

static void reasons(struct doc *d, const struct model *m)
{
	static const struct doc_column column[] = {
		{ .key = "reason", .kind = DOC_STRING, .about = "drop reason; null: unknown" },
		{ .key = "packets", .known = true },
	};
	static const struct doc_table table = { .key = "dropped",
						DOC_COLUMNS_OF(column),
						.only = DOC_PROGRAMS };
	const struct store *s = m->store[MODEL_STORE_DROPPED];

	doc_table(d, &table);
	for (size_t i = 0; s && i < store_rows(s); i++) {
		const char *name = store_text(s, i, STAGES_DROPPED_REASON);
		double packets = (double)store_value(s, i, STAGES_DROPPED_PACKETS);

		doc_row(d, 0, DOC_PROGRAMS);
		doc_string(d, *name ? name : NULL);
		doc_number(d, packets);
		doc_row_end(d);
		doc_note(d, "  dropped: %s: %s", COUNT(packets, "packet"),
			 *name ? SAFE(name) : "the reason is unknown");
	}
	doc_table_end(d);
}

/* ---- methods and counts ------------------------------------------------------------- */

static void points(struct doc *d, const struct model *m)
{
	static const struct doc_column column[] = {
		{ .key = "stage", .kind = DOC_STRING, .known = true, .choices = stages_keys },
		{ .key = "what", .kind = DOC_STRING, .known = true },
		PROBE_COLUMNS,
	};
	static const struct doc_table table = { .key = "stages",
						DOC_COLUMNS_OF(column),
						.only = DOC_PROGRAMS };
	static const char *const *const text[] = { stages_keys, stages_what };

	packets_probes(d, m, NETCOST_OF_STAGE, &table, text, 2);
	packets_probe_notes(d, m, NETCOST_OF_STAGE, stages_keys);
}

static bool all_add_up(const struct stages_rows *rows)
{
	for (unsigned int p = 0; p < STAGES_PATH_COUNT; p++)
		if (!stages_add_up(rows, p))
			return false;
	return true;
}

static void counts(struct doc *d, const struct model *m, const struct model_stages *s, bool add_up)
{
	doc_field_known(d, "every", s->every, s->counted);
	doc_field_known(d, "packets", s->packets, s->counted);
	doc_field_known(d, "full", s->full, s->counted);
	doc_field_known(d, "evicted", s->evicted, s->counted);
	doc_field_uint(d, "events", s->events);
	doc_field_uint(d, "begun", s->begun);
	doc_field(d, "finished", stages_finished(s), 0);
	doc_field(d, "not_finished", stages_unfinished(s), 0);
	doc_field_uint(d, "impossible", s->impossible);
	doc_field_uint(d, "too_long", s->too_long);
	doc_about(
		d,
		"number of events of packets whose first event is missing, because it was before the recording, or in another part of the recording");
	doc_field_uint(d, "before", s->before);
	doc_about(
		d,
		"true: on each path, the times of the steps sum to the total time of the packets");
	doc_field_bool(d, "adds_up", add_up);
	if (s->counted)
		doc_note(
			d,
			"One packet in %s was followed: %s of %s; %s of them reached the end of their path.",
			NUM((double)s->every, 0), NUM((double)s->begun, 0),
			NUM((double)s->packets, 0), NUM(stages_finished(s), 0));
	followed_note(d, m, false);
	if (s->full)
		doc_note(
			d,
			"  lost: events of %s, because the buffer was full; follow fewer packets (a larger N in --stages=1/N)",
			COUNT(s->full, "packet"));
	if (s->evicted)
		doc_note(d, "  lost: %s, evicted from the full table of packets",
			 COUNT(s->evicted, "packet"));
	if (s->before)
		doc_note(d, "  %s events belong to packets whose first event is missing",
			 NUM((double)s->before, 0));
	if (s->too_long)
		doc_note(d, "  left out: %s with too many stages", COUNT(s->too_long, "packet"));
	if (s->impossible)
		doc_alert(d, "stages",
			  "%s packets have stages in an impossible order and are left out",
			  NUM((double)s->impossible, 0));
	if (!add_up)
		doc_alert(d, "stages", "the times of steps do not sum to the times of whole paths");
}

static int tables(struct doc *d, const struct model *m, enum stages_by by)
{
	static const struct model_stages none = { .counted = false };
	struct stages_rows rows;
	struct shown s = { .m = m,
			   .s = m->stages ? m->stages : &none,
			   .rows = &rows,
			   .by = by,
			   .name_size = NAME_SIZE };

	if (stages_rows_make(&rows, m))
		return -ENOMEM;
	s.namespaces = are_in_several(s.s);
	steps(d, &s);
	if (!is_by(&s))
		rules(d, &s);
	counts(d, m, s.s, all_add_up(&rows));
	unfinished(d, s.s);
	reasons(d, m);
	points(d, m);
	if (!m->stages)
		packets_not_measured(d, m, "stages", "Packet paths could not be followed",
				     "No packet paths. Record with netcost-record --stages.");
	stages_rows_free(&rows);
	return 0;
}

int stages_table(struct doc *d, const struct model *m)
{
	return tables(d, m, STAGES_BY_COUNT);
}

int stages_doc(struct doc *d, const struct model *m, enum stages_by by)
{
	int err;

	doc_object(d, NULL);
	doc_heading(d, "packet paths through the host");
	doc_trace(d, m);
	if (by < STAGES_BY_COUNT)
		doc_field_text(d, "by", stages_by_names[by]);
	err = tables(d, m, by);
	doc_object_end(d);
	return err;
}
