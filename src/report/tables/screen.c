// SPDX-License-Identifier: BSD-2-Clause
/*
 * The summary as one screen: at most 40 lines of 100 columns. Its figures are the rounded figures
 * of summary_doc().
 */
#include "tables.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/text_append.h>

#include "report/analysis/caveats.h"
#include "report/base/stats.h"
#include "report/model/filter.h"

#define SCREEN_CATEGORIES 3			   /* largest number of categories of a leaf */
#define SCREEN_CATEGORIES_LINE (TEXT_COLUMNS - 10) /* width of the categories in a line */
#define SCREEN_PROCESSES 5
#define SCREEN_CAVEATS 2
#define SCREEN_TEXT 170 /* size of a caveat: two lines */
/* share of CPU time; smaller shares outside of the network are not shown */
#define SCREEN_LEAST 0.00005
#define SCREEN_CPUS 40 /* size of the list of CPUs */
#define SCREEN_LINE 256
#define SCREEN_BAR 3 /* index of the column that has the bars */
#define SCREEN_SPARK SCREEN_LIVE_MOST

/*
 * Copies at most `most` bytes of a text. A truncated text ends with a whole word and dots. Returns
 * dst.
 */
static char *screen_cut(char *dst, size_t size, const char *text, size_t most)
{
	size_t n = most;

	if (strlen(text) <= most) {
		snprintf(dst, size, "%.*s", (int)most, text);
		return dst;
	}
	while (n && text[n] != ' ')
		n--;
	snprintf(dst, size, "%.*s ...", (int)(n ? n : most), text);
	return dst;
}

/* ---- the recording ------------------------------------------------------------------ */

static void screen_settings(char *dst, size_t size, const struct summary *s)
{
	const struct model_header *h = &s->m->header;
	const char *exact = model_string(s->m, h->exact);

	snprintf(dst, size, "exact %s", *exact ? exact : "-");
	if (h->sample_hz)
		text_append(dst, size, "; ", "samples %" PRIu64 " Hz%s%s", h->sample_hz,
			    h->sampled ? ", only of: " : "",
			    h->sampled ? model_string(s->m, h->sampled) : "");
	else
		text_append(dst, size, "; ", "no samples");
}

void screen_heading(struct doc *d, const struct summary *s)
{
	const struct model_header *h = &s->m->header;
	const char *cpu = h->cpu_model ? model_string(s->m, h->cpu_model) : "-";
	char list[128], cpus[64], settings[128];

	screen_settings(settings, sizeof(settings), s);
	text_cpu_list(list, sizeof(list), s->m->header_cpus, h->ncpus);
	(doc_is_for(d, DOC_HTML) ? doc_note : doc_heading)(
		d, "%s on %" PRIu64 " CPU%s (%s)%s%s", MEASURED(1e9 * s->duration_s, TEXT_NS),
		h->ncpus, h->ncpus == 1 ? "" : "s",
		screen_cut(cpus, sizeof(cpus), list, SCREEN_CPUS),
		s->start_real_ns ? ", from " : "", s->start_real_ns ? LOCAL(s->start_real_ns) : "");
	if (!strcmp(cpu, "unknown"))
		cpu = "";
	doc_note(d, "  %s %s; %s%s%s", SAFE(model_string(s->m, h->kernel)),
		 SAFE(model_string(s->m, h->machine)), SAFE(cpu), *cpu ? "; " : "", SAFE(settings));
	doc_problems(d, s->m);
	doc_filter(d, s->m);
	doc_derived(d, s->m, 1);
}

/* ---- shares of CPU time ------------------------------------------------------------------ */

/* Finds the categories that have the most samples of their own in the leaf. Returns their number. */
static size_t screen_heaviest(unsigned int to[SCREEN_CATEGORIES], const struct inside *in,
			      unsigned int leaf)
{
	size_t n = 0;

	for (unsigned int i = LEAF_COUNT; in->rules && i < in->rules->ncategories; i++) {
		size_t at = n;

		if (in->rules->category[i].leaf != leaf ||
		    !(in->row[i].self.share > in->row[i].self.ci95))
			continue; /* a category that is smaller than its interval is skipped */
		while (at && in->row[to[at - 1]].self.samples < in->row[i].self.samples)
			at--;
		if (at == SCREEN_CATEGORIES)
			continue;
		n += n < SCREEN_CATEGORIES;
		memmove(to + at + 1, to + at, (n - at - 1) * sizeof(*to));
		to[at] = i;
	}
	return n;
}

