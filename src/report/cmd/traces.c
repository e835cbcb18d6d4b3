// SPDX-License-Identifier: BSD-2-Clause
/*
 * Commands that write traces from one or more traces: recover, cut, scrub and merge. This file has
 * the code that they share, and joins files of one recording.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netcost/reasons.h>
#include <netcost/text_append.h>

#include "command.h"
#include "report/base/text.h"
#include "report/rewrite/rewrite.h"

/* ---- output ------------------------------------------------------------------------------- */

/* The output file, which is opened when there is a record to write. */
struct output {
	const char *name;
	struct outfile file;
	struct copy *copy; /* copy in progress; NULL if the file is not open yet */
	bool quiet, failed;
	uint64_t records; /* number of records written */
	bool several; /* there are several inputs: an input without a problem is not mentioned */
};

/* Reports an error of the output. what_to_do: advice for the user. */
static void tell_unwritable(struct output *o, int err, const char *what_to_do)
{
	tell(o->name, "cannot write: %s; %s", strerror(-err), what_to_do);
	o->failed = true;
}

/* Opens the output, unless the caller has opened it already. Only the owner can read the file, as with a recording. */
static bool open_output(struct output *o)
{
	int err = 0;

	if (o->copy || o->failed)
		return !o->failed;
	if (!o->file.given)
		err = outfile_open(&o->file, o->name, 0600);
	if (err)
		tell_unwritable(o, err, "check the path");
	else if (!(o->copy = copy_new(o->file.fd)))
		tell(o->name, "out of memory");
	o->failed = !o->copy;
	return !o->failed;
}

/*
 * Closes the output. Removes a file without records, and a file whose end is missing because of an
 * error.
 */
static void close_output(struct output *o)
{
	bool complete = o->copy && o->records && !o->failed;
	int err = complete ? copy_finish(o->copy) : 0;
	int end = outfile_close(&o->file, complete && !err);

	copy_free(o->copy);
	if (err || end)
		tell_unwritable(o, err ? err : end, "make room, or write elsewhere");
	else if (complete && !o->quiet && !o->file.given)
		tell(o->name, "written");
}

/* ---- messages ----------------------------------------------------------------------- */

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
		tell(title, "%s; saved %s of %s, %s", state(st), COUNT(r->records, "record"),
		     COUNT(st->frames, "frame"), COUNT(r->samples, "sample"));
	if (st->damages)
		tell(title, "%s", damage_text(st, damage, sizeof(damage)));
	else if (st->problem)
		tell(title, "%s", st->what);
	if (r->broken)
		tell(title, "left out %s that violate the format, the first: %s",
		     COUNT(r->broken, "record"), r->first_broken);
	if (r->lost)
		tell(title, "records refer to lost definitions %s", COUNT(r->lost, "time"));
	if (r->torn)
		tell(title,
		     "%" PRIu64 " ticks whose exact times do not add up: counted as torn readings",
		     r->torn);
	if (st->unknown_types || st->unknown_keys)
		tell(title, "left out %s and %s that belong to a newer format",
		     COUNT(st->unknown_types, "record"), COUNT(st->unknown_keys, "field"));
}

static bool is_of_input(int err)
{
	return err == -EBADMSG || err == -EMEDIUMTYPE || err == -EPROTONOSUPPORT;
}

static void tell_failed(const char *title, struct output *o, const struct trace_status *st,
			const struct sound_result *r, uint64_t memory, int err)
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
		tell_unwritable(o, err, "make room, or write elsewhere");
	o->failed = st->problem != TRACE_IO && !is_of_input(err);
}

/* ---- copying ----------------------------------------------------------------------------- */

/*
 * The context of see_name(), which notes the name of the part for messages, then runs the edit function of `options`.
 */
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

