/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * features.h: tests which BPF programs this host allows: whether they can be loaded, what they can
 * be attached to, and why others are refused. Tested once, with tiny programs, which are attached
 * briefly to a function of the kernel's tests.
 */
#ifndef NETCOST_FEATURES_H
#define NETCOST_FEATURES_H

#include <stdbool.h>
#include <stddef.h>

struct btf_names;
struct kallsyms;

/* Methods of exact counting, best first. */
enum rung {
	RUNG_FENTRY,
	RUNG_KPROBE,
	RUNG_TRACEPOINT,
	RUNG_SAMPLES, /* nothing is exact: only samples */
	RUNG_COUNT,
};

const char *rung_name(enum rung r);

#define FEATURES_WHY 160
#define FEATURES_NAME 64 /* of a function */

struct features {
	struct btf_names *names;  /* the caller's */
	struct kallsyms *symbols; /* NULL until one is requested */
	int usable[RUNG_COUNT];	  /* 0, or -errno if not usable */
	char why[RUNG_COUNT][FEATURES_WHY];
};

/*
 * *names: belongs to the caller, who closes it; opened if NULL. Methods with a reason in left_out
 * are not tried. 0, or -errno with one line in why if BPF cannot be used at all.
 */
int features_open(struct features *f, struct btf_names **names,
		  char left_out[RUNG_COUNT][FEATURES_WHY], char *why, size_t whysize);
void features_close(struct features *f);

/*
 * Finds a function of the kernel or of that module (may be NULL), if it is loaded, to attach to
 * with that method, and returns its name. False: it does not exist.
 */
bool features_target(struct features *f, enum rung rung, const char *function, const char *module,
		     char name[FEATURES_NAME]);

#endif
