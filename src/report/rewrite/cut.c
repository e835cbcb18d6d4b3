// SPDX-License-Identifier: BSD-2-Clause
/*
 * Cuts a part of a trace: selects its records, and rewrites the records that describe the whole
 * trace.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/reasons.h>

#include "rewrite.h"

/* ---- counters ---------------------------------------------------------------------------- */

/*
 * Cumulative counters are rebased, so that they start at 0 when the part begins. If the first tick of the part does not
 * contain a CPU, the counters of that CPU keep their values, because the CPU may have started counting later.
 */

struct cut_base {
	struct counter_series base[SERIES_COUNT];
	uint32_t order[TRACE_MAX_CPU], ncpus; /* CPUs of the tick */
	bool first;
	struct mp_buf column[TRACE_MAX_FIELDS]; /* columns of the last rewritten record */
};

static void cut_base_free(struct cut_base *b)
{
	for (size_t i = 0; i < SERIES_COUNT; i++)
		free(b->base[i].last);
	for (size_t i = 0; i < TRACE_MAX_FIELDS; i++)
		mp_buf_free(&b->column[i]);
}

static void cut_base_tick(struct cut_base *b, const struct trace_record *tick, bool first)
{
	struct trace_column cpus = trace_record_column(tick, TRACE_TICK_CPU);
	uint64_t cpu;

	b->first = first;
	b->ncpus = 0;
	while (b->ncpus < TRACE_MAX_CPU && trace_column_uint(&cpus, &cpu) && cpu < TRACE_MAX_CPU)
		b->order[b->ncpus++] = (uint32_t)cpu;
}

/*
 * Rebases a counter. at: the number of the CPU, the index of the id in the order of ids, or 0 for a
 * single number.
 */
static int from_base(const struct cut_base *b, struct counter_series *s, size_t at, uint64_t *v)
{
	uint64_t *base;

	if (series_grow(s, at + 1))
		return -ENOMEM;
	base = &s->last[at];
	if (b->first)
		*base = *v;
	if (*base == TRACE_NIL || *v == TRACE_NIL)
		return 0;
	if (*v < *base)
		return -EBADMSG;
	*v -= *base;
	return 0;
}

/*
 * Rebases a column. A column that does not fit its tick stays unchanged; the later check drops the
 * record.
 */
static int apply_column(struct cut_base *b, struct counter_series *s, struct trace_field *f,
			bool per_cpu, struct mp_buf *to)
{
	struct trace_column c = { .p = f->p, .n = f->n };
	uint64_t v;
	int err = 0;

	if (f->kind == TRACE_UINT)
		return from_base(b, s, 0, &f->v);
	if (f->kind != TRACE_UINTS || (per_cpu && f->n != b->ncpus))
		return 0;
	to->n = 0;
	for (uint32_t i = 0; !err && trace_column_uint(&c, &v); i++) {
		err = from_base(b, s, per_cpu ? b->order[i] : i, &v);
		mp_buf_uint(to, v);
	}
	f->p = to->p;
	return err ? err : to->failed ? -ENOMEM : 0;
}

static int cut_base_apply(struct cut_base *b, struct trace_record *rec)
{
	size_t n;
	const struct trace_key_desc *k = trace_type_keys(rec->type, &n);
	int err = 0;

	for (size_t i = 0; i < n && !err; i++, k++) {
		const struct trace_field *f = trace_record_field(rec, k->key);
		size_t series = series_of(rec, k), at = f ? (size_t)(f - rec->field) : 0;

		if (f && k->flags & TRACE_KEY_COUNTER && series < SERIES_COUNT)
			err = apply_column(b, &b->base[series], &rec->field[at],
					   k->flags & TRACE_KEY_PER_CPU, &b->column[at]);
	}
	return err;
}

/* ---- losses ------------------------------------------------------------------------------ */

static uint64_t lost_inside(const struct cut_lost *l, uint64_t v)
{
	uint64_t until = v < l->until ? v : l->until;

	if (v == TRACE_NIL)
		return v;
	return until > l->before ? until - l->before : 0;
}

