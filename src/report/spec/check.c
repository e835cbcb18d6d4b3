// SPDX-License-Identifier: BSD-2-Clause
/* A record against SPEC.md: what the registry cannot say, type by type. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "check_impl.h"

struct check *check_new(void)
{
	return calloc(1, sizeof(struct check));
}

void check_free(struct check *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < sizeof(c->series) / sizeof(*c->series); i++)
		free(c->series[i].last);
	for (size_t i = 0; i < TRACE_TYPES_MAX; i++)
		free(c->had[i].last);
	free(c->subject.last);
	free(c->met.last);
	free(c->wrap.last);
	free(c->frame_lost);
	free(c->depth);
	free(c);
}

const char *check_what(const struct check *c)
{
	return c->what;
}

const char *check_oddity(const struct check *c, uint64_t *count)
{
	*count = c->odd;
	return c->oddity;
}

uint64_t check_samples(const struct check *c)
{
	return c->samples;
}

uint32_t check_highest(const struct check *c, enum trace_ids ids)
{
	return c->highest[ids];
}

void check_frame(struct check *c)
{
	c->ticked = c->ranged = false;
	c->ncpus = 0;
}

/* A list of CPUs: each once. */
static int check_cpus(struct check *c, const char *what, struct trace_column cpus)
{
	uint64_t cpu;

	if (cpus.n > TRACE_MAX_CPU)
		return check_broken(c, "%s has %" PRIu32 " CPUs", what, cpus.n);
	memset(c->named, 0, sizeof(c->named));
	while (trace_column_uint(&cpus, &cpu))
		if (cpu >= TRACE_MAX_CPU)
			return check_broken(c, "%s: no CPU number is beyond %u", what,
					    TRACE_MAX_CPU - 1);
		else if (c->named[cpu]++)
			return check_broken(c, "%s: a CPU comes twice", what);
	return 0;
}

/* ---- HEADER, FRAME, END ------------------------------------------------------------------ */

static int header(struct check *c, const struct trace_record *rec)
{
	struct trace_column cpus = trace_record_column(rec, TRACE_HEADER_CPUS);

	int err = check_cpus(c, "header.cpus", cpus);

	if (err)
		return err;
	free(c->frame_lost);
	c->frame_lost = calloc(cpus.n + 1u, sizeof(*c->frame_lost));
	c->header_ncpus = cpus.n;
	return c->frame_lost ? 0 : -ENOMEM;
}

static int frame(struct check *c, const struct trace_record *rec)
{
	const struct trace_field *first = trace_record_field(rec, TRACE_FRAME_FIRST_NS);
	const struct trace_field *last = trace_record_field(rec, TRACE_FRAME_LAST_NS);
	struct trace_column lost = trace_record_column(rec, TRACE_FRAME_LOST);
	uint64_t v;

	check_frame(c);
	if (lost.n && lost.n != c->header_ncpus)
		return check_broken(c, "frame.lost has %" PRIu32 " elements, header.cpus %" PRIu32,
				    lost.n, c->header_ncpus);
	for (uint32_t i = 0; trace_column_uint(&lost, &v); i++) {
		if (v < c->frame_lost[i])
			return check_broken(c, "frame.lost falls from %" PRIu64 " to %" PRIu64,
					    c->frame_lost[i], v);
		if (v != TRACE_NIL)
			c->frame_lost[i] = v;
	}
	if (!first != !last)
		return check_broken(c, "frame has only one of first_ns and last_ns");
	if (!first)
		return 0;
	if (first->v > last->v)
		return check_broken(c, "frame.first_ns is after frame.last_ns");
	c->ranged = true;
	c->first_ns = first->v;
	c->last_ns = last->v;
	return 0;
}

static int end(struct check *c, const struct trace_record *rec)
{
	const struct trace_status *st = c->st;
	const struct {
		uint8_t key;
		uint64_t has;
	} total[] = {
		{ TRACE_END_FRAMES, st ? st->frames - 1 : 0 },
		{ TRACE_END_RECORDS, st ? st->records - 1 : 0 },
		{ TRACE_END_SAMPLES, c->samples },
		{ TRACE_END_SYMBOLS, c->highest[TRACE_IDS_SYMBOL] },
		{ TRACE_END_STACKS, c->highest[TRACE_IDS_STACK] },
		{ TRACE_END_TASKS, c->highest[TRACE_IDS_TASK] },
	};

	for (size_t i = 0; st && i < sizeof(total) / sizeof(*total); i++) {
		uint64_t says = trace_record_uint(rec, total[i].key, total[i].has);

		if (says != total[i].has)
			return check_broken(c, "end.%s is %" PRIu64 ", but there are %" PRIu64,
					    trace_key_desc(TRACE_END, total[i].key)->name, says,
					    total[i].has);
	}
	return 0;
}

/* ---- ids and samples --------------------------------------------------------------------- */

static int stacks(struct check *c, const struct trace_record *rec)
{
	struct trace_column ups = trace_record_column(rec, TRACE_STACKS_UP);
	uint32_t id = c->highest[TRACE_IDS_STACK];
	uint64_t up;

	if (array_reserve(&c->depth, &c->depth_size, id + (size_t)ups.n + 1, sizeof(*c->depth)))
		return -ENOMEM;
	c->depth[0] = 0;
	while (trace_column_uint(&ups, &up)) {
		id++;
		if (!up || up > id)
			return check_broken(c, "stacks.up: stack %" PRIu32 " has no caller", id);
		if (c->depth[id - up] >= TRACE_MAX_STACK)
			return check_broken(c, "stacks.up: stack %" PRIu32 " is deeper than %u", id,
					    TRACE_MAX_STACK);
		c->depth[id] = c->depth[id - up] + 1;
	}
	return 0;
}

