/* SPDX-License-Identifier: BSD-2-Clause */
/* cut.h: a part of the time of a trace, as a trace of its own. */
#ifndef NETCOST_REPORT_CUT_H
#define NETCOST_REPORT_CUT_H

#include "sound.h"
#include "report/base/text.h"

/* ---- what -------------------------------------------------------------------------------- */

/* The trace to cut: a part of a regular file. */
struct cut_source {
	int fd;
	unsigned int part; /* from 1 on */
	bool chosen;	   /* the user named it; otherwise it must be the only one */
	bool recover;	   /* it is damaged: read all of it, and go on after damage */
};

/*
 * A reader of what overlaps from_ns .. to_ns, at the beginning of the part. Or an error of
 * trace_reader_next().
 */
int cut_reader(struct trace_reader **r, const struct cut_source *s, uint64_t from_ns,
	       uint64_t to_ns);

/* Samples lost up to the first and the last moment. */
struct cut_lost {
	uint64_t before, until; /* until: UINT64_MAX: not known */
};

struct cut_plan {
	uint64_t origin_ns,
		stop_ns; /* of the recording: its begin, which times are said from, and its end */
	uint64_t begin_ns,
		end_ns; /* samples from .. before; 0: from the beginning; UINT64_MAX: to the end */
	uint64_t last_seq;     /* seq of the last frame of the part, or of a later one */
	bool from_tick;	       /* begin_ns is a tick: counters are counted from it */
	struct cut_lost *lost; /* by CPU number; the last one is for numbers that are too high */
	uint32_t *cpu, ncpus;  /* as HEADER has them */
	char why[400];	       /* what is wrong, for people */
};

/*
 * Finds out what to cut. If the trace has ticks, a part begins and ends with one, since counters are known at ticks
 * only. 0; -ENODATA: nothing is there, plan->why says so; or an error of trace_reader_next(). Sets s->recover if
 * that is needed. The plan must be freed in any case.
 */
int cut_plan_make(struct cut_plan *plan, struct cut_source *s, const struct time_arg *from,
		  const struct time_arg *to);
void cut_plan_free(struct cut_plan *plan);

/* The part, in seconds since the recording began. */
void cut_plan_range(const struct cut_plan *plan, double *begin_s, double *end_s);

/* ---- cutting ----------------------------------------------------------------------------- */

struct cut;

struct cut *cut_new(const struct cut_plan *plan); /* NULL: no memory */
void cut_free(struct cut *c);			  /* takes NULL */

/* A copy_edit_fn: ctx is a struct cut. */
int cut_edit(void *ctx, struct trace_record *rec);

/* Of the part, so far. */
uint64_t cut_ticks(const struct cut *c);

#endif
