// SPDX-License-Identifier: BSD-2-Clause
/* Commands that write traces, from one or several: recover, cut, scrub, merge. What they have in common, and joining. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netcost/messages.h>
#include <netcost/text_append.h>

#include "command.h"
#include "report/base/tell.h"
#include "report/base/text.h"
#include "report/rewrite/cut.h"
#include "report/rewrite/join.h"
#include "report/rewrite/scrub.h"

/* ---- output ------------------------------------------------------------------------------- */

/* The file that is written; it is opened when there is something to read. */
struct output {
	const char *name;
	int fd; /* the caller's; negative: `file` is opened when there is something to read */
	struct outfile file;
	struct copy *copy;
	bool quiet, failed;
	uint64_t records; /* written */
};

/* As private as a recording is. */
static bool open_output(struct output *o)
{
	int err;

	if (o->copy || o->failed)
		return !o->failed;
	err = o->fd < 0 ? outfile_open(&o->file, o->name, 0600) : 0;
	if (!err) {
		o->copy = copy_new(o->fd < 0 ? o->file.fd : o->fd);
		o->failed = !o->copy;
	}
	if (err)
		tell(o->name, "cannot write: %s; check the path", strerror(-err));
	else if (o->failed)
		tell(o->name, "out of memory");
	o->failed |= err != 0;
	return !o->failed;
}

/* A file without a record is of no use, and neither is one that ends where something failed. */
static void close_output(struct output *o)
{
	int err = o->copy && o->records && !o->failed ? copy_finish(o->copy) : 0;

	copy_free(o->copy);
	o->failed |= err != 0;
	if (o->fd < 0) {
		int end = outfile_close(&o->file, o->records && !o->failed);

		err = err ? err : end;
	}
	if (err)
		tell(o->name, "cannot write: %s; make room, or write elsewhere", strerror(-err));
	o->failed |= err != 0;
}

/* ---- what is reported -------------------------------------------------------------------- */

static const char *state(const struct trace_status *st)
{
	return st->damages ? "damaged" : st->ended ? "complete" : "cut";
}

static void tell_done(const char *title, const struct trace_status *st,
		      const struct sound_result *r, const struct copy_options *options)
{
	char damage[300];

	if (options->done)
		tell(title, "%s", options->done(options->ctx, r));
	else
		tell(title,
		     "%s; saved %" PRIu64 " records of %" PRIu64 " frames, %" PRIu64 " samples",
		     state(st), r->records, st->frames, r->samples);
	if (st->damages)
		tell(title, "%s", damage_text(st, damage, sizeof(damage)));
	else if (st->problem)
		tell(title, "%s", st->what);
	if (r->broken)
		tell(title, "left out %" PRIu64 " records that break a rule, the first: %s",
		     r->broken, r->first_broken);
	if (r->lost)
		tell(title, "lost definitions are named %" PRIu64 " times", r->lost);
	if (r->torn)
		tell(title,
		     "%" PRIu64 " ticks whose exact times do not sum: counted as torn readings",
		     r->torn);
	if (st->unknown_types || st->unknown_keys)
		tell(title, "left out %" PRIu64 " records and %" PRIu64 " fields of a newer format",
		     st->unknown_types, st->unknown_keys);
}

static bool is_of_input(int err)
{
	return err == -EBADMSG || err == -EMEDIUMTYPE || err == -EPROTONOSUPPORT;
}

static void tell_failed(const char *title, struct output *o, const struct trace_status *st,
			const struct sound_result *r, unsigned long memory, int err)
{
	char spent[200];

	if (st->problem == TRACE_IO)
		tell(title, "%s", st->what);
	else if (err == BUDGET_SPENT)
		tell(title, "%s", budget_text(memory, spent, sizeof(spent)));
	else if (err == -ENOMEM)
		tell(title, "out of memory");
	else if (is_of_input(err))
		tell(title, "nothing to save: %s", r->broken ? r->first_broken : st->what);
	else
		tell(o->name, "cannot write: %s; make room, or write elsewhere", strerror(-err));
	o->failed = st->problem != TRACE_IO && !is_of_input(err);
}

