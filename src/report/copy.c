// SPDX-License-Identifier: BSD-2-Clause
#include "copy.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "mend.h"

/* A frame that is full ends, wherever its records stand: half a MiB is left for what is not counted. */
#define FULL (TRACE_MAX_FRAME - (768u << 10))

struct copy {
	struct trace_writer *w;
	struct check *check;
	struct mend *mend;
	struct copy_result *result;
	int fd;
	uint32_t ncpus;
	uint64_t lost[TRACE_MAX_CPU];
	uint64_t last_ns;

	bool ended;
	uint64_t end_ns;
	char why[TRACE_MAX_STR];
};

static int flush(struct copy *c)
{
	check_frame(c->check);
	return c->w ? trace_writer_flush(c->w) : 0;
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

static int finish(struct copy *c)
{
	const struct trace_totals totals = {
		.samples = check_samples(c->check),
		.symbols = check_highest(c->check, IDS_SYMBOL),
		.stacks = check_highest(c->check, IDS_STACK),
		.tasks = check_highest(c->check, IDS_TASK),
		.at_ns = c->ended ? c->end_ns : c->last_ns,
		.why = c->ended ? c->why : "not known: the end of the trace is lost",
	};

	c->result->samples = totals.samples;
	return c->w ? trace_writer_finish(c->w, &totals) : -EBADMSG;
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
	const struct schema_key *k = schema_type(rec->type, &n);

	if (rec->type == TRACE_SAMPLES)
		check_sample_times(rec, see_sample, c);
	for (size_t i = 0; i < n; i++, k++) {
		struct trace_column col = trace_record_column(rec, k->key);
		uint64_t v;

		if (!(k->flags & KEY_TIME))
			continue;
		see_time(c, trace_record_uint(rec, k->key, TRACE_NIL));
		while (trace_column_uint(&col, &v))
			see_time(c, v);
	}
}

static int header(struct copy *c, const struct trace_record *rec)
{
	struct trace_column cpus = trace_record_column(rec, TRACE_HEADER_CPUS);

	/* Where no samples are taken none can be lost. */
	c->ncpus = trace_record_uint(rec, TRACE_HEADER_SAMPLE_HZ, 0) ? cpus.n : 0;
	return trace_writer_new(&c->w, c->fd, c->ncpus);
}

static int write_record(struct copy *c, const struct trace_record *rec)
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
	mend_reject(c->mend);
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
	if (c->w && trace_writer_pending(c->w) + size > FULL)
		err = flush(c);
	if (!err)
		err = check_record(c->check, rec, NULL);
	if (err == -EBADMSG)
		return leave_out(c, rec, check_what(c->check));
	return err ? err : write_record(c, rec);
}

static int copy_one(struct copy *c, struct trace_record *rec)
{
	if (rec->type == TRACE_FRAME)
		return frame(c, rec);
	if (rec->type == TRACE_END)
		return end(c, rec);
	if (rec->type == TRACE_INDEX)
		return 0;
	return copy_record(c, rec);
}

static int copy_all(struct copy *c)
{
	struct trace_record rec;
	int err;

	while ((err = mend_next(c->mend, &rec)) > 0) {
		err = copy_one(c, &rec);
		if (err)
			return err;
	}
	return err ? err : finish(c);
}

int copy_trace(struct trace_reader *r, int fd, struct copy_result *result)
{
	struct copy c = {
		.fd = fd,
		.result = result,
		.check = check_new(),
		.mend = mend_new(r, ""),
	};
	int err = c.check && c.mend ? copy_all(&c) : -ENOMEM;

	for (int ids = 0; c.mend && ids < IDS_COUNT; ids++)
		result->lost += mend_lost(c.mend, (enum schema_ids)ids);
	trace_writer_free(c.w);
	check_free(c.check);
	mend_free(c.mend);
	return err;
}