/* Writes "TCP 1.74 +- 0.21, IP output 0.63 +- 0.14", or "" if there are no categories. Returns line. */
static char *screen_categories(char line[SCREEN_LINE], const struct inside *in, unsigned int leaves)
{
	unsigned int top[SCREEN_CATEGORIES];
	size_t n = 0;

	*line = '\0';
	if (__builtin_popcount(leaves) == 1 && leaves != LEAF_BIT(OWN))
		n = screen_heaviest(top, in, (unsigned int)__builtin_ctz(leaves));
	for (size_t i = 0; i < n; i++) {
		const struct inside_value *v = &in->row[top[i]].self;
		const char *title = in->rules->category[top[i]].title;
		char value[TEXT_SIZE];

		text_measured(value, sizeof(value),
			      &(struct text_measure){
				      .v = 100 * v->share, .ci95 = 100 * v->ci95, .most = 2 });
		if (strlen(line) + strlen(title) + strlen(value) > SCREEN_CATEGORIES_LINE)
			break;
		text_append(line, SCREEN_LINE, ", ", "%s %s", title, value);
	}
	return line;
}

/* Returns true for parts of the network. Netcost's own part is outside of the network. */
static bool screen_is_shown(const struct leaf_node *node, const struct split_cpu *c)
{
	double ns = split_sum(c, node->leaves).ns;

	if (node->leaves & ~(LEAF_NETWORK | LEAF_BIT(OWN)) || isnan(ns))
		return false;
	return node->leaves != LEAF_BIT(HARDIRQ_NET) || ns > 0;
}

/* The data that only `live` shows: the shares of each interval. */
struct screen_live {
	struct split_cpu each[SCREEN_SPARK];
	size_t n;
	bool brief; /* categories are not shown */
};

/* Writes the shares of the intervals as columns of eighths, scaled from 0 to the largest share. */
static const char *screen_spark(char spark[SCREEN_SPARK + 1], const struct screen_live *l,
				unsigned int leaves)
{
	double most = 0, share[SCREEN_SPARK];

	for (size_t i = 0; i < l->n; i++) {
		share[i] = split_sum(&l->each[i], leaves).ns / l->each[i].wall_ns;
		most = fmax(most, share[i]);
	}
	for (size_t i = 0; i < l->n; i++)
		spark[i] = isnan(share[i]) ? '.' :
			   share[i] <= 0   ? '\1' :
					     (char)(1 + lround(7 * share[i] / most));
	spark[l->n] = '\0';
	return spark;
}

/*
 * Adds a line for a share. The whole network has a full bar. A share that is smaller than its
 * interval has no bar. live: its sparkline replaces the bar; NULL for none.
 */
static void screen_share(struct doc *d, const struct split_cpu *c, const struct leaf_node *node,
			 const char *heaviest, const struct screen_live *live)
{
	char spark[SCREEN_SPARK + 1];
	struct split_value v = split_sum(c, node->leaves);
	bool sum = node->leaves == LEAF_NETWORK;

	doc_row(d, node->depth ? !sum && node->leaves != LEAF_BIT(OWN) : 0, DOC_PEOPLE);
	doc_string(d, node->brief && doc_is_for(d, DOC_TEXT) ? node->brief : node->title);
	doc_interval_to(d, 100 * (v.ns / c->wall_ns), 100 * (v.ci95_ns / c->wall_ns), 100);
	doc_interval_to(d, v.ns, v.ci95_ns, c->wall_ns);
	if (live)
		doc_spark(d, screen_spark(spark, live, node->leaves), color_of(node->leaves));
	else
		doc_bar(d, v.ns < v.ci95_ns ? 0 : v.ns / split_sum(c, LEAF_NETWORK).ns,
			color_of(node->leaves));
	doc_string(d, sum && v.how != SPLIT_AT_LEAST ? "" : split_how_name(v.how));
	doc_string(d, heaviest);
	doc_row_end(d);
}

