// SPDX-License-Identifier: BSD-2-Clause
/*
 * The page: its head, warnings and limits, then its sections: key figures, charts, the flame graph,
 * and tables and lines of the reports.
 */
#include "page.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "report/analysis/accuracy.h"
#include "report/analysis/breakdown.h"
#include "report/analysis/caveats.h"
#include "report/analysis/cost.h"
#include "report/analysis/latency.h"
#include "report/analysis/processes.h"
#include "report/analysis/functions.h"
#include "report/base/render.h"
#include "report/base/text.h"
#include "report/model/filter.h"
#include "report/tables/tables.h"
#include "report/analysis/summary.h"
#include "report/plot/plot.h"
#include "report/stacks/stacks.h"

/* ---- at a glance ------------------------------------------------------------------------- */

#define LEAST_IN_BAR 0.00005 /* share of CPU time; smaller shares would be shown as 0.00 % */

static bool is_in_bar(const struct split_cpu *c, unsigned int leaf)
{
	return c->wall_ns > 0 && c->leaf[leaf].ns >= LEAST_IN_BAR * c->wall_ns;
}

static const char *leaf_share(char *dst, size_t size, const struct split_cpu *c, unsigned int leaf)
{
	const struct split_value *v = &c->leaf[leaf];

	return text_percent(dst, size, v->ns / c->wall_ns, v->ci95_ns / c->wall_ns, true);
}

/*
 * Draws all leaves side by side. If the shares by samples exceed the whole time, the bar is clipped
 * at its end.
 */
static void bar(const struct page *p)
{
	const struct split_cpu *all = &p->s->split.all;
	char share[TEXT_SIZE];
	double x = 0;

	fputs("<svg class=\"stack\" viewBox=\"0 0 1000 30\" preserveAspectRatio=\"none\" role=\"img\" "
	      "aria-label=\"CPU time by leaf; the table below has the numbers\">\n",
	      p->out);
	for (unsigned int l = 0; l < LEAF_COUNT; l++) {
		double width = 1000 * all->leaf[l].ns / all->wall_ns;

		if (!is_in_bar(all, l))
			continue;
		fprintf(p->out,
			"<rect x=\"%.2f\" width=\"%.2f\" height=\"30\" fill=\"%s\"><title>%s: %s %%</title></rect>\n",
			x, width, leaf_color[l], plot_leaf_title(1u << l),
			leaf_share(share, sizeof(share), all, l));
		x += width;
	}
	fputs("</svg>\n<ul class=\"legend\">\n", p->out);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		if (is_in_bar(all, l))
			html_legend(p->out, leaf_color[l], "%s %s %%", plot_leaf_title(1u << l),
				    leaf_share(share, sizeof(share), all, l));
	fputs("</ul>\n", p->out);
}

/* ---- charts ------------------------------------------------------------------------------ */

/*
 * A chart is an image inside the page, so it cannot run scripts, and its ids cannot clash with the
 * ids of other charts.
 */

/* Returns true for characters that need no escape in a quoted URL. */
static bool is_plain(int c)
{
	return isalnum(c) || (c && strchr(" -_.,:;=/()", c));
}

static void put_image(FILE *out, const char *help, FILE *picture)
{
	int c;

	fputs("<figure class=\"chart\" tabindex=\"0\"><img alt=\"", out);
	html_printf(out, "chart: %s", help);
	fputs("\" src=\"data:image/svg+xml,", out);
	while ((c = fgetc(picture)) != EOF)
		fprintf(out, is_plain(c) ? "%c" : "%%%02X", c);
	fputs("\"></figure>\n", out);
}

