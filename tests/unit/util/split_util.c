// SPDX-License-Identifier: BSD-2-Clause
#include "split_util.h"

struct split_input exact_second(void)
{
	struct split_input in = { .wall_ns = 1e9 };

	in.exact_ns[NETCOST_EV_IDLE] = 500e6;
	in.exact_ns[NETCOST_EV_TASK] = 300e6;
	in.exact_ns[NETCOST_EV_SOCK_SEND] = 80e6;
	in.exact_ns[NETCOST_EV_SOCK_RECV] = 40e6;
	in.exact_ns[NETCOST_EV_SOCK_LOCAL] = 10e6;
	in.exact_ns[NETCOST_EV_IO_WORKER] = 5e6;
	in.exact_ns[NETCOST_EV_RX_SOFTIRQ] = 60e6;
	in.exact_ns[NETCOST_EV_TX_SOFTIRQ] = 5e6;
	return in;
}

void nothing_exact(struct split_input *in)
{
	for (unsigned int e = 0; e < NETCOST_EV_COUNT; e++)
		in->exact_ns[e] = NAN;
}

void add_samples(struct split_input *in)
{
	in->samples[LEAF_IDLE] = 700; /* ignored if idle is exact */
	in->samples[LEAF_USER] = 200;
	in->samples[LEAF_OTHER_NETWORK] = 20;
	in->samples[LEAF_OTHER_KERNEL] = 80;
	in->samples[LEAF_SOCK_SEND] = 80;
	in->samples[LEAF_SOCK_RECV] = 40;
	in->samples[LEAF_RX_SOFTIRQ] = 80;
}

double leaf_ns(const struct split_cpu *c, enum leaf l)
{
	return c->leaf[l].ns;
}

void check_identities(const struct split_cpu *c, double whole)
{
	double sum = 0;

	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		sum += isnan(c->leaf[l].ns) ? 0 : c->leaf[l].ns;
	NEAR(sum, whole);
	NEAR(c->sum_ns, whole);
	for (unsigned int i = 0; i < LEAF_NODES; i++) {
		double children = 0;

		for (unsigned int l = 0; l < LEAF_COUNT; l++)
			if (leaf_node[i].leaves & 1u << l && !isnan(c->leaf[l].ns))
				children += c->leaf[l].ns;
		if (!isnan(split_sum(c, leaf_node[i].leaves).ns))
			NEAR(split_sum(c, leaf_node[i].leaves).ns, children);
	}
}
