// SPDX-License-Identifier: BSD-2-Clause
/*
 * Commands that show reports. This file chooses the report and the data that it needs, and refuses
 * options that cannot be combined.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/text_append.h>
#include <netcost/units.h>

#include "command.h"
#include "report/analysis/breakdown.h"
#include "report/analysis/functions.h"
#include "report/base/text.h"
#include "report/rules/rules.h"
#include "report/tables/tables.h"
#include "report/analysis/view.h"

#define ROWS 20 /* default of --rows */
#define TIMELINE_ROWS 6

static size_t rows_or(const struct options *o, size_t usual)
{
	return o->rows ? o->rows : usual;
}

/* ---- summary ----------------------------------------------------------------------------- */

/*
 * Returns true if the text must be the full summary: --full was given, or an option that only
 * applies to the full summary.
 */
static bool wants_full(const struct options *o)
{
	return o->full || o->wide || o->all || o->all_cpus || o->other;
}

static int build_shown(struct doc *d, const struct summary *s, const struct report_part *p)
{
	const struct options *o = p->options;
	const struct summary_shown shown = { .all_cpus = o->all_cpus,
					     .all = o->all,
					     .other = o->other };
	struct breakdown b;
	int err;

	if (!o->by && doc_is_for(d, DOC_TEXT) && !wants_full(o))
		return screen_doc(d, s);
	if (!o->by)
		return summary_doc(d, s, &shown);
	err = breakdown_make(&b, s, word_index(o->by), o->rows, p->intervals);
	if (err)
		return err;
	breakdown_doc(d, &b);
	breakdown_free(&b);
	return 0;
}

static int build_summary(struct doc *d, const struct report_part *p)
{
	bool cgroups = p->options->by == BREAKDOWN_CGROUP + 1;
	struct summary s = { 0 };
	int err;

	if (cgroups && !p->m->ncgroups && !doc_is_schema(d)) {
		tell(PART_TITLE(p->part), "has no cgroups: they were not recorded");
		return -ECANCELED;
	}
	err = summary_make(&s, p->m, p->part);
	if (err)
		return err;
	err = build_shown(d, &s, p);
	summary_free(&s);
	return err;
}

const char *summary_wrong(const struct options *o)
{
	if (!o->by && (o->rows || o->every_ns))
		return "--rows and --every can only be used with --by";
	if (o->by != BREAKDOWN_INTERVAL + 1 && o->every_ns)
		return "--every can only be used with --by=interval";
	if (o->by && (o->all || o->all_cpus || o->other))
		return "--all, --all-cpus and --other cannot be used with --by";
	return NULL;
}

/* Index of the one-screen summary, which follows the reports of --by. */
#define SCREEN (BREAKDOWN_KINDS + 1)

/*
 * Returns the index of the report. The screen needs data about processes that the full summary does
 * not need.
 */
size_t summary_choose(const struct options *o)
{
	bool text = !o->format || o->format == REPORT_TEXT;

	return text && !o->by && !wants_full(o) ? SCREEN : o->by;
}

#define TASKS (MODEL_TASKS | MODEL_CPU_TASKS)
#define CGROUPS (MODEL_CGROUPS | MODEL_CPU_CGROUPS)
#define BY(kind) .by = BREAKDOWN_##kind + 1, .build = build_summary, .csv = "rows"

const struct report summary_reports[] = {
	{ "summary", .build = build_summary, .csv = "leaves" },
	{ "by-cpu", BY(CPU) },
	{ "by-task", BY(TASK), .keep = TASKS },
	{ "by-process", BY(PROCESS), .keep = TASKS | MODEL_PROCESSES },
	{ "by-cgroup", BY(CGROUP), .keep = CGROUPS },
	{ "by-interval", BY(INTERVAL), .intervals = true },
	[SCREEN] = { NULL, .build = build_summary,
		     .keep = TASKS | MODEL_PROCESSES | MODEL_CGROUPS },
	{ 0 },
};

