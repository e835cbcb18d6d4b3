// SPDX-License-Identifier: BSD-2-Clause
/*
 * Writes the output of a session's trace. A reader that pauses for a while loses nothing, because unread data is kept.
 * If the unread data grows too much, samples are dropped and counted. Symbols, stacks and tasks are never dropped,
 * because later records refer to them. A reader that never resumes loses the end of the trace; the recording still ends
 * in time.
 */
#include "session_impl.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include <netcost/trace.h>

#include "record/base/clock.h"
#include "record/base/msg.h"

#define QUEUE_BYTES (2 * SESSION_BEHIND)
/* At the end of the recording, a reader may pause for this time while it reads the remaining data. */
#define STILL_NS 2000000000ull
#define LONGEST_NS 10000000000ull
#define LOOK_MS 100

int session_open_output(struct session *s, const char *path)
{
	char why[SESSION_WHY + 4096];
	int err = output_open(&s->out, path, why, sizeof(why));

	if (err) {
		msg("%s", why);
		return err;
	}
	return session_begin_output(s, path);
}

int session_begin_output(struct session *s, const char *path)
{
	int err = trace_writer_new(&s->w, s->out.fd, s->sampler ? s->cpus.n : 0);

	if (!err)
		trace_writer_set_apart(s->w);
	if (!err && s->out.waits)
		trace_writer_queue(s->w, QUEUE_BYTES);
	if (!err)
		err = session_write_start(s);
	if (err)
		msg("cannot write %s: %s", path, strerror(-err));
	return err;
}

size_t session_waiting(const struct session *s)
{
	return trace_writer_waiting(s->w);
}

int session_push(struct session *s)
{
	return trace_writer_push(s->w);
}

/* Writes the remaining data. Returns -ETIMEDOUT if the reader has stopped, or is too slow. */
static int push_rest(struct session *s)
{
	struct pollfd ready = { .fd = s->out.fd, .events = POLLOUT };
	uint64_t begin = now_ns(), moved = begin, now = begin;
	size_t left = session_waiting(s);
	int err;

	while (!(err = session_push(s)) && session_waiting(s)) {
		now = now_ns();
		if (session_waiting(s) < left)
			moved = now;
		left = session_waiting(s);
		if (now - moved >= STILL_NS || now - begin >= LONGEST_NS)
			return -ETIMEDOUT;
		poll(&ready, 1, LOOK_MS);
	}
	return err;
}

static void say_cut(const struct session *s, int err)
{
	if (err == -ENOBUFS && s->out.waits)
		msg("%s: the reader is too slow: more than %u MiB of data are unread; the trace ends before this data",
		    s->out.path, QUEUE_BYTES >> 20);
	else
		msg("%s: %s; the trace ends with the data written so far", s->out.path,
		    strerror(-err));
}

int session_close_output(struct session *s, int err)
{
	uint64_t dropped = session_samples_dropped(s);
	int rest = push_rest(s);

	if (err)
		say_cut(s, err);
	if (rest == -ETIMEDOUT)
		msg("%s: the reader stopped before the last %.1f KiB; the trace is truncated there",
		    s->out.path, (double)session_waiting(s) / 1024);
	else if (rest && !err)
		say_cut(s, rest);
	if (dropped)
		msg("%s: the reader was too slow: %llu samples were lost", s->out.path,
		    (unsigned long long)dropped);
	return err ? err : rest ? rest : dropped ? -ENOBUFS : 0;
}

static void forget(void *ctx, const char *path)
{
	post_forget(ctx, path);
}

void session_finish_file(struct session *s, struct output *out, struct series_name *name)
{
	char path[2 * PATH_MAX];
	int err = series_finish(&s->series, name, out->fd);

	output_close(out);
	if (err == -ENOENT) {
		msg("%s was deleted during the recording: its data is lost", name->part);
		return;
	}
	if (err) {
		msg("cannot rename %s to %s: %s", name->part, name->name, strerror(-err));
		return;
	}
	series_real_path(&s->series, name, path, sizeof(path));
	post_add(&s->post, path);
	series_trim(&s->series, forget, &s->post);
}
