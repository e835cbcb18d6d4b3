// SPDX-License-Identifier: BSD-2-Clause
/* Plans a cut. The first pass reads HEADER, marks and END. The second pass reads the ticks around the part. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rewrite.h"

#define SECOND_NS 1000000000ull

/* ---- reading ----------------------------------------------------------------------------- */

int cut_reader(struct trace_reader **r, const struct cut_source *s, uint64_t from_ns,
	       uint64_t to_ns, bool bare)
{
	int err = lseek(s->fd, 0, SEEK_SET) < 0 ? -errno : trace_reader_new(r, s->fd);

	if (err)
		return err;
	trace_reader_set_recover(*r, s->recover);
	trace_reader_set_window(*r, from_ns, to_ns);
	if (bare)
		trace_reader_set_bare(*r);
	if (s->index)
		trace_reader_set_index(*r, s->index);
	for (unsigned int part = 1; part < s->part && err >= 0; part++) {
		err = trace_reader_part(*r);
		err = err ? err : -EBADMSG; /* 0: the part has disappeared since it was selected */
	}
	if (err >= 0)
		return 0;
	trace_reader_free(*r);
	*r = NULL;
	return err;
}

/* A pass over the trace, and its results. */
struct pass {
	struct cut_plan *plan;
	const struct time_arg *from, *to;

	/* The next members describe the whole trace. */
	uint64_t start_ns, end_ns, tick_ns; /* from HEADER and END */
	/*
	 * times of the first and last mark with the requested names; TRACE_NIL if there is no such
	 * mark
	 */
	uint64_t mark_from_ns, mark_to_ns;
	struct trace_status st;

	/* The next members describe the requested range and the data around the range. */
	uint64_t from_ns, to_ns;
	/* ticks before and after the range; TRACE_NIL: the trace has no such tick */
	uint64_t before_ns, after_ns;
	/* set if the last TICK has set before_ns or after_ns */
	bool before, after;
	uint64_t seq;		 /* seq of the current frame */
	bool timed;		 /* the frame has times */
	uint32_t *order, norder; /* CPUs of the last TICK */
	/* number of ticks; number of ticks and samples in the range */
	uint64_t ticks, inside;
};

typedef int see_fn(struct pass *p, const struct trace_record *rec);

static int read_window(struct pass *p, struct cut_source *s, uint64_t from_ns, uint64_t to_ns,
		       bool bare, see_fn *const see[])
{
	struct trace_record rec;
	struct trace_reader *r;
	int err = cut_reader(&r, s, from_ns, to_ns, bare);

	if (err) {
		snprintf(p->plan->why, sizeof(p->plan->why), "cannot be read again: %s",
			 strerror(-err));
		return err;
	}
	while ((err = trace_reader_next(r, &rec)) > 0) {
		err = see[rec.type] ? see[rec.type](p, &rec) : 0;
		if (err)
			break;
	}
	p->st = *trace_reader_status(r);
	trace_reader_free(r);
	snprintf(p->plan->why, sizeof(p->plan->why), "%s", p->st.what);
	return err;
}

static bool can_be_recovered(int err)
{
	return err == -EBADMSG || err == -EMEDIUMTYPE;
}

/* ---- the whole trace ---------------------------------------------------------------- */

static uint32_t cpu_number(uint64_t cpu)
{
	return cpu < TRACE_MAX_CPU ? (uint32_t)cpu : TRACE_MAX_CPU;
}

static void forget_lost(struct cut_plan *plan, bool before, bool until)
{
	for (uint32_t i = 0; i <= TRACE_MAX_CPU; i++) {
		if (before)
			plan->lost[i].before = 0;
		if (until)
			plan->lost[i].until = UINT64_MAX;
	}
}