/* ---- timeline ---------------------------------------------------------------------------- */

static int build_timeline(struct doc *d, const struct report_part *p)
{
	return timeline_doc(d, p->intervals, p->m, &p->collected->latency_times);
}

static int build_timeline_by(struct doc *d, const struct report_part *p)
{
	const struct process_times *times = &p->collected->process_times;
	size_t top = rows_or(p->options, TIMELINE_ROWS);
	struct processes all;
	struct timeline_by t;
	int err;

	if (times->too_many)
		return intervals_tell_too_many(p->part);
	err = processes_make(&all, p->m, word_index(p->options->by), PROCESSES_SORT_CPU, top);
	if (err)
		return err;
	err = timeline_by_make(&t, p->intervals, &all, times, top);
	if (!err) {
		timeline_by_doc(d, &t);
		timeline_by_free(&t);
	}
	processes_free(&all);
	return err;
}

/* Counts by process cover all CPUs and tasks, so no CPU or task can be selected. */
const char *timeline_wrong(const struct options *o)
{
	if (!o->by && (o->rows || o->filter.idle_watts > 0))
		return "timeline: --rows and --idle-watts can only be used with --by";
	if (o->by && o->latency)
		return "timeline: --latency cannot be used with --by";
	if (o->by && options_select(o))
		return "timeline: --by covers all CPUs and tasks; it cannot be combined with --cpu, --task and --cgroup";
	return NULL;
}

size_t timeline_choose(const struct options *o)
{
	return o->by ? 1 : 0;
}

const struct report timeline_reports[] = {
	{ "timeline", .build = build_timeline, .csv = "rows", .intervals = true, .rows = ROWS,
	  .collect = COLLECT_LATENCY },
	{ "timeline-by", .by = 1, .build = build_timeline_by, .lacks = lacks_processes,
	  .csv = "rows", .keep = MODEL_PROCESSES | MODEL_CGROUPS, .intervals = true, .rows = ROWS,
	  .collect = COLLECT_PROCESS_TIMES },
	{ 0 },
};

/* ---- top, who ---------------------------------------------------------------------- */

static int build_top(struct doc *d, const struct report_part *p)
{
	const struct options *o = p->options;
	bool all = o->of == SAMPLES_ALL || (o->only && !o->of);
	struct chosen only;
	struct top t;

	if (options_choose(o, p->m, p->part, all ? LEAF_ALL : LEAF_NETWORK, &only) ||
	    top_make(&t, p->m, &only.of, rows_or(o, ROWS)))
		return -ENOMEM;
	top_doc(d, &t, all, o->only ? only.title : NULL);
	top_free(&t);
	return 0;
}

const char *const samples_of[] = { "network", "all", NULL };

const struct report top_reports[] = {
	{ "top", .build = build_top, .lacks = lacks_samples, .csv = "functions",
	  .keep = MODEL_MODULES },
	{ 0 },
};

/* ---- who --------------------------------------------------------------------------------- */

/* Returns the table of samples with the same rows as --by, or BREAKDOWN_KINDS if samples have no such table. */
static enum breakdown_kind who_sampled(const struct options *o)
{
	switch (word_index(o->by)) {
	case PROCESSES_BY_PROCESS:
		return BREAKDOWN_PROCESS;
	case PROCESSES_BY_CGROUP:
		return BREAKDOWN_CGROUP;
	default:
		return BREAKDOWN_KINDS;
	}
}

