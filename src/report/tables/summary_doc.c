// SPDX-License-Identifier: BSD-2-Clause
/*
 * The recording itself: overhead, losses, coverage and caveats. This file also has the whole
 * summary.
 */
#include "tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/text_append.h>

#include "report/analysis/caveats.h"
#include "report/base/stats.h"
#include "report/base/text.h"
#include "report/model/filter.h"

/* ---- overhead ---------------------------------------------------------------------------- */

#define SHOWN_SHARE 0.00005 /* smaller shares are printed as 0.00 % */

char *cost_text(char *dst, size_t size, const struct cost *c)
{
	char value[TEXT_SIZE];

	text_measured(value, sizeof(value),
		      &(struct text_measure){ .v = 100 * c->all,
					      .ci95 = 100 * known_or_0(c->ci95),
					      .most = 2,
					      .bound = true });
	if (isnan(c->all))
		snprintf(dst, size, "not known");
	else
		snprintf(dst, size, "%s%s %% of CPU time", c->at_least ? "at least " : "", value);
	return dst;
}

/* Adds ", NAME SHARE", unless the share is too small to be shown. */
static void add_part(char *line, size_t size, const char *name, double share)
{
	if (share >= SHOWN_SHARE)
		text_append(line, size, ", ", "%s %s", name, PERCENT(share, 0));
}

/* Adds the cost of each kind of program. */
static void cost_parts(struct doc *d, const struct cost *c)
{
	char line[256] = "", all[64];

	cost_text(all, sizeof(all), c);
	if (c->measured) {
		add_part(line, sizeof(line), "probes", c->probes);
		add_part(line, sizeof(line), "other own programs", c->others);
		add_part(line, sizeof(line), "samples", c->samples);
		add_part(line, sizeof(line), "statistics of programs", c->statistics);
	} else {
		add_part(line, sizeof(line), "BPF programs", c->all_programs);
	}
	add_part(line, sizeof(line), "the recorder's process", c->recorder);
	doc_line(d, "cost", "%s%s%s", all, *line ? ": " : "", line);
}

char *cost_leaf_text(char *dst, size_t size, const struct cost *c)
{
	*dst = '\0';
	if (isnan(c->leaf)) /* no leaf OWN: the parts would not sum to the whole cost */
		return dst;
	add_part(dst, size, "netcost itself", c->leaf);
	add_part(dst, size, "statistics of programs", c->statistics);
	add_part(dst, size, "its process", c->recorder);
	add_part(dst, size, "unsampled runs", c->unsampled);
	return dst;
}

void cost_line(struct doc *d, const struct summary *s)
{
	struct cost c = cost_of(s);
	char line[256];

	if (isnan(c.recorder) && isnan(c.programs) && isnan(c.all))
		return;
	cost_parts(d, &c);
	if (!isnan(c.leaf) && *cost_leaf_text(line, sizeof(line), &c))
		doc_line(d, "", "by leaves: %s", line);
	if (c.by_statistics)
		doc_line(
			d, "",
			"probes and samples: by the kernel's BPF statistics, which exceed the cost measured for single runs");
	if (c.measured)
		doc_line(
			d, "",
			"on the busiest CPU, without the recorder's process: %s %% of the time of that CPU",
			PERCENT(c.busiest, 0));
	if (!c.has_programs)
		doc_line(d, "", "the recorder used no BPF programs");
	else if (isnan(c.programs))
		doc_line(d, "", "the kernel's statistics of BPF programs: unknown");
	else
		doc_line(d, "",
			 "the kernel's statistics (program code only): %s %%, counted in %s of %s",
			 PERCENT(c.programs, 0), MEASURED(1e9 * c.counted_s, TEXT_NS),
			 MEASURED(1e9 * c.of_s, TEXT_NS));
}

