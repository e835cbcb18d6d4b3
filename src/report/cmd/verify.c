// SPDX-License-Identifier: BSD-2-Clause
/*
 * netcost-report verify: checks that container and content of traces follow SPEC.md. netcost-report
 * dump: prints the records of traces unchanged.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <netcost/reasons.h>

#include "command.h"
#include "report/base/render.h"
#include "report/base/text.h"
#include "report/spec/spec.h"
#include "report/stacks/stacks.h"

/* A file that is verified, and its current part. */
struct verify {
	const char *name;
	uint64_t memory; /* value of --memory */
	struct doc *doc;
	struct trace_reader *reader;
	struct check *check;
	struct budget budget;
	struct sums *sums;
	struct hints hints;
	unsigned int part; /* number of the current part, counted from 1 */
	uint64_t offset;   /* offset of the current frame in the file */
	const char *what;  /* first violation in the part */
	uint64_t minor;	   /* minor version of the part */
	/* a part is invalid; false after EXIT_FAILED: the check was incomplete, because --memory is too small */
	bool broken;
};

/* ---- messages ----------------------------------------------------------------------- */

static const char *const levels[] = { "error", "warning", NULL };

static const struct doc_column columns[] = {
	{ .key = "file", .kind = DOC_STRING, .only = DOC_CSV },
	{ .key = "part", .known = true },
	{ .key = "level", .kind = DOC_STRING, .known = true, .choices = levels },
	{ .key = "text", .kind = DOC_STRING, .known = true },
};

static const struct doc_table messages = {
	.key = "messages",
	DOC_COLUMNS_OF(columns),
	.only = DOC_PROGRAMS,
};

/* Adds a row with a message. only: the formats that show the row; text has a line instead. */
static void message(const struct verify *v, const char *level, const char *text, unsigned int only)
{
	doc_row(v->doc, 0, only);
	doc_string(v->doc, v->name);
	doc_number(v->doc, v->part);
	doc_string(v->doc, level);
	doc_string(v->doc, text);
	doc_row_end(v->doc);
}

__attribute__((format(printf, 3, 4))) static void say(const struct verify *v, bool warning,
						      const char *fmt, ...)
{
	bool parts = v->part > 1 || trace_reader_status(v->reader)->more;
	char text[512], part[32] = "";
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (parts)
		snprintf(part, sizeof(part), "part %u: ", v->part);
	message(v, levels[warning], text, DOC_PROGRAMS);
	doc_note(v->doc, "%s: %s%s%s", SAFE(v->name), part, warning ? "warning: " : "", SAFE(text));
}

static void say_ok(const struct verify *v)
{
	message(v, "ok", "", DOC_CSV);
	if (v->part > 1)
		doc_note(v->doc, "%s: ok, %u parts", SAFE(v->name), v->part);
	else
		doc_note(v->doc, "%s: ok", SAFE(v->name));
}

/* ---- reading ----------------------------------------------------------------------------- */

/*
 * Reports the first violation. broken: the result of verify_record(); err: the result of the last
 * read.
 */
static enum exit_status judge(const struct verify *v, int broken, int err)
{
	const struct trace_status *st = trace_reader_status(v->reader);
	char spent[200];

	if (broken == -EBADMSG)
		say(v, false, "damaged at byte %" PRIu64 ": %s", v->offset, v->what);
	else if (broken == BUDGET_SPENT)
		say(v, false, "%s", budget_text(v->memory, spent, sizeof(spent)));
	else if (broken || (err && !st->problem))
		say(v, false, "%s", strerror(broken ? -broken : -err));
	else if (st->problem)
		say(v, false, "%s", st->what);
	else
		return EXIT_DONE;
	return !broken && st->problem == TRACE_CUT ? EXIT_CUT : EXIT_FAILED;
}

/* Warns that records of newer versions were not checked. They are not a violation. */
static void warn_of_newer(const struct verify *v)
{
	const struct trace_status *st = trace_reader_status(v->reader);

	if (st->unknown_types || st->unknown_keys || v->minor > TRACE_MINOR)
		say(v, true,
		    "format %u.%" PRIu64 ": %" PRIu64 " records and %" PRIu64
		    " fields are unknown to this program and were not checked",
		    TRACE_MAJOR, v->minor, st->unknown_types, st->unknown_keys);
}