/* ---- copying ----------------------------------------------------------------------------- */

/* An editor before another one: messages name the part. */
struct naming {
	struct input *in;
	const struct copy_options *options;
};

static int see_name(void *ctx, struct trace_record *rec)
{
	const struct naming *n = ctx;

	if (rec->type == TRACE_HEADER)
		trace_record_str(rec, TRACE_HEADER_HOST, n->in->host, sizeof(n->in->host));
	return n->options->edit ? n->options->edit(n->options->ctx, rec) : COPY_IT;
}

static bool copy_one(struct output *o, struct input *in, const struct copy_options *options)
{
	const struct trace_status *st = trace_reader_status(in->reader);
	struct naming naming = { in, options };
	struct copy_options named = *options;
	struct sound_result r = { 0 };
	struct part part;
	int err;

	named.edit = see_name;
	named.ctx = &naming;
	*in->host = '\0';
	in->number++;
	err = copy_part(o->copy, in->reader, &named, &r);
	part = input_part(in, NULL);
	o->records += r.records;
	if (err)
		tell_failed(PART_TITLE(&part), o, st, &r, options->memory, err);
	else if (!o->quiet)
		tell_done(PART_TITLE(&part), st, &r, options);
	return !err;
}

static bool copy_input(struct output *o, const struct copy_input *input)
{
	struct input in;
	bool ok;

	if (!input_open(&in, input->file, input->options.memory))
		return false;
	trace_reader_set_recover(in.reader, true);
	ok = open_output(o) && copy_one(o, &in, &input->options);
	while (!o->failed && trace_reader_part(in.reader) > 0)
		ok = copy_one(o, &in, &input->options) && ok;
	input_close(&in);
	return ok;
}

/* Copies one part, at whose beginning the input's reader is, into OUT, as copy_files() does. */
static bool copy_opened(struct input *in, const char *out, const struct copy_options *options,
			bool quiet)
{
	struct output o = { .name = out, .fd = -1, .file = OUTFILE_NONE, .quiet = quiet };
	bool ok = open_output(&o) && copy_one(&o, in, options);

	close_output(&o);
	return ok && !o.failed;
}

static bool copy_inputs(struct output *o, const struct copy_input *in, size_t n)
{
	bool ok = true;

	for (size_t i = 0; i < n && !o->failed; i++)
		ok = copy_input(o, &in[i]) && ok;
	close_output(o);
	return ok && !o->failed;
}

/*
 * All parts of a command's inputs into OUT, one after the other: opens the files, copies, reports what goes
 * wrong and, unless quiet, what was done. What can be saved is. False: something failed. OUT may be "-",
 * but none of the inputs.
 */
static bool copy_files(const struct copy_input *in, size_t n, const char *out, bool quiet)
{
	struct output o = { .name = out, .fd = -1, .file = OUTFILE_NONE, .quiet = quiet };

	for (size_t i = 0; i < n; i++)
		if (input_is_output(in[i].file, "trace", out))
			return false;
	return copy_inputs(&o, in, n);
}

bool copy_to_fd(const struct copy_input *in, size_t n, int fd, const char *name)
{
	struct output o = { .name = name, .fd = fd, .file = OUTFILE_NONE, .quiet = true };

	return copy_inputs(&o, in, n);
}

/* ---- files of one recording ---------------------------------------------------------------- */

static void tell_missing(const struct copy_input *before, const struct copy_input *in,
			 const struct join_ends *a, const struct join_ends *b)
{
	tell(in->file,
	     "begins %.3f s after the end of %s, whose recording goes on: what was between them is missing, and "
	     "they are reported apart",
	     (double)(b->first_ns - a->last_ns) / 1e9, before->file);
}

