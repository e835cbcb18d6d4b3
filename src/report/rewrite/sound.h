/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sound.h: the records of a trace that keep to SPEC.md, whatever the trace is like. A record that breaks a rule is left
 * out, a lost definition is replaced by a stand-in, and a tick whose exact times do not sum is marked as torn. An
 * editor may change records before they are checked.
 */
#ifndef NETCOST_REPORT_SOUND_H
#define NETCOST_REPORT_SOUND_H

#include <msgpack.h> /* msgpack_sbuffer */

#include "report/spec/budget.h"
#include "report/spec/check.h"

struct sound_result {
	uint64_t records, samples; /* that are sound */
	uint64_t broken;	   /* left out: they broke a rule */
	char first_broken[160];	   /* which one, for people */
	uint64_t lost;		   /* how often lost definitions were named */
	uint64_t torn; /* ticks that were marked: exact times, or RX_FATES, did not sum */
};

/* ---- editors ----------------------------------------------------------------------------- */

enum copy_verdict {
	COPY_IT,     /* go on with it as it is now */
	COPY_MORE,   /* the same, and call again: there is another record to go on with */
	COPY_KEPT,   /* drop it, without a loss */
	COPY_BROKEN, /* it breaks a rule */
};

/* Changes a record before it is checked. enum copy_verdict, or a negative errno. */
typedef int copy_edit_fn(void *ctx, struct trace_record *rec);

/* For editors: the field of that key; made, in the order of keys, if there is none. NULL: no room. */
struct trace_field *copy_field(struct trace_record *rec, unsigned int key);

/* Adds to HEADER's list of what was done to the trace. to: holds the list. -ENOMEM, or -EMSGSIZE: no room. */
int copy_derived(struct trace_record *header, const char *what, msgpack_sbuffer *to);

/* ---- records ----------------------------------------------------------------------------- */

/* A frame has room for such a record, and for 3/4 MiB that are not counted. */
#define SOUND_MAX_RECORD (TRACE_MAX_FRAME - (768u << 10))

/* What takes them. */
struct sound_sink {
	void *ctx;
	/* A sound record, or FRAME or END as they are. INDEX never comes. 0, or a negative errno. */
	int (*take)(void *ctx, struct trace_record *rec);
	/* Whether so many bytes more are too many for a frame: then a FRAME without fields comes first. NULL: never. */
	bool (*is_full)(void *ctx, size_t size);
};

struct sound;

/* edit: NULL: records stay as they are. NULL: no memory. */
struct sound *sound_new(const struct sound_sink *sink, copy_edit_fn *edit, void *edit_ctx);
void sound_free(struct sound *s); /* takes NULL */

/* All records that are left of a part. -EBADMSG: HEADER is not sound; or as trace_reader_next(), or BUDGET_SPENT. */
int sound_read(struct sound *s, struct trace_reader *r, struct budget *budget);
/* A record that was read before them. */
int sound_record(struct sound *s, struct trace_record *rec);

/* Of all records so far. */
const struct sound_result *sound_result(const struct sound *s);
uint32_t sound_highest(const struct sound *s, enum trace_ids ids);

/* Calls fn with each moment in a record, also of samples. */
void sound_moments(const struct trace_record *rec, check_time_fn *fn, void *ctx);

#endif
