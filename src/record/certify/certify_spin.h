/* SPDX-License-Identifier: BSD-2-Clause */
/* certify_spin.h: the program that spins for each packet of a network namespace's loopback. */
#ifndef NETCOST_CERTIFY_SPIN_H
#define NETCOST_CERTIFY_SPIN_H

#include <stddef.h>

struct certify_spin;
struct netcost_spin;

/* Attaches it in the calling thread's network namespace, for the life of that. why: one line on failure. */
int certify_spin_new(struct certify_spin **sp, char *why, size_t whysize);
void certify_spin_free(struct certify_spin *s); /* NULL is allowed */

/* The memory that it shares with us. */
volatile struct netcost_spin *certify_spin_shared(const struct certify_spin *s);

#endif