static void cost_program_row(struct doc *d, const struct model *m, const struct model_program *g)
{
	struct cost_program p = cost_program(m, g);

	doc_row(d, 0, DOC_ALL);
	doc_string(d, model_string(m, g->name));
	doc_number(d, p.runs);
	doc_number(d, p.run_ns);
	doc_number(d, p.ns_per_run);
	doc_number(d, g->entry_ns);
	doc_number(d, 100 * p.share);
	doc_number(d, 100 * (isnan(p.cost) ? p.share : p.cost));
	doc_number(d, p.recursion);
	doc_number(d, p.missed);
	doc_string(d, model_string_or_null(m, g->function));
	doc_row_end(d);
}

static void cost_programs(struct doc *d, const struct model *m)
{
	bool entry = false, missed = false;

	for (size_t i = 0; i < m->nprograms; i++) {
		entry |= !isnan(m->program[i].entry_ns);
		missed |= !isnan(cost_program(m, &m->program[i]).missed);
	}

	const struct doc_column column[] = {
		{ .key = "name", .title = "program", .kind = DOC_STRING, .width = 17 },
		{ .key = "runs_counted", .title = "runs", .width = 12 },
		{ .key = "run_ns_counted" },
		{ .key = "ns_per_run",
		  .title = "ns per run",
		  .decimals = 1,
		  .precision = 1,
		  .width = 9 },
		{ .key = "entry_ns_per_run",
		  .title = entry ? "entry" : NULL,
		  .decimals = 1,
		  .precision = 1,
		  .width = 7,
		  .about = "time that the kernel takes to enter and leave the program" },
		{ .key = "percent",
		  .precision = 6,
		  .about = "time of the program's own code as a share of CPU time" },
		{ .key = "cost_percent",
		  .title = "% of CPU",
		  .decimals = 4,
		  .precision = 6,
		  .width = 9,
		  .about = "share of CPU time including entry and exit, if their time is known" },
		{ .key = "runs_left_out", .title = "left out", .width = 9 },
		{ .key = "kprobes_missed", .title = missed ? "missed" : NULL, .width = 9 },
		{ .key = "function", .title = "function", .kind = DOC_STRING },
	};
	const struct doc_table table = { .key = "programs",
					 .title = "BPF programs",
					 DOC_COLUMNS_OF(column),
					 .only = m->nprograms ? DOC_ALL : DOC_PROGRAMS };

	doc_table(d, &table);
	for (size_t i = 0; i < m->nprograms; i++)
		cost_program_row(d, m, &m->program[i]);
	doc_table_end(d);
	if (m->nprograms)
		doc_note(
			d,
			"  runs and run time: counted for %s; left out and missed: for the whole recording%s",
			MEASURED(counter_moved(&m->counted_ns), TEXT_NS),
			isnan(m->program[0].entry_ns) ? "" : "; % of CPU includes entry and exit");
}

static void cost_probe_row(struct doc *d, const struct model *m, enum netcost_probe i)
{
	struct cost_probe p = cost_probe(m, i);
	const char *why = model_string(m, m->probe_cost[i].why);

	if (!p.there)
		return;
	doc_row(d, 0, DOC_ALL);
	doc_string(d, model_probe_title(i));
	doc_string(d, model_probe_key(i));
	doc_number(d, p.runs);
	doc_interval(d, p.ns_per_run, p.ci95_per_run);
	doc_number(d, 100 * p.share);
	doc_string(d, *why ? why : NULL);
	doc_row_end(d);
}

static void cost_probes(struct doc *d, const struct model *m, bool measured)
{
	static const struct doc_column column[] = {
		{ .title = "probes", .kind = DOC_STRING, .width = 28 },
		{ .key = "key", .kind = DOC_STRING },
		{ .key = "runs", .title = "runs", .width = 12 },
		{ .key = "ns_per_run",
		  .title = "ns per run",
		  .ci_key = "ci95_ns_per_run",
		  .kind = DOC_INTERVAL,
		  .decimals = 1,
		  .precision = 3,
		  .width = 18 },
		{ .key = "percent", .title = "% of CPU", .decimals = 4, .precision = 6, .width = 9 },
		{ .key = "why", .title = "", .kind = DOC_STRING },
	};
	const struct doc_table table = { .key = "probes",
					 .title = "Cost of probes and samples",
					 DOC_COLUMNS_OF(column),
					 .only = measured ? DOC_ALL : DOC_PROGRAMS };

	doc_table(d, &table);
	for (enum netcost_probe i = 0; i < NETCOST_PROBE_COUNT; i++)
		cost_probe_row(d, m, i);
	doc_table_end(d);
}

