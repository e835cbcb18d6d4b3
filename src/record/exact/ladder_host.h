/* SPDX-License-Identifier: BSD-2-Clause */
/* ladder_host.h: what this host allows, for ladder.c. */
#ifndef NETCOST_LADDER_HOST_H
#define NETCOST_LADDER_HOST_H

#include "ladder.h"

struct btf;
struct btf_names;
struct kallsyms;

struct host {
	const struct btf_names *names; /* the ladder's */
	struct btf *btf;	       /* the same, for modules; NULL until one is asked for */
	struct kallsyms *symbols;      /* NULL until one is asked for */
	int usable[RUNG_COUNT];	       /* 0, or why not: -errno */
	char why[RUNG_COUNT][LADDER_WHY];
};

/* 0, or -errno with one line in why if BPF cannot be used at all. Rungs left out are not tried. */
int host_open(struct host *h, struct ladder *l, char *why, size_t whysize);
void host_close(struct host *h);

bool host_has_tracepoint(const struct host *h, const char *name);
/* The first of names, NULL-terminated, that the kernel has no tracepoint for; NULL: it has all. */
const char *host_missing_tracepoint(const struct host *h, const char *const *names);
/* Does the kernel have this function for BPF programs? */
bool host_has_kfunc(const struct host *h, const char *function);
/* Its name on that rung; false: it is not there. */
bool host_has_function(struct host *h, enum rung rung, const char *function, char name[HOOK_NAME]);
/* What it has of the rows from `first` to before `end`, as places to attach to on that rung. */
void host_choose_hooks(struct host *h, enum rung rung, struct hook_choice *choice,
		       unsigned int first, unsigned int end);

#endif