/* Adds a chart. Returns false if gnuplot cannot draw; the page then has no charts. */
static bool chart(const struct page *p, const struct plot_chart *chart)
{
	struct plot plot = { .m = p->m,
			     .part = p->part,
			     .intervals = p->intervals,
			     .bins = p->bins,
			     .times = p->times,
			     .format = PLOT_SVG };
	FILE *picture = plot_picture(&plot, chart);

	if (picture) {
		put_image(p->out, chart->help, picture);
		fclose(picture);
	} else if (plot.no_script) {
		html_paragraph(p->out, "note", "%s: %s.", chart->name, plot.why);
	} else {
		html_paragraph(p->out, "alert note", "No charts: %s.", plot.why);
		tell(PART_TITLE(p->part), "the page is without charts: %s", plot.why);
		return false;
	}
	return true;
}

static void page_charts(const struct page *p, struct doc *d)
{
	if (!p->charts)
		doc_note(d, "Left out.");
	for (size_t i = 0; p->charts && i < PLOT_CHARTS; i++) {
		/* A heat map would be larger than all other charts. */
		if (plot_chart[i].map || (plot_chart[i].times && !p->m->nprocesses) ||
		    (plot_chart[i].latency && !p->m->records[TRACE_LATENCY]) ||
		    (plot_chart[i].stages && !p->m->records[TRACE_STAGES]))
			continue;
		if (plot_chart[i].intervals && !p->intervals->n)
			doc_note(d, "%s: there are no intervals.", plot_chart[i].name);
		else if (!chart(p, &plot_chart[i]))
			break;
	}
}

/* ---- flame graph ------------------------------------------------------------------------- */

/* Returns the leaves whose samples are drawn; 0 if there are no such samples. */
static unsigned int drawn_leaves(const struct page *p)
{
	unsigned int leaves = 0;

	for (uint32_t i = 0; i <= p->m->nstacks; i++)
		if (p->m->count[i] && model_is_chosen(p->m, i, &p->of))
			leaves |= 1u << model_leaf(p->m, p->m->class[i]);
	return leaves;
}

static void legend_entry(void *out, const char *color, const char *title)
{
	html_legend(out, color, "%s", title);
}

static int page_flamegraph(const struct page *p, struct doc *d)
{
	const struct flamegraph_options options = {
		.title = "",
		.of = p->of,
		.icicle = p->icicle,
		.in_page = true,
	};
	unsigned int leaves = drawn_leaves(p);
	int err;

	if (!leaves) {
		doc_note(d, "There are no samples%s, so there are no stacks to draw.",
			 !p->m->samples ? "" :
			 p->only	? " of the categories that --only selects" :
					  " other than idle ones");
		return 0;
	}
	doc_note(
		d,
		"%s%s%s; widths are %s%s. A click, or Enter, zooms; arrow keys go from frame to frame.",
		p->m->has_user ? "Stacks" : "Kernel stacks", p->only ? ", " : "",
		p->only ? p->only : "", flamegraph_widths(p->m),
		p->idle || p->only ? "" : ", without idle time");
	fputs("<ul class=\"legend\">\n", p->out);
	colors_of(leaves, legend_entry, p->out);
	fputs("</ul>\n", p->out);
	fputs("<div class=\"flame\">\n<p class=\"controls\" hidden>"
	      "<label>search <input class=\"search\" name=\"search\" type=\"search\" spellcheck=\"false\" "
	      "placeholder=\"a regular expression\"></label> "
	      "<button class=\"reset\" type=\"button\">zoom out</button> "
	      "<output class=\"status\"></output></p>\n<p class=\"details\">&nbsp;</p>\n",
	      p->out);
	err = flamegraph_write(p->out, p->m, NULL, &options);
	fputs("</div>\n", p->out);
	return err;
}

#define FUNCTIONS 20
#define ROWS 20
#define CPU_ROWS 256
#define PRECISION 1 /* percentage points of CPU time */

/* ---- warnings and limits, the host -------------------------------------------------- */

/* Returns the string, or "-" if the trace does not have it. */
static const char *or_dash(const struct model *m, model_str s)
{
	return s ? model_string(m, s) : "-";
}

