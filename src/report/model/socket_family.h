/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * socket_family.h: what kind of socket a sample's call is on, where its stack does not tell yet. The first part of a
 * send is the same for all sockets: an undecided sample goes where the task's last decided one went, to the
 * network or to local sockets. For a task with sockets of one kind that is right; of one with both each kind
 * gets, in the long run, what its share of the decided samples is.
 */
#ifndef NETCOST_REPORT_SOCKET_FAMILY_H
#define NETCOST_REPORT_SOCKET_FAMILY_H

#include <stdint.h>

#include <netcost/trace.h>

struct model;
struct socket_families;

/* NULL: no memory. */
struct socket_families *socket_families_new(void);
void socket_families_free(struct socket_families *f); /* takes NULL */

/*
 * Of each sample of a SAMPLES record, in their order, the class: in *class, valid until the next call. NULL there:
 * that of its stack (the model's rules have nothing undecided). Once for each record. 0 or -ENOMEM.
 */
int socket_families_see(struct socket_families *f, const struct model *m,
			const struct trace_record *rec, const uint16_t **class);

#endif
