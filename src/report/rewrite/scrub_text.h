/* SPDX-License-Identifier: BSD-2-Clause */
/* scrub_text.h: strings of a trace with what is private in them replaced. */
#ifndef NETCOST_REPORT_SCRUB_TEXT_H
#define NETCOST_REPORT_SCRUB_TEXT_H

#include "format/mp_pack.h"
#include "scrub_names.h"

struct scrub_text {
	unsigned int keep; /* classes that stay as they are: 1u << class */
	struct scrub_names names;
	unsigned int tries; /* left: SAID_TRIES_IN_ALL */
	struct mp_buf own;  /* names of the recorder's BPF programs, each with a NUL after it */
	struct mp_buf out;
};

/* memory: what --memory says of the names to be remembered. -ENOMEM. */
int scrub_text_init(struct scrub_text *t, unsigned int keep, unsigned long memory);
void scrub_text_free(struct scrub_text *t);

/* Makes what stands for the string into t->out, cut at the format's length of a string. -ENOMEM, BUDGET_SPENT. */
int scrub_string(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n);

/* Likewise of a BPF program's name; class PROGRAMS is of functions, which a program's name is a part of. */
int scrub_program(struct scrub_text *t, const char *s, size_t n);

/* A BPF program of the recorder's own, which every recording has: its name stays. */
void scrub_own_program(struct scrub_text *t, const char *name);

/* What stands for the id of a process, thread or user; 0 is 0. -ENOMEM, BUDGET_SPENT. */
int scrub_id(struct scrub_text *t, enum trace_privacy class, uint64_t id, uint64_t *out);

/*
 * What stands for a process: as scrub_id() of its pid, but another number for each later process that had the same pid and
 * began at another time. start_ns: 0 and TRACE_NIL: not known. -ENOMEM, BUDGET_SPENT.
 */
int scrub_process(struct scrub_text *t, uint64_t pid, uint64_t start_ns, uint64_t *out);

/* A name as a whole, whatever is in it: one that every host has stays. -ENOMEM, BUDGET_SPENT. */
int scrub_whole(struct scrub_text *t, enum trace_privacy class, const char *s, size_t n);

#endif
