// SPDX-License-Identifier: BSD-2-Clause
/*
 * Writes a recording to several files (--rotate). One file ends and the next begins with the same tick, so that nothing
 * is lost between them. First the start of the new file is written, as for any file. Then the tick is written to both
 * files. Then the old file ends. A sample goes to the file that was current when the sample was taken out of the ring.
 */
#include "session_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/reasons.h>
#include <netcost/trace.h>

#include "record/base/clock.h"
#include "record/base/files.h"
#include "record/base/msg.h"
#include "record/exact/exact.h"
#include "record/exact/processes.h"
#include "record/intern/cgroups.h"
#include "record/intern/stacks.h"
#include "record/intern/symbols.h"
#include "record/intern/tasks.h"
#include "record/mark/mark.h"
#include "record/sample/sampler.h"
#include "record/source/context.h"

#define LEAST_NS 500000000ull /* minimum duration of a file */

/* ---- creation and release ---------------------------------------------------------------- */

int session_rotate_prepare(struct session *s)
{
	const struct config *cfg = s->cfg;
	int err = post_init(&s->post, cfg->post);

	s->unsampled_before = calloc(s->cpus.n, sizeof(*s->unsampled_before));
	if (!err && !s->unsampled_before)
		err = -ENOMEM;
	if (!err && (cfg->every.ns || cfg->every.bytes)) {
		err = series_init(&s->series, cfg->output, cfg->keep);
		s->series.most_bytes = cfg->max_size;
		s->name = calloc(2, sizeof(*s->name));
		if (!s->name)
			err = -ENOMEM;
		if (!err)
			err = files_delegate(&s->series.files, s->series.dir);
	}
	if (err)
		msg("cannot create files named like %s: %s", cfg->output, strerror(-err));
	else if (cfg->post && !series_is_private(&s->series)) {
		msg("--post: another user can replace files in the folder of %s, or in a folder above it, so the command might get a wrong file; choose a folder that only you and root can write to",
		    cfg->output);
		err = ERR_USAGE;
	} else if (session_has_ring(s) && !cfg->check) {
		err = blackbox_start(&s->blackbox, cfg);
	}
	return err;
}

void session_rotate_free(struct session *s)
{
	blackbox_end(&s->blackbox);
	post_free(&s->post);
	series_free(&s->series);
	files_end(s->series.files);
	free(s->name);
	free(s->unsampled_before);
}

void session_rotate_begin(struct session *s)
{
	uint64_t now = now_ns(), duration = s->cfg->duration_ns;

	s->began_ns = s->start_ns;
	s->rotate_ns = s->cfg->every.ns ? now + s->cfg->every.ns : UINT64_MAX;
	s->until_ns = duration ? s->start_ns + duration : UINT64_MAX;
	/* the preparation may have taken longer than a short recording: record for at least half of the duration */
	if (s->until_ns < now + duration / 2)
		s->until_ns = now + duration / 2;
}

/* ---- files ------------------------------------------------------------------------------- */

/* Chooses the name of a file, and opens the file under its temporary name. */
static int open_named(struct session *s, struct series_name *name)
{
	uint64_t real_s = clock_ns(CLOCK_REALTIME) / 1000000000u;
	char why[SESSION_WHY + PATH_MAX];
	int err;

	if (session_has_ring(s))
		return session_blackbox_open(s);
	err = series_open(&s->series, real_s, name, &s->out, why, sizeof(why));
	if (!err)
		return session_begin_output(s, name->part);
	msg("%s", why);
	return err;
}

/*
 * Sets the final file name that the answers to --mark contain. With --ring, passes the new piece to the child process.
 */
static void tell_name(struct session *s)
{
	char path[2 * PATH_MAX];

	if (session_has_ring(s)) {
		marks_set_file(s->marks, "its black box");
		blackbox_send(&s->blackbox, BLACKBOX_PIECE, s->out.fd);
		return;
	}
	series_real_path(&s->series, &s->name[s->at], path, sizeof(path));
	marks_set_file(s->marks, path);
}

