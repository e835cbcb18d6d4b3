// SPDX-License-Identifier: BSD-2-Clause
/*
 * libFuzzer: feeds hostile bytes to all code between a file and a table, or between a file and
 * another file. Written files must pass `verify`, and files that pass it must be readable.
 *
 * This is one program. Its name when it starts selects the row of `targets`.
 */
#include <errno.h>
#include <libgen.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <netcost/reasons.h>

#include "report/model/model.h"
#include "report/rewrite/rewrite.h"
#include "report/rules/rules.h"
#include "report/spec/spec.h"
#include "report/stacks/stacks.h"
#include "report/tables/tables.h"
#include "tests/fuzz/by.h"
#include "tests/fuzz/demand.h"
#include "tests/fuzz/exports.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/rows.h"
#include "tests/fuzz/rules.h"
#include "tests/verified.h"

/* made once for all inputs */
static struct classifier *classifier;
static int in, out, other;
static FILE *null; /* /dev/null */

static uint8_t options[OPTION_BYTES];

static void empty(int fd)
{
	if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))
		abort();
}

/* Returns true for errors that a damaged file can cause. */
static bool is_files_fault(int err)
{
	return err == -EBADMSG || err == -EMEDIUMTYPE || err == -EPROTONOSUPPORT;
}

static struct trace_reader *reader_on(int fd, bool recover)
{
	struct trace_reader *r;

	lseek(fd, 0, SEEK_SET);
	if (trace_reader_new(&r, fd))
		abort();
	trace_reader_set_recover(r, recover);
	return r;
}

/* ---- reports ----------------------------------------------------------------------------- */

typedef void print_fn(const struct model *m);

/* Prints a model of each part. Returns false if one part has no model. */
static bool each_model(int fd, bool recover, unsigned int keep, print_fn *print, uint64_t *samples)
{
	struct trace_reader *r = reader_on(fd, recover);
	bool ok = true;

	*samples = 0;
	do {
		struct model *m = model_new(keep, keep & MODEL_ONLY_STACKS ? NULL : classifier);
		int err = model_read(m, r);

		DEMAND(!err || is_files_fault(err), "%d", err);
		DEMAND(!err || *m->err || *m->status.what, "%d, without a reason", err);
		ok = ok && !err;
		*samples += m->samples;
		if (!err && print)
			print(m);
		model_free(m);
	} while (trace_reader_part(r) > 0);
	trace_reader_free(r);
	return ok;
}

static bool model_all(int fd, bool recover, uint64_t *samples)
{
	return each_model(fd, recover, MODEL_TASKS | MODEL_CGROUPS | MODEL_CPU_STACKS, NULL,
			  samples);
}

static void print_summary(const struct model *m)
{
	const struct part part = { .file = "in", .number = 1, .name = "part 1", .first = true };
	const struct summary_shown shown = { .all_cpus = options[0] & 1,
					     .all = options[0] & 2,
					     .other = options[0] & 4 };
	struct doc docs[] = { doc_begin(&doc_text, null, &part), doc_begin(&doc_html, null, &part),
			      doc_begin(&doc_json, null, &part), doc_begin_flat(null, &part),
			      doc_begin_csv(null, &part, options[0] & 8 ? "leaves" : "inside") };
	enum processes_sort sort = (unsigned int)options[0] % PROCESSES_SORTS;
	struct processes processes;
	struct summary s;

	DEMAND(!processes_make(&processes, m, options[0] & 3, sort, 5), "no processes");
	DEMAND(!summary_make(&s, m, &part), "no summary");
	for (size_t i = 0; i < sizeof(docs) / sizeof(*docs); i++) {
		DEMAND(!summary_doc(&docs[i], &s, &shown), "no report");
		info_doc(&docs[i], &s);
		settings_doc(&docs[i], m);
		DEMAND(!processes_doc(&docs[i], &processes, PROCESSES_SORT_CPU), "no processes");
		doc_end(&docs[i]);
	}
	summary_free(&s);
	processes_free(&processes);
}

