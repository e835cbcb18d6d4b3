// SPDX-License-Identifier: BSD-2-Clause
/* Replaces the private contents of records. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rewrite.h"

#define YEAR_2000_NS (UINT64_C(946684800) * 1000000000)

struct scrub {
	struct scrub_text text;
	struct mp_buf columns;	 /* data that the record's fields point to */
	struct mp_buf processes; /* data of the edited columns of processes */
	/* strings of class PROGRAMS in the record are names of programs, not of functions */
	bool programs;
	/* ports are removed, because a replaced port would be the port of another service */
	bool peers;
	bool whole; /* each setting of the record is a single name, so it is replaced as a whole */
	uint64_t start_ns; /* start of the part, CLOCK_MONOTONIC; 0 if it is unknown */
	bool shifted;
	uint64_t shift_ns; /* added to the time of day, modulo 2^64 */
};

struct scrub *scrub_new(unsigned int keep, uint64_t memory)
{
	struct scrub *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	/* Allocates the buffers, so that even empty data has a valid address. */
	if (mp_buf_room(&s->columns, 1) && mp_buf_room(&s->processes, 1) &&
	    !scrub_text_init(&s->text, keep, memory))
		return s;
	scrub_free(s);
	return NULL;
}

void scrub_free(struct scrub *s)
{
	if (!s)
		return;
	mp_buf_free(&s->columns);
	mp_buf_free(&s->processes);
	scrub_text_free(&s->text);
	free(s);
}

static int edit_str(struct scrub *s, enum trace_privacy class, struct trace_field *f)
{
	int err = scrub_string(&s->text, class, (const char *)f->p, f->n);

	f->n = (uint32_t)s->text.out.n;
	mp_buf_bytes(&s->columns, s->text.out.p, f->n);
	return err;
}

static int edit_strs(struct scrub *s, enum trace_privacy class, struct trace_field *f)
{
	struct trace_column c = { .p = f->p, .n = f->n };
	bool program = s->programs && class == TRACE_PRIVATE_PROGRAMS;
	const char *str;
	uint32_t n;
	int err = 0;

	while (!err && trace_column_str(&c, &str, &n)) {
		err = program ? scrub_program(&s->text, str, n) :
		      s->whole && class == TRACE_PRIVATE_SETTINGS ?
				scrub_whole(&s->text, class, str, n) :
				scrub_string(&s->text, class, str, n);
		mp_buf_str(&s->columns, s->text.out.p, s->text.out.n);
	}
	return err;
}

static int edit_uint(struct scrub *s, enum trace_privacy class, struct trace_field *f)
{
	return f->v == TRACE_NIL ? 0 : scrub_id(&s->text, class, f->v, &f->v);
}

static int edit_uints(struct scrub *s, enum trace_privacy class, struct trace_field *f)
{
	struct trace_column c = { .p = f->p, .n = f->n };
	bool removed = s->peers && !(s->text.keep & 1u << class);
	uint64_t v;
	int err = 0;

	while (!err && trace_column_uint(&c, &v)) {
		v = removed ? TRACE_NIL : v;
		if (v != TRACE_NIL)
			err = scrub_id(&s->text, class, v, &v);
		mp_buf_uint(&s->columns, v);
	}
	return err;
}

/* ---- processes --------------------------------------------------------------------------- */

static struct trace_field *find_field(struct trace_record *rec, unsigned int key)
{
	for (unsigned int i = 0; i < rec->nfields; i++)
		if (rec->field[i].key == key)
			return &rec->field[i];
	return NULL;
}

/*
 * Replaces the pids of processes and removes the start times, because a start time identifies the process in another
 * trace and on the host. The start times distinguish processes that had the same pid one after another. The replaced
 * pids are distinct for such processes, so both columns are edited together.
 */
static int edit_processes(struct scrub *s, struct trace_record *rec)
{
	struct trace_field *pid = find_field(rec, TRACE_PROCESSES_PID),
			   *start = find_field(rec, TRACE_PROCESSES_START_NS);
	struct trace_column pids, starts;
	uint64_t v, start_ns;
	size_t at;
	int err = 0;

	s->processes.n = 0;
	if (!pid || !start)
		return 0;
	pids = (struct trace_column){ .p = pid->p, .n = pid->n };
	starts = (struct trace_column){ .p = start->p, .n = start->n };
	while (!err && trace_column_uint(&pids, &v)) {
		if (!trace_column_uint(&starts, &start_ns))
			start_ns = TRACE_NIL;
		if (v != TRACE_NIL)
			err = scrub_process(&s->text, v, start_ns, &v);
		mp_buf_uint(&s->processes, v);
	}
	at = s->processes.n;
	for (uint32_t i = 0; i < start->n; i++)
		mp_buf_uint(&s->processes, TRACE_NIL);
	if (!err && s->processes.failed)
		err = -ENOMEM;
	pid->p = s->processes.p;
	start->p = s->processes.p + at;
	return err;
}