void cost_doc(struct doc *d, const struct summary *s)
{
	const struct model *m = s->m;
	struct cost c = cost_of(s);

	doc_about(d, "overhead of the recording itself");
	doc_object(d, "cost");
	doc_about(
		d,
		"total overhead: the sum of probes, other_programs, samples, statistics and recorder");
	doc_field(d, "percent_of_cpu_time", 100 * c.all, 6);
	doc_about(
		d,
		"CPU time of the recorder's process, which is included in the user and kernel leaves");
	doc_field(d, "recorder_percent", 100 * c.recorder, 6);
	doc_field(d, "statistics_percent", c.measured ? 100 * c.statistics : NAN, 6);
	doc_field_bool(d, "has_programs", c.has_programs);
	doc_field(d, "programs_percent", 100 * c.programs, 6);
	doc_field(d, "programs_counted_s", c.counted_s, 6);
	doc_field(d, "of_s", c.of_s, 6);
	doc_field(d, "runs_left_out", c.recursion, 0);
	doc_field(d, "kprobes_missed", c.missed, 0);
	doc_field_bool(d, "measured", c.measured);
	doc_field_bool(d, "at_least", c.at_least);
	doc_field(d, "ci95_percent", c.at_least ? NAN : 100 * c.ci95, 6);
	doc_field(d, "probes_percent", 100 * c.probes, 6);
	doc_field(d, "other_programs_percent", 100 * c.others, 6);
	doc_field(d, "samples_percent", 100 * c.samples, 6);
	doc_field(d, "busiest_cpu_percent", 100 * c.busiest, 6);
	doc_field_known(d, "probes_not_known", c.lacks, c.measured);
	cost_probes(d, m, c.measured);
	cost_programs(d, m);
	doc_object_end(d);
}

/* ---- messages outside of all probes ------------------------------------------------------ */

#define OUTSIDE_LINES 8 /* number of lines that text shows */

/* Names of common families of include/linux/socket.h. */
static const char *family_name(uint64_t family, char *dst, size_t size)
{
	static const struct {
		uint64_t family;
		const char *name;
	} names[] = {
		{ 2, "AF_INET" },	{ 10, "AF_INET6" }, { 17, "AF_PACKET" }, { 29, "AF_CAN" },
		{ 31, "AF_BLUETOOTH" }, { 43, "AF_SMC" },   { 44, "AF_XDP" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].family == family)
			return names[i].name;
	snprintf(dst, size, "family %" PRIu64, family);
	return dst;
}

/* The messages that a process sent and received through sockets of a family. */
struct outside {
	uint64_t process; /* 0 for softirqs; TRACE_NIL if unknown */
	const char *name;
	uint64_t family;
	double sends, recvs;
};

static int by_messages(const void *pa, const void *pb)
{
	const struct outside *a = pa, *b = pb;
	double na = a->sends + a->recvs, nb = b->sends + b->recvs;

	if (na != nb)
		return na < nb ? 1 : -1;
	return (a->process > b->process) - (a->process < b->process);
}

/*
 * Returns true if the number of messages outside of probes is known. They are counted for all CPUs
 * and tasks, and only if messages were counted.
 */
static bool outside_known(const struct summary *s)
{
	const struct model *m = s->m;

	return !filter_has_tasks(m->filter) && m->header.ncpus == m->recorded_cpus &&
	       !(isnan(s->recording.sends_outside) && isnan(s->recording.recvs_outside));
}

/*
 * Fills the rows, those with most messages first, except messages that the trace sums up as others.
 * Returns the number of rows.
 */