static void warn(struct verify *v)
{
	const struct trace_status *st = trace_reader_status(v->reader);
	struct hints *h = &v->hints;
	uint64_t odd;
	const char *oddity = check_oddity(v->check, &odd);

	if (odd)
		say(v, true, "%s %s reset, the first: %s", COUNT(odd, "counter"),
		    odd == 1 ? "was" : "were", oddity);
	if (h->wrong_index)
		say(v, true, "INDEX lists wrong frames");
	else if (h->wrong_defines && !st->unknown_types)
		say(v, true, "INDEX lists wrong frames with definitions");
	if (h->wrong_table && !st->more)
		say(v, true, "the seek table lists wrong frames");
	h->wrong_index = h->wrong_defines = false;
	warn_of_newer(v);
}

/* Checks a tick when it ends: at the next TICK, or at the end of its frame. */
static int verify_tick(struct verify *v)
{
	if (sums_end(v->sums))
		return 0;
	v->what = sums_what(v->sums);
	return -EBADMSG;
}

static int verify_record(struct verify *v, const struct trace_record *rec)
{
	int err = check_record(v->check, rec, trace_reader_status(v->reader));

	if (err)
		v->what = check_what(v->check);
	else
		sums_record(v->sums, rec);
	return err;
}

static bool ends_tick(const struct trace_record *rec)
{
	return rec->type == TRACE_TICK || rec->type == TRACE_FRAME || rec->type == TRACE_END;
}

/* Reads the whole part, even if its records are invalid, because another part may follow. */
static enum exit_status verify_part(struct verify *v)
{
	struct trace_record rec;
	enum exit_status status;
	int err, broken = 0;

	while ((err = trace_reader_next(v->reader, &rec)) > 0) {
		if (!broken && ends_tick(&rec))
			broken = verify_tick(v);
		hints_record(&v->hints, &rec);
		if (broken)
			continue;
		if (rec.type == TRACE_HEADER)
			v->minor = trace_record_uint(&rec, TRACE_HEADER_MINOR, 0);
		v->offset = v->hints.data_offset;
		broken = budget_take_record(&v->budget, &rec);
		if (!broken)
			broken = verify_record(v, &rec);
	}
	if (!broken) /* the last frame that was read is complete, so its last tick is complete, too */
		broken = verify_tick(v);
	status = judge(v, broken, err);
	v->broken |= status == EXIT_FAILED && broken != BUDGET_SPENT;
	if (status != EXIT_FAILED)
		warn(v);
	return status;
}

/* Returns the worse of two results: EXIT_FAILED is the worst, then EXIT_CUT, then EXIT_DONE. */
static enum exit_status worse(enum exit_status a, enum exit_status b)
{
	return a == EXIT_FAILED || !b ? a : b;
}

/* Verifies all parts of a file. */
static enum exit_status verify_all(struct verify *v)
{
	struct trace_watch watch = hints_watch;
	enum exit_status worst = EXIT_DONE;
	bool ok;

	watch.ctx = &v->hints;
	trace_reader_watch(v->reader, &watch);
	do {
		v->part++;
		budget_init(&v->budget, v->memory, 0);
		v->check = check_new();
		v->sums = sums_new();
		if (v->check && v->sums)
			worst = worse(worst, verify_part(v));
		else
			tell(v->name, "out of memory");
		ok = v->check && v->sums;
		check_free(v->check);
		sums_free(v->sums);
	} while (ok && trace_reader_part(v->reader) > 0);
	v->broken |= !ok;
	return ok ? worst : EXIT_FAILED;
}

static void begin(struct doc *d, const char *file)
{
	doc_object(d, NULL);
	doc_field_text(d, "file", file);
	doc_table(d, &messages);
}

static void end(struct doc *d, unsigned int parts, enum exit_status status, bool broken)
{
	static const char *const names[] = { "ok", "cut", "broken", "too large", NULL };
	unsigned int i = status == EXIT_DONE ? 0 : status == EXIT_CUT ? 1 : broken ? 2 : 3;

	doc_table_end(d);
	doc_field_uint(d, "parts", parts);
	doc_field_choice(d, "status", names[i], names);
	doc_object_end(d);
}

