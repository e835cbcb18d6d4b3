/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * copy.h: a trace into another one. What comes out keeps to SPEC.md whatever went in: what breaks a rule, or is
 * of a type that this version does not know, is left out. Fields are copied byte by byte, by kind: a new
 * record type needs no code here.
 */
#ifndef NETCOST_REPORT_COPY_H
#define NETCOST_REPORT_COPY_H

#include <netcost/trace.h>

struct copy_result {
	uint64_t records, samples; /* written */
	uint64_t broken;	   /* left out: they broke a rule */
	char first_broken[160];	   /* which one, for people */
	uint64_t lost;		   /* how often lost definitions were named */
};

/*
 * Reads r, that has been set to recover, and writes to fd. -EBADMSG: nothing could be
 * written, or trace_reader_next()'s or the writer's error.
 */
int copy_trace(struct trace_reader *r, int fd, struct copy_result *result);

/*
 * A command's IN and OUT: opens both, copies, tells what goes wrong and, unless quiet, what was done.
 * False: failed. OUT may be "-", but not IN.
 */
bool copy_files(const char *in, const char *out, bool quiet);

#endif
