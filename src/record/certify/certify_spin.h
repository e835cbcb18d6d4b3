/* SPDX-License-Identifier: BSD-2-Clause */
/* certify_spin.h: a program that spins for each packet on the loopback of a network namespace. */
#ifndef NETCOST_CERTIFY_SPIN_H
#define NETCOST_CERTIFY_SPIN_H

#include <stddef.h>

struct certify_spin;
struct netcost_spin;

/* Loads the program, and attaches it in the calling thread's network namespace. why: one line on failure. */
int certify_spin_new(struct certify_spin **sp, char *why, size_t whysize);
void certify_spin_free(struct certify_spin *s); /* s may be NULL */
/*
 * certify_spin_detach() detaches the program between certificates, because the host's packets take a slower path while
 * any XDP program is attached. A classifier stays attached, because it only affects its own namespace.
 * certify_spin_attach() attaches the program again, and returns 0 or -errno.
 */
void certify_spin_detach(struct certify_spin *s);
int certify_spin_attach(struct certify_spin *s);

/* Returns the memory that the program shares with the recorder. */
volatile struct netcost_spin *certify_spin_shared(const struct certify_spin *s);

#endif