static const char *who_lacks(const struct model *m, const struct options *o, char *buf)
{
	const char *table = o->table ? o->table : "";
	char ignored[LACKS_SIZE];
	const char *lacks = lacks_processes(m, buf);
	enum breakdown_kind kind = who_sampled(o);

	if (!lacks && !model_fates(m) && (!strcmp(table, "received") || !strcmp(table, "fates"))) {
		snprintf(buf, LACKS_SIZE,
			 "has no receivers of packets: record with netcost-record --owners");
		return buf;
	}
	/* Tables of samples can replace only the main table, and cannot be sorted by --sort. */
	if (lacks && o->sort && !lacks_samples(m, ignored))
		text_append(
			buf, LACKS_SIZE, "; ",
			"for figures from samples, use who without --sort, or summary --by=process");
	if (!lacks || o->sort || (*table && strcmp(table, "rows") && strcmp(table, REPORT_ALL)) ||
	    kind == BREAKDOWN_KINDS || lacks_samples(m, ignored) ||
	    (kind == BREAKDOWN_CGROUP && !m->ncgroups))
		return lacks;
	return NULL;
}

static int build_who_sampled(struct doc *d, const struct report_part *p)
{
	struct summary s = { 0 };
	struct breakdown b;
	int err = summary_make(&s, p->m, p->part);

	if (err)
		return err;
	err = breakdown_make(&b, &s, who_sampled(p->options), rows_or(p->options, ROWS), NULL);
	if (!err) {
		breakdown_doc(d, &b);
		breakdown_free(&b);
	}
	summary_free(&s);
	return err;
}

/* Returns a hint about the report that shows the values of a sort key by samples, or "". */
static const char *who_elsewhere(const struct report_part *p, enum processes_sort sort)
{
	bool sampled = sort == PROCESSES_SORT_NETWORK || sort == PROCESSES_SORT_SEND ||
		       sort == PROCESSES_SORT_RECEIVE;

	if (!sampled || !p->m->samples)
		return "";
	return who_sampled(p->options) == BREAKDOWN_PROCESS ?
		       " exactly (by samples: summary --by=process)" :
	       who_sampled(p->options) == BREAKDOWN_CGROUP ?
		       " exactly (by samples: summary --by=cgroup)" :
		       "";
}

/* Returns true if some row has a known value of the sort key. */
static bool who_sorts_by(const struct processes *all, enum processes_sort sort)
{
	for (size_t i = 0; i < all->nrows; i++)
		if (!isnan(processes_sort_value(&all->row[i].v, sort)))
			return true;
	return !all->nrows;
}

static int build_who(struct doc *d, const struct report_part *p)
{
	const struct options *o = p->options;
	enum processes_sort sort = word_index(o->sort);
	struct processes all;
	char lacks[LACKS_SIZE];
	int err;

	if (!doc_is_schema(d) && lacks_processes(p->m, lacks)) {
		tell(PART_TITLE(p->part),
		     "has no exact times of processes: record with netcost-record --processes; these figures are from samples");
		return build_who_sampled(d, p);
	}
	err = processes_make(&all, p->m, word_index(o->by), sort, rows_or(o, ROWS));
	if (!err && !who_sorts_by(&all, sort)) {
		tell(PART_TITLE(p->part), "--sort=%s was not measured%s; sorted by CPU time",
		     processes_sort_names[sort], who_elsewhere(p, sort));
		processes_free(&all);
		sort = PROCESSES_SORT_CPU;
		err = processes_make(&all, p->m, word_index(o->by), sort, rows_or(o, ROWS));
	}
	if (err)
		return err;
	err = processes_doc(d, &all, sort);
	processes_free(&all);
	return err;
}

#define WHO_KEEP                                                                                   \
	(MODEL_PROCESSES | MODEL_CGROUPS | MODEL_TASKS | MODEL_CPU_TASKS | MODEL_CPU_CGROUPS)

const struct report who_reports[] = {
	{ "who", .build = build_who, .lacks_for = who_lacks, .csv = "rows", .keep = WHO_KEEP },
	{ "by-process", BY(PROCESS), .by_samples = true },
	{ "by-cgroup", BY(CGROUP), .by_samples = true },
	{ 0 },
};

/* ---- latency ----------------------------------------------------------------------------- */

