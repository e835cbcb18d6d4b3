// SPDX-License-Identifier: BSD-2-Clause
#include "latency_doc.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <netcost/text_append.h>

#include "latency_columns.h"
#include "model_doc.h"
#include "report/analysis/known.h"
#include "report/base/doc.h"
#include "report/base/text.h"

/* ---- quantiles --------------------------------------------------------------------------- */

static const struct doc_column columns[] = {
	LATENCY_HOOK,
	LATENCY_PACKETS,
#define X(name, key, title, share) LATENCY_QUANTILE(name, key, title), LATENCY_BOUNDS(key),
	DIST_QUANTILES(X)
#undef X
		LATENCY_MEAN,
	LATENCY_ENDS,
	{ .key = "variation_ns", .title = "p99-p1", LATENCY_US, .spare = 6, .about = "p99 less p1" },
#define X(id, name, key_, title_) { .key = key_, .about = title_ },
	NETCOST_LATENCY_LOSSES(X)
#undef X
#define X(name, key, title, share) LATENCY_INTERVAL(title),
		DIST_QUANTILES(X)
#undef X
};

static void row(struct doc *d, const struct model *m, enum netcost_latency hook)
{
	struct latency_texts texts;
	struct dist_summary r;

	dist_summarize(&r, &m->latency[hook].dist);
	doc_row(d, 0, DOC_ALL);
	doc_string(d, latency_keys[hook]);
	doc_number(d, r.count);
	for (int i = 0; i < DIST_QUANTILE_COUNT; i++) {
		doc_number(d, r.ns[i]);
		doc_number(d, r.low_ns[i]);
		doc_number(d, r.high_ns[i]);
	}
	doc_number(d, r.mean_ns);
	doc_number(d, r.min_ns);
	doc_number(d, r.max_ns);
	doc_number(d, r.variation_ns);
	for (int i = 0; i < NETCOST_LATENCY_LOSS_COUNT; i++)
		doc_number(d, (double)m->latency[hook].lost[i]);
	latency_intervals(d, &r, &texts);
	doc_row_end(d);
}

static bool is_any(const struct model *m)
{
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++)
		if (m->latency[h].defined)
			return true;
	return false;
}

static void rows(struct doc *d, const void *ctx)
{
	const struct model *m = ctx;

	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++)
		if (latency_is_measured(m, h))
			row(d, m, h);
}

static void quantiles(struct doc *d, const struct model *m)
{
	struct doc_column column[sizeof(columns) / sizeof(*columns)];
	const struct doc_table table = { .key = "rows",
					 .caption = "By hook",
					 DOC_COLUMNS_OF(column),
					 .only = is_any(m) ? DOC_ALL : DOC_PROGRAMS };

	latency_columns(column, columns, sizeof(columns) / sizeof(*columns), d);
	doc_fitted(d, &table, &(struct doc_rows){ .add = rows, .ctx = m });
}

/* ---- how, and what not ------------------------------------------------------------------- */

static void hooks(struct doc *d, const struct model *m)
{
	static const struct doc_column column[] = {
		{ .key = "hook", .kind = DOC_STRING, .known = true, .choices = latency_keys },
		{ .key = "from", .kind = DOC_STRING, .known = true, .about = "measured from here" },
		{ .key = "to", .kind = DOC_STRING, .known = true, .about = "to here" },
		{ .key = "rung", .kind = DOC_STRING, .about = "off: not measured" },
		{ .key = "hooks", .kind = DOC_LIST },
		{ .key = "why", .kind = DOC_STRING, .about = "why not, or what is weak" },
	};
	static const struct doc_table table = { .key = "hooks",
						DOC_COLUMNS_OF(column),
						.only = DOC_PROGRAMS };

	doc_table(d, &table);
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++) {
		const struct model_latency *l = &m->latency[h];
		const char *why = model_string(m, l->why);

		if (!l->defined)
			continue;
		doc_row(d, 0, DOC_PROGRAMS);
		doc_string(d, latency_keys[h]);
		doc_string(d, latency_from[h]);
		doc_string(d, latency_to[h]);
		doc_string(d, model_string(m, l->rung));
		doc_list(d, model_string(m, l->hooks.first), l->hooks.n);
		doc_string(d, *why ? why : NULL);
		doc_row_end(d);
	}
	doc_table_end(d);
}