static int see_header(struct pass *p, const struct trace_record *rec)
{
	struct trace_column cpus = trace_record_column(rec, TRACE_HEADER_CPUS);
	uint64_t cpu, tick_ms = trace_record_uint(rec, TRACE_HEADER_TICK_MS, 0);
	struct cut_plan *plan = p->plan;

	p->start_ns = trace_record_uint(rec, TRACE_HEADER_START_NS, 0);
	p->tick_ns = tick_ms < 3600000 ? tick_ms * 1000000 : 3600 * SECOND_NS;
	free(plan->cpu);
	plan->ncpus = 0;
	plan->cpu = calloc(cpus.n + 1u, sizeof(*plan->cpu));
	if (!plan->cpu)
		return -ENOMEM;
	while (trace_column_uint(&cpus, &cpu))
		plan->cpu[plan->ncpus++] = cpu_number(cpu);
	forget_lost(plan, true, true);
	return 0;
}

static bool is_mark(const struct time_arg *t, const struct trace_record *rec)
{
	const struct trace_field *f = trace_record_field(rec, TRACE_MARK_TEXT);

	return t->anchor == TIME_AT_MARK && f && f->n == strlen(t->mark) &&
	       !memcmp(f->p, t->mark, f->n);
}

/* Notes the time of a mark. If several marks have the name, the range is from the first to the last. */
static int see_mark(struct pass *p, const struct trace_record *rec)
{
	uint64_t at_ns = trace_record_uint(rec, TRACE_MARK_AT_NS, TRACE_NIL);

	if (is_mark(p->from, rec) && at_ns < p->mark_from_ns)
		p->mark_from_ns = at_ns;
	if (is_mark(p->to, rec) && at_ns != TRACE_NIL &&
	    (p->mark_to_ns == TRACE_NIL || at_ns > p->mark_to_ns))
		p->mark_to_ns = at_ns;
	return 0;
}

static int see_end(struct pass *p, const struct trace_record *rec)
{
	p->end_ns = trace_record_uint(rec, TRACE_END_AT_NS, 0);
	return 0;
}

static see_fn *const see_all[UINT8_MAX + 1] = {
	[TRACE_HEADER] = see_header,
	[TRACE_MARK] = see_mark,
	[TRACE_END] = see_end,
};

static int survey(struct pass *p, struct cut_source *s)
{
	struct cut_plan *plan = p->plan;
	bool marks = p->from->anchor == TIME_AT_MARK || p->to->anchor == TIME_AT_MARK;
	int err;

	p->mark_from_ns = p->mark_to_ns = TRACE_NIL;
	p->end_ns = 0;
	err = read_window(p, s, UINT64_MAX, 0, !marks, see_all);
	if (err)
		return err;
	if (p->st.more && !s->chosen) {
		snprintf(plan->why, sizeof(plan->why),
			 "the file holds several traces; select one with --part");
		return -ENODATA;
	}
	plan->origin_ns = p->start_ns ? p->start_ns : p->st.first_ns;
	plan->stop_ns = p->end_ns ? p->end_ns : p->st.last_ns;
	return 0;
}

/* ---- the request -------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static int refuse(struct cut_plan *plan, const char *fmt, ...)
{
	va_list ap;
	size_t len;

	va_start(ap, fmt);
	vsnprintf(plan->why, sizeof(plan->why), fmt, ap);
	va_end(ap);
	len = strlen(plan->why);
	snprintf(plan->why + len, sizeof(plan->why) - len, "; the trace goes from 0 s to %.3f s",
		 (double)(plan->stop_ns - plan->origin_ns) * 1e-9);
	return -ENODATA;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

static uint64_t minus(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static uint64_t moment(const struct cut_plan *plan, const struct time_arg *t, uint64_t open_ns,
		       uint64_t mark_ns)
{
	return t->anchor == TIME_OPEN	     ? open_ns :
	       t->anchor == TIME_AT_MARK     ? mark_ns :
	       t->anchor == TIME_SINCE_START ? plus(plan->origin_ns, t->ns) :
					       minus(plan->stop_ns, t->ns);
}

static int settle(struct pass *p)
{
	struct cut_plan *plan = p->plan;

	p->from_ns = moment(plan, p->from, 0, p->mark_from_ns);
	p->to_ns = moment(plan, p->to, UINT64_MAX, p->mark_to_ns);
	if (plan->stop_ns <= plan->origin_ns)
		plan->stop_ns = plan->origin_ns; /* no frame of the trace has a time */
	if (p->from_ns <= plan->origin_ns)
		p->from_ns = 0; /* the start of the trace, even if a tick has exactly this time */
	if (p->from->anchor == TIME_AT_MARK && p->mark_from_ns == TRACE_NIL)
		return refuse(plan, "there is no mark '%s'", p->from->mark);
	if (p->to->anchor == TIME_AT_MARK && p->mark_to_ns == TRACE_NIL)
		return refuse(plan, "there is no mark '%s'", p->to->mark);
	if (p->from_ns >= p->to_ns)
		return refuse(plan, "the start of the part is not before its end");
	if (p->from_ns && p->from_ns >= plan->stop_ns)
		return refuse(plan, "the part begins after the end of the trace");
	if (p->to_ns <= plan->origin_ns)
		return refuse(plan, "the part ends before the trace begins");
	return 0;
}