static int view(struct doc *d, const struct report_part *p, enum netcost_latency_by by,
		const struct latency_times *times)
{
	option_word hook = p->options->histogram;
	const struct latency_view v = { .by = by,
					.histogram = hook ? hook - 1 : NETCOST_LATENCY_COUNT,
					.iv = times ? p->intervals : NULL,
					.times = times };

	if (times && times->no_memory)
		return -ENOMEM;
	if (times && times->too_many)
		return intervals_tell_too_many(p->part);
	return latency_doc(d, p->m, &v);
}

static int build_latency(struct doc *d, const struct report_part *p)
{
	return view(d, p, LATENCY_ALL, NULL);
}

static int build_times(struct doc *d, const struct report_part *p)
{
	return view(d, p, LATENCY_ALL, &p->collected->latency_times);
}

static const char *lacks_keys(const struct model *m, const struct options *o, char *buf)
{
	return lacks_latency_by(m, word_index(o->by), buf);
}

static int build_by(struct doc *d, const struct report_part *p)
{
	return view(d, p, word_index(p->options->by), NULL);
}

static int build_by_times(struct doc *d, const struct report_part *p)
{
	return view(d, p, word_index(p->options->by), &p->collected->latency_times);
}

static int build_tail(struct doc *d, const struct report_part *p)
{
	return latency_tail_doc(d, p->m, &p->collected->tail);
}

const char *latency_wrong(const struct options *o)
{
	if (o->histogram && o->every_ns)
		return "latency: --histogram covers the whole time and cannot be combined with --every";
	if (o->by && o->histogram)
		return "latency: --histogram covers all packets of a checkpoint and cannot be combined with --by";
	if (o->tail && (o->by || o->histogram || o->every_ns))
		return "latency: --tail cannot be combined with --by, --every or --histogram";
	return NULL;
}

/* indexes of latency_reports */
enum { LATENCY, LATENCY_EVERY, LATENCY_TAIL, LATENCY_BY, LATENCY_BY_EVERY };

size_t latency_choose(const struct options *o)
{
	if (o->tail)
		return LATENCY_TAIL;
	if (o->by)
		return o->every_ns ? LATENCY_BY_EVERY : LATENCY_BY;
	return o->every_ns ? LATENCY_EVERY : LATENCY;
}

const struct report latency_reports[] = {
	[LATENCY] = { "latency", .build = build_latency, .lacks = lacks_latency, .csv = "rows",
		      .keep = MODEL_LATENCY },
	[LATENCY_EVERY] = { "latency-every", .build = build_times, .lacks = lacks_latency,
			    .csv = "rows", .keep = MODEL_LATENCY, .intervals = true,
			    .collect = COLLECT_LATENCY_TIMES },
	[LATENCY_TAIL] = { "latency-tail", .build = build_tail, .lacks = lacks_tail, .csv = "rows",
			   .keep = MODEL_LATENCY, .collect = COLLECT_TAIL },
	[LATENCY_BY] = { "latency-by", .build = build_by, .lacks_for = lacks_keys, .csv = "rows",
			 .keep = MODEL_LATENCY | MODEL_LATENCY_BY },
	[LATENCY_BY_EVERY] = { "latency-by-every", .build = build_by_times, .lacks_for = lacks_keys,
			       .csv = "rows", .keep = MODEL_LATENCY | MODEL_LATENCY_BY,
			       .intervals = true, .collect = COLLECT_LATENCY_BY_TIMES },
	{ 0 },
};

/* ---- path -------------------------------------------------------------------------------- */

static int build_path(struct doc *d, const struct report_part *p)
{
	return stages_doc(d, p->m, p->options->by ? word_index(p->options->by) : STAGES_BY_COUNT);
}

/* Returns the index of the report. Each word of --by has its own report, because the model keeps different data. */
size_t path_choose(const struct options *o)
{
	return o->by;
}

#define STAGES(kept) .build = build_path, .lacks = lacks_stages, .csv = "rows", .keep = (kept)

