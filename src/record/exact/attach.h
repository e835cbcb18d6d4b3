/* SPDX-License-Identifier: BSD-2-Clause */
/* attach.h: attaches the loaded programs to the attach points that the ladder chose. */
#ifndef NETCOST_ATTACH_H
#define NETCOST_ATTACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hooks.h"

struct attach;
struct bpf_link;
struct bpf_object;
struct bpf_program;
struct ladder;

/* A program and one of its attach points. */
struct attached {
	const struct bpf_program *prog;
	struct bpf_link *link; /* NULL while detached, until attach_on() */
	/* name of the function; empty for a tracepoint */
	char function[HOOK_NAME];
};

/*
 * Attaches everything and returns 0. On failure, attaches nothing and returns -errno with one line in why. -EAGAIN
 * means that the kernel refused only the functions of the rows in *refused. The ladder may know other functions for
 * these rows.
 */
int attach_new(struct attach **ap, const struct bpf_object *obj, const struct ladder *l,
	       uint64_t *refused, char *why, size_t whysize);
void attach_free(struct attach *a); /* detaches the programs; NULL is allowed */

/*
 * attach_off() detaches the tracepoints, which can be attached again quickly. attach_on() attaches them again. Function
 * probes stay attached and must return at once, because attaching a trampoline or a kprobe would take the kernel up to
 * 0.25 s and 50 million instructions (6.12). Entering and leaving a function probe still takes some 170 instructions,
 * which is why ladder.c avoids them where windows are used. If attach_on() fails, it writes one line to why, and the
 * tracepoints are not attached.
 */
void attach_off(struct attach *a);
int attach_on(struct attach *a, char *why, size_t whysize);

/* Returns the list of attached programs, including those that attach_off() has detached. */
const struct attached *attach_list(const struct attach *a, size_t *n);
/*
 * Stores the number of kretprobe hits that the kernel did not handle. Returns -errno if the number is unknown or there
 * are no kretprobes.
 */
int attach_kretprobes_missed(const struct attach *a, uint64_t *missed);

#endif
