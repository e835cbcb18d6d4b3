// SPDX-License-Identifier: BSD-2-Clause
#include "copy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <msgpack.h> /* msgpack_packer, msgpack_sbuffer */

#include <netcost/messages.h>

#include "report/spec/check.h"
#include "report/spec/exact_sums.h"
#include "report/spec/repair.h"

/* A frame that is full ends, wherever its records stand: half a MiB is left for what is not counted. */
#define FULL (TRACE_MAX_FRAME - (768u << 10))

struct copy {
	int fd;
	struct trace_writer *w;
	struct trace_totals totals; /* of the part written last, whose END is to come */
	char why[TRACE_MAX_STR];

	/* of the part that is being copied */
	const struct copy_options *options;
	struct copy_result *result;
	struct check *check;
	struct exact_sums *sums; /* of what is written */
	uint64_t torn;		 /* ticks that were marked as such: they did not sum */
	struct repair *repair;
	struct budget budget;
	uint32_t ncpus;
	uint64_t lost[TRACE_MAX_CPU];
	uint64_t last_ns, end_ns;
	uint64_t named_lost; /* how often lost definitions have been named, in all records so far */
	bool begun, ended;
	msgpack_sbuffer derived; /* HEADER's column */
};

static int write_record(struct copy *c, struct trace_record *rec);

/*
 * Which of a tick's exact times are wrong nobody can tell. That they do not belong together can be said: as the
 * recorder says it, EXACT_LOSS counts the reading as torn.
 */
static int end_tick(struct copy *c)
{
	struct trace_record rec = {
		.type = TRACE_EXACT_LOSS,
		.nfields = 1,
		.field[0] = { .key = TRACE_EXACT_LOSS_TORN, .kind = TRACE_UINT },
	};
	int err = 0;

	if (!exact_sums_fit(c->sums)) {
		rec.field[0].v = exact_sums_torn(c->sums) + 1;
		c->torn++;
		c->result->torn++;
		err = check_record(c->check, &rec, NULL);
		exact_sums_record(c->sums, &rec);
		if (!err)
			err = write_record(c, &rec);
	}
	(void)exact_sums_end(c->sums);
	return err;
}

/* Readings that were marked count from there on. False: there cannot have been so many. */
static bool add_torn(struct copy *c, struct trace_record *rec)
{
	for (unsigned int i = 0; rec->type == TRACE_EXACT_LOSS && i < rec->nfields; i++) {
		struct trace_field *f = &rec->field[i];

		if (f->key != TRACE_EXACT_LOSS_TORN)
			continue;
		if (f->v > INT64_MAX / 2)
			return false;
		f->v += c->torn;
	}
	return true;
}

static int flush(struct copy *c)
{
	int err = end_tick(c);

	check_frame(c->check);
	return err || !c->w ? err : trace_writer_flush(c->w);
}

/* ---- the writer's own records ------------------------------------------------------------ */

static void see_time(struct copy *c, uint64_t time_ns)
{
	if (time_ns > INT64_MAX)
		return;
	trace_writer_time(c->w, time_ns);
	if (time_ns > c->last_ns)
		c->last_ns = time_ns;
}

/* Frames begin where they did. What FRAME says of losses and times goes into the new one. */
static int frame(struct copy *c, const struct trace_record *rec)
{
	struct trace_column lost = trace_record_column(rec, TRACE_FRAME_LOST);
	uint64_t first_ns = trace_record_uint(rec, TRACE_FRAME_FIRST_NS, 0);
	uint64_t last_ns = trace_record_uint(rec, TRACE_FRAME_LAST_NS, 0), v;
	int err = flush(c);

	if (err || lost.n != c->ncpus)
		lost.n = 0;
	for (uint32_t i = 0; trace_column_uint(&lost, &v); i++)
		if (v != TRACE_NIL && v > c->lost[i])
			trace_writer_lost(c->w, i, c->lost[i] = v);
	if (last_ns && first_ns <= last_ns) {
		see_time(c, first_ns);
		see_time(c, last_ns);
	}
	return err;
}

static int end(struct copy *c, const struct trace_record *rec)
{
	c->ended = true;
	c->end_ns = trace_record_uint(rec, TRACE_END_AT_NS, 0);
	trace_record_str(rec, TRACE_END_WHY, c->why, sizeof(c->why));
	return 0;
}

