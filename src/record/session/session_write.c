// SPDX-License-Identifier: BSD-2-Clause
/* Writes a session's trace. */
#include "session_impl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include <netcost/trace.h>

#include "record/base/clock.h"
#include "record/base/msg.h"
#include "record/base/procfs.h"
#include "record/exact/exact.h"
#include "record/exact/outside.h"
#include "record/exact/owners.h"
#include "record/exact/processes.h"
#include "record/exact/programs.h"
#include "record/intern/batch.h"
#include "record/intern/cgroups.h"
#include "record/intern/id_limits.h"
#include "record/intern/process_ids.h"
#include "record/intern/stacks.h"
#include "record/intern/symbols.h"
#include "record/intern/tasks.h"
#include "record/kernel/admin.h"
#include "record/mark/mark.h"
#include "record/sample/sampler.h"
#include "record/source/online.h"
#include "record/source/source.h"

#define FRAME_BYTES (1u << 20) /* a frame is written when it has this size, even if it is recent */

int session_write_mark(struct session *s, uint64_t at_ns, const char *text)
{
	trace_writer_time(s->w, at_ns);
	trace_writer_begin(s->w, TRACE_MARK);
	trace_writer_uint(s->w, TRACE_MARK_AT_NS, at_ns);
	trace_writer_str(s->w, TRACE_MARK_TEXT, text);
	return trace_writer_end(s->w);
}

/* ---- ticks ------------------------------------------------------------------------------- */

/*
 * Writes a column with one value per CPU. first points to the value in the first CPU's reading; the other readings have
 * their values at the same offset. The value is nil if it is unknown, or if the CPU was not seen yet.
 */
static void put_column(struct session *s, unsigned int key, const uint64_t *first, bool known)
{
	for (unsigned int i = 0; i < s->cpus.n; i++) {
		const char *value = (const char *)first + i * sizeof(*s->reading);

		s->column[i] = known && s->reading[i].at_ns ? *(const uint64_t *)value : TRACE_NIL;
	}
	trace_writer_uints(s->w, key, s->column, s->cpus.n);
}

/* Returns how long packets were not followed since the previous tick. Such a pause begins and ends with ticks. */
static uint64_t unfollowed_ns(const struct session *s, uint64_t at_ns)
{
	return s->following || !sources_follow(s->sources) ? 0 : at_ns - s->tick_ns;
}

static int write_tick(struct session *s, uint64_t at_ns)
{
	for (unsigned int i = 0; i < s->cpus.n; i++)
		if (s->reading[i].at_ns)
			/* the reading may be older than the tick */
			trace_writer_time(s->w, s->reading[i].at_ns);
	trace_writer_begin(s->w, TRACE_TICK);
	trace_writer_uint(s->w, TRACE_TICK_AT_NS, at_ns);
	trace_writer_u32s(s->w, TRACE_TICK_CPU, s->cpus.cpu, s->cpus.n);
	put_column(s, TRACE_TICK_EXACT_NS, &s->reading->at_ns, true);
	if (s->cfg->path_in_windows)
		trace_writer_uint(s->w, TRACE_TICK_UNFOLLOWED_NS, unfollowed_ns(s, at_ns));
	s->tick_ns = at_ns;
	return trace_writer_end(s->w);
}

static int write_exact_event(struct session *s, int event)
{
	const struct exact_reading *r = s->reading;
	bool counted = ladder_rung(&s->ladder, event) != RUNG_SAMPLES;

	trace_writer_begin(s->w, TRACE_EXACT);
	trace_writer_uint(s->w, TRACE_EXACT_EVENT, (uint64_t)event);
	put_column(s, TRACE_EXACT_NS, &r->ns[event], ladder_times(&s->ladder, event));
	put_column(s, TRACE_EXACT_CALLS, &r->calls[event], counted);
	put_column(s, TRACE_EXACT_FAILED, &r->failed[event], counted);
	put_column(s, TRACE_EXACT_BYTES, &r->bytes[event], counted);
	if (ladder_counts_packets(&s->ladder, event))
		put_column(s, TRACE_EXACT_PACKETS, &r->packets[event], true);
	return trace_writer_end(s->w);
}