static size_t outside_sorted(struct outside rows[MODEL_OUTSIDE], const struct model *m)
{
	const struct store *s = m->store[MODEL_STORE_OUTSIDE];
	size_t n = 0;

	for (size_t i = 0; s && i < store_rows(s) && n < MODEL_OUTSIDE; i++) {
		struct outside o = { .process = store_dim(s, i, TRACE_OUTSIDE_PROCESS),
				     .name = store_text(s, i, TRACE_OUTSIDE_NAME),
				     .family = store_dim(s, i, TRACE_OUTSIDE_FAMILY),
				     .sends = known_uint(store_value(s, i, TRACE_OUTSIDE_SENDS)),
				     .recvs = known_uint(store_value(s, i, TRACE_OUTSIDE_RECVS)) };

		if (o.family != TRACE_NIL)
			rows[n++] = o;
	}
	qsort(rows, n, sizeof(*rows), by_messages);
	return n;
}

/* Writes a text such as "3 sends, 1 receive". */
static char *counts_text(char *dst, size_t size, double sends, double recvs)
{
	char s[48] = "", r[48] = "";

	if (sends > 0)
		snprintf(s, sizeof(s), "%s send%s", NUM(sends, 0), sends == 1 ? "" : "s");
	if (recvs > 0)
		snprintf(r, sizeof(r), "%s receive%s", NUM(recvs, 0), recvs == 1 ? "" : "s");
	snprintf(dst, size, "%s%s%s", s, *s && *r ? ", " : "", r);
	return dst;
}

static char *whose_text(char *dst, size_t size, const struct outside *o)
{
	char name[SAFE_SIZE];

	if (!o->process)
		snprintf(dst, size, "in softirqs");
	else if (o->process == TRACE_NIL)
		snprintf(dst, size, "of %s", *o->name ? SAFE(o->name) : "an unknown process");
	else
		snprintf(dst, size, "of %s",
			 process_named(name, sizeof(name), o->name, o->process, false));
	return dst;
}

/* Prints a line for each process and family. Messages without a line are summed up as others. */
static void outside_lines(struct doc *d, const struct summary *s)
{
	struct outside rows[MODEL_OUTSIDE];
	size_t n = outside_known(s) ? outside_sorted(rows, s->m) : 0;
	double sends = s->recording.sends_outside, recvs = s->recording.recvs_outside;
	char counts[100], whose[SAFE_SIZE + 32], family[32];

	for (size_t i = 0; i < n && i < OUTSIDE_LINES; i++) {
		const struct outside *o = &rows[i];

		doc_line(d, "", "%s %s, %s",
			 counts_text(counts, sizeof(counts), o->sends, o->recvs),
			 whose_text(whose, sizeof(whose), o),
			 family_name(o->family, family, sizeof(family)));
		sends -= o->sends;
		recvs -= o->recvs;
	}
	if (n && (sends > 0 || recvs > 0))
		doc_line(d, "", "%s of others", counts_text(counts, sizeof(counts), sends, recvs));
}

static void outside_row(struct doc *d, const struct outside *o)
{
	char family[32];

	doc_row(d, 0, DOC_PROGRAMS);
	doc_string(d, *o->name ? o->name : NULL);
	doc_number(d, known_uint(o->process));
	doc_string(d, family_name(o->family, family, sizeof(family)));
	doc_number(d, o->sends);
	doc_number(d, o->recvs);
	doc_row_end(d);
}

static void outside_table(struct doc *d, const struct summary *s)
{
	static const struct doc_column column[] = {
		{ .key = "name", .kind = DOC_STRING, .about = "name of the process's main thread" },
		{ .key = "process",
		  .whole = true,
		  .about = "process id; 0: softirqs, which belong to no process; null: unknown" },
		{ .key = "family", .kind = DOC_STRING, .known = true },
		{ .key = "sends", .known = true },
		{ .key = "receives", .known = true },
	};
	static const struct doc_table table = {
		.key = "messages_outside_probes",
		.about =
			"messages that passed outside the probes, by process, as far as they are attributed; the rest is unattributed",
		DOC_COLUMNS_OF(column),
		.only = DOC_PROGRAMS
	};
	struct outside rows[MODEL_OUTSIDE];
	size_t n = outside_sorted(rows, s->m);

	if (!doc_or_null(d, table.key, outside_known(s)))
		return;
	doc_table(d, &table);
	for (size_t i = 0; i < n; i++)
		outside_row(d, &rows[i]);
	doc_table_end(d);
}

