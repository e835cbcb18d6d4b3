/* SPDX-License-Identifier: BSD-2-Clause */
/* attach.h: attaches loaded programs to what the ladder chose for them. */
#ifndef NETCOST_ATTACH_H
#define NETCOST_ATTACH_H

#include <stddef.h>
#include <stdint.h>

struct attach;
struct bpf_object;
struct ladder;
struct ladder_rows;

/*
 * All of it, or nothing and -errno with one line in why. refused: rows whose functions
 * alone could not be attached to; then nothing is attached either, and -EAGAIN: the ladder may have
 * others.
 */
int attach_new(struct attach **ap, const struct bpf_object *obj, const struct ladder *l,
	       struct ladder_rows *refused, char *why, size_t whysize);
void attach_free(struct attach *a); /* detaches; takes NULL */

#endif
