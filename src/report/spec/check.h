/* SPDX-License-Identifier: BSD-2-Clause */
/* check.h: whether records keep to SPEC.md beyond what the reader sees: ids, columns, times, counters. */
#ifndef NETCOST_REPORT_CHECK_H
#define NETCOST_REPORT_CHECK_H

#include <netcost/trace.h>

struct check;

struct check *check_new(void);	  /* NULL: no memory */
void check_free(struct check *c); /* takes NULL */

/*
 * -EBADMSG: the record breaks a rule, check_what() says which; for what follows it is as if it had not
 * been there. -ENOMEM. st: the reader's, for END's totals; NULL: they are not checked.
 */
int check_record(struct check *c, const struct trace_record *rec, const struct trace_status *st);
const char *check_what(const struct check *c);

/* For callers that put records into other frames: a frame begins, without a FRAME to check. */
void check_frame(struct check *c);

/* The first thing so far that is odd but legal, for people; or "". */
const char *check_oddity(const struct check *c, uint64_t *count);

/* What the records so far add up to: END's totals. */
uint64_t check_samples(const struct check *c);
uint32_t check_highest(const struct check *c, enum trace_ids ids);

/* Calls fn with the time of each sample of a SAMPLES. False: fn did so once, and it ended there. */
typedef bool check_time_fn(void *ctx, uint64_t time_ns);
bool check_sample_times(const struct trace_record *rec, check_time_fn *fn, void *ctx);

#endif