/* ---- heading ----------------------------------------------------------------------------- */

static void heading_title(struct doc *d, const struct summary *s)
{
	const struct model_header *h = &s->m->header;
	char cpus[64];

	doc_heading(d, "%s on %" PRIu64 " CPU%s (%s)%s%s", MEASURED(1e9 * s->duration_s, TEXT_NS),
		    h->ncpus, h->ncpus == 1 ? "" : "s",
		    text_cpu_list(cpus, sizeof(cpus), s->m->header_cpus, h->ncpus),
		    s->start_real_ns ? ", recorded " : "",
		    s->start_real_ns ? LOCAL(s->start_real_ns) : "");
}

void recording_heading(struct doc *d, const struct summary *s)
{
	double start_s = s->start_real_ns ? (double)s->start_real_ns * 1e-9 : NAN;

	heading_title(d, s);
	doc_host(d, s->m);
	doc_problems(d, s->m);
	doc_object(d, "trace");
	doc_trace(d, s->m);
	doc_field(d, "duration_s", s->duration_s, 6);
	doc_field(d, "start_unix_s", start_s, 6);
	doc_header(d, s->m);
	doc_object_end(d);
}

/* ---- losses, coverage, overhead ---------------------------------------------------------- */

/* Writes a text such as "510 of 520 expected (98.1 %)". Returns dst. */
static const char *samples_text(char *dst, size_t size, const struct summary *s)
{
	const struct model *m = s->m;
	double expected = s->recording.samples_expected;

	if (summary_samples_of(m) == SPLIT_OF_CYCLES)
		snprintf(dst, size,
			 "%" PRIu64 " of %" PRIu64 " cycles each; the expected number is unknown",
			 m->samples, m->header.sample_period);
	else
		snprintf(dst, size, "%" PRIu64 " of %s expected%s (%s %%)", m->samples,
			 NUM(expected, 0),
			 summary_samples_of(m) == SPLIT_OF_NETWORK ? " inside the network" : "",
			 PERCENT((double)m->samples / expected, 0));
	return dst;
}

/* Appends a text such as "idle: 6445 of 13253 (48.6 %)", unless there was no such time. */
static void samples_part(char *dst, size_t size, const char *what, double n, double expected)
{
	if (isnan(expected) || (expected < 0.5 && !(n > 0)))
		return;
	text_append(dst, size, ", ", "%s: %s of %s", what, NUM(n, 0), NUM(expected, 0));
	if (expected >= 0.5)
		text_append(dst, size, "", " (%s %%)", SHARE_OF(n / expected, 0));
}

static void samples_lines(struct doc *d, const struct summary *s)
{
	const struct summary_recording *r = &s->recording;
	double busy = (double)s->m->samples - r->samples_idle;
	double busy_expected = r->samples_expected - r->samples_idle_expected;
	char text[128], throttled[64] = "", parts[256] = "";

	if (!s->m->header.sample_hz)
		return;
	if (filter_has_tasks(s->m->filter)) {
		doc_line(d, "samples",
			 "%" PRIu64 " of the selected tasks, of %" PRIu64
			 " in all; the number expected is known for CPUs, not for tasks",
			 s->m->samples, s->m->samples_in_all);
		return;
	}
	if (r->throttled > 0)
		snprintf(throttled, sizeof(throttled), ", throttled %s",
			 COUNT(r->throttled, "time"));
	doc_line(d, "samples", "%s%s %s lost%s", samples_text(text, sizeof(text), s),
		 summary_samples_of(s->m) == SPLIT_OF_CYCLES ? ";" : ",", NUM(r->samples_lost, 0),
		 throttled);
	samples_part(parts, sizeof(parts), "busy", busy, busy_expected);
	samples_part(parts, sizeof(parts), "idle", r->samples_idle, r->samples_idle_expected);
	if (*parts)
		doc_line(d, "", "%s", parts);
}