static int cut_base_frame(struct cut_base *b, const struct cut_plan *plan, struct trace_record *rec)
{
	struct trace_column lost = trace_record_column(rec, TRACE_FRAME_LOST);
	struct mp_buf *to = &b->column[0];
	uint32_t n = lost.n;
	uint64_t v;

	rec->nfields = 0;
	if (n != plan->ncpus)
		return 0;
	to->n = 0;
	for (uint32_t i = 0; trace_column_uint(&lost, &v); i++)
		mp_buf_uint(to, lost_inside(&plan->lost[plan->cpu[i]], v));
	rec->field[rec->nfields++] = (struct trace_field){
		.key = TRACE_FRAME_LOST, .kind = TRACE_UINTS, .n = n, .p = to->p
	};
	return to->failed ? -ENOMEM : 0;
}

/* ---- selection ---------------------------------------------------------------------- */

struct cut {
	const struct cut_plan *plan;
	struct cut_base base;
	bool begun;	/* a frame of the part has begun */
	bool over;	/* no more frames of the part follow */
	bool keep_tick; /* the part contains the last TICK and its counters */
	/* the part also contains the time between the previous TICK and the last TICK */
	bool keep_since;
	bool based; /* the tick at which rebased counters start has been read */
	/*
	 * exact: a tick of the part has had exact times. keep_exact: records that divide up exact times are kept at
	 * this tick.
	 */
	bool exact, keep_exact;

	/* clock: the last CLOCK before the part, which becomes the first record of the part */
	struct trace_record clock, frame;
	bool clock_held, clock_given;

	/* returns the next record, after a record whose result was COPY_MORE */
	int (*more)(struct cut *c, struct trace_record *rec);
	struct trace_record samples_left;

	struct mp_buf derived;
	char why[TRACE_MAX_STR + 16];
	uint64_t ticks;
};

struct cut *cut_new(const struct cut_plan *plan)
{
	struct cut *c = calloc(1, sizeof(*c));

	if (c)
		c->plan = plan;
	return c;
}

void cut_free(struct cut *c)
{
	if (!c)
		return;
	cut_base_free(&c->base);
	mp_buf_free(&c->derived);
	free(c);
}

uint64_t cut_ticks(const struct cut *c)
{
	return c->ticks;
}

/* ---- HEADER, FRAME, END ------------------------------------------------------------------ */

static int header(struct cut *c, struct trace_record *rec)
{
	struct trace_field *f;
	double begin_s, end_s;
	char derived[96];
	int err;

	cut_plan_range(c->plan, &begin_s, &end_s);
	snprintf(derived, sizeof(derived), reason_cut, begin_s, end_s);
	err = copy_derived(rec, derived, &c->derived);
	if (err || !c->plan->begin_ns)
		return err ? err : COPY_IT;
	f = copy_field(rec, TRACE_HEADER_START_NS);
	if (!f)
		return -EMSGSIZE;
	*f = (struct trace_field){ .key = TRACE_HEADER_START_NS,
				   .kind = TRACE_UINT,
				   .v = c->plan->begin_ns };
	return COPY_IT;
}

static int frame_again(struct cut *c, struct trace_record *rec)
{
	int err;

	c->more = NULL;
	*rec = c->frame;
	err = cut_base_frame(&c->base, c->plan, rec);
	return err ? err : COPY_IT;
}

/*
 * Begins a frame. Definitions from before the part are written to the frame of HEADER, which has no
 * FRAME and therefore no time.
 */
static int frame(struct cut *c, struct trace_record *rec)
{
	uint64_t last_ns = trace_record_uint(rec, TRACE_FRAME_LAST_NS, 0);

	c->over = trace_record_uint(rec, TRACE_FRAME_SEQ, 0) > c->plan->last_seq;
	if (!c->begun && c->plan->begin_ns && (!last_ns || last_ns < c->plan->begin_ns))
		return COPY_KEPT;
	if (!c->begun) /* later frames may continue the tick of the previous frame */
		c->begun = c->keep_tick = c->keep_since = c->keep_exact = true;
	c->frame = *rec;
	if (!c->clock_held || c->clock_given)
		return frame_again(c, rec);
	c->clock_given = true;
	c->more = frame_again;
	*rec = c->clock;
	return COPY_MORE;
}