static void refused(const struct page *p)
{
	const struct model *m = p->m;

	for (size_t i = 0; i < m->nsources; i++)
		if (!strcmp(model_string(m, m->source[i].state), "refused"))
			html_paragraph(p->out, "alert", "NOT MEASURED, %s: %s.",
				       model_string(m, m->source[i].name),
				       or_dash(m, m->source[i].why));
}

static void filters(const struct page *p)
{
	const struct filter *f = p->m->filter;

	if (filter_has_cpus(f))
		html_paragraph(p->out, "alert note", "Only CPUs %s.", f->cpus.text);
	if (f && f->tasks)
		html_paragraph(p->out, "alert note", "Only samples of the tasks %s.", f->tasks);
	if (f && f->cgroup)
		html_paragraph(p->out, "alert note", "Only samples of the cgroup %s.", f->cgroup);
}

/* Shows the result of each certificate. */
static void certificates(const struct page *p)
{
	const struct model *m = p->m;
	char text[1024];

	for (size_t i = 0; i < m->ncertificates; i++) {
		const struct model_certificate *c = &m->certificate[i];
		bool passed = certificate_is(m, c, "passed"),
		     failed = certificate_is(m, c, "failed");

		html_paragraph(p->out,
			       passed ? "alert seal" :
			       failed ? "alert bad" :
					"alert",
			       "%s, at the %s %s: %s.", passed ? "CERTIFIED" : "NOT CERTIFIED",
			       or_dash(m, c->when),
			       certificate_is_of_more(m) ? CERTIFICATE_OF_MORE : "of the recording",
			       certificate_text(m, c, text, sizeof(text)));
	}
}

static void alerts(const struct page *p)
{
	const struct model *m = p->m;
	struct caveat caveat[CAVEATS_MAX];
	size_t ncaveats = caveats_make(caveat, p->s);
	double lost = p->s->recording.samples_lost;

	if (lost > 0)
		html_paragraph(p->out, "alert", "LOST: %s samples.", NUM(lost, 0));
	for (size_t i = 0; i < ncaveats; i++)
		html_paragraph(p->out, "alert", "WEAK, %s: %s.", caveat[i].name, caveat[i].text);
	if (m->backwards)
		html_paragraph(p->out, "alert",
			       "COUNTERS: decreases of %" PRIu64
			       " counters were ignored; the first: %s.%s.",
			       m->backwards, trace_type_desc(m->backwards_key->type)->name,
			       m->backwards_key->name);
	refused(p);
}

static void host(const struct page *p, struct doc *d)
{
	const struct model_header *h = &p->m->header;
	char cpus[128];

	doc_line(d, "recorded", "%s%s%s", p->s->start_real_ns ? UTC(p->s->start_real_ns) : "",
		 p->s->start_real_ns ? ", " : "", MEASURED(1e9 * p->s->duration_s, TEXT_NS));
	doc_line(d, "CPUs", "%" PRIu64 " recorded (%s), %" PRIu64 " possible", h->ncpus,
		 text_cpu_list(cpus, sizeof(cpus), p->m->header_cpus, h->ncpus), h->cpus_possible);
	doc_host(d, p->m);
	doc_derived(d, p->m, UINT32_MAX);
}

/* ---- sections ---------------------------------------------------------------------------- */

/* Begins a collapsed section of rarely needed details. */
__attribute__((format(printf, 3, 4))) static void begin_details(const struct page *p, struct doc *d,
								const char *fmt, ...)
{
	va_list args;

	doc_title(d, "");
	fputs("<details>\n<summary>", p->out);
	va_start(args, fmt);
	vfprintf(p->out, fmt, args);
	va_end(args);
	fputs("</summary>\n", p->out);
}

static void end_details(const struct page *p)
{
	fputs("</details>\n", p->out);
}

/* ---- CPU time ----------------------------------------------------------------------- */