/* Prints the share of the messages counted by the kernel that passed through a probe. */
static void coverage_line(struct doc *d, const char *what, double inside, double outside)
{
	if (isnan(inside))
		return;
	if (inside + outside > 0)
		doc_line(d, "coverage", "%s: %s %%: probes covered %s messages and missed %s", what,
			 PERCENT(inside / (inside + outside), 0), NUM(inside, 0), NUM(outside, 0));
	else
		doc_line(d, "coverage", "%s: the kernel counted no messages", what);
}

void recording_checks(struct doc *d, const struct summary *s)
{
	const struct summary_recording *r = &s->recording;

	if (!s->m->records[TRACE_EXACT] || filter_has_tasks(s->m->filter))
		return;
	doc_line(
		d, "exact",
		"%s operations not measured, %s inconsistent readings; leaves sum to %s %% of the time",
		NUM(r->untracked, 0), NUM(r->torn, 0),
		SHARE_OF(s->split.all.sum_ns / s->split.all.wall_ns, 0));
	coverage_line(d, "sends", r->sends_inside, r->sends_outside);
	coverage_line(d, "receives", r->recvs_inside, r->recvs_outside);
	outside_lines(d, s);
}

/* largest accepted difference between the sum of the leaves and the time, as a share of the time */
#define SUM_ERROR 0.0001

/* Returns true if a check has failed. Text shows the checks that passed only in `info`. */
static bool has_failed_checks(const struct summary *s)
{
	const struct summary_recording *r = &s->recording;

	return r->untracked > 0 || r->torn > 0 || r->sends_outside > 0 || r->recvs_outside > 0 ||
	       fabs(s->split.all.sum_ns / s->split.all.wall_ns - 1) > SUM_ERROR;
}

/*
 * Prints the windows. Exact counts cover the time in which probes were attached, while shares of
 * CPU time cover the whole time.
 */
static void windows_lines(struct doc *d, const struct summary *s)
{
	const struct summary_recording *r = &s->recording;

	if (!(r->paused_s > 0) || !s->m->records[TRACE_EXACT])
		return;
	doc_line(
		d, "windows",
		"counted exactly for %s of %s, to stay within %g %% of a CPU; otherwise by samples",
		MEASURED(1e9 * (s->ticks_s - r->paused_s), TEXT_NS),
		MEASURED(1e9 * s->ticks_s, TEXT_NS), (double)s->m->header.budget_ppm / 1e4);
	doc_line(d, "", "calls, and costs per call, cover only the time counted exactly");
}

/*
 * Prints how long CPUs were offline. An offline CPU is neither busy nor idle. Its samples are
 * missing for a little longer than it is offline.
 */
static void offline_line(struct doc *d, const struct summary_recording *r)
{
	if (r->offline_ms > 0 || r->unsampled_ms > 0)
		doc_line(
			d, "offline",
			"CPUs were offline for %s in total, which the times above exclude, and had no sampler for %s",
			MEASURED(1e6 * r->offline_ms, TEXT_NS),
			MEASURED(1e6 * r->unsampled_ms, TEXT_NS));
}

static void recorder_line(struct doc *d, const struct summary *s)
{
	const struct summary_recording *r = &s->recording;
	char memory[48] = "";

	if (isnan(r->self_start_ms))
		return;
	if (s->m->self_maxrss_kib)
		snprintf(memory, sizeof(memory), "; %" PRIu64 " KiB", s->m->self_maxrss_kib);
	doc_line(d, "recorder", "%s CPU time, %s %% of one CPU; %s before the first tick%s",
		 MEASURED(1e6 * r->self_ms, TEXT_NS), SHARE_OF(r->self_percent / 100, 0),
		 MEASURED(1e6 * r->self_start_ms, TEXT_NS), memory);
}

static void marks_lines(struct doc *d, const struct model *m)
{
	for (size_t i = 0; i < m->nmoments && i < SUMMARY_MOMENTS; i++)
		doc_line(d, i ? "" : "marks", "%s s  %s",
			 NUM(model_seconds(m, m->moment[i].at_ns), 3),
			 model_string(m, m->moment[i].text));
	if (m->records[TRACE_MARK] > SUMMARY_MOMENTS)
		doc_line(d, "", "and %" PRIu64 " more; timeline shows them",
			 m->records[TRACE_MARK] - SUMMARY_MOMENTS);
	doc_field_uint(d, "marks_in_all", m->records[TRACE_MARK]);
	doc_marks(d, m, SUMMARY_MOMENTS);
}

