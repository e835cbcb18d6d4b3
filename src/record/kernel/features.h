/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * features.h: which BPF programs this host allows: whether they can be loaded, what they can be attached to, and the reasons
 * for what is refused. Tested once, with tiny programs, which are attached for a moment to a function of the kernel's tests.
 */
#ifndef NETCOST_FEATURES_H
#define NETCOST_FEATURES_H

#include <stdbool.h>
#include <stddef.h>

struct btf_names;
struct kallsyms;

/* Ways to count exactly, best first. */
enum rung {
	RUNG_FENTRY,
	RUNG_KPROBE,
	RUNG_TRACEPOINT,
	RUNG_SAMPLES, /* nothing exact: the samples have to do */
	RUNG_COUNT,
};

const char *rung_name(enum rung r);

#define FEATURES_WHY 160
#define FEATURES_NAME 64 /* of a function */

struct features {
	struct btf_names *names;  /* the caller's */
	struct kallsyms *symbols; /* NULL until one is asked for */
	int usable[RUNG_COUNT];	  /* 0, or why not: -errno */
	char why[RUNG_COUNT][FEATURES_WHY];
};

/*
 * *names: the kernel's, which are the caller's to close; opened if NULL. Rungs that have a reason in left_out are not tried.
 * 0, or -errno with one line in why if BPF cannot be used at all.
 */
int features_open(struct features *f, struct btf_names **names,
		  char left_out[RUNG_COUNT][FEATURES_WHY], char *why, size_t whysize);
void features_close(struct features *f);

/*
 * A function of the kernel, or else of that module (may be NULL), if it is loaded, to attach to on that rung: its name
 * there. False: it is not there.
 */
bool features_target(struct features *f, enum rung rung, const char *function, const char *module,
		     char name[FEATURES_NAME]);

#endif