static int section_time(const struct page *p, struct doc *d)
{
	split_tree(d, p->s);
	return 0;
}

static int section_inside(const struct page *p, struct doc *d)
{
	if (!p->m->samples)
		doc_note(d, "There are no samples to classify.");
	else if (!p->s->inside.rules)
		doc_note(d, "The samples do not measure time; see Functions.");
	else
		inside_categories(d, p->s, false);
	return 0;
}

static bool has_rx(const struct page *p)
{
	return p->s->rx.ns > 0;
}

static int section_rx(const struct page *p, struct doc *d)
{
	const struct summary_rx *rx = &p->s->rx;

	if (isnan(rx->self_ns))
		doc_note(
			d,
			"The parts of the RX softirq were not counted exactly; --exact=full counts them.");
	inside_rx(d, p->s);
	return 0;
}

static int section_functions(const struct page *p, struct doc *d)
{
	struct top t;

	if (top_make(&t, p->m, &(struct model_choice){ LEAF_NETWORK, NULL }, FUNCTIONS))
		return -ENOMEM;
	top_table(d, &t);
	if (!t.samples)
		doc_note(d, "No samples of the network.");
	top_free(&t);
	return 0;
}

/* ---- network activity --------------------------------------------------------------- */

static int section_costs(const struct page *p, struct doc *d)
{
	traffic_costs(d, p->s);
	traffic_calls(d, p->s);
	return 0;
}

/* Adds a table of latency by a key, collapsed because there may be hundreds of rows. */
static int latency_by(const struct page *p, struct doc *d, enum netcost_latency_by by)
{
	size_t n = latency_by_rows(p->m, by);
	int err;

	if (!n)
		return 0;
	begin_details(p, d, "By checkpoint and %s: %zu rows", latency_by_keys[by], n);
	err = latency_table(d, p->m, by);
	end_details(p);
	return err;
}

static bool has_latency(const struct page *p)
{
	return model_is_of_all(p->m) &&
	       (model_has_probes(p->m, NETCOST_OF_LATENCY) || p->m->records[TRACE_LATENCY]);
}

static int section_latency(const struct page *p, struct doc *d)
{
	int err;

	err = latency_table(d, p->m, LATENCY_ALL);
	for (enum netcost_latency_by by = 0; !err && by < NETCOST_LATENCY_BY_COUNT; by++)
		err = latency_by(p, d, by);
	return err;
}

static bool has_tail(const struct page *p)
{
	return model_has_probes(p->m, NETCOST_OF_TAIL) && model_is_of_all(p->m);
}

static int section_tail(const struct page *p, struct doc *d)
{
	return latency_tail_table(d, p->m, p->tail);
}

static bool has_stages(const struct page *p)
{
	return p->m->stages && model_is_of_all(p->m);
}

static int section_stages(const struct page *p, struct doc *d)
{
	return stages_table(d, p->m);
}

static int section_draw(const struct page *p, struct doc *d)
{
	page_charts(p, d);
	return 0;
}

static int section_interfaces(const struct page *p, struct doc *d)
{
	int err;

	if (!p->m->nnetdevs)
		doc_note(d, "The trace names no interfaces.");
	traffic_interfaces(d, p->s);
	softirqs_doc(d, p->s);
	interrupts_doc(d, p->s);
	err = drops_doc(d, p->s);
	return err ? err : bill_doc(d, p->s);
}

static bool has_energy(const struct page *p)
{
	return p->m->nzones || per_is_wanted(p->s);
}

static int section_energy(const struct page *p, struct doc *d)
{
	if (p->m->nzones)
		energy_doc(d, p->s);
	if (per_is_wanted(p->s))
		per_doc(d, p->s);
	return 0;
}

/* ---- by CPU, task, process, cgroup ------------------------------------------------------- */

