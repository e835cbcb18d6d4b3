/* SPDX-License-Identifier: BSD-2-Clause */
/* drop_reasons.h: what the kernel calls the reasons for which it drops packets, from its BTF. */
#ifndef NETCOST_DROP_REASONS_H
#define NETCOST_DROP_REASONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf_names;
struct drop_reasons;

/* How the tracepoint kfree_skb is here. */
enum drop_reasons_here {
	DROP_REASONS_GIVEN,
	DROP_REASONS_OLD,  /* it gives none: before Linux 5.17 */
	DROP_REASONS_NONE, /* there is no such tracepoint */
};

enum drop_reasons_here drop_reasons_here(const struct btf_names *kernel);

/* A copy of the names. -ENOMEM */
int drop_reasons_new(struct drop_reasons **rp, const struct btf_names *kernel);
void drop_reasons_free(struct drop_reasons *r); /* takes NULL */

/* "SOCKET_RCVBUFF"; for a subsystem's "OPENVSWITCH 3". Returns dst. */
const char *drop_reasons_name(const struct drop_reasons *r, uint32_t reason, char *dst,
			      size_t size);
/* The packet was not dropped, but had served its purpose. */
bool drop_reasons_is_none(const struct drop_reasons *r, uint32_t reason);

#endif