/* Writes the line of other leaves: "Not network: idle 66.2 %, user 1.09 +- 0.14 %". */
static void screen_rest(struct doc *d, const struct summary *s)
{
	const struct split_cpu *c = &s->split.all;
	char line[SCREEN_LINE] = "", value[TEXT_SIZE];

	for (unsigned int i = 0; i < LEAF_NODES; i++) {
		const struct leaf_node *node = &leaf_node[i];
		struct split_value v = split_sum(c, node->leaves);

		if (__builtin_popcount(node->leaves) != 1 || !(v.ns > SCREEN_LEAST * c->wall_ns) ||
		    node->leaves & (LEAF_NETWORK | LEAF_BIT(OWN)))
			continue;
		text_append(line, sizeof(line), ", ", "%s %s %%",
			    node->leaves == LEAF_BIT(OTHER_KERNEL) ? "other kernel" : node->title,
			    PERCENT(v.ns / c->wall_ns, v.ci95_ns / c->wall_ns));
	}
	if (*line)
		doc_note(d, "  not network: %s", line);
	text_measured(value, sizeof(value),
		      &(struct text_measure){ .v = 100 * s->networking_cost,
					      .ci95 = 100 * s->networking_cost_ci95,
					      .most = 2 });
	if (!isnan(s->networking_cost))
		doc_note(
			d,
			"  the network has %s%s %% of the time that was neither idle nor netcost's own",
			split_sum(c, LEAF_NETWORK).how == SPLIT_AT_LEAST ? "at least " : "", value);
}

static void screen_shares(struct doc *d, const struct summary *s, const struct screen_live *live)
{
	struct doc_column column[] = {
		{ .title = "", .kind = DOC_STRING, .width = 20 },
		{ .title = "% of CPU time",
		  .kind = DOC_INTERVAL,
		  .decimals = 2,
		  .width = 16,
		  .ci_width = 4 },
		{ .title = "time", .unit = TEXT_NS, .width = 9 },
		[SCREEN_BAR] = { .kind = DOC_BAR, .width = 40 },
		{ .title = "", .kind = DOC_STRING },
		{ .title = "most of it in, % of CPU time", .kind = DOC_STRING, .only = DOC_HTML },
	};
	const struct doc_table table = { .title = "Share of CPU time",
					 .tight = live,
					 DOC_COLUMNS_OF(column) };
	const struct split_cpu *c = &s->split.all;
	char heaviest[SCREEN_LINE];

	if (!(c->samples > 0))
		column[SCREEN_BAR + 2].title = NULL;
	if (live)
		column[SCREEN_BAR] = (struct doc_column){ .title = "as it went",
							  .kind = DOC_SPARK,
							  .width = (uint8_t)live->n };
	doc_table(d, &table);
	for (unsigned int i = 0; i < LEAF_NODES; i++) {
		const struct leaf_node *node = &leaf_node[i];

		if (!screen_is_shown(node, c))
			continue;
		screen_share(d, c, node, screen_categories(heaviest, &s->inside, node->leaves),
			     live);
		if (*heaviest && doc_is_for(d, DOC_TEXT) && !(live && live->brief))
			doc_note(d, "      %s", SAFE(heaviest));
	}
	doc_table_end(d);
	screen_rest(d, s);
}

/* ---- processes --------------------------------------------------------------------------- */

struct screen_process {
	char name[SAFE_SIZE];
	double ns, ci95_ns;
};

static const struct doc_column screen_process_column[] = {
	{ .title = "", .kind = DOC_STRING, .width = 28 },
	{ .title = "% of CPU time",
	  .kind = DOC_INTERVAL,
	  .decimals = 2,
	  .width = 16,
	  .ci_width = 4 },
	{ .title = "time", .unit = TEXT_NS, .width = 9 },
};

static bool screen_says(const struct screen_process *p)
{
	return p->ns > 0 && p->ns > p->ci95_ns;
}