/* Writes the reason of END: first why the part ends early, then why the recording ended. */
static void cut_why(struct cut *c, const struct trace_record *rec)
{
	const size_t before = strlen(reason_cut_end) - strlen("%s");
	char why[TRACE_MAX_STR + 8], text[TRACE_MAX_STR];

	trace_record_str(rec, TRACE_END_WHY, why, sizeof(why));
	if (*why && !reason_is(why, strlen(why))) {
		reason_escape(why, text, sizeof(text));
		snprintf(why, sizeof(why), reason_verbatim, text);
	}
	if (!strncmp(why, reason_cut_end, before))
		snprintf(c->why, sizeof(c->why), "%s", why);
	else
		snprintf(c->why, sizeof(c->why), reason_cut_end, why);
	c->why[TRACE_MAX_STR] = '\0';
}

static int end(struct cut *c, struct trace_record *rec)
{
	struct trace_field *at, *why = copy_field(rec, TRACE_END_WHY);

	if (!why)
		return -EMSGSIZE;
	cut_why(c, rec);
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

/* ---- times -------------------------------------------------------------------------- */

static bool is_inside(const struct cut *c, uint64_t time_ns)
{
	return time_ns >= c->plan->begin_ns && time_ns <= c->plan->end_ns;
}

static int clock_pair(struct cut *c, struct trace_record *rec)
{
	uint64_t at_ns = trace_record_uint(rec, TRACE_CLOCK_MONO_NS, 0);

	if (at_ns < c->plan->begin_ns && !c->begun) {
		/* a CLOCK contains only numbers, so the copy does not point into the data of its frame */
		c->clock = *rec;
		c->clock_held = true;
		return COPY_KEPT;
	}
	/* A CLOCK that is not inside the part is kept only if the part has no other CLOCK. */
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

bool cut_tick_is_exact(const struct trace_record *tick)
{
	struct trace_column times = trace_record_column(tick, TRACE_TICK_EXACT_NS);
	uint64_t ns;

	while (trace_column_uint(&times, &ns))
		if (ns != TRACE_NIL)
			return true;
	return false;
}

static int tick(struct cut *c, struct trace_record *rec)
{
	uint64_t at_ns = trace_record_uint(rec, TRACE_TICK_AT_NS, TRACE_NIL);
	bool first = c->plan->from_tick && !c->based && at_ns == c->plan->begin_ns;
	bool exact = cut_tick_is_exact(rec);

	if (at_ns != TRACE_NIL)
		c->keep_tick = is_inside(c, at_ns);
	c->keep_since = c->keep_tick && !first;
	if (!c->keep_tick)
		return COPY_KEPT;
	c->based |= first;
	c->keep_exact = c->exact || !exact || !c->plan->from_tick;
	c->exact |= exact;
	c->ticks++;
	cut_base_tick(&c->base, rec, first);
	return COPY_IT;
}

static int counter(struct cut *c, struct trace_record *rec)
{
	int err = c->keep_tick && c->plan->from_tick ? cut_base_apply(&c->base, rec) : 0;

	if (err)
		return err == -EBADMSG ? COPY_BROKEN : err;
	return c->keep_tick ? COPY_IT : COPY_KEPT;
}

/*
 * Keeps or drops a record that describes the time since the previous tick. If the part begins with the current tick,
 * the part does not contain this time. Records that divide up the exact times are also dropped at the first tick with
 * exact times, because the part may begin between two windows. In that case, the counters start at that tick, and
 * exclude what was counted before that tick.
 */
static int since(struct cut *c, struct trace_record *rec)
{
	bool exact = rec->type == TRACE_PROCESS_STATS || rec->type == TRACE_OWNER_STATS ||
		     rec->type == TRACE_RX_FATES || rec->type == TRACE_OUTSIDE;

	return c->keep_since && (c->keep_exact || !exact) ? COPY_IT : COPY_KEPT;
}

/* ---- ids and samples --------------------------------------------------------------------- */

/* Keeps a definition with its id. Records of the part never refer to later definitions. */
static int define(struct cut *c, struct trace_record *rec)
{
	(void)rec;
	return c->over ? COPY_KEPT : COPY_IT;
}

/* Returns the number of consecutive samples, from t on, that are inside the part (if `inside`) or outside of it. */
static uint32_t run_of(const struct cut *c, struct trace_times *t, bool inside)
{
	struct trace_times next = *t;
	uint64_t time_ns;
	uint32_t n = 0;

	while (trace_times_next(&next, &time_ns) &&
	       (time_ns >= c->plan->begin_ns && time_ns < c->plan->end_ns) == inside) {
		*t = next;
		n++;
	}
	return n;
}

/* Removes the first n samples from the columns of a record. t: the times of the samples that remain. */
static void drop_first(struct trace_record *rec, uint32_t n, const struct trace_times *t)
{
	for (unsigned int i = 0; i < rec->nfields; i++) {
		struct trace_field *f = &rec->field[i];
		struct trace_column c = { .p = f->p, .n = f->n };
		uint64_t u;
		int64_t v;

		for (uint32_t left = n; left && f->kind == TRACE_UINTS; left--)
			trace_column_uint(&c, &u);
		for (uint32_t left = n; left && f->kind == TRACE_INTS; left--)
			trace_column_int(&c, &v);
		f->p = c.p;
		f->n = c.n;
		if (f->key == TRACE_SAMPLES_BASE_NS)
			f->v = t->time_ns;
	}
}

static bool has_good_base(const struct trace_record *rec)
{
	return trace_record_uint(rec, TRACE_SAMPLES_BASE_NS, 0) <= INT64_MAX;
}

/*
 * Makes a record of the next consecutive samples in the part. The columns of the record are slices
 * of the original columns.
 */
static int next_samples(struct cut *c, struct trace_record *rec)
{
	struct trace_record *left = &c->samples_left;
	struct trace_times t = trace_record_times(left);
	uint32_t n = run_of(c, &t, false);

	c->more = NULL;
	drop_first(left, n, &t);
	*rec = *left;
	n = run_of(c, &t, true);
	if (!n)
		return COPY_KEPT;
	for (unsigned int i = 0; i < rec->nfields; i++)
		if (rec->field[i].kind == TRACE_UINTS || rec->field[i].kind == TRACE_INTS)
			rec->field[i].n = n;
	if (!has_good_base(rec))
		return COPY_BROKEN;
	if (!t.dt.n)
		return COPY_IT;
	drop_first(left, n, &t);
	c->more = next_samples;
	return COPY_MORE;
}

static bool has_times(const struct trace_record *rec)
{
	return trace_record_field(rec, TRACE_SAMPLES_BASE_NS) &&
	       trace_record_field(rec, TRACE_SAMPLES_STEP) &&
	       trace_record_field(rec, TRACE_SAMPLES_DT);
}

/*
 * Selects the samples of a record. A record with inconsistent columns stays unchanged; the later
 * check drops it.
 */
static int samples(struct cut *c, struct trace_record *rec)
{
	uint32_t n = trace_record_times(rec).dt.n;

	for (unsigned int i = 0; i < rec->nfields; i++)
		if ((rec->field[i].kind == TRACE_UINTS || rec->field[i].kind == TRACE_INTS) &&
		    rec->field[i].n != n)
			return COPY_IT;
	if (!has_times(rec))
		return COPY_IT;
	c->samples_left = *rec;
	return next_samples(c, rec);
}

/* ---- dispatch ----------------------------------------------------------------------- */

typedef int handler(struct cut *c, struct trace_record *rec);

static handler *const handlers[UINT8_MAX + 1] = {
	[TRACE_HEADER] = header,   [TRACE_FRAME] = frame, [TRACE_CLOCK] = clock_pair,
	[TRACE_SAMPLES] = samples, [TRACE_TICK] = tick,	  [TRACE_MARK] = mark,
	[TRACE_END] = end,
};

/* Returns the handler of a record type; NULL if its records stay unchanged. */
static handler *handler_of(unsigned int type)
{
	return trace_type_is_counter(type) ? counter :
	       trace_type_is_since(type)   ? since :
	       trace_type_defines(type)	   ? define :
					     handlers[type & UINT8_MAX];
}

int cut_edit(void *ctx, struct trace_record *rec)
{
	struct cut *c = ctx;
	handler *h = handler_of(rec->type);

	if (c->more)
		return c->more(c, rec);
	return h ? h(c, rec) : COPY_IT;
}
