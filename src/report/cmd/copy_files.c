// SPDX-License-Identifier: BSD-2-Clause
#include "copy_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/base/outfile.h"
#include "report/base/part.h"

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

bool copy_opened(struct input *in, const char *out, const struct copy_options *options, bool quiet)
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

bool copy_files(const struct copy_input *in, size_t n, const char *out, bool quiet)
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