static void print_folded(const struct model *m)
{
	const struct model_choice of = {
		.leaves = options[0] & 4 ? LEAF_ALL & ~LEAF_BIT(IDLE) : LEAF_ALL,
	};

	DEMAND(!folded_write(null, m, options[0] & 2 ? "part 1" : NULL, &of, options[0] & 8,
			     options[0] & 32 ? 1e6 : 0),
	       "no stacks");
}

static void report(void)
{
	uint64_t samples;
	bool recover = options[0] & 16;

	each_model(in, recover, MODEL_PROCESSES | MODEL_CGROUPS, print_summary, &samples);
	each_model(in, recover, options[0] & 12 ? MODEL_CPU_STACKS : MODEL_ONLY_STACKS,
		   print_folded, &samples);
	fuzz_rows(in, null, classifier, options);
	fuzz_by(in, null, classifier, options);
	fuzz_exports(in, null, classifier, options);
}

/* Reports on the file, which must succeed if the file passes `verify`. */
static void read_strictly(void)
{
	char why[400];
	uint64_t samples;

	if (!model_all(in, false, &samples))
		DEMAND(!verified(in, why, sizeof(why)), "verified, but it has no model");
}

/* ---- copies ------------------------------------------------------------------------------ */

static void check_output(int fd, uint64_t samples)
{
	char why[400];
	uint64_t found;

	DEMAND(verified(fd, why, sizeof(why)), "%s", why);
	DEMAND(model_all(fd, false, &found), "verified, but it has no model");
	DEMAND(found == samples, "%ju instead of %ju", (uintmax_t)found, (uintmax_t)samples);
}

/* Copies each part after the previous one. Returns the number of parts written. */
static unsigned int copy_parts(struct copy *c, int from, const struct copy_options *o,
			       uint64_t *samples)
{
	struct trace_reader *r = reader_on(from, true);
	unsigned int n = 0;

	do {
		struct sound_result result = { 0 };
		int err = copy_part(c, r, o, &result);

		DEMAND(!err || is_files_fault(err), "%d", err);
		n += !err || result.records;
		*samples += result.samples;
	} while (trace_reader_part(r) > 0);
	trace_reader_free(r);
	return n;
}

/*
 * Copies the input. Returns false if there is nothing to copy. times: number of copies, one after
 * the other, as merge makes them.
 */
static bool copy_times(int from, int to, const struct copy_options *o, unsigned int times)
{
	struct copy *c;
	unsigned int parts = 0;
	uint64_t samples = 0;

	empty(to);
	c = copy_new(to);
	while (times--)
		parts += copy_parts(c, from, o, &samples);
	if (parts)
		DEMAND(!copy_finish(c), "cannot be finished");
	copy_free(c);
	if (parts)
		check_output(to, samples);
	return parts;
}

static void recover(void)
{
	uint64_t samples;

	copy_times(in, out, &(struct copy_options){ 0 }, 1);
	model_all(in, true, &samples);
}

static void read_and_recover(void)
{
	read_strictly();
	recover();
}

static void merge(void)
{
	copy_times(in, out, &(struct copy_options){ 0 }, 2);
}

/* ---- scrub ------------------------------------------------------------------------------- */

/* The names in the seeds contain this text. */
#define SECRET "SECRET"

static bool is_secret(const void *s, size_t n)
{
	return memmem(s, n, SECRET, strlen(SECRET));
}

/*
 * Returns true if a text contains a secret. A word of the kernel in an argument is kept for every
 * class.
 */
static bool has_secret(const char *s, size_t n, bool reasons)
{
	struct reason_argument a;
	struct reason r;

	if (!reasons || !reason_is(s, n))
		return is_secret(s, n);
	while (reason_next(&s, &n, &r))
		while (reason_next_argument(&r, &a))
			if (a.class != 'w' && a.class != 'l' && is_secret(a.s, a.n))
				return true;
	return false;
}

static void check_field(const struct trace_field *f, unsigned int type, enum trace_privacy class)
{
	struct trace_column c = { .p = f->p, .n = f->n };
	bool reasons = class == TRACE_PRIVATE_TEXTS;
	const char *s;
	uint32_t n;

	if (f->kind == TRACE_STR)
		DEMAND(!has_secret((const char *)f->p, f->n, reasons), "type %u, key %u", type,
		       f->key);
	while (f->kind == TRACE_STRS && trace_column_str(&c, &s, &n))
		DEMAND(!has_secret(s, n, reasons), "type %u, key %u", type, f->key);
}