static int build_empty(struct doc *d, const struct report_part *p)
{
	(void)p;
	begin(d, "");
	end(d, 0, EXIT_DONE, false);
	return 0;
}

const struct report verify_reports[] = {
	{ "verify", .build = build_empty, .csv = "messages", .verbatim = true },
	{ 0 },
};

enum exit_status verify_input(struct doc *d, struct input *in, bool quiet)
{
	struct verify v = { .name = in->name, .memory = in->memory, .doc = d, .reader = in->reader };
	enum exit_status status;

	begin(d, in->name);
	status = verify_all(&v);
	if (!status && !quiet)
		say_ok(&v);
	end(d, v.part, status, v.broken);
	return status;
}

enum exit_status verify_run(const struct options *o)
{
	const struct report *report = &verify_reports[0];
	struct part part = { .alone = true, .first = true };
	char table[JSON_PATH];
	enum exit_status worst = report_table(report, o, table);

	if (worst)
		return worst;
	for (size_t i = 0; i < o->noperands; i++) {
		enum exit_status status = EXIT_FAILED;
		struct input in;

		if (input_open(&in, o->operand[i], o->memory)) {
			struct doc d = report_begin(report, o, table, &part);

			status = verify_input(&d, &in, o->quiet);
			doc_end(&d);
			input_close(&in);
			part.first = false;
		}
		worst = worse(worst, status);
	}
	if (part.first && *table && o->format == REPORT_CSV) {
		struct doc d = report_begin(report, o, table, &part);

		build_empty(&d, NULL); /* no file could be read, so only the headings are printed */
		doc_end(&d);
	}
	return command_close(stdout, NULL) ? EXIT_FAILED : worst;
}

/* ---- dump: records ------------------------------------------------------------------------ */

/* Prints a number. name: the trace's name for a number that this version does not know; otherwise NULL. */
static void number(struct json *j, const char *key, uint64_t v, const char *name)
{
	if (name)
		json_str(j, key, name);
	else
		json_uint(j, key, v);
}

static void uints(struct json *j, const char *key, const struct trace_reader *r,
		  const struct trace_record *rec, unsigned int k)
{
	struct trace_column c = trace_record_column(rec, k);
	uint64_t v;

	json_array(j, key);
	while (trace_column_uint(&c, &v))
		if (v == TRACE_NIL)
			json_null(j, NULL);
		else
			number(j, NULL, v, trace_reader_number(r, rec->type, k, v));
	json_array_end(j);
}

static void ints(struct json *j, const char *key, struct trace_column c)
{
	int64_t v;

	json_array(j, key);
	while (trace_column_int(&c, &v))
		json_int(j, NULL, v);
	json_array_end(j);
}

/*
 * Prints a string. reason: the string may contain reasons (reasons.h), which dump prints as
 * sentences.
 */
static void str(struct json *j, const char *key, const char *s, size_t n, bool reason)
{
	char text[TRACE_MAX_STR + 1];

	if (reason) {
		n = reason_sentences(s, n, text, sizeof(text));
		s = text;
	}
	json_strn(j, key, s, n);
}

static void strs(struct json *j, const char *key, struct trace_column c, bool reason)
{
	const char *s;
	uint32_t len;

	json_array(j, key);
	while (trace_column_str(&c, &s, &len))
		str(j, NULL, s, len, reason);
	json_array_end(j);
}

static bool has_reasons(const struct trace_record *rec, unsigned int key)
{
	const struct trace_key_desc *desc = trace_key_desc(rec->type, key);

	return desc && desc->privacy == TRACE_PRIVATE_TEXTS;
}

static void field(struct json *j, const struct trace_reader *r, const struct trace_record *rec,
		  const struct trace_field *f)
{
	const char *key = trace_reader_name(r, rec->type, f->key);

	switch (f->kind) {
	case TRACE_UINT:
		number(j, key, f->v, trace_reader_number(r, rec->type, f->key, f->v));
		break;
	case TRACE_INT:
		json_int(j, key, (int64_t)f->v);
		break;
	case TRACE_STR:
		str(j, key, (const char *)f->p, f->n, has_reasons(rec, f->key));
		break;
	case TRACE_UINTS:
		uints(j, key, r, rec, f->key);
		break;
	case TRACE_INTS:
		ints(j, key, trace_record_column(rec, f->key));
		break;
	case TRACE_STRS:
		strs(j, key, trace_record_column(rec, f->key), has_reasons(rec, f->key));
		break;
	}
}

