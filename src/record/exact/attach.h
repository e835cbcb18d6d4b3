/* SPDX-License-Identifier: BSD-2-Clause */
/* attach.h: attaches the loaded programs to what the ladder chose. */
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
	struct bpf_link *link;	  /* NULL: detached until attach_on() */
	char function[HOOK_NAME]; /* empty: a tracepoint, named after the program */
};

/*
 * Attaches everything, or nothing and returns -errno with one line in why. -EAGAIN: only the functions of the rows in
 * *refused could not be attached to, and the ladder may have other functions for them.
 */
int attach_new(struct attach **ap, const struct bpf_object *obj, const struct ladder *l,
	       uint64_t *refused, char *why, size_t whysize);
void attach_free(struct attach *a); /* detaches; NULL is allowed */

/*
 * attach_off() detaches what can be attached again quickly, which are tracepoints; attach_on() attaches it again. Each
 * trampoline or kprobe would take the kernel up to 0.25 s and 50 million instructions (6.12), so function probes stay
 * attached and must return at once. Entering and leaving one still takes some 170 instructions, which is why ladder.c
 * avoids them where windows are used. On failure, with one line in why, the tracepoints are not attached.
 */
void attach_off(struct attach *a);
int attach_on(struct attach *a, char *why, size_t whysize);

/* Everything that is attached, or was before attach_off(). */
const struct attached *attach_list(const struct attach *a, size_t *n);
/* Number of kretprobe hits that were not handled. -errno: unknown, or there are no kretprobes. */
int attach_kretprobes_missed(const struct attach *a, uint64_t *missed);

#endif
