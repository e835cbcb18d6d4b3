// SPDX-License-Identifier: BSD-2-Clause
/* The records of a part: which are in it, and what they say when the trace is no more than that. */
#include "cut.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/messages.h>

#include "cut_base.h"
#include "cut_ids.h"
#include "cut_rows.h"
#include "report/spec/check.h"

#define CHUNK 65536	     /* samples of a record */
#define DUE_BYTES (1u << 20) /* definitions of a record, about */

/* A SAMPLES in the midst of being cut. */
struct walk {
	uint64_t cpu, step; /* step: in units, or on a grid in ns */
	struct trace_samples s;
	bool has_cgroups; /* they were measured */
	/* the sample at hand */
	bool at_hand;
	int64_t off;	      /* or dt */
	uint64_t expected_ns; /* without it */

	int64_t skipped;   /* units from the last sample that was kept to the one before this */
	bool far;	   /* they are more than can be said, or steps of a grid */
	bool over, broken; /* broken: what is left cannot be written */
};

struct cut {
	const struct cut_plan *plan;
	struct cut_ids *ids;
	struct cut_base *base;
	bool begun;	 /* a frame of the part has */
	bool keep_tick;	 /* the last TICK is in the part, and so are its counters */
	bool keep_since; /* and the time between it and the one before */
	bool based;	 /* the tick that counters are counted from has been met */

	/* The last CLOCK before the part stands before all else in it. */
	struct trace_record clock, frame;
	bool clock_held, clock_given;

	/* The record asked for again: what becomes of the rest of it. */
	int (*more)(struct cut *c, struct trace_record *rec);
	struct walk walk;
	struct rows rows; /* columns of the record that is to be given, or was last */
	uint64_t base_ns; /* of rows, when they are samples */
	bool given;

	char why[TRACE_MAX_STR + 16];
	uint64_t ticks, samples;
};

struct cut *cut_new(const struct cut_plan *plan)
{
	struct cut *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->plan = plan;
	c->ids = cut_ids_new();
	c->base = cut_base_new();
	if (c->ids && c->base)
		return c;
	cut_free(c);
	return NULL;
}

void cut_free(struct cut *c)
{
	if (!c)
		return;
	cut_ids_free(c->ids);
	cut_base_free(c->base);
	rows_free(&c->rows);
	free(c);
}

uint64_t cut_ticks(const struct cut *c)
{
	return c->ticks;
}

uint64_t cut_samples(const struct cut *c)
{
	return c->samples;
}

/* ---- HEADER, FRAME, END ------------------------------------------------------------------ */

static int header(struct cut *c, struct trace_record *rec)
{
	struct trace_field *f;

	if (!c->plan->begin_ns)
		return COPY_IT;
	f = copy_field(rec, TRACE_HEADER_START_NS);
	if (!f)
		return -EMSGSIZE;
	*f = (struct trace_field){ .key = TRACE_HEADER_START_NS,
				   .kind = TRACE_UINT,
				   .v = c->plan->begin_ns };
	return COPY_IT;
}

/* Only what was lost in the part; of times what is left will tell. */
static void set_lost(struct cut *c, struct trace_record *rec)
{
	const struct cut_plan *plan = c->plan;
	struct trace_column lost = trace_record_column(rec, TRACE_FRAME_LOST);
	uint64_t v;

	rec->nfields = 0;
	if (lost.n != plan->ncpus)
		return;
	rows_clear(&c->rows);
	for (uint32_t i = 0; trace_column_uint(&lost, &v); i++) {
		const struct cut_lost *l = &plan->lost[plan->cpu[i]];
		uint64_t until = v < l->until ? v : l->until;

		rows_uint(&c->rows, 0,
			  v == TRACE_NIL    ? v :
			  until > l->before ? until - l->before :
					      0);
	}
	rec->field[rec->nfields++] = rows_field(&c->rows, 0, TRACE_FRAME_LOST, TRACE_UINTS);
}

static int frame_again(struct cut *c, struct trace_record *rec)
{
	c->more = NULL;
	*rec = c->frame;
	set_lost(c, rec);
	return c->rows.failed ? -ENOMEM : COPY_IT;
}

