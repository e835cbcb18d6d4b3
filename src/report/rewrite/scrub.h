/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scrub.h: what is private in a trace, and what stands for it. Which key is private the
 * registry says. The same name has the same pseudonym in all of a file, of whatever part.
 */
#ifndef NETCOST_REPORT_SCRUB_H
#define NETCOST_REPORT_SCRUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netcost/trace.h>

#include "format/mp_pack.h"
#include "report/spec/budget.h"

struct scrub;

/* keep: classes that stay as they are. NULL: no memory. */
struct scrub *scrub_new(unsigned int keep, unsigned long memory);
void scrub_free(struct scrub *s); /* takes NULL */

/* A copy_edit_fn: ctx is a struct scrub. What the record then points to lives until the next call. */
int scrub_edit(void *ctx, struct trace_record *rec);

/* ---- classes: TRACE_PRIVATE of the registry ---------------------------------------------- */

struct scrub_class_desc {
	const char *name;   /* what --keep calls it; NULL: it is not kept */
	const char *prefix; /* of pseudonyms */
};

extern const struct scrub_class_desc scrub_class_desc[TRACE_PRIVACIES];

/* A set of classes from "tasks,time": 1u << class. NULL: *unknown, of *len bytes, is none. */
bool scrub_parse_keep(const char *list, unsigned int *keep, const char **unknown, size_t *len);

/* ---- names and the numbers that stand for them ------------------------------------------- */

/* Zeroed but for the budget: empty. The numbers begin with 1, in order of first appearance. Of all parts of a file: a name is the same in each. */
struct scrub_names {
	struct budget budget;
	void *tree;
	uint32_t count[TRACE_PRIVACIES];
};

/* Names of different classes have nothing to do with each other. -ENOMEM, BUDGET_SPENT. */
int scrub_number(struct scrub_names *s, enum trace_privacy class, const void *name, size_t n,
		 uint32_t *number);
/* 0: it has none yet. */
uint32_t scrub_find(const struct scrub_names *s, enum trace_privacy class, const void *name,
		    size_t n);
void scrub_names_free(struct scrub_names *s);

/* ---- texts ------------------------------------------------------------------------------- */

struct scrub_text {
	unsigned int keep; /* classes that stay as they are: 1u << class */
	struct scrub_names names;
	struct mp_buf own; /* names of the recorder's BPF programs, each with a NUL after it */
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