static void quality_fields(struct doc *d, const struct summary *s)
{
	const struct summary_recording *r = &s->recording;

	doc_object(d, "quality");
	doc_field_uint(d, "samples", s->m->samples);
	doc_field_uint(d, "samples_in_all", s->m->samples_in_all);
	doc_field(d, "samples_expected", r->samples_expected, 0);
	doc_field(d, "samples_idle", r->samples_idle, 0);
	doc_field(d, "samples_idle_expected", r->samples_idle_expected, 0);
	doc_field(d, "samples_lost", r->samples_lost, 0);
	doc_field(d, "throttled_times", r->throttled, 0);
	doc_field(d, "unsampled_ms", r->unsampled_ms, 3);
	doc_field(d, "offline_ms", r->offline_ms, 3);
	doc_field(d, "paused_s", r->paused_s, 3);
	doc_field(d, "untracked_operations", r->untracked, 0);
	doc_field(d, "torn_readings", r->torn, 0);
	doc_field(d, "sends_inside_probes", r->sends_inside, 0);
	doc_field(d, "sends_outside_probes", r->sends_outside, 0);
	doc_field(d, "receives_inside_probes", r->recvs_inside, 0);
	doc_field(d, "receives_outside_probes", r->recvs_outside, 0);
	outside_table(d, s);
	doc_field(d, "recorder_cpu_ms", r->self_ms, 3);
	doc_field(d, "recorder_percent_of_one_cpu", r->self_percent, 4);
	doc_field(d, "recorder_start_cpu_ms", r->self_start_ms, 3);
	doc_skipped(d, s->m);
	doc_object_end(d);
}

void recording_quality(struct doc *d, const struct summary *s)
{
	doc_title(d, "The recording itself");
	samples_lines(d, s);
	if (has_failed_checks(s) || !doc_is_for(d, DOC_TEXT))
		recording_checks(d, s);
	windows_lines(d, s);
	offline_line(d, &s->recording);
	recorder_line(d, s);
	cost_line(d, s);
	quality_fields(d, s);
	marks_lines(d, s->m);
}

/* ---- /proc/stat -------------------------------------------------------------------------- */

static void procstat_row(struct doc *d, const char *key, const char *by,
			 const double share[SUMMARY_SHARES])
{
	doc_row(d, 0, isnan(*share) ? DOC_PROGRAMS : DOC_ALL);
	doc_string(d, key);
	doc_string(d, by);
	for (size_t i = 0; i < SUMMARY_SHARES; i++)
		doc_number(d, 100 * share[i]);
	doc_row_end(d);
}

#define SHARE_COLUMN(name)                                                                         \
	{                                                                                          \
		.key = name "_percent", .title = name, .decimals = 2, .precision = 4, .width = 8   \
	}

void recording_procstat(struct doc *d, const struct summary *s)
{
	static const struct doc_column column[] = {
		{ .key = "key", .kind = DOC_STRING },
		{ .title = "by", .kind = DOC_STRING, .width = 22 },
		SHARE_COLUMN("user"),
		SHARE_COLUMN("system"),
		SHARE_COLUMN("softirq"),
		SHARE_COLUMN("irq"),
		SHARE_COLUMN("idle"),
		SHARE_COLUMN("steal"),
	};
	const struct doc_table table = { .key = "procstat",
					 .title = "Compared with /proc/stat, %",
					 DOC_COLUMNS_OF(column),
					 .keyed = true,
					 .only = isnan(*s->procstat) ? DOC_PROGRAMS : DOC_ALL };

	if (filter_has_tasks(s->m->filter))
		doc_title(d, "Not compared with /proc/stat, which counts CPUs, not tasks");
	doc_table(d, &table);
	procstat_row(d, "procstat", "/proc/stat", s->procstat);
	procstat_row(d, "netcost", "netcost", s->ours);
	doc_table_end(d);
	if (!isnan(*s->procstat))
		doc_note(
			d,
			"  /proc/stat estimates by ticks and counts all softirqs; netcost counts those of the network.%s",
			s->split.all.leaf[LEAF_OWN].ns > 0 ? " Both include netcost's own part." :
							     "");
}

