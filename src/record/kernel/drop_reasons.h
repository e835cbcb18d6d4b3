/* SPDX-License-Identifier: BSD-2-Clause */
/* drop_reasons.h: reads the kernel's names of drop reasons from its BTF. */
#ifndef NETCOST_DROP_REASONS_H
#define NETCOST_DROP_REASONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf_names;
struct drop_reasons;

/* The variant of the tracepoint kfree_skb on this kernel. */
enum drop_reasons_here {
	DROP_REASONS_GIVEN,
	DROP_REASONS_OLD,  /* the tracepoint has no reasons: before Linux 5.17 */
	DROP_REASONS_NONE, /* the tracepoint does not exist */
};

enum drop_reasons_here drop_reasons_here(const struct btf_names *kernel);

/* Copies the names. Returns 0 or -ENOMEM. */
int drop_reasons_new(struct drop_reasons **rp, const struct btf_names *kernel);
void drop_reasons_free(struct drop_reasons *r); /* NULL is allowed */

/*
 * Writes the name of a reason to dst: "SOCKET_RCVBUFF" or, for a reason of a subsystem, "OPENVSWITCH 3". Returns dst.
 */
const char *drop_reasons_name(const struct drop_reasons *r, uint32_t reason, char *dst,
			      size_t size);
/* Returns true if the reason means that the packet was consumed, and not dropped. */
bool drop_reasons_is_none(const struct drop_reasons *r, uint32_t reason);

#endif