/* Adds the rows of processes. wall_ns: the CPU time of all CPUs while processes were counted. */
static void screen_process_rows(struct doc *d, const struct screen_process *row, size_t n,
				double wall_ns, const char *counted, const char *how)
{
	char title[64];
	const struct doc_table table = { .title = title, DOC_COLUMNS_OF(screen_process_column) };
	size_t silent = 0;

	snprintf(title, sizeof(title), *counted ? "Most network time, of %s" : "Most network time",
		 counted);
	for (size_t i = 0; i < n; i++)
		silent += !screen_says(&row[i]);
	if (silent == n)
		return;
	doc_table(d, &table);
	for (size_t i = 0; i < n; i++) {
		if (!screen_says(&row[i]))
			continue;
		doc_row(d, 0, DOC_PEOPLE);
		doc_string(d, row[i].name);
		doc_interval_to(d, 100 * (row[i].ns / wall_ns), 100 * (row[i].ci95_ns / wall_ns),
				100);
		doc_interval_to(d, row[i].ns, row[i].ci95_ns, wall_ns);
		doc_row_end(d);
	}
	doc_table_end(d);
	doc_note(d, "  %s", how);
}

static int screen_processes_exact(struct doc *d, const struct summary *s, bool *known)
{
	struct screen_process row[SCREEN_PROCESSES];
	struct processes p;
	size_t n = 0;
	double all_ns = (double)s->m->at_ns.sum, counted_ns;
	char counted[96], how[160];
	int err = processes_make(&p, s->m, PROCESSES_BY_PROCESS, PROCESSES_SORT_NETWORK,
				 SCREEN_PROCESSES);

	if (err)
		return err;
	*known = p.all.network_ns > 0;
	for (size_t i = 0; i < p.nrows && n < SCREEN_PROCESSES; i++) {
		if (p.row[i].kind != PROCESSES_ONE)
			continue;
		process_title(row[n].name, sizeof(row[n].name), &p, &p.row[i]);
		row[n].ci95_ns = 0;
		row[n++].ns = p.row[i].v.network_ns;
	}
	counted_ns = all_ns - model_paused_ns(s->m, s->m->at_ns.first, s->m->at_ns.last);
	snprintf(how, sizeof(how), "exact%s: sends, receives and polls, without softirqs",
		 processes_counted(counted, sizeof(counted), s->m));
	if (*known)
		screen_process_rows(d, row, n, s->split.all.wall_ns * (counted_ns / all_ns),
				    counted_ns < all_ns ? MEASURED(counted_ns, TEXT_NS) : "", how);
	processes_free(&p);
	return 0;
}

static int screen_processes_sampled(struct doc *d, const struct summary *s)
{
	struct screen_process row[SCREEN_PROCESSES];
	struct breakdown b;
	size_t n = 0;
	int err = breakdown_make(&b, s, BREAKDOWN_PROCESS, SCREEN_PROCESSES, NULL);

	if (err)
		return err;
	for (size_t i = 0; i < b.n && n < SCREEN_PROCESSES; i++) {
		const struct breakdown_row *r = &b.row[i];
		struct split_value v = split_sum(&r->split, LEAF_NETWORK);

		process_named(row[n].name, sizeof(row[n].name), r->name, r->id, false);
		row[n].ns = v.ns;
		row[n++].ci95_ns = breakdown_network_ci95_ns(&b, r);
	}
	screen_process_rows(
		d, row, n, s->split.all.wall_ns, "",
		filter_has_tasks(s->m->filter) && s->m->records[TRACE_PROCESS_STATS] ?
			"by samples, with softirqs that interrupted the processes; exact: netcost-report who" :
			"by samples, with softirqs that interrupted the processes");
	breakdown_free(&b);
	return 0;
}

static int screen_processes(struct doc *d, const struct summary *s)
{
	bool known = false;
	int err = 0;

	if (s->m->records[TRACE_PROCESS_STATS] && model_is_of_all(s->m))
		err = screen_processes_exact(d, s, &known);
	if (!err && !known && s->split.all.samples > 0)
		err = screen_processes_sampled(d, s);
	return err;
}

