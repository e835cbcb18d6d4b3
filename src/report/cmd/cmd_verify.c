// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report verify: whether traces follow SPEC.md, container and content. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cmd_verify.h"
#include "report.h"
#include "report/spec/budget.h"
#include "report/base/part.h"
#include "report/base/text.h"
#include "report/input/input.h"
#include "report/spec/check.h"
#include "report/spec/check_hints.h"
#include "report/spec/exact_sums.h"
#include "report/spec/fate_sums.h"

struct verify_options {
	struct report_options report;
	bool quiet;
};

/* A file, and the part of it that is being read. */
struct verify {
	const char *name;
	unsigned long memory; /* what --memory says */
	struct doc *doc;
	struct trace_reader *reader;
	struct check *check;
	struct budget budget;
	struct exact_sums *sums;
	struct fate_sums *fates;
	struct hints hints;
	unsigned int part; /* from 1 on */
	uint64_t offset;   /* of the frame that is being read */
	const char *what;  /* the first offence in it */
	uint64_t minor;	   /* of the part */
	bool broken; /* a part is; false after EXIT_FAILED: one needs more memory than --memory */
};

/* ---- what is said ------------------------------------------------------------------------ */

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

/* only: who sees the row; people see a line instead. */
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

/* The first offence. broken: what verify_record() said; err: how reading ended. */
static enum exit_status judge(const struct verify *v, int broken, int err)
{
	const struct trace_status *st = trace_reader_status(v->reader);
	/* The magic is first in a file: without it, that is the first offence. */
	char spent[200];
	bool magic = v->hints.magic || v->part > 1 || !st->frames;

	if (!magic)
		say(v, false, "damaged at byte 0: the file does not begin with the magic");
	else if (broken == -EBADMSG)
		say(v, false, "damaged at byte %" PRIu64 ": %s", v->offset, v->what);
	else if (broken == BUDGET_SPENT)
		say(v, false, "%s", budget_text(v->memory, spent, sizeof(spent)));
	else if (broken || (err && !st->problem))
		say(v, false, "%s", strerror(broken ? -broken : -err));
	else if (st->problem)
		say(v, false, "%s", st->what);
	else
		return EXIT_DONE;
	return magic && !broken && st->problem == TRACE_CUT ? EXIT_CUT : EXIT_FAILED;
}

/* That is no offence, but nobody has looked at it. */
static void warn_of_newer(const struct verify *v)
{
	const struct trace_status *st = trace_reader_status(v->reader);

	if (st->unknown_types || st->unknown_keys || v->minor > TRACE_MINOR)
		say(v, true,
		    "format %u.%" PRIu64 ": %" PRIu64 " records and %" PRIu64
		    " fields that this program does not know were not judged",
		    TRACE_MAJOR, v->minor, st->unknown_types, st->unknown_keys);
}

static void warn(struct verify *v)
{
	const struct trace_status *st = trace_reader_status(v->reader);
	struct hints *h = &v->hints;
	uint64_t odd;
	const char *oddity = check_oddity(v->check, &odd);

	if (odd)
		say(v, true, "%" PRIu64 " counters were reset, the first: %s", odd, oddity);
	if (h->wrong_index)
		say(v, true, "INDEX does not list the frames as they are");
	else if (h->wrong_defines && !st->unknown_types)
		say(v, true, "INDEX does not say in which frames definitions are");
	if (h->wrong_table && !st->more)
		say(v, true, "the seek table does not list the frames as they are");
	h->wrong_index = h->wrong_defines = false;
	warn_of_newer(v);
}

/* A tick is judged when it ends: at the next TICK, or with its frame. */
static int verify_tick(struct verify *v)
{
	if (!exact_sums_end(v->sums))
		v->what = exact_sums_what(v->sums);
	else if (!fate_sums_end(v->fates))
		v->what = fate_sums_what(v->fates);
	else
		return 0;
	return -EBADMSG;
}

static int verify_record(struct verify *v, const struct trace_record *rec)
{
	int err = check_record(v->check, rec, trace_reader_status(v->reader));

	if (err)
		v->what = check_what(v->check);
	else
		exact_sums_record(v->sums, rec);
	if (!err)
		fate_sums_record(v->fates, rec);
	return err;
}

static bool ends_tick(const struct trace_record *rec)
{
	return rec->type == TRACE_TICK || rec->type == TRACE_FRAME || rec->type == TRACE_END;
}

/* Reads the whole part even if its records are wrong: another part may follow. */
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
	if (!broken) /* the frame before what ended the reading is whole */
		broken = verify_tick(v);
	status = judge(v, broken, err);
	v->broken |= status == EXIT_FAILED && broken != BUDGET_SPENT;
	if (status != EXIT_FAILED)
		warn(v);
	return status;
}

/* The worst of all: failed, then cut, then done. */
static enum exit_status worse(enum exit_status a, enum exit_status b)
{
	return a == EXIT_FAILED || !b ? a : b;
}

/* All parts of a file. */
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
		v->sums = exact_sums_new();
		v->fates = fate_sums_new();
		if (v->check && v->sums && v->fates)
			worst = worse(worst, verify_part(v));
		else
			tell(v->name, "out of memory");
		ok = v->check && v->sums && v->fates;
		check_free(v->check);
		exact_sums_free(v->sums);
		fate_sums_free(v->fates);
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

static const struct report report = { .build = build_empty, .csv = "messages", .verbatim = true };

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

static enum exit_status run(const struct config *cfg)
{
	const struct verify_options *o = (const struct verify_options *)cfg;
	struct part part = { .alone = true, .first = true };
	char table[JSON_PATH];
	enum exit_status worst = report_table(&report, &o->report, table);

	if (worst)
		return worst;
	for (size_t i = 0; i < cfg->noperands; i++) {
		enum exit_status status = EXIT_FAILED;
		struct input in;

		if (input_open(&in, cfg->operand[i], cfg->memory)) {
			struct doc d = report_begin(&report, &o->report, table, &part);

			status = verify_input(&d, &in, o->quiet);
			doc_end(&d);
			input_close(&in);
			part.first = false;
		}
		worst = worse(worst, status);
	}
	if (part.first && *table && o->report.format && !strcmp(o->report.format, "csv")) {
		struct doc d = report_begin(&report, &o->report, table, &part);

		build_empty(&d, NULL); /* no file could be read: only the headings */
		doc_end(&d);
	}
	return command_close(stdout, NULL) ? EXIT_FAILED : worst;
}

static const struct opt_desc opts[] = {
	OPT_FORMAT,
	OPT_MEMORY,
	OPT_QUIET(struct verify_options, "do not report files that are all right"),
};

const struct command command_verify = {
	.name = "verify",
	.help = "whether traces follow the format; exit status 3: cut off, 1: broken",
	.run = run,
	.report = &report,
	COMMAND_OPTIONS(struct verify_options, opts),
	.operands = "FILE...",
	.min = 1,
};
