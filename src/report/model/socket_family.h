/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * socket_family.h: the kind of socket that a sample's call is on, where the stack does not show it. The first part of
 * a send is the same for all sockets: an undecided sample counts as the task's last decided one did, for the
 * network or for local sockets. That is right for a task with sockets of one kind; if it has both, each kind gets,
 * in the long run, its share of the decided samples.
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

/* Begins a SAMPLES record, whose samples are then decided one after the other. 0 or -ENOMEM. */
int socket_families_begin(struct socket_families *f, const struct model *m,
			  const struct trace_record *rec);
/*
 * The class of the record's i-th sample, whose stack has that class; i rises. Only where the class's family is not SOCKET_NONE:
 * other samples keep theirs.
 */
unsigned int socket_families_decide(struct socket_families *f, const struct model *m, uint32_t i,
				    unsigned int class);

/*
 * All samples of a record at once. *class: the class of each, in their order, valid until the next call. NULL: each has the
 * class of its stack (the model's rules have nothing undecided). Call it once for each record. 0 or -ENOMEM.
 */
int socket_families_see(struct socket_families *f, const struct model *m,
			const struct trace_record *rec, const uint16_t **class);

#endif