/* ---- costs ------------------------------------------------------------------------------- */

/* Writes a text such as "13.3 +- 0.1 us per call": the value with its unit, then what the cost is for. */
static void screen_cost(char *dst, size_t size, const struct summary *s, enum unit_cost_id i)
{
	char value[TEXT_SIZE];

	traffic_cost_text(value, sizeof(value), s, i);
	snprintf(dst, size, "%s%s", value, unit_cost[i].unit + strcspn(unit_cost[i].unit, " "));
}

static void screen_each(struct doc *d, const struct summary *s)
{
	static const struct {
		const char *title;
		unsigned int leaves;
	} of[] = { { "network", LEAF_NETWORK }, { "all but idle", LEAF_BUSY } };
	const struct filter *f = s->m->filter;
	char line[SCREEN_LINE] = "", value[TEXT_SIZE];

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		struct split_value v = split_sum(&s->split.all, of[i].leaves);

		text_measured(value, sizeof(value),
			      &(struct text_measure){ .v = v.ns / f->per_count,
						      .ci95 = v.ci95_ns / f->per_count,
						      .unit = TEXT_NS,
						      .most = -1 });
		text_append(line, sizeof(line), "; ", "%s %s", of[i].title, value);
	}
	doc_note(d, "  each of %.0f %.*s, %s: %s", f->per_count, (int)strcspn(f->per, "="),
		 SAFE(f->per),
		 filter_has_tasks(f) ? "selected tasks" :
		 filter_has_cpus(f)  ? "selected CPUs" :
				       "whole host",
		 line);
}

static void screen_cost_line(struct doc *d, const char *title, const char *line)
{
	if (doc_is_for(d, DOC_HTML))
		doc_line(d, title, "%s", line);
	else
		doc_note(d, "  %-16s  %s", title, line);
}

/*
 * Returns the minimum number of units for a unit cost to be shown. With fewer units, background work
 * is divided by almost nothing: 0.2 s of background work and 30 kB give 7000 s per GB. The full
 * summary shows such costs.
 */
static double screen_least(enum unit_cost_id i)
{
	/* kB for interfaces, a number of calls or packets otherwise */
	return unit_cost[i].by_what == UNIT_BY_INTERFACE_BYTES ? 1e4 : 1e3;
}

static void screen_costs(struct doc *d, const struct summary *s)
{
	char line[SCREEN_LINE] = "", cost[96];
	bool any = false, samples = false;

	for (unsigned int i = 0; i <= UNIT_COSTS; i++) {
		bool other = i == UNIT_COSTS || !i ||
			     strcmp(unit_cost[i].title, unit_cost[i - 1].title);

		if (other && *line) {
			if (!any)
				doc_title(d, "Cost");
			text_append(line, sizeof(line), "", "%s", samples ? "; by samples" : "");
			screen_cost_line(d, unit_cost[i - 1].title, line);
			any = true;
			samples = false;
			*line = '\0';
		}
		if (i == UNIT_COSTS || isnan(s->unit[i].value) || !traffic_cost_says(s, i) ||
		    s->unit[i].done < screen_least(i))
			continue;
		screen_cost(cost, sizeof(cost), s, i);
		samples |= s->unit[i].by_samples && unit_cost[i].leaves;
		text_append(line, sizeof(line), ", ", "%s", cost);
	}
	if (per_is_wanted(s)) {
		if (!any)
			doc_title(d, "Cost");
		screen_each(d, s);
	}
}

/* ---- quality and caveats ------------------------------------------------------------ */

#define SCREEN_REFUSED_MOST 8
#define SCREEN_CAVEATS_MOST (CAVEATS_MAX + 3 + SCREEN_REFUSED_MOST)

/*
 * Finds the caveats. Failed certificates come first, then methods that the host refused. Returns
 * the number of caveats.
 */