static int by(const struct page *p, struct doc *d, enum breakdown_kind kind, size_t n)
{
	struct breakdown b;
	int err = breakdown_make(&b, p->s, kind, n, NULL);

	if (err)
		return err;
	if (b.n)
		breakdown_table(d, &b);
	breakdown_free(&b);
	return 0;
}

/*
 * Returns true if there are several groups. A table with a single group would repeat another table.
 */
static bool tells_apart(const struct processes *p)
{
	return p->groups > 1 || p->by < PROCESSES_BY_CONTAINER;
}

static int processes(const struct page *p, struct doc *d, enum processes_by kind)
{
	struct processes made;
	int err;

	if (!p->m->nprocesses || !model_is_of_all(p->m))
		return 0;
	err = processes_make(&made, p->m, kind, PROCESSES_SORT_CPU, ROWS);
	if (err)
		return err;
	if (tells_apart(&made))
		processes_table(d, &made, kind == PROCESSES_BY_PROCESS);
	processes_free(&made);
	return 0;
}

static int section_tasks(const struct page *p, struct doc *d)
{
	int err = processes(p, d, PROCESSES_BY_PROCESS);

	if (!err)
		err = processes(p, d, PROCESSES_BY_USER);
	if (err)
		return err;
	if (!p->m->samples) {
		doc_note(d, "There are no samples, and only samples identify tasks.");
		return 0;
	}
	err = by(p, d, BREAKDOWN_PROCESS, ROWS);
	return err ? err : by(p, d, BREAKDOWN_TASK, ROWS);
}

static int section_cgroups(const struct page *p, struct doc *d)
{
	int err = processes(p, d, PROCESSES_BY_CGROUP);

	if (!err)
		err = processes(p, d, PROCESSES_BY_CONTAINER);
	if (!err)
		err = processes(p, d, PROCESSES_BY_POD);
	if (err)
		return err;
	if (!p->m->samples)
		doc_note(d, "There are no samples, and only samples identify cgroups.");
	else if (!p->m->ncgroups)
		doc_note(d, "Cgroups were not recorded.");
	else
		return by(p, d, BREAKDOWN_CGROUP, ROWS);
	return 0;
}

static bool has_owners(const struct page *p)
{
	return model_fates(p->m) && model_is_of_all(p->m);
}

static int section_owners(const struct page *p, struct doc *d)
{
	int err;

	err = processes_owners(d, p->m, PROCESSES_BY_PROCESS, ROWS, true);
	if (err)
		return err;
	doc_title(d, "By cgroup");
	return processes_owners(d, p->m, PROCESSES_BY_CGROUP, ROWS, false);
}

static int section_cpus(const struct page *p, struct doc *d)
{
	if (!p->s->split.ncpus)
		doc_note(d, "No CPU has any time.");
	return by(p, d, BREAKDOWN_CPU, CPU_ROWS);
}

/* ---- intervals ---------------------------------------------------------------------- */

static int section_timeline(const struct page *p, struct doc *d)
{
	if (p->intervals->n)
		return timeline_table(d, p->intervals, p->m);
	if (p->intervals->too_many)
		doc_note(d, "There are too many ticks; use --every for longer rows.");
	else
		doc_note(d, "There are fewer than two ticks, so there are no rows.");
	return 0;
}

static int section_accuracy(const struct page *p, struct doc *d)
{
	struct accuracy *a;
	const struct intervals *iv = p->bins->iv ? p->bins->iv : p->intervals;
	bool many = iv->n || iv->too_many;

	if (!iv->n || !p->bins->tracks) {
		doc_note(d, "%s",
			 many ? "There are too many cells; use --every for longer intervals." :
				"There are fewer than two ticks: nothing to compare.");
		return 0;
	}
	if (accuracy_make(&a, p->m, p->bins, PRECISION))
		return -ENOMEM;
	accuracy_tables(d, a, false);
	accuracy_free(a);
	return 0;
}

/* ---- the recording ----------------------------------------------------------------------- */