/* ---- ticks around the request ------------------------------------------------------- */

static int see_frame(struct pass *p, const struct trace_record *rec)
{
	struct trace_column lost = trace_record_column(rec, TRACE_FRAME_LOST);
	uint64_t first_ns = trace_record_uint(rec, TRACE_FRAME_FIRST_NS, 0);
	uint64_t last_ns = trace_record_uint(rec, TRACE_FRAME_LAST_NS, 0), v;

	p->before = p->after = false;
	p->seq = trace_record_uint(rec, TRACE_FRAME_SEQ, 0);
	p->timed = last_ns;
	if (p->timed && first_ns <= p->after_ns)
		p->plan->last_seq = p->seq;
	if (p->before_ns != TRACE_NIL || !last_ns || last_ns >= p->from_ns ||
	    lost.n != p->plan->ncpus)
		return 0;
	for (uint32_t i = 0; trace_column_uint(&lost, &v); i++)
		if (v != TRACE_NIL)
			p->plan->lost[p->plan->cpu[i]].before = v;
	return 0;
}

static int see_tick(struct pass *p, const struct trace_record *rec)
{
	struct trace_column cpus = trace_record_column(rec, TRACE_TICK_CPU);
	uint64_t at_ns = trace_record_uint(rec, TRACE_TICK_AT_NS, TRACE_NIL), cpu;

	p->before = p->after = false;
	p->norder = 0;
	if (at_ns == TRACE_NIL)
		return 0;
	p->ticks++;
	p->inside += at_ns >= p->from_ns && at_ns <= p->to_ns;
	p->before = at_ns <= p->from_ns && (p->before_ns == TRACE_NIL || at_ns >= p->before_ns);
	p->after = at_ns >= p->to_ns && at_ns < p->after_ns;
	if (p->before)
		p->before_ns = at_ns;
	if (p->after)
		p->after_ns = at_ns;
	while ((p->before || p->after) && p->norder < TRACE_MAX_CPU &&
	       trace_column_uint(&cpus, &cpu))
		p->order[p->norder++] = cpu_number(cpu);
	if (p->before || p->after) /* the losses at this tick replace those of an earlier tick */
		forget_lost(p->plan, p->before, p->after);
	return 0;
}

static int see_sample_loss(struct pass *p, const struct trace_record *rec)
{
	struct trace_column lost = trace_record_column(rec, TRACE_SAMPLE_LOSS_LOST);
	uint64_t v;

	if (lost.n != p->norder)
		return 0;
	for (uint32_t i = 0; trace_column_uint(&lost, &v); i++) {
		struct cut_lost *l = &p->plan->lost[p->order[i]];

		l->before = p->before && v != TRACE_NIL ? v : l->before;
		l->until = p->after && v != TRACE_NIL ? v : l->until;
	}
	return 0;
}

static bool count_sample(void *ctx, uint64_t time_ns)
{
	struct pass *p = ctx;

	p->inside += time_ns >= p->from_ns && time_ns < p->to_ns;
	return true;
}