static int write_exact_stage(struct session *s, enum netcost_part stage)
{
	const struct exact_reading *r = s->reading;

	trace_writer_begin(s->w, TRACE_EXACT_PART);
	trace_writer_uint(s->w, TRACE_EXACT_PART_PART, stage);
	put_column(s, TRACE_EXACT_PART_NS, &r->stage_ns[stage], true);
	put_column(s, TRACE_EXACT_PART_TOTAL_NS, &r->stage_total_ns[stage], true);
	put_column(s, TRACE_EXACT_PART_CALLS, &r->stage_calls[stage], true);
	return trace_writer_end(s->w);
}

static int write_exact_loss(struct session *s)
{
	const struct exact_reading *r = s->reading;
	bool witness = s->ladder.witness;

	for (unsigned int i = 0; i < s->cpus.n; i++)
		s->torn += r[i].torn;
	trace_writer_begin(s->w, TRACE_EXACT_LOSS);
	put_column(s, TRACE_EXACT_LOSS_UNTRACKED, &r->untracked, true);
	put_column(s, TRACE_EXACT_LOSS_SENDS_OUTSIDE, &r->sends_outside, witness);
	put_column(s, TRACE_EXACT_LOSS_RECVS_OUTSIDE, &r->recvs_outside, witness);
	put_column(s, TRACE_EXACT_LOSS_SENDS_INSIDE, &r->sends_inside, witness);
	put_column(s, TRACE_EXACT_LOSS_RECVS_INSIDE, &r->recvs_inside, witness);
	trace_writer_uint(s->w, TRACE_EXACT_LOSS_TORN, s->torn);
	if (s->ladder.stages != RUNG_SAMPLES)
		put_column(s, TRACE_EXACT_LOSS_PARTS_MISSED, &r->stages_missed, true);
	if (s->ladder.stages == RUNG_TRACEPOINT)
		put_column(s, TRACE_EXACT_LOSS_POLLS_OUTSIDE, &r->polls_outside, true);
	put_column(s, TRACE_EXACT_LOSS_OFFLINE_NS, &r->offline_ns, true);
	if (s->cfg->budget_ppm)
		put_column(s, TRACE_EXACT_LOSS_OFF_NS, &r->off_ns, true);
	return trace_writer_end(s->w);
}

/* Maximum time between the CPUs' readings and the swap of process rows, ns: MOMENT_NS plus MOMENT_CPU_NS per CPU. */
#define MOMENT_NS 200000
#define MOMENT_CPU_NS 20000 /* more than the reading of a CPU takes */

static void read_each_cpu(struct session *s, bool stopped, const bool *offline)
{
	for (unsigned int i = 0; i < s->cpus.n; i++)
		exact_read(s->exact, s->cpus.cpu[i], stopped && offline[i], &s->reading[i]);
}

static void read_cpus(struct session *s)
{
	bool stopped = s->attached && exact_look(s->exact);
	/* also detects CPUs that came online */
	const bool *offline = online_offline(s->online_now);
	struct processes *p = s->attached ? exact_processes(s->exact) : NULL;
	int tries = 3;
	uint64_t began;

	if (!s->attached) {
		memset(s->reading, 0, s->cpus.n * sizeof(*s->reading));
		return;
	}
	outside_look(exact_outside(s->exact));
	/* the rows of processes must cover the same time as the readings, so read again if this thread was preempted */
	do {
		began = now_ns();
		read_each_cpu(s, stopped, offline);
	} while (p && now_ns() - began > MOMENT_NS + s->cpus.n * MOMENT_CPU_NS && --tries);
	if (p)
		processes_turn(p);
}

/*
 * Writes the exact counters. TICK is the first record and has the time of each CPU's reading, so all CPUs are read
 * before TICK is written.
 */
