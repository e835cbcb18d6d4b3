// SPDX-License-Identifier: BSD-2-Clause
/* The actions of a session; the loop decides when to call them. */
#include "session_impl.h"

#include <netcost/trace.h>

#include "record/base/clock.h"
#include "record/base/msg.h"
#include "record/exact/programs.h"
#include "record/intern/batch.h"
#include "record/intern/cgroups.h"
#include "record/intern/symbols.h"
#include "record/intern/tasks.h"
#include "record/intern/user_code.h"
#include "record/mark/mark.h"
#include "record/sample/sampler.h"
#include "record/source/online.h"

static void task_renamed(void *ctx, uint32_t tgid, uint32_t tid, const char *comm)
{
	struct session *s = ctx;

	tasks_renamed(s->tasks, tgid, tid, comm);
	if (tgid == tid) /* the process may have executed another program */
		user_code_forget(s->user_code, tgid, false);
}

static void task_exited(void *ctx, uint32_t tid)
{
	struct session *s = ctx;

	tasks_exited(s->tasks, tid);
	user_code_forget(s->user_code, tid, true);
}

static void cgroup_made(void *ctx, uint64_t cgroup, const char *path)
{
	struct session *s = ctx;

	if (s->cgroups)
		cgroups_made(s->cgroups, cgroup, path);
}

int session_drain(struct session *s)
{
	const struct sampler_sink sink = { s, session_take_samples, task_renamed, task_exited,
					   cgroup_made };

	return s->sampler ? sampler_drain(s->sampler, &sink) : 0;
}

int session_on_ring(struct session *s)
{
	size_t samples = 0;
	int err = session_drain(s);

	for (unsigned int i = 0; i < s->cpus.n; i++)
		samples += s->batch[i].n;
	/* a sample is about five bytes before compression, so write a full frame of samples at once */
	return !err && samples > 200000 ? session_write_data(s) : err;
}

/*
 * Counts lost samples. Writes the source of the samples again when more is known, because the recording may be killed.
 */
int session_tend(struct session *s)
{
	int err;

	if (!s->sampler || sampler_lives(s->sampler))
		return 0;
	err = session_drain(s);
	if (err || !sampler_tend(s->sampler))
		return err;
	return session_write_samples_source(s);
}

/* Starts the next file. All samples until the tick go to the file that ends with this tick. */
static int rotate(struct session *s)
{
	int err = session_rotate_next(s);

	return err ? err : session_rotate(s, session_drain(s));
}

int session_on_tick(struct session *s)
{
	int err = session_tend(s);

	if (!err)
		err = session_rotate_due(s) ? rotate(s) : session_write_tick(s);
	if (err || s->cfg->cpus.n || !online_found_late(s->online_now))
		return err;
	msg("warning: CPU %s came online: it is not recorded; start a new recording to include it",
	    online_late(s->online_now));
	return session_write_cpus_source(s);
}

int session_on_flush(struct session *s)
{
	int err = session_drain(s);

	if (!err)
		err = session_write_data(s);
	marks_refill(s->marks, now_ns());
	/* an error is ignored; names are then missing, but the recording continues */
	if (!err && s->symbols)
		symbols_refresh(s->symbols);
	return err;
}

int session_on_count(struct session *s)
{
	programs_count(s->programs);
	return 0;
}

int session_on_look(struct session *s)
{
	programs_look(s->programs);
	return 0;
}

int session_on_uncount(struct session *s)
{
	programs_uncount(s->programs);
	return 0;
}

static int write_mark(void *ctx, uint64_t at_ns, const char *text)
{
	return session_write_mark(ctx, at_ns, text);
}

int session_on_mark(struct session *s, const char *signal)
{
	return marks_allow(s->marks) ? session_write_mark(s, now_ns(), signal) : 0;
}

int session_on_call(struct session *s)
{
	const struct marks_sink sink = { s, s->start_ns, write_mark };

	return marks_take(s->marks, &sink);
}

int session_on_post(struct session *s)
{
	post_reap(&s->post);
	return 0;
}