static size_t screen_caveats(struct caveat caveat[SCREEN_CAVEATS_MOST], const struct summary *s)
{
	const struct model *m = s->m;
	size_t n = 0;

	for (size_t i = 0; i < m->ncertificates && n < 2; i++)
		if (certificate_is(m, &m->certificate[i], "failed")) {
			caveat[n].name = "certified";
			certificate_text(m, &m->certificate[i], caveat[n].text,
					 sizeof(caveat[n].text));
			n++;
		}
	for (size_t i = 0; i < m->nsources && n < SCREEN_CAVEATS_MOST - CAVEATS_MAX; i++)
		if (!strcmp(model_string(m, m->source[i].state), "refused")) {
			caveat[n].name = model_string(m, m->source[i].name);
			snprintf(caveat[n].text, sizeof(caveat[n].text), "refused: %s",
				 model_string(m, m->source[i].why));
			n++;
		}
	return n + caveats_make(caveat + n, s);
}

/* Returns true if samples alone give the time of each leaf of the network. */
static bool screen_all_sampled(const struct summary *s)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (1u << l & LEAF_NETWORK & ~LEAF_BIT(HARDIRQ_NET) &&
		    s->split.all.leaf[l].how != SPLIT_SAMPLES)
			return false;
	return true;
}

/*
 * Writes "exact", "exact for 4.2 s of 20.0 s, samples otherwise", "by samples", or which leaves are
 * exact.
 */
static void screen_method(char *dst, size_t size, const struct summary *s)
{
	if (!s->m->records[TRACE_EXACT] || filter_has_tasks(s->m->filter))
		snprintf(dst, size, "by samples%s",
			 s->recording.paused_s > 0 && !s->m->records[TRACE_EXACT] ?
				 "; exact counters never ran (budget)" :
				 "");
	else if (s->recording.paused_s > 0 && screen_all_sampled(s))
		snprintf(dst, size, "by samples; exact counters ran for %s of %s",
			 MEASURED(1e9 * (s->ticks_s - s->recording.paused_s), TEXT_NS),
			 MEASURED(1e9 * s->ticks_s, TEXT_NS));
	else if (s->recording.paused_s > 0)
		snprintf(dst, size, "exact for %s of %s, samples otherwise",
			 MEASURED(1e9 * (s->ticks_s - s->recording.paused_s), TEXT_NS),
			 MEASURED(1e9 * s->ticks_s, TEXT_NS));
	else if (split_by_samples(&s->split.all.leaf[LEAF_SOCK_SEND]))
		snprintf(dst, size, "softirqs exact, sends and receives by samples");
	else
		snprintf(dst, size, "exact");
}

/* smallest number of dropped packets that is shown, as a share of the processed packets */
#define SCREEN_DROPS 1e-2

/* Adds a line if more than a few packets were dropped, because the figures above do not show it. */
static void screen_drops(struct doc *d, const struct summary *s)
{
	char line[SCREEN_LINE];
	struct drops drops;

	if (filter_has_tasks(s->m->filter) || drops_make(&drops, s->m))
		return;
	snprintf(line, sizeof(line), "%s packets", NUM(drops.packets, 0));
	if (!isnan(s->softnet_processed))
		text_append(line, sizeof(line), ", ", "%s processed", NUM(s->softnet_processed, 0));
	for (size_t i = 0; i < drops.n && i < 2; i++)
		text_append(line, sizeof(line), i ? ", " : ": ", "%s %s",
			    NUM(drops.row[i].packets, 0), drops.row[i].reason);
	if (drops.packets > 0 && !(drops.packets <= SCREEN_DROPS * s->softnet_processed))
		doc_line(d, "dropped", "%s", line);
	drops_free(&drops);
}