/* Edits a record of a single process, in which `start_ns` is absent if it is unknown. */
static int edit_process(struct scrub *s, struct trace_record *rec)
{
	struct trace_field *pid = find_field(rec, TRACE_LATENCY_BY_PID),
			   *start = find_field(rec, TRACE_LATENCY_BY_START_NS);
	int err = pid && start ? scrub_process(&s->text, pid->v, start->v, &pid->v) : 0;

	if (pid && !start)
		err = scrub_process(&s->text, pid->v, 0, &pid->v);
	if (start) {
		size_t after = (size_t)(rec->field + rec->nfields - start - 1);

		memmove(start, start + 1, after * sizeof(*start));
		rec->nfields--;
	}
	return err;
}

/* ---- fields ------------------------------------------------------------------------------ */

typedef int edit_fn(struct scrub *s, enum trace_privacy class, struct trace_field *f);

static edit_fn *const edit_kind[] = {
	[TRACE_STR] = edit_str,
	[TRACE_STRS] = edit_strs,
	[TRACE_UINT] = edit_uint,
	[TRACE_UINTS] = edit_uints,
};

/*
 * Packs all replacements first and sets the fields afterwards, because the buffer may move while it
 * grows.
 */
static int edit_fields(struct scrub *s, struct trace_record *rec)
{
	size_t at[TRACE_MAX_FIELDS];
	bool edited[TRACE_MAX_FIELDS] = { 0 };

	s->columns.n = 0;
	for (unsigned int i = 0; i < rec->nfields; i++) {
		enum trace_privacy class = trace_key_desc(rec->type, rec->field[i].key)->privacy;
		int err;

		if (class <= TRACE_PUBLIC || class == TRACE_PRIVATE_TIME)
			continue;
		if (class == TRACE_PRIVATE_PIDS &&
		    (rec->type == TRACE_PROCESSES || rec->type == TRACE_LATENCY_BY))
			continue; /* edited already */
		edited[i] = rec->field[i].kind != TRACE_UINT;
		at[i] = s->columns.n;
		err = edit_kind[rec->field[i].kind](s, class, &rec->field[i]);
		if (err)
			return err;
	}
	if (s->columns.failed)
		return -ENOMEM;
	for (unsigned int i = 0; i < rec->nfields; i++)
		if (edited[i])
			rec->field[i].p = s->columns.p + at[i];
	return COPY_IT;
}

/*
 * Shifts all times of day by the same number, so that the first part begins with the year 2000 and
 * differences are kept. A CLOCK that would be before 1970 is dropped.
 */
static int edit_clock(struct scrub *s, struct trace_record *rec)
{
	uint64_t mono_ns = trace_record_uint(rec, TRACE_CLOCK_MONO_NS, 0);

	if (s->text.keep & 1u << TRACE_PRIVATE_TIME)
		return COPY_IT;
	for (unsigned int i = 0; i < rec->nfields; i++) {
		struct trace_field *f = &rec->field[i];

		if (f->key != TRACE_CLOCK_REAL_NS)
			continue;
		if (!s->shifted)
			s->shift_ns =
				YEAR_2000_NS - f->v - (s->start_ns ? s->start_ns - mono_ns : 0);
		s->shifted = true;
		f->v += s->shift_ns;
		return f->v <= INT64_MAX ? COPY_IT : COPY_KEPT;
	}
	return COPY_IT;
}

int scrub_edit(void *ctx, struct trace_record *rec)
{
	struct scrub *s = ctx;
	char program[128]; /* larger than the longest name in the kernel */
	int err = 0;

	if (rec->type == TRACE_CLOCK)
		return edit_clock(s, rec);
	if (rec->type == TRACE_HEADER)
		s->start_ns = trace_record_uint(rec, TRACE_HEADER_START_NS, 0);
	if (rec->type == TRACE_PROGRAM)
		scrub_own_program(&s->text, trace_record_str(rec, TRACE_PROGRAM_NAME, program,
							     sizeof(program)));
	s->programs = rec->type == TRACE_OTHER_PROGRAMS;
	s->peers = rec->type == TRACE_PEERS;
	s->whole = rec->type == TRACE_STAGES; /* the settings of STAGES are names of tables */
	if (s->text.keep & 1u << TRACE_PRIVATE_PIDS)
		return edit_fields(s, rec);
	if (rec->type == TRACE_PROCESSES)
		err = edit_processes(s, rec);
	else if (rec->type == TRACE_LATENCY_BY)
		err = edit_process(s, rec);
	return err ? err : edit_fields(s, rec);
}