/* Prints a record. Keys are in ascending order in the file and in the registry. */
static void dump_record(const struct trace_reader *r, const struct trace_record *rec)
{
	struct json j = { .out = stdout, .compact = true };

	json_object(&j, NULL);
	json_str(&j, "type", trace_reader_name(r, rec->type, 0));
	for (unsigned int i = 0; i < rec->nfields; i++)
		field(&j, r, rec, &rec->field[i]);
	json_object_end(&j);
	json_end(&j);
}

/* ---- dump: samples ------------------------------------------------------------------------ */

static void print_sample(const struct model *m, uint64_t time_ns, uint64_t cpu, uint64_t task,
			 uint32_t stack)
{
	const struct model_task *t = task && task <= m->ntasks ? &m->task[task] : NULL;
	char comm[64] = "-";

	if (t) {
		snprintf(comm, sizeof(comm), "%s", model_string(m, t->comm));
		escape_folded(comm);
	}
	printf("%" PRIu64 ".%09" PRIu64 " [%03" PRIu64 "] ", time_ns / 1000000000u,
	       time_ns % 1000000000u, cpu);
	if (t && t->tid != TRACE_NIL)
		printf("%7" PRIu64 " ", t->tid);
	else
		printf("%7s ", "-");
	printf("%-15s ", *comm ? comm : "-");
	folded_stack(stdout, m, stack);
	putchar('\n');
}

static int dump_if_samples(struct model *m, const struct trace_record *rec)
{
	struct trace_samples s = trace_record_samples(rec);
	uint64_t cpu = trace_record_uint(rec, TRACE_SAMPLES_CPU, 0);
	int err = model_feed(m, rec);

	if (err || rec->type != TRACE_SAMPLES)
		return err;
	while (trace_samples_next(&s))
		print_sample(m, s.time_ns, cpu, s.task, (uint32_t)s.stack);
	return 0;
}

static int dump_records(struct input *in, const struct trace_record *header)
{
	struct trace_record rec = *header;
	int err = trace_reader_set_described(in->reader);

	if (err)
		return err;
	do
		dump_record(in->reader, &rec);
	while ((err = trace_reader_next(in->reader, &rec)) > 0 && !ferror(stdout));
	return err;
}

/* Prints samples. If the definition of an id that a sample refers to was lost, a stand-in replaces the definition. */
static int dump_samples(struct input *in, struct model *m, const struct trace_record *header)
{
	struct repair *repair = repair_new(in->reader, MODEL_LOST, &m->budget);
	struct trace_record rec = *header;
	int err = repair ? 1 : -ENOMEM;

	while (err > 0 && !ferror(stdout)) {
		err = dump_if_samples(m, &rec);
		if (!err)
			err = repair_next(repair, &rec);
	}
	repair_free(repair);
	return err;
}

static bool dump(void *ctx, struct input *in, const struct trace_record *header)
{
	const struct options *o = ctx;
	struct model *m = model_new(o->samples ? MODEL_TASKS : 0, NULL);
	const struct part part = input_part(in, o->part);
	int err = -ENOMEM;
	bool ok;

	if (o->samples && part.number && !part.alone)
		printf("# %s\n", PART_TITLE(&part));
	if (m)
		model_set_memory(m, o->memory);
	if (m)
		err = o->samples ? dump_samples(in, m, header) : dump_records(in, header);
	ok = err > 0 || input_ended(in, err, m);
	model_free(m);
	return ok;
}

enum exit_status dump_run(const struct options *o)
{
	struct options own = *o;
	const struct input_wanted wanted = { .file = o->file,
					     .select = o->part,
					     .memory = o->memory };
	bool ok = input_each(&wanted, o->recover, dump, &own);

	return command_close(stdout, NULL) || !ok ? EXIT_FAILED : EXIT_DONE;
}
