/* SPDX-License-Identifier: BSD-2-Clause */
/* attach.h: attaches loaded programs to what the ladder chose for them. */
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

/* A program and one thing that it is attached to. */
struct attached {
	const struct bpf_program *prog;
	struct bpf_link *link;	  /* NULL: it is not, until attach_on() */
	char function[HOOK_NAME]; /* empty: a tracepoint, whose name is the program's */
};

/*
 * All of it, or nothing and -errno with one line in why. -EAGAIN: only the functions of some rows could not be attached
 * to; these rows are in refused, and the ladder may have other functions for them.
 */
int attach_new(struct attach **ap, const struct bpf_object *obj, const struct ladder *l,
	       uint64_t *refused, char *why, size_t whysize);
void attach_free(struct attach *a); /* detaches; takes NULL */

/*
 * Detaches what is quickly attached again, which are tracepoints; and attaches it again. Each trampoline and kprobe would
 * take the kernel up to 0.25 s, and up to 50 million instructions (6.12): the programs there stay, and must return at
 * once. The way there and back still takes some 170 instructions each, which is why ladder.c avoids them where something
 * is to be detached often. On failure, with one line in why, the tracepoints are not attached.
 */
void attach_off(struct attach *a);
int attach_on(struct attach *a, char *why, size_t whysize);

/* All that is attached, or was until attach_off(). */
const struct attached *attach_list(const struct attach *a, size_t *n);
/* How often a kretprobe was hit and not handled. -errno: not known, or there are none. */
int attach_kretprobes_missed(const struct attach *a, uint64_t *missed);

#endif