static void screen_quality(struct doc *d, const struct summary *s)
{
	struct caveat caveat[SCREEN_CAVEATS_MOST];
	size_t n = screen_caveats(caveat, s);
	struct cost c = cost_of(s);
	char line[SCREEN_LINE], parts[SCREEN_LINE], cost[64], text[sizeof(caveat->text)];

	screen_method(line, sizeof(line), s);
	if (s->m->header.sample_hz)
		text_append(line, sizeof(line), "; ", "%" PRIu64 " samples, %s lost", s->m->samples,
			    NUM(s->recording.samples_lost, 0));
	text_append(line, sizeof(line), "; ", "%zu caveat%s%s", n, n == 1 ? "" : "s", n ? ":" : "");
	doc_title(d, "");
	screen_drops(d, s);
	cost_leaf_text(parts, sizeof(parts), &c);
	doc_line(d, "recording", "cost %s%s%s", cost_text(cost, sizeof(cost), &c),
		 *parts ? ": " : "", parts);
	doc_line(d, "quality", "%s", line);
	for (size_t i = 0; i < n && i < SCREEN_CAVEATS && doc_is_for(d, DOC_TEXT); i++)
		doc_line(d, caveat[i].name, "%s",
			 screen_cut(text, sizeof(text), caveat[i].text, SCREEN_TEXT));
	if (n > SCREEN_CAVEATS && doc_is_for(d, DOC_TEXT))
		doc_line(d, "", "%zu more: summary --full", n - SCREEN_CAVEATS);
}

static void screen_more(struct doc *d, const struct summary *s)
{
	const struct model *m = s->m;
	char line[SCREEN_LINE] = "summary --full";
	const struct {
		const char *name;
		bool there;
	} of[] = {
		{ "timeline", m->ticks > 2 },
		{ "top", m->samples },
		{ "who", m->records[TRACE_PROCESS_STATS] },
		{ "latency", model_has_probes(m, NETCOST_OF_LATENCY) },
		{ "latency --tail", model_is_measured(m, NETCOST_OF_TAIL, 0) },
		{ "path", m->records[TRACE_STAGES] },
		{ "info", true },
	};

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++)
		if (of[i].there)
			text_append(line, sizeof(line), ", ", "%s", of[i].name);
	doc_line(d, "more", "netcost-report %s", line);
}

int screen_page(struct doc *d, const struct summary *s)
{
	int err;

	screen_shares(d, s, NULL);
	fputs("<div class=\"two\">\n<div>\n", d->out);
	err = screen_processes(d, s);
	doc_title(d, "");
	fputs("</div>\n<div>\n", d->out);
	screen_costs(d, s);
	doc_title(d, "");
	fputs("</div>\n</div>\n", d->out);
	screen_quality(d, s);
	return err;
}

int screen_doc(struct doc *d, const struct summary *s)
{
	bool bars = d->terminal.bars;
	int err;

	d->terminal.bars = true;
	screen_heading(d, s);
	screen_shares(d, s, NULL);
	err = screen_processes(d, s);
	screen_costs(d, s);
	screen_quality(d, s);
	screen_more(d, s);
	d->terminal.bars = bars;
	return err;
}

/* ---- live -------------------------------------------------------------------------------- */

/* Writes "tcp-socket-read p50 12.3 us, p99 88 us": the latency until packets are read. */
static void screen_latency(struct doc *d, const struct model *m)
{
	static const enum netcost_latency read[] = { NETCOST_LATENCY_TCP_READ,
						     NETCOST_LATENCY_UDP_READ };
	struct dist_summary r;
	char p50[TEXT_SIZE], p99[TEXT_SIZE];

	for (size_t i = 0; i < sizeof(read) / sizeof(*read); i++) {
		if (!model_is_measured(m, NETCOST_OF_LATENCY, read[i]))
			continue;
		dist_summarize(&r, model_latency_dist(m, read[i]));
		if (r.count > 0)
			doc_line(d, "latency", "%s: p50 %s, p99 %s, of %.0f packets",
				 latency_keys[read[i]],
				 latency_text(p50, sizeof(p50), &r, DIST_P50),
				 latency_text(p99, sizeof(p99), &r, DIST_P99), r.count);
	}
}

int screen_live_doc(struct doc *d, const struct summary *s, const struct intervals *iv, bool brief)
{
	struct screen_live *live = calloc(1, sizeof(*live));
	int err = live ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < iv->n && live->n < SCREEN_SPARK; i++)
		err = interval_split(iv, i, s->m, &live->each[live->n++]);
	if (!err) {
		live->brief = brief;
		doc_problems(d, s->m);
		screen_shares(d, s, live);
		screen_latency(d, s->m);
		err = screen_processes(d, s);
		screen_costs(d, s);
		screen_quality(d, s);
	}
	free(live);
	return err;
}
