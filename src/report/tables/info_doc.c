// SPDX-License-Identifier: BSD-2-Clause
/* The contents of a trace: which data and which functions of the rules it has. */
#include "tables.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/analysis/latency.h"
#include "report/base/text.h"
#include "report/model/user_names.h"
#include "report/rules/rules.h"

#define USER_FILES 10 /* for people */

static void ending(struct doc *d, const struct model *m)
{
	doc_problems(d, m);
	if (m->status.ended && !m->status.damages)
		doc_line(d, "complete;", "ended by: %s",
			 m->end.why ? model_string(m, m->end.why) : "-");
	doc_model_string(d, "ended_by", m, m->end.why);
}

static void header(struct doc *d, const struct model *m)
{
	const struct model_header *h = &m->header;
	char cpus[256], online[32] = "";

	if (h->cpus_online)
		snprintf(online, sizeof(online), ", %" PRIu64 " online", h->cpus_online);
	doc_line(d, "format", "%" PRIu64 ".%" PRIu64, h->major, h->minor);
	doc_host(d, m);
	doc_derived(d, m, UINT32_MAX);
	doc_line(d, "CPUs", "%s recorded%s, %s possible",
		 text_cpu_list(cpus, sizeof(cpus), m->header_cpus, h->ncpus), online,
		 NUM(h->cpus_possible ? (double)h->cpus_possible : NAN, 0));
	doc_object(d, "header");
	doc_field_uint(d, "major", h->major);
	doc_field_uint(d, "minor", h->minor);
	doc_header(d, m);
	doc_field_known(d, "cpus_possible", h->cpus_possible, h->cpus_possible);
	doc_field_known(d, "cpus_online", h->cpus_online, h->cpus_online);
	doc_field_known(d, "user_hz", h->user_hz, h->user_hz);
	doc_field_known(d, "start_ns", h->start_ns, h->start_ns);
	doc_object_end(d);
}

static double or_nan(uint64_t ns)
{
	return ns == TRACE_NIL ? NAN : (double)ns;
}

/* Adds a clock. word: name of the line; NULL if the text already shows the clock. */
static void clock(struct doc *d, const char *word, const char *key, const struct model_clock *c)
{
	if (word)
		doc_line(d, word, "monotonic %s s = boot %s s = %s, accurate to %s ns",
			 NUM(1e-9 * or_nan(c->mono_ns), 9), NUM(1e-9 * or_nan(c->boot_ns), 9),
			 c->real_ns == TRACE_NIL ? "-" : UTC(c->real_ns),
			 NUM(or_nan(c->error_ns), 0));
	doc_object(d, key);
	doc_field_known(d, "mono_ns", c->mono_ns, c->mono_ns != TRACE_NIL);
	doc_field_known(d, "real_ns", c->real_ns, c->real_ns != TRACE_NIL);
	doc_field_known(d, "boot_ns", c->boot_ns, c->boot_ns != TRACE_NIL);
	doc_field_known(d, "error_ns", c->error_ns, c->error_ns != TRACE_NIL);
	doc_object_end(d);
}

static void clocks(struct doc *d, const struct model *m)
{
	uint64_t n = m->records[TRACE_CLOCK];

	if (doc_optional(d, n))
		clock(d, "clocks", "clock_first", &m->clock_first);
	if (doc_optional(d, n))
		clock(d, n > 1 ? "" : NULL, "clock_last", &m->clock_last);
}

static void sizes(struct doc *d, const struct summary *s)
{
	const struct model *m = s->m;
	const struct trace_status *st = &m->status;

	doc_line(d, "size", "%" PRIu64 " bytes, %s, %s", st->bytes, COUNT(st->frames, "frame"),
		 COUNT(st->records, "record"));
	doc_line(d, "samples", "%" PRIu64 ", %" PRIu64 " lost; %s, %s, %s, %s, %s", m->samples,
		 model_samples_lost(m), COUNT(m->nstacks, "stack"), COUNT(m->nsymbols, "symbol"),
		 COUNT(m->nmodules, "module"), COUNT(m->ntasks, "task"),
		 COUNT(m->ncgroups, "cgroup"));
	if (!isnan(s->recording.user_cut))
		doc_line(d, "", "%s %% of the user-space stacks lack their outer functions",
			 PERCENT(s->recording.user_cut, 0));
	doc_line(d, "counters", "%s; %s, %s", COUNT(m->ticks, "tick"),
		 COUNT(m->nnetdevs, "interface"), COUNT(m->nzones, "energy zone"));
	doc_field_uint(d, "file_bytes", st->bytes);
	doc_field_uint(d, "frames", st->frames);
	doc_field_uint(d, "records", st->records);
	doc_field_uint(d, "samples", m->samples);
	doc_field_uint(d, "samples_lost", model_samples_lost(m));
	doc_about(d, "share of the user-space stacks whose outer functions are missing");
	doc_field(d, "user_stacks_cut_percent", 100 * s->recording.user_cut, 4);
	doc_field_uint(d, "stacks", m->nstacks);
	doc_field_uint(d, "symbols", m->nsymbols);
	doc_field_uint(d, "modules", m->nmodules);
	doc_field_uint(d, "tasks", m->ntasks);
	doc_field_uint(d, "cgroups", m->ncgroups);
	doc_field_uint(d, "ticks", m->ticks);
	doc_field_uint(d, "interfaces", m->nnetdevs);
	doc_field_uint(d, "energy_zones", m->nzones);
}