const struct report path_reports[] = {
	{ "path", STAGES(MODEL_STAGES) },
	{ "path-by", .by = 1, STAGES(MODEL_STAGES | MODEL_STAGES_BY) },
	{ NULL, STAGES(MODEL_STAGES | MODEL_STAGES_BY << 1) },
	{ NULL, STAGES(MODEL_STAGES | MODEL_STAGES_BY << 2) },
	{ 0 },
};

/* ---- accuracy ---------------------------------------------------------------------------- */

static int build_accuracy(struct doc *d, const struct report_part *p)
{
	const struct accuracy_bins *bins = &p->collected->bins;
	struct accuracy *a;

	if (doc_is_schema(d))
		return accuracy_describe(d, p->m);
	if (!bins->tracks)
		return intervals_tell_too_many(p->part);
	if (accuracy_make(&a, p->m, bins, (double)p->options->precision / UNITS_PERCENT))
		return -ENOMEM;
	accuracy_doc(d, a, p->options->all);
	accuracy_free(a);
	return 0;
}

const struct report accuracy_reports[] = {
	{ "accuracy", .build = build_accuracy, .csv = "rates", .intervals = true,
	  .collect = COLLECT_BINS },
	{ 0 },
};

/* ---- info, rules ------------------------------------------------------------------------- */

static int build_info(struct doc *d, const struct report_part *p)
{
	struct summary s;
	int err = summary_make(&s, p->m, p->part);

	if (err)
		return err;
	err = info_doc(d, &s);
	summary_free(&s);
	return err;
}

static int build_settings(struct doc *d, const struct report_part *p)
{
	settings_doc(d, p->m);
	return 0;
}

size_t info_choose(const struct options *o)
{
	return o->context ? 1 : 0;
}

const struct report info_reports[] = {
	{ "info", .build = build_info },
	{ "info-context", .build = build_settings, .csv = "settings" },
	{ 0 },
};

static int build_rules(struct doc *d, const struct report_part *p)
{
	return rules_doc(d, p->m);
}

const struct report rules_reports[] = {
	{ "rules", .build = build_rules, .csv = "functions", .verbatim = true },
	{ 0 },
};

const char *rules_wrong(const struct options *o)
{
	bool as_text = !o->format || o->format == REPORT_TEXT;

	return o->noperands || as_text ? NULL : "--format needs a FILE";
}

/* Prints the categories. Without a trace, prints the whole rules file. */
enum exit_status rules_run(const struct options *o)
{
	struct rules *rules;
	size_t len = 0;
	char *text;

	if (o->noperands)
		return report_run(rules_reports, o);
	rules = rules_load(o->rules); /* rules_load() reports errors in the file */
	text = rules ? rules_read(o->rules, &len) : NULL;
	if (text)
		fwrite(text, 1, len, stdout);
	rules_free(rules);
	free(text);
	return command_close(stdout, NULL) || !text ? EXIT_FAILED : EXIT_DONE;
}

/* ---- counts ---------------------------------------------------------------------------- */

/*
 * `counts` shows the counts of a record type as a table that the registry defines
 * (analysis/view.h).
 */

static bool exists(const struct report *r)
{
	struct view v;

	return view_make(&v, r->by);
}

static int build(struct doc *d, const struct report_part *p)
{
	const struct options *o = p->options;
	bool by_time = o->every_ns && !doc_is_schema(d);
	struct view_order order;
	struct view_rows rows = { .n = 0 };
	struct view v;
	char err[VIEW_WRONG];
	int failed = 0;

	if (!options_view(o, &v, &order, err))
		/* The only possible error is lack of memory, because counts_run() has checked the options. */
		return -ENOMEM;
	if (by_time && p->collected->view_times.no_memory)
		return -ENOMEM;
	if (by_time && p->collected->view_times.too_many)
		return intervals_tell_too_many(p->part);
	if (by_time && !intervals_fit(p->intervals, p->part))
		return -ECANCELED;
	if (!by_time)
		failed = view_rows_make(&rows, &v, &order, p->m, model_answer(p->m, v.type), false);
	if (failed)
		return failed;
	view_doc(d, &(struct view_shown){ .view = &v,
					  .order = &order,
					  .rows = by_time ? NULL : &rows,
					  .times = by_time ? &p->collected->view_times : NULL,
					  .intervals = p->intervals,
					  .m = p->m });
	view_rows_free(&rows);
	return 0;
}