/* END is written when it is known whether another part follows. */
static void end_part(struct copy *c)
{
	c->totals = (struct trace_totals){
		.samples = check_samples(c->check),
		.symbols = check_highest(c->check, TRACE_IDS_SYMBOL),
		.stacks = check_highest(c->check, TRACE_IDS_STACK),
		.tasks = check_highest(c->check, TRACE_IDS_TASK),
		.at_ns = c->ended ? c->end_ns : c->last_ns,
		.why = c->ended ? c->why : said_end_lost,
	};
	c->result->samples = c->totals.samples;
}

/* ---- all others -------------------------------------------------------------------------- */

static bool see_sample(void *ctx, uint64_t time_ns)
{
	see_time(ctx, time_ns);
	return true;
}

static void see_times(struct copy *c, const struct trace_record *rec)
{
	size_t n;
	const struct trace_key_desc *k = trace_type_keys(rec->type, &n);

	if (rec->type == TRACE_SAMPLES)
		check_sample_times(rec, see_sample, c);
	for (size_t i = 0; i < n; i++, k++) {
		struct trace_column col = trace_record_column(rec, k->key);
		uint64_t v;

		if (!(k->flags & TRACE_KEY_TIME))
			continue;
		see_time(c, trace_record_uint(rec, k->key, TRACE_NIL));
		while (trace_column_uint(&col, &v))
			see_time(c, v);
	}
}

struct trace_field *copy_field(struct trace_record *rec, unsigned int key)
{
	unsigned int at = 0;

	while (at < rec->nfields && rec->field[at].key < key)
		at++;
	if (at < rec->nfields && rec->field[at].key == key)
		return &rec->field[at];
	if (rec->nfields == TRACE_MAX_FIELDS)
		return NULL;
	memmove(&rec->field[at + 1], &rec->field[at], (rec->nfields++ - at) * sizeof(*rec->field));
	return &rec->field[at];
}

/* HEADER's list of what was done to the trace, with one more. */
static int add_derived(struct copy *c, struct trace_record *rec)
{
	const char *text = c->options->derived;
	const struct trace_field *old = trace_record_field(rec, TRACE_HEADER_DERIVED);
	uint32_t n = old ? old->n : 0;
	msgpack_packer pk;
	struct trace_field *f;

	if (!text)
		return 0;
	msgpack_sbuffer_clear(&c->derived);
	msgpack_packer_init(&pk, &c->derived, msgpack_sbuffer_write);
	if ((old &&
	     msgpack_sbuffer_write(&c->derived, (const char *)old->p, trace_field_size(old))) ||
	    msgpack_pack_str(&pk, strlen(text)) || msgpack_pack_str_body(&pk, text, strlen(text)))
		return -ENOMEM;
	f = copy_field(rec, TRACE_HEADER_DERIVED);
	if (!f)
		return -EMSGSIZE;
	*f = (struct trace_field){ .key = TRACE_HEADER_DERIVED, .kind = TRACE_STRS, .n = n + 1 };
	f->p = (const uint8_t *)c->derived.data;
	return 0;
}

static int header(struct copy *c, struct trace_record *rec)
{
	struct trace_column cpus = trace_record_column(rec, TRACE_HEADER_CPUS);
	int err = add_derived(c, rec);

	/* Where no samples are taken none can be lost. */
	c->ncpus = trace_record_uint(rec, TRACE_HEADER_SAMPLE_HZ, 0) ? cpus.n : 0;
	if (!err)
		err = c->w ? trace_writer_next(c->w, &c->totals, c->ncpus) :
			     trace_writer_new(&c->w, c->fd, c->ncpus);
	c->begun = !err;
	return err;
}

static int write_record(struct copy *c, struct trace_record *rec)
{
	int err = rec->type == TRACE_HEADER ? header(c, rec) : 0;

	if (err)
		return err;
	see_times(c, rec);
	trace_writer_begin(c->w, rec->type, rec->nfields);
	for (unsigned int i = 0; i < rec->nfields; i++)
		trace_writer_field(c->w, &rec->field[i]);
	c->result->records++;
	return trace_writer_end(c->w);
}

static size_t size_of(const struct trace_record *rec)
{
	size_t size = 8;

	for (unsigned int i = 0; i < rec->nfields; i++)
		size += 16 + trace_field_size(&rec->field[i]);
	return size;
}

static int leave_out(struct copy *c, const struct trace_record *rec, const char *why)
{
	repair_reject(c->repair);
	if (!c->result->broken++)
		snprintf(c->result->first_broken, sizeof(c->result->first_broken), "%s", why);
	/* Without HEADER there is no trace. */
	return rec->type == TRACE_HEADER ? -EBADMSG : 0;
}