/* What comes before the part is put into HEADER's frame, which has no FRAME and so is of no time. */
static int frame(struct cut *c, struct trace_record *rec)
{
	uint64_t last_ns = trace_record_uint(rec, TRACE_FRAME_LAST_NS, 0);

	c->begun |= !c->plan->begin_ns || (last_ns && last_ns >= c->plan->begin_ns);
	c->keep_tick = c->keep_since = c->begun;
	if (!c->begun)
		return COPY_KEPT;
	c->frame = *rec;
	if (!c->clock_held || c->clock_given)
		return frame_again(c, rec);
	c->clock_given = true;
	c->more = frame_again;
	*rec = c->clock;
	return COPY_MORE;
}

/* The part ends earlier than the recording did, but for the same reason. */
static int end(struct cut *c, struct trace_record *rec)
{
	struct trace_field *at, *why = copy_field(rec, TRACE_END_WHY);
	size_t len = strlen(said_cut_end) - strlen("%s");

	if (!why)
		return -EMSGSIZE;
	trace_record_str(rec, TRACE_END_WHY, c->why + len, TRACE_MAX_STR - len);
	if (!strncmp(c->why + len, said_cut_end, len))
		memmove(c->why, c->why + len, TRACE_MAX_STR - len);
	else
		memcpy(c->why, said_cut_end, len);
	*why = (struct trace_field){ .key = TRACE_END_WHY,
				     .kind = TRACE_STR,
				     .n = (uint32_t)strlen(c->why),
				     .p = (const uint8_t *)c->why };
	at = c->plan->end_ns <= INT64_MAX ? copy_field(rec, TRACE_END_AT_NS) : NULL;
	if (at)
		*at = (struct trace_field){ .key = TRACE_END_AT_NS,
					    .kind = TRACE_UINT,
					    .v = c->plan->end_ns };
	return COPY_IT;
}

/* ---- moments ----------------------------------------------------------------------------- */

static bool is_inside(const struct cut *c, uint64_t time_ns)
{
	return time_ns >= c->plan->begin_ns && time_ns <= c->plan->end_ns;
}

static int clock_pair(struct cut *c, struct trace_record *rec)
{
	uint64_t at_ns = trace_record_uint(rec, TRACE_CLOCK_MONO_NS, 0);

	if (at_ns < c->plan->begin_ns && !c->begun) {
		c->clock = *rec; /* numbers only: nothing of the frame it is in */
		c->clock_held = true;
		return COPY_KEPT;
	}
	/* Better one from elsewhere than none. */
	if (!is_inside(c, at_ns) && c->clock_given)
		return COPY_KEPT;
	c->clock_given = true;
	return COPY_IT;
}

static int mark(struct cut *c, struct trace_record *rec)
{
	return is_inside(c, trace_record_uint(rec, TRACE_MARK_AT_NS, c->plan->begin_ns)) ?
		       COPY_IT :
		       COPY_KEPT;
}

static int tick(struct cut *c, struct trace_record *rec)
{
	uint64_t at_ns = trace_record_uint(rec, TRACE_TICK_AT_NS, TRACE_NIL);
	bool first = c->plan->from_tick && !c->based && at_ns == c->plan->begin_ns;

	if (at_ns != TRACE_NIL)
		c->keep_tick = is_inside(c, at_ns);
	c->keep_since = c->keep_tick && !first;
	if (!c->keep_tick)
		return COPY_KEPT;
	c->based |= first;
	c->ticks++;
	cut_base_tick(c->base, rec, first);
	return COPY_IT;
}

static int counter(struct cut *c, struct trace_record *rec)
{
	int err = c->keep_tick && c->plan->from_tick ? cut_base_apply(c->base, rec) : 0;

	if (err)
		return err == -EBADMSG ? COPY_BROKEN : err;
	return c->keep_tick ? COPY_IT : COPY_KEPT;
}

/* Of the time since the tick before, which is not in the part if that begins with this one. */
static int outside(struct cut *c, struct trace_record *rec)
{
	(void)rec;
	return c->keep_since ? COPY_IT : COPY_KEPT;
}

/* ---- ids and samples --------------------------------------------------------------------- */

static int define(struct cut *c, struct trace_record *rec)
{
	int err = cut_ids_take(c->ids, rec);

	if (err)
		return err == -EBADMSG ? COPY_BROKEN : err;
	return rec->type == TRACE_MODULE ? COPY_IT : COPY_KEPT;
}

static bool all_defined(struct cut *c, struct trace_column ids, enum trace_ids sort)
{
	uint32_t highest = cut_ids_highest(c->ids, sort);
	uint64_t id;

	while (trace_column_uint(&ids, &id))
		if (id > highest)
			return false;
	return true;
}