int session_rotate_open(struct session *s)
{
	int err = s->name ? open_named(s, &s->name[s->at]) : session_open_output(s, s->cfg->output);

	if (!err && s->name)
		tell_name(s);
	else if (!err)
		marks_set_file(s->marks, s->cfg->output);
	return err;
}

int session_rotate_finish(struct session *s)
{
	if (!s->name)
		return 0;
	if (session_has_ring(s))
		return session_blackbox_end(s);
	session_finish_file(s, &s->out, &s->name[s->at]);
	return s->series.unnamed ? -EIO : 0;
}

/* ---- changing to the next file ----------------------------------------------------------- */

/* Returns true if the next file is due: only at a tick, and not near the end of the recording. */
bool session_rotate_due(const struct session *s)
{
	uint64_t now = now_ns(), half = s->cfg->tick_ns / 2;

	if (!s->name || now < s->start_ns + LEAST_NS || now + half >= s->until_ns)
		return false;
	if (s->cfg->every.bytes && trace_writer_bytes(s->w) >= s->cfg->every.bytes)
		return true;
	return now + half >= s->rotate_ns;
}

/* Saves the current output, so that another file can be written for a while. */
static struct session_file take(struct session *s)
{
	struct session_file f = { s->out, s->w, s->start_ns };

	s->w = NULL;
	s->out = (struct output){ .path = f.out.path, .fd = -1, .dir = -1 };
	return f;
}

static void give(struct session *s, const struct session_file *f)
{
	s->out = f->out;
	s->w = f->w;
	s->start_ns = f->start_ns;
}

static void drop(struct session_file *f)
{
	output_abandon(&f->out);
	trace_writer_free(f->w);
	*f = (struct session_file){ .out = OUTPUT_NONE };
}

/* Opens the next file. If that fails, everything stays as before. */
int session_rotate_next(struct session *s)
{
	int err = context_write(s->context, s->w);
	struct session_file this;

	if (err)
		return err;
	this = take(s);
	s->goes_on = true;
	s->stuck = open_named(s, &s->name[!s->at]);
	s->next = take(s);
	if (s->stuck)
		drop(&s->next);
	give(s, &this);
	return s->stuck;
}

/* Restarts all ids. */
static void begin_ids(struct session *s)
{
	struct processes *p = s->exact ? exact_processes(s->exact) : NULL;

	s->said_full = false;
	if (s->sampler) {
		symbols_again(s->symbols);
		stacks_again(s->stacks);
		tasks_again(s->tasks);
	}
	if (s->cgroups)
		cgroups_again(s->cgroups);
	if (p)
		processes_again(p, s->cgroups);
}

static void begin_counts(struct session *s)
{
	s->samples_before += s->samples;
	s->bytes_before += trace_writer_bytes(s->w);
	s->samples = 0;
	if (!s->attached)
		/* if the probes are attached, the last tick wrote the number of torn readings to the old file */
		s->torn = 0;
	for (unsigned int i = 0; s->sampler && i < s->cpus.n; i++)
		s->unsampled_before[i] = sampler_loss(s->sampler, i).unsampled_ns;
}

/* Writes this file's last tick, and the records after it. */
static int end_this(struct session *s)
{
	int err;

	s->ticked = false; /* the next tick writes all columns */
	err = session_write_tick(s);
	if (!err)
		err = session_write_rest(s);
	return err ? err : session_write_end(s, reason_goes_on);
}

static void go_on(struct session *s)
{
	begin_counts(s);
	begin_ids(s);
	trace_writer_free(s->w);
	give(s, &s->next);
	s->next = (struct session_file){ .out = OUTPUT_NONE };
	output_settle(&s->out);
	s->at = !s->at;
	tell_name(s);
	while (s->rotate_ns <= s->start_ns + s->cfg->tick_ns / 2)
		s->rotate_ns += s->cfg->every.ns;
}

int session_rotate(struct session *s, int err)
{
	struct series_name *name = &s->name[s->at];
	struct output out = s->out;

	if (!err)
		err = end_this(s);
	if (err) {
		drop(&s->next);
		return err;
	}
	go_on(s);
	if (session_has_ring(s))
		output_close(&out);
	else
		session_finish_file(s, &out, name);
	return 0;
}