static int copy_record(struct copy *c, struct trace_record *rec)
{
	size_t size = size_of(rec);
	int err = 0;

	if (size > FULL)
		return leave_out(c, rec, "a record that fits no frame");
	if (!add_torn(c, rec))
		return leave_out(c, rec, "exact_loss.torn: more readings than there can be");
	if (c->w && trace_writer_pending(c->w) + size > FULL)
		err = flush(c);
	if (!err)
		err = check_record(c->check, rec, NULL);
	if (err == -EBADMSG)
		return leave_out(c, rec, check_what(c->check));
	if (err)
		return err;
	exact_sums_record(c->sums, rec);
	return write_record(c, rec);
}

static int copy_one(struct copy *c, struct trace_record *rec)
{
	int err;

	if (rec->type == TRACE_FRAME)
		return frame(c, rec);
	if (rec->type == TRACE_END)
		return end(c, rec);
	if (rec->type == TRACE_INDEX)
		return 0;
	err = rec->type == TRACE_TICK ? end_tick(c) : 0;
	return err ? err : copy_record(c, rec);
}

/* Names of lost definitions in records that are of no use to the editor do not count. */
static void count_lost(struct copy *c, bool written)
{
	uint64_t lost = 0;

	for (int ids = 0; ids < TRACE_IDS_COUNT; ids++)
		lost += repair_lost(c->repair, (enum trace_ids)ids);
	if (written)
		c->result->lost += lost - c->named_lost;
	c->named_lost = lost;
}

/* Asks the editor what, and how many records, become of one. */
static int copy_edited(struct copy *c, struct trace_record *rec)
{
	bool written = false;
	int verdict, err = 0;

	do {
		verdict = c->options->edit(c->options->ctx, rec);
		if (verdict < 0)
			return verdict;
		if (verdict == COPY_NOT)
			repair_reject(c->repair);
		else if (verdict == COPY_BROKEN)
			err = leave_out(c, rec, "a definition or a column that does not fit");
		else if (verdict != COPY_KEPT)
			err = copy_one(c, rec);
		written |= verdict != COPY_KEPT;
	} while (!err && verdict == COPY_MORE);
	count_lost(c, written);
	return err;
}

static int copy_all(struct copy *c)
{
	struct trace_record rec;
	int err;

	while ((err = repair_next(c->repair, &rec)) > 0) {
		err = c->options->edit ? copy_edited(c, &rec) : copy_one(c, &rec);
		if (err)
			break;
	}
	count_lost(c, true);
	if (!err)
		err = end_tick(c);
	if (c->begun)
		end_part(c);
	return !err && !c->begun ? -EBADMSG : err;
}

struct copy *copy_new(int fd)
{
	struct copy *c = calloc(1, sizeof(*c));

	if (c)
		c->fd = fd;
	return c;
}

void copy_free(struct copy *c)
{
	if (!c)
		return;
	trace_writer_free(c->w);
	msgpack_sbuffer_destroy(&c->derived);
	free(c);
}

int copy_part(struct copy *c, struct trace_reader *r, const struct copy_options *o,
	      struct copy_result *result)
{
	int err;

	c->options = o;
	c->result = result;
	c->check = check_new();
	budget_init(&c->budget, o->memory);
	c->repair = repair_new(r, "", &c->budget);
	c->sums = exact_sums_new();
	c->torn = 0;
	memset(c->lost, 0, sizeof(c->lost));
	c->ncpus = 0;
	c->last_ns = c->end_ns = 0;
	c->named_lost = 0;
	c->begun = c->ended = false;
	err = c->check && c->sums && c->repair ? copy_all(c) : -ENOMEM;
	check_free(c->check);
	exact_sums_free(c->sums);
	repair_free(c->repair);
	c->check = NULL;
	c->sums = NULL;
	c->repair = NULL;
	return err;
}

int copy_finish(struct copy *c)
{
	return c->w ? trace_writer_finish(c->w, &c->totals) : 0;
}

int copy_trace(struct trace_reader *r, int fd, const struct copy_options *o,
	       struct copy_result *result)
{
	struct copy *c = copy_new(fd);
	int err = c ? copy_part(c, r, o, result) : -ENOMEM;
	int end = c ? copy_finish(c) : 0; /* whatever there is gets its end */

	copy_free(c);
	return err ? err : end;
}