static bool stacks_defined(struct cut *c, struct trace_stacks stacks)
{
	uint32_t highest = cut_ids_highest(c->ids, TRACE_IDS_STACK);
	uint64_t id;

	while (trace_stacks_next(&stacks, &id))
		if (id > highest)
			return false;
	return true;
}

/* Whether the list of stacks that the samples name, if they do, is the last one. */
static bool codes_defined(struct cut *c, const struct trace_record *rec)
{
	const struct trace_field *f = trace_record_field(rec, TRACE_SAMPLES_CODES);

	return !f || (rec->codes && f->v == cut_ids_highest(c->ids, TRACE_IDS_CODES));
}

static bool next_sample(struct walk *w)
{
	struct trace_column off = w->s.times.off;

	w->expected_ns = w->s.times.expected_ns;
	w->at_hand = trace_column_int(&off, &w->off) && trace_samples_next(&w->s);
	w->over = !w->at_hand;
	return w->at_hand;
}

/* Steps of a grid are no number of units: what is left out of it ends a record. */
static void skip_sample(struct walk *w)
{
	w->far |= w->s.times.grid ||
		  __builtin_add_overflow(w->skipped, (int64_t)(w->step + (uint64_t)w->off),
					 &w->skipped);
	w->at_hand = false;
}

/* Whether an off or a dt can say how far it is from the last sample that was kept. */
static bool is_near(const struct walk *w, int64_t *off)
{
	return !w->far && !__builtin_add_overflow(w->off, w->skipped, off) &&
	       *off >= -(INT64_C(1) << 62) && *off <= INT64_C(1) << 62;
}

static void keep_sample(struct cut *c, int64_t off)
{
	struct walk *w = &c->walk;

	rows_int(&c->rows, 0, off);
	rows_uint(&c->rows, 1, cut_ids_use(c->ids, TRACE_IDS_STACK, (uint32_t)w->s.stack));
	rows_uint(&c->rows, 2, cut_ids_use(c->ids, TRACE_IDS_TASK, (uint32_t)w->s.task));
	if (w->has_cgroups)
		rows_uint(&c->rows, 3,
			  cut_ids_use(c->ids, TRACE_IDS_CGROUP, (uint32_t)w->s.cgroup));
	w->skipped = 0;
	w->far = w->at_hand = false;
}

static bool can_be_written(const struct walk *w)
{
	return w->s.time_ns <= INT64_MAX &&
	       (!w->s.times.grid || (w->step && check_off(w->off, w->s.times.unit_ns)));
}

/* The next samples that are kept, with ids of the new trace. */
static void fill(struct cut *c)
{
	const struct cut_plan *plan = c->plan;
	struct walk *w = &c->walk;

	rows_clear(&c->rows);
	c->given = false;
	while (c->rows.n[0] < CHUNK && cut_ids_due(c->ids) < DUE_BYTES) {
		int64_t off;

		if (!w->at_hand && !next_sample(w))
			return;
		if (w->s.time_ns < plan->begin_ns || w->s.time_ns >= plan->end_ns) {
			skip_sample(w);
			continue;
		}
		if (!can_be_written(w)) {
			w->over = w->broken = true;
			return;
		}
		if (!c->rows.n[0]) {
			off = w->off;
			c->base_ns = w->expected_ns - (w->s.times.grid ? 0 : w->s.times.step_ns);
			w->over = w->broken = c->base_ns > INT64_MAX;
		} else if (!is_near(w, &off)) {
			return; /* in a record of its own */
		}
		if (w->broken)
			return;
		keep_sample(c, off);
	}
}

static void put_uint(struct trace_record *rec, unsigned int key, uint64_t v)
{
	rec->field[rec->nfields++] =
		(struct trace_field){ .key = (uint8_t)key, .kind = TRACE_UINT, .v = v };
}

static void put_column(struct trace_record *rec, const struct rows *rows, unsigned int column,
		       unsigned int key, enum trace_kind kind)
{
	rec->field[rec->nfields++] = rows_field(rows, column, key, kind);
}