static void records(struct doc *d, const struct model *m)
{
	static const struct doc_column column[] = {
		{ .key = "type", .title = "type", .kind = DOC_STRING, .width = 14 },
		{ .key = "records", .title = "records", .width = 10, .known = true },
		{ .title = "what they are", .kind = DOC_STRING },
	};
	static const struct doc_table table = { .key = "records_by_type",
						.title = "Records",
						.column = column,
						.ncolumns = 3,
						.keyed = true };

	doc_table(d, &table);
	for (unsigned int t = 0; t <= UINT8_MAX; t++) {
		if (!m->records[t])
			continue;
		doc_row(d, 0, DOC_ALL);
		doc_string(d, trace_type_desc(t)->name);
		doc_number(d, (double)m->records[t]);
		doc_string(d, trace_type_desc(t)->doc);
		doc_row_end(d);
	}
	doc_table_end(d);
}

static void sources(struct doc *d, const struct model *m)
{
	doc_title(d, "Sources");
	for (size_t i = 0; i < m->nsources; i++) {
		const struct model_source *s = &m->source[i];

		doc_line(d, model_string(m, s->name), "%s%s%s%s%s", model_string(m, s->state),
			 s->via ? ", " : "", model_string(m, s->via), s->why ? ": " : "",
			 model_string(m, s->why));
	}
	sources_doc(d, m);
}

/* Returns the number of sampled addresses of a file whose function is unknown. */
static uint32_t unnamed(const struct model_user_file *f)
{
	return f->addresses - f->named;
}

static int by_unnamed(const void *pa, const void *pb)
{
	const struct model_user_file *a = pa, *b = pb;

	return unnamed(a) != unnamed(b) ? (unnamed(a) > unnamed(b) ? -1 : 1) :
	       a->name != b->name	? (a->name < b->name ? -1 : 1) :
					  (a->build_id > b->build_id) - (a->build_id < b->build_id);
}

/*
 * Lists the files of user space. Text has only the files with the most unnamed addresses, with the build ID by which
 * symbols can be found.
 */