static int write_exact(struct session *s)
{
	uint64_t at_ns = now_ns();
	int err;

	trace_writer_time(s->w, at_ns);
	read_cpus(s);
	err = write_tick(s, at_ns);
	if (!s->attached)
		return err;
	for (int e = 0; e < NETCOST_EV_COUNT && !err; e++)
		err = write_exact_event(s, e);
	for (enum netcost_part p = 0; p < NETCOST_PART_COUNT && !err; p++)
		if (ladder_stage_rung(&s->ladder, p) != RUNG_SAMPLES)
			err = write_exact_stage(s, p);
	if (!err)
		err = probe_costs_write_runs(&s->ladder, s->reading, s->cpus.n, !s->ticked,
					     s->column, s->w);
	s->ticked = true;
	return err ? err : write_exact_loss(s);
}

/*
 * Writes the messages that no probe saw. The record covers all CPUs, so it is not written with the counters of only
 * some CPUs.
 */
static int write_outside(struct session *s)
{
	return s->attached && !s->cfg->cpus.n ? outside_write(exact_outside(s->exact), s->w) : 0;
}

static int write_processes(struct session *s)
{
	struct processes *p = s->attached ? exact_processes(s->exact) : NULL;
	struct owners *o = p ? exact_owners(s->exact) : NULL;
	bool pids = procfs_initial_pids();
	int err = 0;

	if (p)
		err = processes_write(p, &s->cpus, &s->ladder, s->cgroups, pids, s->w);
	if (o && !err)
		err = owners_write(o, &s->cpus, processes_ids(p), s->cgroups, pids, s->w);
	return err;
}

static bool is_full(const struct session *s)
{
	const struct processes *p = s->exact ? exact_processes(s->exact) : NULL;

	return (s->sampler && tasks_full(s->tasks)) || (s->cgroups && cgroups_full(s->cgroups)) ||
	       (p && process_ids_full(processes_ids(p)));
}

/* Reports once per file that ids have run out. */
static void say_if_full(struct session *s)
{
	if (s->said_full || !is_full(s))
		return;
	s->said_full = true;
	msg("%s: the file reached its maximum number of threads, processes or cgroups (%u, %u, %u): further threads, processes or cgroups are recorded as one group. With --rotate, a new file begins before this limit",
	    s->out.path, ID_LIMIT_TASKS, ID_LIMIT_PROCESSES, ID_LIMIT_CGROUPS);
}

/* Ends the tick. Also ends the frame if there are many CPUs or ticks are short. */
static int end_tick(struct session *s)
{
	say_if_full(s);
	trace_writer_time(s->w, now_ns());
	return trace_writer_pending(s->w) >= FRAME_BYTES ? session_write_data(s) : 0;
}

int session_write_window(struct session *s, bool follow)
{
	int err = write_exact(s);

	if (!err && s->cfg->path_in_windows) {
		err = sources_tick_window(s->sources, follow, s->w);
		s->following = follow && sources_follow(s->sources);
	}
	if (!err)
		err = write_outside(s);
	if (!err)
		err = write_processes(s);
	return err ? err : end_tick(s);
}

static int write_sample_loss(struct session *s)
{
	unsigned int n = s->cpus.n;
	uint64_t *lost = s->column, *throttled = lost + n, *unsampled_ns = throttled + n;

	for (unsigned int i = 0; i < n; i++) {
		struct sampler_loss l = sampler_loss(s->sampler, i);

		lost[i] = session_samples_lost(s, i);
		throttled[i] = l.throttled;
		unsampled_ns[i] = l.unsampled_ns;
		trace_writer_lost(s->w, i, lost[i]);
	}
	trace_writer_begin(s->w, TRACE_SAMPLE_LOSS);
	trace_writer_uints(s->w, TRACE_SAMPLE_LOSS_WRITTEN, s->written, n);
	trace_writer_uints(s->w, TRACE_SAMPLE_LOSS_LOST, lost, n);
	trace_writer_uints(s->w, TRACE_SAMPLE_LOSS_THROTTLED, throttled, n);
	trace_writer_uints(s->w, TRACE_SAMPLE_LOSS_UNSAMPLED_NS, unsampled_ns, n);
	trace_writer_uints(s->w, TRACE_SAMPLE_LOSS_CUT, s->cut, n);
	return trace_writer_end(s->w);
}

