// SPDX-License-Identifier: BSD-2-Clause
#include "split_columns.h"

#include <math.h>
#include <string.h>

static const struct {
	const char *title;
	unsigned int leaves;
	uint8_t spare; /* on a terminal without room */
} shown[SPLIT_SHOWN] = {
	{ "idle", LEAF_BIT(IDLE), 1 },
	{ "user", LEAF_BIT(USER), 2 },
	{ "send", LEAF_BIT(SOCK_SEND), 0 },
	{ "recv", LEAF_BIT(SOCK_RECV), 0 },
	{ "RX", LEAF_BIT(RX_SOFTIRQ), 0 },
	{ "TX", LEAF_BIT(TX_SOFTIRQ), 5 },
	{ "irq", LEAF_BIT(HARDIRQ_NET), 5 },
	{ "othnet", LEAF_BIT(OTHER_NETWORK), 4 },
	{ "other", LEAF_BIT(SOCK_LOCAL) | LEAF_BIT(IO_WORKER) | LEAF_BIT(OTHER_KERNEL), 4 },
	{ "task", LEAF_BIT(TASK), 5 },
	{ "own", LEAF_BIT(OWN), 5 },
};

static const struct doc_column network[] = {
	{ .key = "network_ns",
	  .title = "net ms",
	  .scale = 1e-6,
	  .decimals = 1,
	  .width = 9,
	  .spare = 6 },
	{ .key = "network_ci95_ns" },
	{ DOC_PERCENT("network_percent", "network", 7), .about = "of the row's time" },
	{ DOC_PERCENT_INTERVAL("network_sampled_percent", "network_sampled_ci95_percent",
			       "by samples", 15),
	  .spare = 3 },
};

static const char *const leaf_ns[LEAF_COUNT] = {
#define X(name, key, title, column, event) "leaf_ns." key,
	LEAVES(X)
#undef X
};

static const char *const leaf_sampled[LEAF_COUNT] = {
#define X(name, key, title, column, event) "leaf_sampled_percent." key,
	LEAVES(X)
#undef X
};

const char *const leaf_keys[LEAF_COUNT + 1] = {
#define X(name, key, title, column, event) key,
	LEAVES(X)
#undef X
};

void split_leaf_columns(struct doc_column to[SPLIT_LEAF_COLUMNS])
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		*to++ = (struct doc_column){ .key = leaf_ns[l] };
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		*to++ = (struct doc_column){ .key = leaf_sampled[l], .precision = 4 };
}

void split_leaf_cells(struct doc *d, const struct split_cpu *c)
{
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		doc_number(d, c->leaf[l].ns);
	for (unsigned int l = 0; l < LEAF_COUNT; l++)
		doc_number(d, 100 * c->leaf[l].sampled);
}

unsigned int split_title_width(unsigned int absent)
{
	unsigned int width = 28;

	for (unsigned int i = 0; i < LEAF_NODES; i++) {
		const struct leaf_node *n = &leaf_node[i];
		unsigned int own = 2 * n->depth + (unsigned int)strlen(n->title);

		if (n->leaves & ~absent && own > width)
			width = own;
	}
	return width;
}

void split_columns(struct doc_column to[SPLIT_COLUMNS], unsigned int absent)
{
	for (size_t i = 0; i < SPLIT_SHOWN; i++)
		*to++ = (struct doc_column){
			.title = shown[i].leaves & ~absent ? shown[i].title : NULL,
			.decimals = 2,
			.width = 6,
			.spare = shown[i].spare,
		};
	memcpy(to, network, sizeof(network));
	split_leaf_columns(to + sizeof(network) / sizeof(*network));
}

void split_cells(struct doc *d, const struct split_cpu *c)
{
	struct split_value net = split_sum(c, LEAF_NETWORK);

	for (size_t i = 0; i < SPLIT_SHOWN; i++)
		doc_number(d, 100 * (split_sum(c, shown[i].leaves).ns / c->wall_ns));
	doc_number(d, net.ns);
	doc_number(d, isnan(net.ns) ? NAN : net.ci95_ns);
	doc_number(d, 100 * (net.ns / c->wall_ns));
	doc_interval(d, 100 * net.sampled, 100 * net.sampled_ci95);
	split_leaf_cells(d, c);
}