static int user_files(struct doc *d, const struct model *m)
{
	static const struct doc_column column[] = {
		{ .key = "file", .title = "file", .kind = DOC_STRING, .width = 24 },
		{ .key = "build_id", .title = "build-id", .kind = DOC_STRING, .width = 40 },
		{ .key = "addresses", .title = "addresses", .width = 10, .known = true },
		{ .key = "named", .title = "with a name", .width = 12, .known = true },
	};
	static const struct doc_table table = {
		.key = "user_files",
		.about =
			"files of user space that have sampled addresses, and the number of addresses whose function is known",
		.title = "User space without names",
		.above = true,
		DOC_COLUMNS_OF(column)
	};
	uint64_t addresses = 0, named = 0;
	struct model_user_file *sorted;

	if (!doc_optional(d, m->has_user))
		return 0;
	sorted = calloc(m->nmodules + 1u, sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	if (m->nmodules)
		memcpy(sorted, m->user_file + 1, m->nmodules * sizeof(*sorted));
	qsort(sorted, m->nmodules, sizeof(*sorted), by_unnamed);
	doc_table(d, &table);
	for (uint32_t i = 0; i < m->nmodules; i++) {
		const struct model_user_file *f = &sorted[i];

		if (!f->addresses)
			continue;
		addresses += f->addresses;
		named += f->named;
		doc_row(d, 0, unnamed(f) && i < USER_FILES ? DOC_ALL : DOC_PROGRAMS);
		doc_string(d, model_string(m, f->name));
		doc_string(d, model_string_or_null(m, f->build_id));
		doc_number(d, f->addresses);
		doc_number(d, f->named);
		doc_row_end(d);
	}
	doc_table_end(d);
	free(sorted);
	if (named < addresses)
		doc_note(d, "%" PRIu64 " of %" PRIu64 " addresses have no name: %s",
			 addresses - named, addresses, user_names_missing(m->user_names));
	return 0;
}

int info_doc(struct doc *d, const struct summary *s)
{
	const struct model *m = s->m;
	int err;

	doc_object(d, NULL);
	doc_heading(d, "%s", "");
	doc_part(d, d->part);
	doc_ended(d, m);
	ending(d, m);
	header(d, m);
	clocks(d, m);
	sizes(d, s);
	settings_count(d, m);
	certificate_doc(d, m);
	if (doc_is_for(d, DOC_TEXT))
		recording_checks(d, s);
	probes_doc(d, m);
	probes_refused(d, m);
	doc_skipped(d, m);
	sources(d, m);
	cost_doc(d, s);
	err = user_files(d, m);
	records(d, m);
	doc_object_end(d);
	return err;
}

/* ---- rules ------------------------------------------------------------------------------- */

#define RULES_COLUMNS 96
#define RULES_WORD (2 * RULES_MAX_NAME + 4)

/* Returns a function in the syntax of rules files, such as "tcp_v4_rcv>tcp_check_req" or "gcm_*". */
static const char *rules_word(const struct rules_function *f, char dst[RULES_WORD])
{
	snprintf(dst, RULES_WORD, "%s%s%s%s%s", f->caller ? f->caller : "",
		 f->caller && f->caller_prefix ? "*" : "", f->caller ? ">" : "", f->name,
		 f->prefix ? "*" : "");
	return dst;
}

/* ---- a rules file as text ----------------------------------------------------------- */

/* Lists the functions of a category that are in the trace or, if `wanted` is false, those that are not in the trace. */
static void rules_functions(struct doc *d, const struct rules *r, unsigned int rules_category_lines,
			    const bool *there, bool wanted)
{
	const char *begin = wanted ? "\tfunctions" : "\t# not in this trace:";
	char line[RULES_COLUMNS + RULES_WORD] = "", name[RULES_WORD];

	for (size_t i = 0; i < r->nfunctions; i++) {
		if (r->function[i].category != rules_category_lines || there[i] != wanted)
			continue;
		rules_word(&r->function[i], name);
		/* the tab is 8 columns wide */
		if (*line && strlen(line) + 7 + 1 + strlen(name) > RULES_COLUMNS) {
			doc_note(d, "%s", line);
			*line = '\0';
		}
		snprintf(line + strlen(line), sizeof(line) - strlen(line), "%s %s",
			 *line ? "" : begin, name);
	}
	if (*line)
		doc_note(d, "%s", line);
}

static void rules_category_lines(struct doc *d, const struct rules *r, unsigned int i,
				 const bool *there)
{
	const struct rules_category *c = &r->category[i];

	if (!c->line) /* the file does not mention this leaf */
		return;
	doc_title(d, "");
	if (i < LEAF_COUNT) {
		doc_note(d, "leaf %s", c->key);
	} else {
		doc_note(d, "category %s in %s%s", c->key, r->category[c->parent].key,
			 c->tracing   ? " tracing" :
			 c->whole     ? " whole" :
			 c->undecided ? " undecided" :
					"");
		doc_note(d, "\ttitle %s", c->title);
	}
	rules_functions(d, r, i, there, true);
	rules_functions(d, r, i, there, false);
}

/* ---- for programs ------------------------------------------------------------------------ */

static void rules_table(struct doc *d, const struct rules *r, const bool *there)
{
	static const struct doc_column column[] = {
		{ .key = "category", .kind = DOC_STRING, .known = true },
		{ .key = "leaf", .kind = DOC_STRING, .known = true, .choices = leaf_keys },
		{ .key = "function",
		  .kind = DOC_STRING,
		  .known = true,
		  .about =
			  "function name; CALLER>NAME: NAME only when called by CALLER; NAME*: all names that begin with NAME" },
		{ .key = "in_trace", .kind = DOC_BOOL },
	};
	static const struct doc_table rules_table = { .key = "functions",
						      DOC_COLUMNS_OF(column),
						      .only = DOC_PROGRAMS };
	char name[RULES_WORD];

	doc_table(d, &rules_table);
	for (size_t i = 0; i < r->nfunctions; i++) {
		const struct rules_category *c = &r->category[r->function[i].category];

		doc_row(d, 0, DOC_PROGRAMS);
		doc_string(d, c->key);
		doc_string(d, leaf_desc[c->leaf].key);
		doc_string(d, rules_word(&r->function[i], name));
		doc_bool(d, there[i]);
		doc_row_end(d);
	}
	doc_table_end(d);
}

int rules_doc(struct doc *d, const struct model *m)
{
	const struct classifier *classifier = m->classes->classifier;
	const struct rules *r = classifier_rules(classifier);
	bool *there = calloc(r->nfunctions + 1, sizeof(*there));
	size_t n = 0;

	if (!there)
		return -ENOMEM;
	for (uint32_t i = 1; i <= m->nsymbols; i++)
		classifier_note(classifier, m->mark[i] & (CLASSIFY_USER - 1), there);
	for (size_t i = 0; i < r->nfunctions; i++)
		n += there[i];
	doc_note(d, "# %s: it has %zu of these %zu functions. A trace has only sampled symbols.",
		 SAFE(PART_TITLE(d->part)), r->nfunctions, n);
	for (unsigned int i = 0; i < r->ncategories; i++)
		rules_category_lines(d, r, i, there);
	doc_object(d, NULL);
	doc_trace(d, m);
	doc_about(d, "file of the rules; null: the built-in rules");
	doc_field_string(d, "rules", r->file);
	doc_field_uint(d, "functions_in_all", r->nfunctions);
	doc_field_uint(d, "functions_in_trace", n);
	rules_table(d, r, there);
	doc_object_end(d);
	free(there);
	return 0;
}

/* ---- missing data ------------------------------------------------------------------- */

/*
 * Writes why data is missing. why: the recorder's reason; "" if the text names the option that
 * records the data.
 */
static const char *lacks_text(char *buf, const char *what, const char *why, const char *option)
{
	if (*why)
		snprintf(buf, LACKS_SIZE, "has no %s: %s", what, why);
	else
		snprintf(buf, LACKS_SIZE, "has no %s: record with netcost-record %s", what, option);
	return buf;
}

/* Returns why a source was not measured, or "" if the reason is unknown. */
static const char *why_not(const struct model *m, const char *source)
{
	const struct model_source *s = model_find_source(m, source);

	return s && strcmp(model_string(m, s->state), "measured") ? model_string(m, s->why) : "";
}

const char *lacks_latency(const struct model *m, char *buf)
{
	if (model_has_probes(m, NETCOST_OF_LATENCY))
		return NULL;
	return lacks_text(buf, "latencies", why_not(m, "latency"), "--latency");
}

const char *lacks_peers(const struct model *m, char *buf)
{
	return m->records[TRACE_PEERS] ? NULL :
					 lacks_text(buf, "peers", why_not(m, "peers"), "--peers");
}

const char *lacks_latency_by(const struct model *m, enum netcost_latency_by by, char *buf)
{
	char what[64], option[64];

	if (latency_by_rows(m, by))
		return NULL;
	snprintf(what, sizeof(what), "latencies by %s", latency_by_keys[by]);
	snprintf(option, sizeof(option), "--latency-by=%s", latency_by_keys[by]);
	return lacks_text(buf, what, why_not(m, "latency"), option);
}

const char *lacks_tail(const struct model *m, char *buf)
{
	const struct model_probe *p = model_find_probe(m, NETCOST_OF_TAIL, 0);

	if (model_is_measured(m, NETCOST_OF_TAIL, 0))
		return NULL;
	return lacks_text(buf, "record of what delayed the slowest packets",
			  p ? model_string(m, p->reason) : "", "--tail");
}

const char *lacks_stages(const struct model *m, char *buf)
{
	return m->stages ? NULL : lacks_text(buf, "packet paths", why_not(m, "stages"), "--stages");
}

const char *lacks_processes(const struct model *m, char *buf)
{
	if (m->records[TRACE_PROCESS_STATS])
		return NULL;
	return lacks_text(buf, "counters by process", why_not(m, "processes"), "--processes");
}

const char *lacks_samples(const struct model *m, char *buf)
{
	if (m->header.sample_hz || m->samples)
		return NULL;
	return lacks_text(buf, "samples", "", "-F 999");
}