static const char *lacks(const struct model *m, const struct options *o, char *buf)
{
	const struct trace_type_desc *desc = trace_type_desc(o->by);

	if (desc->type == TRACE_PEERS)
		return lacks_peers(m, buf);
	if (m->records[desc->type])
		return NULL;
	snprintf(buf, LACKS_SIZE, "has no records of %s", desc->name);
	return buf;
}

#define KEEP (MODEL_PROCESSES | MODEL_CGROUPS)
#define VIEW(NAME, name_)                                                                          \
	{ "counts-" name_, .build = build,     .lacks_for = lacks, .csv = "rows",                  \
	  .keep = KEEP,	   .by = TRACE_##NAME, .exists = exists,   .collect = COLLECT_VIEW },
#define OF_COUNTER VIEW
#define OF_SINCE VIEW
#define OF_MOMENT(NAME, name_)
#define OF_WHOLE(NAME, name_)

const struct report counts_reports[] = {
#define X(id, NAME, name, of, doc) OF_##of(NAME, name)
	TRACE_TYPES(X)
#undef X
		{ 0 },
};

const char *const *counts_names(void)
{
	static const char *names[TRACE_TYPES_MAX + 1];
	struct view v;
	size_t n = 0;

	for (unsigned int type = 1; type < TRACE_TYPES_MAX; type++)
		if (view_make(&v, type))
			names[n++] = trace_type_desc(type)->name;
	return names;
}

void counts_list(FILE *out)
{
	struct view v;

	fputs("Tables, each with the attributes of its rows:\n", out);
	for (unsigned int type = 1; type < TRACE_TYPES_MAX; type++) {
		if (!view_make(&v, type))
			continue;
		fprintf(out, "  %-14s ", v.name);
		for (size_t i = 0; i < v.nattributes; i++)
			fprintf(out, "%s%s", i ? ", " : "", v.attribute[i].name);
		fprintf(out, "\n                   %s\n", v.about);
	}
}

/* Prints the table of the record type o->by. */
static enum exit_status run(struct options *o)
{
	const struct report *r = counts_reports;

	o->rows = rows_or(o, ROWS);
	o->ask = (const uint8_t[]){ (uint8_t)o->by, 0 };
	while (r->by != o->by)
		r++;
	return report_run(r, o);
}

enum exit_status counts_run(const struct options *given)
{
	struct options o = *given;
	struct view_order order;
	struct view v;
	char err[VIEW_WRONG];

	o.by = view_find(o.operand[0]);
	if (!o.by) {
		command_tell_unknown("counts", "table", o.operand[0], counts_names());
		return EXIT_USAGE;
	}
	if (!options_view(&o, &v, &order, err)) {
		fprintf(stderr, "netcost-report: counts: %s\n", err);
		return EXIT_USAGE;
	}
	return run(&o);
}

const char *who_wrong(const struct options *o)
{
	if (o->by <= PROCESSES_BY_PEER || !(o->sort || o->filter.idle_watts > 0))
		return NULL;
	return "who: --sort and --idle-watts cannot be combined with --by=peer, port or service; see counts peers";
}

/* Messages by peer are rows of `counts peers`. */
enum exit_status who_run(const struct options *given)
{
	static const char *const by[] = { "class,address,protocol,port,side", "protocol,port,side",
					  "service,side" };
	struct options o = *given;

	if (o.by <= PROCESSES_BY_PEER)
		return report_run(who_reports, given);
	o.by_names = by[word_index(o.by) - PROCESSES_BY_PEER];
	o.by = TRACE_PEERS;
	return run(&o);
}