static uint64_t timeval_us(struct timeval tv)
{
	return (uint64_t)tv.tv_sec * 1000000u + (uint64_t)tv.tv_usec;
}

static int write_self(struct session *s)
{
	uint64_t began_ns = now_ns(), ended_ns;
	struct rusage ru;

	getrusage(RUSAGE_SELF, &ru);
	ended_ns = now_ns();
	/* the kernel sums approximate per-CPU counts (6.2), so the number may decrease by some pages */
	if ((uint64_t)ru.ru_maxrss > s->maxrss_kib)
		s->maxrss_kib = (uint64_t)ru.ru_maxrss;
	trace_writer_begin(s->w, TRACE_SELF);
	trace_writer_uint(s->w, TRACE_SELF_USER_US, timeval_us(ru.ru_utime));
	trace_writer_uint(s->w, TRACE_SELF_SYSTEM_US,
			  timeval_us(ru.ru_stime) + admin_cpu_ns(s->admin) / 1000);
	trace_writer_uint(s->w, TRACE_SELF_MAXRSS_KIB, s->maxrss_kib);
	trace_writer_uint(s->w, TRACE_SELF_WRITTEN, s->bytes_before + trace_writer_bytes(s->w));
	return source_end(s->w, began_ns, ended_ns);
}

/* Writes a tick. All its records go into one frame, except those that the writer puts apart, into the frame before. */
int session_write_tick(struct session *s)
{
	int err;

	/* records that contain differences between ticks, or ids of the file, go to this file only */
	trace_writer_follow(s->w, s->next.w);
	err = write_exact(s);
	if (!err)
		err = sources_tick(s->sources, !s->following, s->w);
	if (!err && s->sampler)
		err = write_sample_loss(s);
	if (!err && s->programs)
		err = programs_tick(s->programs, s->w);
	if (!err && s->exact)
		err = probe_costs_write(&s->costs, &s->ladder, s->sampler, false, s->w);
	if (!err)
		err = write_self(s);
	trace_writer_time(s->w, now_ns());
	trace_writer_follow(s->w, NULL);
	if (!err)
		err = write_outside(s);
	if (!err)
		err = write_processes(s);
	return err ? err : end_tick(s);
}

/* ---- data and the end of the trace ------------------------------------------------------- */

int session_write_data(struct session *s)
{
	int err = 0;

	if (s->sampler) {
		err = symbols_write(s->symbols, s->w);
		if (!err)
			err = stacks_write(s->stacks, s->w);
		if (!err)
			err = tasks_write(s->tasks, s->w);
		if (!err && s->cgroups)
			err = cgroups_write(s->cgroups, s->w);
		/* samples have their own frames, so that a reader of a part of the time can skip other frames */
		if (!err)
			err = trace_writer_end_frame(s->w);
		for (unsigned int i = 0; i < s->cpus.n && !err; i++) {
			err = batch_write(&s->batch[i], s->w);
			if (!err && trace_writer_pending(s->w) >= FRAME_BYTES)
				err = trace_writer_flush(s->w);
		}
	}
	return err ? err : trace_writer_flush(s->w);
}

int session_write_rest(struct session *s)
{
	int err = session_write_clock(s);

	if (!err)
		err = session_write_samples_source(s);
	if (!err)
		err = session_write_marks_source(s);
	return err ? err : session_write_data(s);
}

int session_write_end(struct session *s, const char *why)
{
	struct trace_totals t = { .samples = s->samples, .at_ns = now_ns(), .why = why };

	if (s->sampler) {
		t.symbols = symbols_count(s->symbols);
		t.stacks = stacks_count(s->stacks);
		t.tasks = tasks_count(s->tasks);
	}
	return trace_writer_finish(s->w, &t);
}