bool check_sample_times(const struct trace_record *rec, check_time_fn *fn, void *ctx)
{
	struct trace_times times = trace_record_times(rec);
	uint64_t time_ns;

	while (trace_times_next(&times, &time_ns))
		if (!fn(ctx, time_ns))
			return false;
	return true;
}

struct sample_range {
	uint64_t before_first, last, bad;
};

static bool in_range(void *ctx, uint64_t time_ns)
{
	struct sample_range *r = ctx;

	r->bad = time_ns;
	return time_ns >= r->before_first && time_ns <= r->last;
}

static int samples(struct check *c, const struct trace_record *rec)
{
	uint64_t unit_ns = trace_record_uint(rec, TRACE_SAMPLES_UNIT_NS, 1);
	uint64_t rounded_ns = unit_ns ? unit_ns - 1 : 0; /* down, by that much at most */
	struct sample_range r = { .last = c->ranged ? c->last_ns : INT64_MAX };

	if (c->ranged && c->first_ns > rounded_ns)
		r.before_first = c->first_ns - rounded_ns;
	if (!check_sample_times(rec, in_range, &r))
		return check_broken(
			c, "samples: a sample at %" PRIu64 " is outside FRAME's time range", r.bad);
	return 0;
}

/* ---- counters ---------------------------------------------------------------------------- */

/* Whatever is wrong with it, the counters after it are not those of the TICK before. */
static int tick(struct check *c, const struct trace_record *rec)
{
	struct trace_column cpus = trace_record_column(rec, TRACE_TICK_CPU);
	int err = check_cpus(c, "tick.cpu", cpus);
	uint64_t cpu;

	c->ticked = false;
	c->ncpus = 0;
	c->nticks++;
	while (!err && trace_column_uint(&cpus, &cpu))
		c->order[c->ncpus++] = (uint32_t)cpu;
	return err;
}

/* The time without probes is a part of the time that is in no event. */
static int exact_loss(struct check *c, const struct trace_record *rec)
{
	struct trace_column offs = trace_record_column(rec, TRACE_EXACT_LOSS_OFF_NS);
	struct trace_column wholes = trace_record_column(rec, TRACE_EXACT_LOSS_OFFLINE_NS);
	uint64_t off, whole;

	while (trace_column_uint(&offs, &off) && trace_column_uint(&wholes, &whole))
		if (off != TRACE_NIL && off > whole)
			return check_broken(
				c, "exact_loss.off_ns: %" PRIu64 " is more than offline_ns", off);
	return 0;
}

static int energy(struct check *c, const struct trace_record *rec)
{
	struct trace_column raws = trace_record_column(rec, TRACE_ENERGY_RAW);
	uint64_t raw;

	for (uint32_t i = 0; i < c->highest[TRACE_IDS_ZONE] && trace_column_uint(&raws, &raw); i++)
		if (raw != TRACE_NIL && c->wrap.last[i] && raw > c->wrap.last[i])
			return check_broken(c, "energy.raw: %" PRIu64 " is beyond its zone's wrap",
					    raw);
	return 0;
}

static int zone(struct check *c, const struct trace_record *rec)
{
	uint32_t n = c->highest[TRACE_IDS_ZONE];

	if (series_grow(&c->wrap, n + 1u))
		return -ENOMEM;
	c->wrap.last[n] = trace_record_uint(rec, TRACE_ENERGY_ZONE_WRAP, 0);
	return 0;
}

/* Counters that are read by themselves. */
static int reading(struct check *c, const struct trace_record *rec)
{
	uint64_t began_ns = trace_record_uint(rec, TRACE_BEGAN_NS, 0);
	uint64_t ended_ns = trace_record_uint(rec, TRACE_ENDED_NS, UINT64_MAX);

	if (began_ns <= ended_ns || !trace_type_is_counter(rec->type))
		return 0;
	return check_broken(c, "%s.ended_ns: %" PRIu64 " is before began_ns",
			    trace_type_desc(rec->type)->name, ended_ns);
}

/* ---- all of them ------------------------------------------------------------------------- */

typedef int rule(struct check *c, const struct trace_record *rec);

static rule *const rules[UINT8_MAX + 1] = {
	[TRACE_HEADER] = header,   [TRACE_FRAME] = frame, [TRACE_STACKS] = stacks,
	[TRACE_SAMPLES] = samples, [TRACE_TICK] = tick,	  [TRACE_ENERGY_ZONE] = zone,
	[TRACE_ENERGY] = energy,   [TRACE_END] = end,	  [TRACE_EXACT_LOSS] = exact_loss,
};

int check_record(struct check *c, const struct trace_record *rec, const struct trace_status *st)
{
	rule *r = rules[rec->type & UINT8_MAX];
	int err;

	c->st = st;
	err = r ? r(c, rec) : 0;
	if (!err)
		err = reading(c, rec);
	if (!err)
		err = check_fields(c, rec);
	if (err)
		return err;
	check_keep(c, rec);
	c->ticked |= rec->type == TRACE_TICK;
	if (rec->type == TRACE_SAMPLES)
		c->samples += trace_record_column(rec, TRACE_SAMPLES_STACK).n;
	return 0;
}