/* "interface eth0, pid 7"; "": of all packets. */
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
		text_append(text, size, ", ", "cgroup %s and those below it", SAFE(cgroup));
	if (o->pid)
		text_append(text, size, ", ", "read or sent by process %" PRIu64, o->pid);
	if (o->queue)
		text_append(text, size, ", ", "%" PRIu64 " or more in their socket's queue",
			    o->queue);
	return text;
}

void latency_only_field(struct doc *d, const struct model *m)
{
	char text[1024];

	doc_field_string(d, "latency_only",
			 m->latency_only.defined ? only_text(text, sizeof(text), m) : NULL);
}

static void losses(struct doc *d, const struct model *m, enum netcost_latency hook)
{
	const struct model_latency *l = &m->latency[hook];

	for (int i = 0; i < NETCOST_LATENCY_LOSS_COUNT; i++)
		if (l->lost[i])
			doc_note(d, "  %s: of %s packets more: %s", latency_keys[hook],
				 NUM((double)l->lost[i], 0), latency_loss_titles[i]);
}

static void not_at_all(struct doc *d, const struct model *m)
{
	for (size_t i = 0; i < m->nsources; i++)
		if (!strcmp(model_string(m, m->source[i].name), "latency")) {
			doc_note(d, "It could not be measured for how long packets waited: %s",
				 SAFE(model_string(m, m->source[i].why)));
			return;
		}
	doc_note(
		d,
		"It was not measured for how long packets waited: netcost-record --latency does that.");
}

void latency_notes(struct doc *d, const struct model *m)
{
	char text[1024];

	if (!is_any(m)) {
		not_at_all(d, m);
		return;
	}
	if (m->latency_only.defined)
		doc_note(d, "  Only packets of: %s. Others were only counted.",
			 only_text(text, sizeof(text), m));
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++)
		losses(d, m, h);
	for (enum netcost_latency h = 0; h < NETCOST_LATENCY_COUNT; h++) {
		const struct model_latency *l = &m->latency[h];
		const char *why = model_string(m, l->why);

		if (l->defined && !latency_is_measured(m, h))
			doc_note(d, "  %s: not measured: %s", latency_keys[h], SAFE(why));
		else if (l->defined && *why)
			doc_note(d, "  %s: %s", latency_keys[h], SAFE(why));
	}
}

/* ---- a histogram ------------------------------------------------------------------------- */

#define MERGED 8 /* buckets in a row for people: four rows in an octave */
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
		  .title = "more than us",
		  .scale = 1e-3,
		  .decimals = 3,
		  .width = 14,
		  .known = true },
		{ .key = "up_to_ns",
		  .title = "up to us",
		  .scale = 1e-3,
		  .decimals = 3,
		  .width = 14,
		  .known = true },
		{ .key = "packets", .title = "packets", .width = 12, .known = true },
		{ .title = "", .kind = DOC_STRING },
	};
	const struct doc_table table = { .key = "histogram",
					 .title = hook < NETCOST_LATENCY_COUNT ?
							  latency_keys[hook] :
							  NULL,
					 .above = true,
					 DOC_COLUMNS_OF(column),
					 .about = "of the hook that was asked for" };
	const struct dist *l = hook < NETCOST_LATENCY_COUNT && m->latency[hook].dist.bucket ?
				       &m->latency[hook].dist :
				       NULL;
	double most = 0;

	if (!doc_optional(d, hook < NETCOST_LATENCY_COUNT))
		return;
	doc_table(d, &table);
	for (unsigned int b = 0; l && b < NETCOST_LATENCY_BUCKETS; b += MERGED)
		most = fmax(most, merged(l, b));
	for (unsigned int b = 0; l && b < NETCOST_LATENCY_BUCKETS; b += MERGED)
		if (merged(l, b) > 0)
			bucket_row(d, DOC_PEOPLE, b, b + MERGED, merged(l, b), most);
	for (unsigned int b = 0; l && b < NETCOST_LATENCY_BUCKETS; b++)
		if (l->bucket[b])
			bucket_row(d, DOC_PROGRAMS, b, b + 1, (double)l->bucket[b], most);
	doc_table_end(d);
}

void latency_table(struct doc *d, const struct model *m)
{
	quantiles(d, m);
	latency_notes(d, m);
}

void latency_doc(struct doc *d, const struct model *m, enum netcost_latency shown)
{
	doc_object(d, NULL);
	doc_heading(d, "for how long packets waited");
	doc_trace(d, m);
	latency_only_field(d, m);
	quantiles(d, m);
	hooks(d, m);
	latency_notes(d, m);
	histogram(d, m, shown);
	doc_object_end(d);
}