/* ---- what was not measured, and caveats -------------------------------------------------- */

static bool is_weak(const struct model *m, const struct model_source *source_line)
{
	return strcmp(model_string(m, source_line->state), "measured") || source_line->why;
}

static void source_line(struct doc *d, const struct model *m, const struct model_source *src)
{
	doc_line(d, model_string(m, src->name), "%s%s%s", model_string(m, src->state),
		 src->why ? ": " : "", model_string(m, src->why));
}

static void caveats_table(struct doc *d, const struct caveat *caveat, size_t n)
{
	static const struct doc_column column[] = {
		{ .key = "of", .kind = DOC_STRING, .known = true },
		{ .key = "text", .kind = DOC_STRING, .known = true },
	};
	static const struct doc_table table = { .key = "weaknesses",
						.about = "measured, but not by the best method",
						.column = column,
						.ncolumns = 2,
						.only = DOC_PROGRAMS };

	doc_table(d, &table);
	for (size_t i = 0; i < n; i++) {
		doc_row(d, 0, DOC_PROGRAMS);
		doc_string(d, caveat[i].name);
		doc_string(d, caveat[i].text);
		doc_row_end(d);
	}
	doc_table_end(d);
}

static void recording_caveats(struct doc *d, const struct summary *s)
{
	const struct model *m = s->m;
	struct caveat caveat[CAVEATS_MAX];
	size_t n = caveats_make(caveat, s);
	bool any = n > 0;

	for (size_t i = 0; i < m->nsources; i++)
		any |= is_weak(m, &m->source[i]);
	if (any)
		doc_title(d, "Not measured, or weak");
	for (size_t i = 0; i < m->nsources; i++)
		if (is_weak(m, &m->source[i]))
			source_line(d, m, &m->source[i]);
	for (size_t i = 0; i < n; i++)
		doc_line(d, caveat[i].name, "weak: %s", caveat[i].text);
	caveats_table(d, caveat, n);
}

/* ---- reports ------------------------------------------------------------------------ */

/*
 * Adds the CPU time. For programs, "cpu_time" includes the split of each CPU. In text, that split
 * follows the categories.
 */
static int cpu_time(struct doc *d, const struct summary *s)
{
	int err = 0;

	doc_object(d, "cpu_time");
	split_tree(d, s);
	if (doc_is_for(d, DOC_JSON))
		err = split_cpus(d, s, true);
	doc_object_end(d);
	return err;
}

static void recording(struct doc *d, const struct summary *s)
{
	recording_procstat(d, s);
	certificate_doc(d, s->m);
	recording_quality(d, s);
	if (doc_is_for(d, DOC_PROGRAMS))
		cost_doc(d, s);
	if (doc_is_for(d, DOC_PROGRAMS)) /* the text of `info` has the probes instead */
		probes_doc(d, s->m);
	sources_doc(d, s->m);
	recording_caveats(d, s);
}

int summary_doc(struct doc *d, const struct summary *s, const struct summary_shown *o)
{
	int err;

	doc_object(d, NULL);
	recording_heading(d, s);
	err = cpu_time(d, s);
	split_leaves(d, s);
	inside_categories(d, s, o->all);
	inside_leaves(d, s);
	inside_rx(d, s);
	if (!err && doc_optional(d, o->other))
		err = inside_other(d, s);
	if (!err && doc_is_for(d, DOC_TEXT))
		err = split_cpus(d, s, o->all_cpus);
	traffic_costs(d, s);
	traffic_calls(d, s);
	traffic_interfaces(d, s);
	softirqs_doc(d, s);
	interrupts_doc(d, s);
	if (!err)
		err = drops_doc(d, s);
	if (!err)
		err = bill_doc(d, s);
	energy_doc(d, s);
	if (doc_optional(d, per_is_wanted(s)))
		per_doc(d, s);
	recording(d, s);
	doc_object_end(d);
	return err;
}