/* related: all are of one recording, as far as that can be known. */
static int find_joined(struct copy_input *in, struct join **join, size_t n, unsigned long memory,
		       bool *related)
{
	struct join_ends before, ends = { 0 };

	*related = n > 0;
	for (size_t i = 0; n > 1 && i < n; i++) {
		bool may = in[i].options.goes_on;

		in[i].options.goes_on = false;
		before = ends;
		join_look(in[i].file, &ends);
		if (!i)
			continue;
		if (may && join_misses(&before, &ends)) {
			tell_missing(&in[i - 1], &in[i], &before, &ends);
			continue;
		}
		if (!may || !join_follows(&before, &ends)) {
			*related = false;
			continue;
		}
		if (!join[i - 1])
			join[i - 1] = join_new(memory);
		if (!join[i - 1])
			return -ENOMEM;
		join[i] = join[i - 1];
		in[i].options.goes_on = true;
		if (!in[i - 1].options.goes_on)
			in[i - 1].options.derived = said_joined;
	}
	return 0;
}

/*
 * Which inputs go on where the one before ended: options.goes_on, which is true before for those that may. join[i]: what
 * edits the i-th one; NULL: it is alone. A file that is missing between two is reported. -ENOMEM.
 */
static int joined_find(struct copy_input *in, struct join **join, size_t n, unsigned long memory)
{
	bool related;

	return find_joined(in, join, n, memory, &related);
}

static void joined_free(struct join **join, size_t n)
{
	for (size_t i = 0; join && i < n; i++)
		if (!i || join[i] != join[i - 1])
			join_free(join[i]);
	free(join);
}

/* Its own descriptor is closed with the file: standard input is a copy. */
static enum exit_status copy_to_stdin(const struct copy_input *in, size_t n)
{
	FILE *f = tmpfile();
	bool ok = f && copy_to_fd(in, n, fileno(f), "the joined trace");

	if (ok)
		ok = dup2(fileno(f), STDIN_FILENO) >= 0 && !lseek(STDIN_FILENO, 0, SEEK_SET);
	if (!f || (!ok && errno == ENOSPC))
		tell(in[0].file, "cannot be joined in a file of /tmp: %s", strerror(errno));
	if (f)
		fclose(f);
	return ok ? EXIT_DONE : EXIT_FAILED;
}

enum exit_status joined_stdin(const char *const *file, size_t n, unsigned long memory)
{
	static char name[600];
	struct copy_input *in = calloc(n, sizeof(*in));
	struct join **join = calloc(n, sizeof(struct join *));
	enum exit_status status = EXIT_FAILED;
	bool related = false;
	int err = in && join ? 0 : -ENOMEM;

	for (size_t i = 0; i < n; i++)
		if (strcmp(file[i], "-") && access(file[i], R_OK)) {
			tell(file[i], "%s; check the path and its permissions", strerror(errno));
			free(in);
			free(join);
			return EXIT_FAILED;
		}
	for (size_t i = 0; !err && i < n; i++)
		in[i] = (struct copy_input){ file[i], { .goes_on = true, .memory = memory } };
	if (!err)
		err = find_joined(in, join, n, memory, &related);
	for (size_t i = 0; !err && i < n; i++) {
		in[i].options.edit = join[i] ? join_edit : NULL;
		in[i].options.ctx = join[i];
	}
	if (err) {
		tell(file[0], "out of memory");
	} else if (!related) {
		tell(file[0],
		     "and the other files are not known to be one recording; give one FILE, or put them into one with merge");
		status = EXIT_USAGE;
	} else {
		snprintf(name, sizeof(name), "%.255s to %.255s", file[0], file[n - 1]);
		input_call_stdin(name);
		status = copy_to_stdin(in, n);
	}
	joined_free(join, n);
	free(in);
	return status;
}

/* ---- recover ------------------------------------------------------------------------------- */

enum exit_status recover_run(const struct options *o)
{
	const struct copy_input in = { o->operand[0],
				       { .memory = o->memory, .derived = said_recover } };

	return copy_files(&in, 1, o->operand[1], o->quiet) ? EXIT_DONE : EXIT_FAILED;
}

/* ---- cut ----------------------------------------------------------------------------------- */

struct cut_job {
	struct cut_source source;
	struct cut_plan plan;
	struct cut *cut;
	char range[80], done[160];
};