static void settings(const struct page *p, struct doc *d)
{
	if (!p->m->nsettings)
		return;
	begin_details(p, d, "Settings of the host: %zu", p->m->nsettings);
	settings_table(d, p->m);
	end_details(p);
}

/* ---- views ------------------------------------------------------------------------------- */

#define VIEW_ROWS 20

static bool has_view(const struct page *p, const struct view_use *use)
{
	return use->where & VIEW_PAGE && model_is_of_all(p->m) && model_answer(p->m, use->type);
}

static bool has_views(const struct page *p)
{
	for (size_t i = 0; i < VIEW_USES_COUNT; i++)
		if (has_view(p, &view_uses[i]))
			return true;
	return false;
}

static int section_view(const struct page *p, struct doc *d, unsigned int type)
{
	struct view_order order;
	struct view_rows rows;
	struct view v;
	int err;

	if (!view_usual(&v, &order, type))
		return -ENOMEM;
	order.rows = VIEW_ROWS;
	err = view_rows_make(&rows, &v, &order, p->m, model_answer(p->m, type), false);
	if (err)
		return err;
	view_table(d,
		   &(struct view_shown){ .view = &v, .order = &order, .rows = &rows, .m = p->m });
	view_rows_free(&rows);
	return 0;
}

static int section_views(const struct page *p, struct doc *d)
{
	int err = 0;

	for (size_t i = 0; i < VIEW_USES_COUNT && !err; i++)
		if (has_view(p, &view_uses[i]))
			err = section_view(p, d, view_uses[i].type);
	return err;
}

static int section_recording(const struct page *p, struct doc *d)
{
	const struct model *m = p->m;
	char size[80] = "";

	host(p, d);
	recording_quality(d, p->s);
	/* A window is not a file and has no size. */
	if (!m->window)
		snprintf(size, sizeof(size), ", %" PRIu64 " bytes, %" PRIu64 " frames",
			 m->status.bytes, m->status.frames);
	doc_line(d, "trace", "format %" PRIu64 ".%" PRIu64 "%s; ended by: %s", m->header.major,
		 m->header.minor, size, m->end.why ? model_string(m, m->end.why) : "-");
	recording_procstat(d, p->s);
	settings(p, d);
	return 0;
}

static int section_probes(const struct page *p, struct doc *d)
{
	if (model_has_probes(p->m, NETCOST_OF_EVENT) || model_has_probes(p->m, NETCOST_OF_PART))
		probes_doc(d, p->m);
	else
		doc_note(d, "The trace names no probes.");
	cost_doc(d, p->s);
	return 0;
}

static int section_sources(const struct page *p, struct doc *d)
{
	if (p->m->nsources)
		sources_doc(d, p->m);
	else
		doc_note(d, "The trace names no sources.");
	return 0;
}

/* ---- the page ---------------------------------------------------------------------------- */

static const char style[] =
#include "page_css.h"
	;

static const char sort[] =
#include "sort_js.h"
	;

/* The content security policy: everything the page may use. */
static const char policy[] =
	"default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; script-src "
#include "flamegraph_js_hash.h"
	" "
#include "sort_js_hash.h"
	"; style-src "
#include "flamegraph_css_hash.h"
	" "
#include "page_css_hash.h"
	;

/*
 * there: returns true if a page has the section; NULL if every page has it, even if the section
 * only says that there is no data.
 */