/* A grid stays one: so times stay what they were. */
static void make_samples(struct cut *c, struct trace_record *rec)
{
	bool grid = c->walk.s.times.grid;

	rec->type = TRACE_SAMPLES;
	rec->codes = NULL;
	rec->nfields = 0;
	put_uint(rec, TRACE_SAMPLES_CPU, c->walk.cpu);
	put_uint(rec, TRACE_SAMPLES_BASE_NS, c->base_ns);
	put_uint(rec, TRACE_SAMPLES_UNIT_NS, c->walk.s.times.unit_ns);
	if (!grid) {
		put_uint(rec, TRACE_SAMPLES_STEP, c->walk.step);
		put_column(rec, &c->rows, 0, TRACE_SAMPLES_DT, TRACE_INTS);
	}
	put_column(rec, &c->rows, 1, TRACE_SAMPLES_STACK, TRACE_UINTS);
	put_column(rec, &c->rows, 2, TRACE_SAMPLES_TASK, TRACE_UINTS);
	if (c->walk.has_cgroups)
		put_column(rec, &c->rows, 3, TRACE_SAMPLES_CGROUP, TRACE_UINTS);
	if (grid) {
		put_uint(rec, TRACE_SAMPLES_STEP_NS, c->walk.step);
		put_column(rec, &c->rows, 0, TRACE_SAMPLES_OFF, TRACE_INTS);
	}
	c->samples += c->rows.n[0];
	c->given = true;
}

/* What the samples of a record name, then they; then the next record. */
static int samples_again(struct cut *c, struct trace_record *rec)
{
	for (;;) {
		int err = cut_ids_next(c->ids, rec);

		if (err || c->rows.failed)
			return err > 0 ? COPY_MORE : -ENOMEM;
		if (c->rows.n[0] && !c->given) {
			make_samples(c, rec);
			return COPY_MORE;
		}
		if (c->walk.over)
			break;
		fill(c);
	}
	c->more = NULL;
	return c->walk.broken ? COPY_BROKEN : COPY_KEPT;
}

/* Columns that do not fit each other are found broken as they are. */
static int samples(struct cut *c, struct trace_record *rec)
{
	struct walk w = {
		.cpu = trace_record_uint(rec, TRACE_SAMPLES_CPU, TRACE_NIL),
		.s = trace_record_samples(rec),
		.has_cgroups = trace_record_field(rec, TRACE_SAMPLES_CGROUP),
	};
	uint32_t n = w.s.times.off.n;

	w.step = trace_record_uint(rec, w.s.times.grid ? TRACE_SAMPLES_STEP_NS : TRACE_SAMPLES_STEP,
				   TRACE_NIL);
	if (!check_time_keys(rec) || w.cpu == TRACE_NIL || w.step == TRACE_NIL ||
	    !trace_record_field(rec, TRACE_SAMPLES_UNIT_NS) ||
	    !trace_record_field(rec, TRACE_SAMPLES_BASE_NS) || !codes_defined(c, rec) ||
	    w.s.stacks.c.n != n || w.s.tasks.n != n || (w.has_cgroups && w.s.cgroups.n != n))
		return COPY_IT;
	if (!stacks_defined(c, w.s.stacks) || !all_defined(c, w.s.tasks, TRACE_IDS_TASK) ||
	    !all_defined(c, w.s.cgroups, TRACE_IDS_CGROUP))
		return COPY_BROKEN;
	c->walk = w;
	c->more = samples_again;
	fill(c);
	return samples_again(c, rec);
}

/* ---- all of them ------------------------------------------------------------------------- */

typedef int handler(struct cut *c, struct trace_record *rec);

/* All others stay as they are. */
static handler *const handlers[UINT8_MAX + 1] = {
	[TRACE_HEADER] = header,    [TRACE_FRAME] = frame,	  [TRACE_CLOCK] = clock_pair,
	[TRACE_MODULE] = define,    [TRACE_SYMBOLS] = define,	  [TRACE_STACKS] = define,
	[TRACE_TASKS] = define,	    [TRACE_SAMPLES] = samples,	  [TRACE_TICK] = tick,
	[TRACE_EXACT] = counter,    [TRACE_EXACT_LOSS] = counter, [TRACE_SAMPLE_LOSS] = counter,
	[TRACE_PROCSTAT] = counter, [TRACE_SOFTNET] = counter,	  [TRACE_NETDEV_STATS] = counter,
	[TRACE_ENERGY] = counter,   [TRACE_SELF] = counter,	  [TRACE_MARK] = mark,
	[TRACE_END] = end,	    [TRACE_EXACT_PART] = counter, [TRACE_PROGRAM_STATS] = counter,
	[TRACE_CGROUPS] = define,   [TRACE_STACK_CODES] = define, [TRACE_OUTSIDE] = outside,
};

int cut_edit(void *ctx, struct trace_record *rec)
{
	struct cut *c = ctx;
	handler *h = handlers[rec->type & UINT8_MAX];

	if (c->more)
		return c->more(c, rec);
	return h ? h(c, rec) : COPY_IT;
}