/* Which part of the file is named; 0: none, and that was reported. */
static unsigned int find_part(struct input *in, const char *select)
{
	struct trace_record header;
	int err;

	trace_reader_set_recover(in->reader, true);
	err = input_next_selected(in, select, &header);
	if (err < 0)
		input_ended(in, err, NULL);
	else if (!err)
		input_tell_no_part(in, select);
	return err > 0 ? in->number : 0;
}

static const char *cut_done(void *ctx, const struct sound_result *result)
{
	struct cut_job *t = ctx;
	uint64_t ticks = cut_ticks(t->cut);

	snprintf(t->done, sizeof(t->done), "%s: %" PRIu64 " tick%s, %" PRIu64 " samples", t->range,
		 ticks, ticks == 1 ? "" : "s", result->samples);
	return t->done;
}

static int cut_edit_part(void *ctx, struct trace_record *rec)
{
	struct cut_job *t = ctx;

	return cut_edit(t->cut, rec);
}

/* Makes a new reader of the input, for the part of it that is needed. */
static bool write_part(struct cut_job *t, struct input *in, const char *out, bool quiet)
{
	const struct copy_options options = {
		.edit = cut_edit_part, .ctx = t, .memory = in->memory, .done = cut_done
	};
	int err;

	trace_reader_free(in->reader);
	in->reader = NULL;
	err = cut_reader(&in->reader, &t->source, t->plan.begin_ns, t->plan.end_ns);
	if (err) {
		tell(in->name, "cannot be read again: %s", strerror(-err));
		return false;
	}
	in->number = t->source.part - 1;
	cut_plan_text(&t->plan, t->range, sizeof(t->range));
	return copy_opened(in, out, &options, quiet);
}

static bool cut(struct cut_job *t, struct input *in, const struct options *o)
{
	const char *part = o->part;
	int err;

	t->source.fd = in->fd;
	t->source.part = part ? find_part(in, part) : 1;
	t->source.chosen = part;
	if (!t->source.part)
		return false;
	err = cut_plan_make(&t->plan, &t->source, &o->filter.from, &o->filter.to);
	if (!err)
		t->cut = cut_new(&t->plan);
	if (err == -ENOMEM || (!err && !t->cut))
		tell(in->name, "out of memory");
	else if (err)
		tell(in->name, "nothing to cut: %s", t->plan.why);
	return t->cut && write_part(t, in, o->operand[1], o->quiet);
}

enum exit_status cut_run(const struct options *o)
{
	const char *file = o->operand[0];
	struct cut_job t = { 0 };
	struct input in;
	bool ok = false;

	if (!input_open(&in, file, o->memory))
		return EXIT_FAILED;
	if (!input_is_output(file, "trace", o->operand[1]) && input_make_seekable(&in))
		ok = cut(&t, &in, o);
	cut_free(t.cut);
	cut_plan_free(&t.plan);
	input_close(&in);
	return ok ? EXIT_DONE : EXIT_FAILED;
}

/* ---- scrub --------------------------------------------------------------------------------- */

#define LIST_SIZE 160

/* The classes of a set, or all: "tasks, pids". */
static const char *list_classes(unsigned int set, char *dst, size_t size)
{
	*dst = '\0';
	for (unsigned int c = TRACE_PUBLIC + 1; c < TRACE_PRIVACIES; c++)
		if (set & 1u << c)
			text_append(dst, size, ", ", "%s", scrub_class_desc[c].name);
	return dst;
}

static bool parse_keep(const char *keep, unsigned int *set)
{
	const char *unknown;
	char all[LIST_SIZE];
	size_t len;

	*set = 0;
	if (!keep || scrub_parse_keep(keep, set, &unknown, &len))
		return true;
	fprintf(stderr, "netcost-report: --keep: '%.*s' is not one of %s\n", (int)len, unknown,
		list_classes(~0u, all, sizeof(all)));
	return false;
}

enum exit_status scrub_run(const struct options *o)
{
	char derived[LIST_SIZE + 16], kept[LIST_SIZE];
	struct copy_input in = { o->operand[0],
				 { .edit = scrub_edit, .memory = o->memory, .derived = derived } };
	unsigned int keep;
	bool ok;