/*
 * Returns true if a string of the class is private. Names of functions are private only in BPF
 * programs. Settings also have names of other classes.
 */
static bool is_private(enum trace_privacy class, unsigned int keep)
{
	unsigned int named = 1u << TRACE_PRIVATE_NETDEVS | 1u << TRACE_PRIVATE_PROGRAMS;

	if (class == TRACE_PRIVATE_SETTINGS && keep & named)
		return false;
	return class > TRACE_PUBLIC && class != TRACE_PRIVATE_PROGRAMS && !(keep & 1u << class);
}

static void check_private(const struct trace_field *f, unsigned int type, unsigned int keep)
{
	enum trace_privacy class = trace_key_desc(type, f->key)->privacy;

	if (is_private(class, keep))
		check_field(f, type, class);
}

static void check_secrets(unsigned int keep)
{
	struct trace_reader *r = reader_on(out, false);
	struct trace_record rec;

	do
		while (trace_reader_next(r, &rec) > 0)
			for (unsigned int i = 0; i < rec.nfields; i++)
				check_private(&rec.field[i], rec.type, keep);
	while (trace_reader_part(r) > 0);
	trace_reader_free(r);
}

static void scrub(void)
{
	unsigned int keep = options[0] | (unsigned int)options[1] << 8;
	struct copy_options o = { .edit = scrub_edit, .derived = reason_scrub };

	o.ctx = scrub_new(keep, 0);
	if (copy_times(in, out, &o, 1))
		check_secrets(keep);
	scrub_free(o.ctx);
}

/* ---- cut --------------------------------------------------------------------------------- */

/* Makes a time from two bytes: a reference, plus or minus a power of two times a small number. */
static struct time_arg time_of(const uint8_t *two)
{
	return (struct time_arg){ .anchor = two[0] & 3,
				  .ns = (uint64_t)two[1] << (two[0] >> 2),
				  .mark = "mark" };
}

struct within {
	const struct cut_plan *plan;
	uint64_t n;
};

static bool count_inside(void *ctx, uint64_t time_ns)
{
	struct within *i = ctx;

	i->n += time_ns >= i->plan->begin_ns && time_ns < i->plan->end_ns;
	return true;
}

/* Counts the samples of one part that the plan selects, among all samples in `all`. */
static uint64_t samples_inside(int fd, unsigned int part, const struct cut_plan *plan,
			       uint64_t *all)
{
	struct trace_reader *r = reader_on(fd, true);
	struct within within = { .plan = plan };
	struct trace_record rec;

	*all = 0;
	while (--part)
		trace_reader_part(r);
	while (trace_reader_next(r, &rec) > 0) {
		if (rec.type != TRACE_SAMPLES)
			continue;
		check_sample_times(&rec, count_inside, &within);
		*all += trace_record_column(&rec, TRACE_SAMPLES_STACK).n;
	}
	trace_reader_free(r);
	return within.n;
}

static int cut_part(const struct cut_source *s, const struct cut_plan *plan, int to)
{
	struct cut *c = cut_new(plan);
	struct copy_options o = { .edit = cut_edit, .ctx = c };
	struct sound_result result = { 0 };
	struct trace_reader *r;
	int err = cut_reader(&r, s, plan->begin_ns, plan->end_ns, false);

	empty(to);
	if (!err) {
		err = copy_trace(r, to, &o, &result);
		trace_reader_free(r);
	}
	DEMAND(!err || is_files_fault(err), "%d", err);
	if (!err)
		check_output(to, result.samples);
	cut_free(c);
	return err;
}

static unsigned int count_parts(int fd)
{
	struct trace_reader *r = reader_on(fd, true);
	unsigned int n = 1;

	while (trace_reader_part(r) > 0)
		n++;
	trace_reader_free(r);
	return n;
}