/* Notes samples. They only matter if no tick shows that something was recorded. */
static int see_samples(struct pass *p, const struct trace_record *rec)
{
	if (!p->timed) /* all samples of the frame have time 0 */
		p->plan->last_seq = p->seq;
	if (!p->ticks)
		check_sample_times(rec, count_sample, p);
	return 0;
}

static see_fn *const see_ticks[UINT8_MAX + 1] = {
	[TRACE_HEADER] = see_header,   [TRACE_FRAME] = see_frame,
	[TRACE_TICK] = see_tick,       [TRACE_SAMPLE_LOSS] = see_sample_loss,
	[TRACE_SAMPLES] = see_samples,
};

static int look(struct pass *p, struct cut_source *s, uint64_t from_ns, uint64_t to_ns)
{
	p->before_ns = p->after_ns = TRACE_NIL;
	p->ticks = p->inside = p->plan->last_seq = 0;
	return read_window(p, s, from_ns, to_ns, true, see_ticks);
}

/* Looks for ticks near the range first, then in the whole trace. */
static int look_around(struct pass *p, struct cut_source *s)
{
	uint64_t margin = 4 * p->tick_ns + SECOND_NS;
	uint64_t from_ns = minus(p->from_ns, margin), to_ns = plus(p->to_ns, margin);
	int err = look(p, s, from_ns, to_ns);
	bool found = (p->before_ns != TRACE_NIL || from_ns <= p->st.first_ns) &&
		     (p->after_ns != TRACE_NIL || to_ns >= p->st.last_ns);

	return err || found ? err : look(p, s, 0, UINT64_MAX);
}

/* ---- the plan ---------------------------------------------------------------------------- */

/*
 * Sets the start and end of the part: the ticks around the range, or the range itself if the trace
 * has no ticks.
 */
static int decide(struct pass *p)
{
	struct cut_plan *plan = p->plan;
	bool no_ticks = !p->ticks;

	plan->from_tick = p->before_ns != TRACE_NIL;
	plan->begin_ns = plan->from_tick ? p->before_ns : no_ticks ? p->from_ns : 0;
	/* TRACE_NIL means the end of the trace. */
	plan->end_ns = !no_ticks ? p->after_ns : p->to_ns <= plan->stop_ns ? p->to_ns : TRACE_NIL;
	if (!plan->begin_ns)
		forget_lost(plan, true, false);
	if (!p->inside && !plan->from_tick && p->after_ns == TRACE_NIL &&
	    (p->from->anchor != TIME_OPEN || p->to->anchor != TIME_OPEN))
		return refuse(plan, "nothing was recorded in that part");
	return 0;
}

static int make(struct pass *p, struct cut_source *s)
{
	int err = survey(p, s);

	if (!err)
		err = settle(p);
	if (!err)
		err = look_around(p, s);
	return err ? err : decide(p);
}

int cut_plan_make(struct cut_plan *plan, struct cut_source *s, const struct time_arg *from,
		  const struct time_arg *to)
{
	struct pass p = { .plan = plan, .from = from, .to = to };
	int err;

	*plan = (struct cut_plan){ 0 };
	plan->lost = calloc(TRACE_MAX_CPU + 1, sizeof(*plan->lost));
	p.order = calloc(TRACE_MAX_CPU, sizeof(*p.order));
	err = p.order && plan->lost ? make(&p, s) : -ENOMEM;
	if (can_be_recovered(err) && !s->recover) {
		s->recover = true;
		err = make(&p, s);
	}
	free(p.order);
	return err;
}

void cut_plan_free(struct cut_plan *plan)
{
	free(plan->lost);
	free(plan->cpu);
	*plan = (struct cut_plan){ 0 };
}

void cut_plan_range(const struct cut_plan *plan, double *begin_s, double *end_s)
{
	uint64_t end = plan->end_ns < plan->stop_ns ? plan->end_ns : plan->stop_ns;

	*begin_s = (double)minus(plan->begin_ns, plan->origin_ns) * 1e-9;
	*end_s = (double)minus(end, plan->origin_ns) * 1e-9;
}