static const struct {
	const char *id, *title;
	int (*write)(const struct page *p, struct doc *d); /* returns 0 or -ENOMEM */
	bool (*there)(const struct page *p);
} sections[] = {
	{ "time", "Where the CPU time went", section_time, NULL },
	{ "charts", "Charts", section_draw, NULL },
	{ "inside", "Inside the network (samples)", section_inside, NULL },
	{ "rx", "Inside RX softirq (exact)", section_rx, has_rx },
	{ "costs", "Unit costs and calls", section_costs, NULL },
	{ "latency", "Packet latency", section_latency, has_latency },
	{ "tail", "Slowest packets", section_tail, has_tail },
	{ "stages", "Packet path", section_stages, has_stages },
	{ "interfaces", "Interfaces", section_interfaces, NULL },
	{ "counts", "Counts", section_views, has_views },
	{ "energy", "Energy", section_energy, has_energy },
	{ "flame", "Flame graph", page_flamegraph, NULL },
	{ "functions", "Functions", section_functions, NULL },
	{ "tasks", "Processes and tasks", section_tasks, NULL },
	{ "cgroups", "Cgroups", section_cgroups, NULL },
	{ "owners", "Who pays for received packets", section_owners, has_owners },
	{ "cpus", "CPUs", section_cpus, NULL },
	{ "timeline", "Timeline", section_timeline, NULL },
	{ "accuracy", "Accuracy", section_accuracy, NULL },
	{ "recording", "Recording", section_recording, NULL },
	{ "probes", "Probes", section_probes, NULL },
	{ "sources", "Sources", section_sources, NULL },
};

#define NSECTIONS (sizeof(sections) / sizeof(*sections))

static bool is_there(const struct page *p, size_t i)
{
	return !sections[i].there || sections[i].there(p);
}

static void head(const struct page *p)
{
	fprintf(p->out,
		"<!DOCTYPE html>\n"
		"<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"referrer\" content=\"no-referrer\">\n"
		"<link rel=\"icon\" href=\"data:,\">\n<title>",
		policy);
	html_printf(p->out, "%s - netcost", PART_TITLE(p->part));
	fprintf(p->out, "</title>\n<style>%s</style>\n</head>\n<body>\n", style);
}

static void heading(const struct page *p)
{
	struct doc d = doc_begin(&doc_html, p->out, p->part);

	fputs("<header>\n<p class=\"kind\">netcost: what networking costs in CPU time</p>\n<h1>",
	      p->out);
	html_text(p->out, PART_TITLE(p->part));
	fputs("</h1>\n", p->out);
	screen_heading(&d, p->s);
	certificates(p);
	filters(p);
	doc_end(&d);
	fputs("</header>\n", p->out);
}

/* Writes the summary as one screen, then its caveats. */
static int summary(const struct page *p)
{
	struct doc d = doc_begin(&doc_html, p->out, p->part);
	int err;

	fputs("<section aria-label=\"Summary\">\n", p->out);
	if (p->s->split.all.wall_ns > 0)
		bar(p);
	err = screen_page(&d, p->s);
	alerts(p);
	doc_end(&d);
	fputs("</section>\n", p->out);
	return err;
}

static void contents(const struct page *p)
{
	fputs("<nav aria-label=\"sections\"><ul>\n", p->out);
	for (size_t i = 0; i < NSECTIONS; i++)
		if (is_there(p, i))
			fprintf(p->out, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id,
				sections[i].title);
	fputs("</ul></nav>\n", p->out);
}

static int section(const struct page *p, size_t i)
{
	struct doc d = doc_begin(&doc_html, p->out, p->part);
	int err;

	fprintf(p->out, "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n", sections[i].id,
		sections[i].id, sections[i].title);
	err = sections[i].write(p, &d);
	doc_end(&d);
	fputs("</section>\n", p->out);
	return err;
}

bool page_write(const struct page *p)
{
	int err;

	head(p);
	heading(p);
	fputs("<main>\n", p->out);
	err = summary(p);
	contents(p);
	for (size_t i = 0; !err && i < NSECTIONS; i++)
		err = is_there(p, i) ? section(p, i) : 0;
	fputs("</main>\n<footer>A dash: not measured. ±: half of a 95 % confidence interval.</footer>\n",
	      p->out);
	if (p->m->nprocesses)
		fprintf(p->out, "<script>%s</script>\n", sort);
	fputs("</body>\n</html>\n", p->out);
	return !err;
}
