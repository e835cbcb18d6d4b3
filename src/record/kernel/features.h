/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * features.h: tests whether this host can load BPF programs, and to which functions the programs can be attached. Also
 * finds out why the kernel refuses other functions. The tests run once, with tiny programs, which are attached briefly
 * to a function of the kernel's tests.
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
	RUNG_SAMPLES, /* nothing is counted exactly; there are only samples */
	RUNG_COUNT,
};

const char *rung_name(enum rung r);

#define FEATURES_WHY 160
#define FEATURES_NAME 64 /* maximum size of a function's name */

struct features {
	struct btf_names *names;  /* the caller's names */
	struct kallsyms *symbols; /* NULL until a symbol is requested */
	int usable[RUNG_COUNT];	  /* 0, or -errno if the method is not usable */
	char why[RUNG_COUNT][FEATURES_WHY];
};

/*
 * Tests the host. If *names is NULL, features_open() opens it. *names belongs to the caller, who closes it. Methods
 * with a reason in left_out are not tried. Returns 0, or -errno with one line in why if BPF cannot be used at all.
 */
int features_open(struct features *f, struct btf_names **names,
		  char left_out[RUNG_COUNT][FEATURES_WHY], char *why, size_t whysize);
void features_close(struct features *f);

/*
 * Finds a function to which programs of the method can be attached, and stores its name. The function may be in the
 * kernel itself or, if `module` is loaded, in that module. module may be NULL. Returns false if the function does not
 * exist.
 */
bool features_target(struct features *f, enum rung rung, const char *function, const char *module,
		     char name[FEATURES_NAME]);

#endif