/* Cuts the file and returns the result. For a good trace it must succeed, and no sample may be lost. */
static int cut_file(int from, int to, bool good)
{
	const struct time_arg begin = time_of(options), end = time_of(options + 2);
	struct cut_source s = { .fd = from,
				.part = 1 + options[4] % count_parts(from),
				.chosen = true };
	struct cut_plan plan;
	uint64_t all, kept;
	int err = cut_plan_make(&plan, &s, &begin, &end);

	DEMAND(!err || err == -ENODATA || is_files_fault(err), "%d", err);
	DEMAND(!err || *plan.why, "%d, without a reason", err);
	if (!err) {
		err = cut_part(&s, &plan, to);
		DEMAND(!err || !good, "cannot be cut: %d", err);
		if (good) {
			kept = samples_inside(from, s.part, &plan, &all);
			DEMAND(samples_inside(to, 1, &plan, &all) == kept && all == kept,
			       "%ju of %ju", (uintmax_t)all, (uintmax_t)kept);
		}
	}
	cut_plan_free(&plan);
	return err;
}

/* Cuts the input without or after recovery. */
static void cut(void)
{
	if (options[5] & 1)
		cut_file(in, out, false);
	else if (copy_times(in, other, &(struct copy_options){ 0 }, 1))
		cut_file(other, out, true);
}

/* ---- window ------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t hash, uint64_t v)
{
	hash = (hash ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

static uint64_t mix_record(uint64_t hash, const struct trace_record *rec)
{
	hash = mix(hash, rec->type);
	for (unsigned int i = 0; i < rec->nfields; i++) {
		const struct trace_field *f = &rec->field[i];
		size_t n = trace_field_size(f);

		hash = mix(mix(mix(hash, f->key), f->v), f->n);
		for (size_t at = 0; at < n; at++)
			hash = mix(hash, f->p[at]);
	}
	return hash;
}

/* Returns a hash of the records in a window of time. scan: reads the whole file for it. */
static uint64_t window_of(int fd, bool scan)
{
	struct trace_reader *r = reader_on(fd, scan);
	struct trace_record rec;
	uint64_t hash = 0, from_ns = time_of(options).ns;

	trace_reader_set_window(r, from_ns, from_ns + time_of(options + 2).ns);
	do
		while (trace_reader_next(r, &rec) > 0)
			hash = mix_record(hash, &rec);
	while (trace_reader_part(r) > 0);
	trace_reader_free(r);
	return hash;
}

/*
 * Compares windows. With a correct INDEX the result must not depend on whether it is used. A wrong
 * INDEX must do no harm.
 */
static void window(void)
{
	char why[400];
	uint64_t found;

	window_of(in, false);
	if (!copy_times(in, out, &(struct copy_options){ 0 }, 1))
		return;
	found = window_of(out, false);
	DEMAND(found == window_of(out, true), "other records by INDEX");
	empty(other);
	input_with_other_end(out, other, options + 4);
	found = window_of(other, false);
	if (verified(other, why, sizeof(why)))
		DEMAND(found == window_of(other, true), "other records with another INDEX");
}

static void rules(void)
{
	fuzz_rules(in);
}

/* ---- targets ----------------------------------------------------------------------------- */

static const struct target {
	const char *name;
	input_fn *put;
	void (*run)(void);
} targets[] = {
	{ "file", input_file, read_and_recover },
	{ "payload", input_payload, read_strictly },
	{ "report", input_payload, report },
	{ "recover", input_payload, recover },
	{ "merge", input_payload, merge },
	{ "scrub", input_payload, scrub },
	{ "cut", input_payload, cut },
	{ "window", input_payload, window },
	{ "rules", input_file, rules },
};

static const struct target *target = targets;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *name = basename((*argv)[0]);

	(void)argc;
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++)
		if (!strcmp(name, targets[i].name))
			target = &targets[i];
	classifier = classifier_new(rules_load(NULL));
	in = memfd_create("in", MFD_CLOEXEC);
	out = memfd_create("out", MFD_CLOEXEC);
	other = memfd_create("other", MFD_CLOEXEC);
	null = fopen("/dev/null", "w");
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	memset(options, 0, sizeof(options));
	memcpy(options, data, n < sizeof(options) ? n : sizeof(options));
	empty(in);
	target->put(in, data, n);
	target->run();
	return 0;
}