	if (!parse_keep(o->keep, &keep))
		return EXIT_USAGE;
	snprintf(derived, sizeof(derived), keep ? said_scrub_kept : said_scrub,
		 list_classes(keep, kept, sizeof(kept)));
	in.options.ctx = scrub_new(keep, o->memory);
	if (!in.options.ctx) {
		tell(input_name(o->operand[0]), "out of memory");
		return EXIT_FAILED;
	}
	ok = copy_files(&in, 1, o->operand[1], o->quiet);
	scrub_free(in.options.ctx);
	return ok ? EXIT_DONE : EXIT_FAILED;
}

/* ---- merge --------------------------------------------------------------------------------- */

/* New names for the hosts of an input. */
struct renaming {
	size_t len; /* of the name, before FILE; 0: the hosts keep their names */
	const char *name;
	unsigned int parts;
	char host[300];	   /* of the part that is copied */
	struct join *join; /* files that are one recording have one; NULL: it is alone */
};

/* If an input has several parts, the second is NAME.2. */
static int name_part(struct renaming *n, struct trace_record *rec)
{
	struct trace_field *f;

	if (rec->type != TRACE_HEADER || !n->len)
		return COPY_IT;
	f = copy_field(rec, TRACE_HEADER_HOST);
	if (!f)
		return -EMSGSIZE;
	n->parts++;
	snprintf(n->host, sizeof(n->host), n->parts > 1 ? "%.*s.%u" : "%.*s", (int)n->len, n->name,
		 n->parts);
	*f = (struct trace_field){ .key = TRACE_HEADER_HOST,
				   .kind = TRACE_STR,
				   .n = (uint32_t)strlen(n->host),
				   .p = (const uint8_t *)n->host };
	return COPY_IT;
}

/* A copy_edit_fn. */
static int edit_part(void *ctx, struct trace_record *rec)
{
	struct renaming *n = ctx;
	int verdict = name_part(n, rec);

	return verdict == COPY_IT && n->join ? join_edit(n->join, rec) : verdict;
}

/* "web1=a.nct", but not "./x=1/a.nct". */
static const char *split_name(const char *operand, struct renaming *n)
{
	size_t len = strcspn(operand, "=/");

	if (operand[len] != '=' || !len)
		return operand;
	n->name = operand;
	n->len = len < 256 ? len : 255;
	return operand + len + 1;
}

/* The last operand may be one more input by mistake: no file is overwritten. */
static bool exists(const char *out)
{
	struct stat st;

	return strcmp(out, "-") && !stat(out, &st) && S_ISREG(st.st_mode);
}

static bool same_name(const struct renaming *a, const struct renaming *b)
{
	return a->len == b->len && !memcmp(a->name ? a->name : "", b->name ? b->name : "", a->len);
}

enum exit_status merge_run(const struct options *o)
{
	size_t n = o->noperands - 1;
	const char *out = o->operand[n];
	struct copy_input *in = calloc(n, sizeof(*in));
	struct renaming *naming = calloc(n, sizeof(*naming));
	struct join **join = calloc(n, sizeof(struct join *));
	bool ok = false;

	for (size_t i = 0; in && naming && join && i < n; i++) {
		in[i].file = split_name(o->operand[i], &naming[i]);
		in[i].options = (struct copy_options){ .edit = edit_part,
						       .ctx = &naming[i],
						       .memory = o->memory,
						       .goes_on = i && same_name(&naming[i - 1],
										 &naming[i]) };
	}
	if (!in || !naming || !join)
		tell(out, "out of memory");
	else if (exists(out))
		tell(out, "exists; merge takes FILE... OUT: name a file that does not exist last");
	else if (joined_find(in, join, n, o->memory))
		tell(out, "out of memory");
	else {
		for (size_t i = 0; i < n; i++)
			naming[i].join = join[i];
		ok = copy_files(in, n, out, o->quiet);
	}
	joined_free(join, n);
	free(naming);
	free(in);
	return ok ? EXIT_DONE : EXIT_FAILED;
}