/* Returns true if a file was copied without any problem to report. */
static bool is_sound(const struct trace_status *st, const struct sound_result *r)
{
	return st->ended && !st->damages && !st->problem && !r->broken && !r->lost && !r->torn &&
	       !st->unknown_types && !st->unknown_keys;
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
	else if (!o->quiet && !(o->several && is_sound(st, &r)))
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

/*
 * Copies a part into OUT, as copy_files() does. The reader of the input must be at the start of the
 * part.
 */
static bool copy_opened(struct input *in, const char *out, const struct copy_options *options,
			bool quiet)
{
	struct output o = { .name = out, .file = OUTFILE_NONE, .quiet = quiet };
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
 * Copies all parts of a command's inputs into OUT, one after the other: opens the files, copies
 * them, and reports errors and, unless quiet, results. Copies as much of a damaged input as
 * possible. Returns false on an error. OUT may be "-", but not one of the inputs.
 */
static bool copy_files(const struct copy_input *in, size_t n, const char *out, bool quiet)
{
	struct output o = { .name = out, .file = OUTFILE_NONE, .quiet = quiet, .several = n > 1 };

	for (size_t i = 0; i < n; i++)
		if (input_is_output(in[i].file, "trace", out))
			return false;
	return copy_inputs(&o, in, n);
}

bool copy_to_fd(const struct copy_input *in, size_t n, int fd, const char *name)
{
	struct output o = { .name = name,
			    .file = { .fd = fd, .dir = -1, .given = true },
			    .quiet = true };

	return copy_inputs(&o, in, n);
}

/* ---- several inputs ------------------------------------------------------------------------ */

/* An input of a command that combines several inputs into one file. */
struct source {
	/*
	 * length of the new name of the hosts, which precedes "=FILE"; 0 if the hosts keep their
	 * names
	 */
	size_t len;
	const char *name;
	unsigned int parts;
	char host[300]; /* name of the host of the part that is being copied */
	/* shared by the files of one recording that are joined; NULL if the file is not joined */
	struct join *join;
};

struct sources {
	size_t n;
	struct copy_input *in;
	struct source *at;
};

/* Names the part: the second part of an input is called NAME.2. */
static int name_part(struct source *n, struct trace_record *rec)
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

/* Edits the records of a part. It is a copy_edit_fn. */
static int edit_part(void *ctx, struct trace_record *rec)
{
	struct source *s = ctx;
	int verdict = name_part(s, rec);

	return verdict == COPY_IT && s->join ? join_edit(s->join, rec) : verdict;
}

/* Sets up the sources from the operands. Returns 0 or -ENOMEM. The caller must free the sources in any case. */
static int sources_init(struct sources *s, const char *const *file, size_t n, uint64_t memory)
{
	*s = (struct sources){ .in = calloc(n, sizeof(*s->in)), .at = calloc(n, sizeof(*s->at)) };
	if (!s->in || !s->at)
		return -ENOMEM;
	for (s->n = 0; s->n < n; s->n++)
		s->in[s->n] = (struct copy_input){ file[s->n],
						   { .edit = edit_part,
						     .ctx = &s->at[s->n],
						     .memory = memory,
						     .goes_on = true } };
	return 0;
}

static void sources_free(struct sources *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (!i || s->at[i].join != s->at[i - 1].join)
			join_free(s->at[i].join);
	free(s->at);
	free(s->in);
}

static void tell_missing(const char *before, const char *file, const struct join_ends *a,
			 const struct join_ends *b)
{
	tell(file,
	     "begins %.3f s after the end of %s, and the files between them are missing; what comes before and after the gap is reported separately",
	     (double)(b->first_ns - a->last_ns) / 1e9, before);
}

/* Makes input i continue the previous one. Returns 0 or -ENOMEM. */
static int join_source(struct sources *s, size_t i)
{
	struct join **before = &s->at[i - 1].join;

	if (!*before)
		*before = join_new(s->in[i].options.memory);
	if (!*before)
		return -ENOMEM;
	s->at[i].join = *before;
	s->in[i].options.goes_on = true;
	if (!s->in[i - 1].options.goes_on)
		s->in[i - 1].options.derived = reason_joined;
	return 0;
}

/*
 * Sets options.goes_on of the inputs that continue the previous input. On entry, goes_on is true for the inputs that
 * are allowed to continue the previous input. Reports files that are missing between two inputs. related: set to true
 * if every input continues the previous input, with or without missing files between them. Returns 0 or -ENOMEM.
 */
static int sources_join(struct sources *s, bool *related)
{
	struct join_ends before, ends = { 0 };
	int err = 0;

	*related = s->n > 0;
	for (size_t i = 0; !err && s->n > 1 && i < s->n; i++) {
		bool may = s->in[i].options.goes_on;

		s->in[i].options.goes_on = false;
		before = ends;
		join_look(s->in[i].file, &ends);
		if (!i)
			continue;
		if (may && join_misses(&before, &ends))
			tell_missing(s->in[i - 1].file, s->in[i].file, &before, &ends);
		else if (may && join_follows(&before, &ends))
			err = join_source(s, i);
		else
			*related = false;
	}
	return err;
}

/*
 * Copies the inputs into a temporary file, which becomes standard input. Standard input is a duplicate of the file's
 * descriptor, because fclose() closes the original.
 */
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

static bool is_readable(const char *file)
{
	bool readable = !strcmp(file, "-") || !access(file, R_OK);

	if (!readable)
		tell(file, "%s; check the path and its permissions", strerror(errno));
	return readable;
}

enum exit_status joined_stdin(const char *const *file, size_t n, uint64_t memory)
{
	static char name[600];
	enum exit_status status = EXIT_FAILED;
	struct sources s;
	bool related;

	for (size_t i = 0; i < n; i++)
		if (!is_readable(file[i]))
			return EXIT_FAILED;
	if (sources_init(&s, file, n, memory) || sources_join(&s, &related)) {
		tell(file[0], "out of memory");
	} else if (!related) {
		tell(file[0],
		     "and the other files are not recognised as one recording; give one FILE, or merge them with merge -o");
		status = EXIT_USAGE;
	} else {
		snprintf(name, sizeof(name), "%.255s to %.255s", file[0], file[n - 1]);
		input_call_stdin(name);
		status = copy_to_stdin(s.in, n);
	}
	sources_free(&s);
	return status;
}

/* ---- merge --------------------------------------------------------------------------------- */

/* Splits an operand such as "web1=a.nct" into name and file. "./x=1/a.nct" has no name. */
static const char *split_name(const char *operand, struct source *s)
{
	size_t len = strcspn(operand, "=/");

	if (operand[len] != '=' || !len)
		return operand;
	s->name = operand;
	s->len = len < 256 ? len : 255;
	return operand + len + 1;
}

static bool same_name(const struct source *a, const struct source *b)
{
	return a->len == b->len && !memcmp(a->name ? a->name : "", b->name ? b->name : "", a->len);
}

enum exit_status merge_run(const struct options *o)
{
	struct sources s;
	bool ok = !sources_init(&s, o->operand, o->noperands, o->memory), related;

	for (size_t i = 0; i < s.n; i++) {
		s.in[i].file = split_name(o->operand[i], &s.at[i]);
		s.in[i].options.goes_on = i && same_name(&s.at[i - 1], &s.at[i]);
	}
	if (ok && !sources_join(&s, &related)) {
		ok = copy_files(s.in, s.n, o->output, o->quiet);
	} else {
		tell(o->output, "out of memory");
		ok = false;
	}
	sources_free(&s);
	return ok ? EXIT_DONE : EXIT_FAILED;
}

/* ---- recover ------------------------------------------------------------------------------- */

enum exit_status recover_run(const struct options *o)
{
	const struct copy_input in = { o->file,
				       { .memory = o->memory, .derived = reason_recover } };

	return copy_files(&in, 1, o->output, o->quiet) ? EXIT_DONE : EXIT_FAILED;
}

/* ---- cut ----------------------------------------------------------------------------------- */

struct cut_job {
	struct cut_source source;
	struct cut_plan plan;
	struct cut *cut;
	char range[80], done[160];
};

/* Returns the number of the named part; 0 if no part has the name, which is reported. */
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

	snprintf(t->done, sizeof(t->done), "%s: %s, %s", t->range, COUNT(ticks, "tick"),
		 COUNT(result->samples, "sample"));
	return t->done;
}

static int cut_edit_part(void *ctx, struct trace_record *rec)
{
	struct cut_job *t = ctx;

	return cut_edit(t->cut, rec);
}

/* Writes the selected time range, for which it makes a new reader of the input. */
static bool write_part(struct cut_job *t, struct input *in, const char *out, bool quiet)
{
	const struct copy_options options = {
		.edit = cut_edit_part, .ctx = t, .memory = in->memory, .done = cut_done
	};
	double begin_s, end_s;
	int err;

	trace_reader_free(in->reader);
	in->reader = NULL;
	err = cut_reader(&in->reader, &t->source, t->plan.begin_ns, t->plan.end_ns, false);
	if (err) {
		tell(in->name, "cannot be read again: %s", strerror(-err));
		return false;
	}
	in->number = t->source.part - 1;
	cut_plan_range(&t->plan, &begin_s, &end_s);
	snprintf(t->range, sizeof(t->range), "%.3f s to %.3f s", begin_s, end_s);
	return copy_opened(in, out, &options, quiet);
}

static bool cut(struct cut_job *t, struct input *in, const struct options *o)
{
	const char *part = o->part;
	int err;

	t->source.fd = in->fd;
	t->source.part = part ? find_part(in, part) : 1;
	t->source.chosen = part;
	trace_index_new(&t->source.index); /* if this fails, each reader makes its own index */
	if (!t->source.part)
		return false;
	err = cut_plan_make(&t->plan, &t->source, &o->filter.from, &o->filter.to);
	if (!err)
		t->cut = cut_new(&t->plan);
	if (err == -ENOMEM || (!err && !t->cut))
		tell(in->name, "out of memory");
	else if (err)
		tell(in->name, "nothing to cut: %s", t->plan.why);
	return t->cut && write_part(t, in, o->output, o->quiet);
}

enum exit_status cut_run(const struct options *o)
{
	const char *file = o->file;
	struct cut_job t = { 0 };
	struct input in;
	bool ok = false;

	if (!input_open(&in, file, o->memory))
		return EXIT_FAILED;
	if (!input_is_output(file, "trace", o->output) && input_make_seekable(&in))
		ok = cut(&t, &in, o);
	cut_free(t.cut);
	cut_plan_free(&t.plan);
	input_close(&in);
	trace_index_free(t.source.index);
	return ok ? EXIT_DONE : EXIT_FAILED;
}

/* ---- scrub --------------------------------------------------------------------------------- */

#define LIST_SIZE 160

/* Writes a list of the classes of a set, or of all classes: "tasks, pids". */
static const char *list_classes(unsigned int set, const char *between, char *dst, size_t size)
{
	*dst = '\0';
	for (unsigned int c = TRACE_PUBLIC + 1; c < TRACE_PRIVACIES; c++)
		if (set & 1u << c)
			text_append(dst, size, between, "%s", scrub_class_desc[c].name);
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
		list_classes(~0u, ", ", all, sizeof(all)));
	return false;
}

enum exit_status scrub_run(const struct options *o)
{
	char derived[LIST_SIZE + 16], kept[LIST_SIZE];
	struct copy_input in = { o->file,
				 { .edit = scrub_edit, .memory = o->memory, .derived = derived } };
	unsigned int keep;
	bool ok;

	if (!parse_keep(o->keep, &keep))
		return EXIT_USAGE;
	snprintf(derived, sizeof(derived), keep ? reason_scrub_kept : reason_scrub,
		 list_classes(keep, ",", kept, sizeof(kept)));
	in.options.ctx = scrub_new(keep, o->memory);
	if (!in.options.ctx) {
		tell(input_name(o->file), "out of memory");
		return EXIT_FAILED;
	}
	ok = copy_files(&in, 1, o->output, o->quiet);
	scrub_free(in.options.ctx);
	return ok ? EXIT_DONE : EXIT_FAILED;
}
