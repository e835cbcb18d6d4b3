// SPDX-License-Identifier: BSD-2-Clause
#include "trigger.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/text_append.h>

#include "latency.h"
#include "report/base/stats.h"
#include "report/base/text.h"
#include "report/rules/rules.h"

/* number of consecutive intervals without a value after which a message reports this */
#define TRIGGER_UNKNOWN 10

enum trigger_kind { TRIGGER_SHARE, TRIGGER_COST, TRIGGER_QUANTILE, TRIGGER_RATE };

/* Counters whose rate a condition may limit. */
static const char *const trigger_rates[] = { "drops", "packets", "bytes", NULL };

static const struct {
	enum trigger_kind kind;
	const char *name;
	double scale;
} trigger_units[] = {
	{ TRIGGER_SHARE, "%", 0.01 },	 { TRIGGER_COST, "%", 0.01 },
	{ TRIGGER_QUANTILE, "ns", 1 },	 { TRIGGER_QUANTILE, "us", 1e3 },
	{ TRIGGER_QUANTILE, "ms", 1e6 }, { TRIGGER_QUANTILE, "s", 1e9 },
	{ TRIGGER_RATE, "/s", 1 },	 { TRIGGER_RATE, "k/s", 1e3 },
	{ TRIGGER_RATE, "M/s", 1e6 },	 { TRIGGER_RATE, "G/s", 1e9 },
};

struct trigger_condition {
	char text[96];
	enum trigger_kind kind;
	unsigned int which; /* leaves, checkpoint, or rate */
	double quantile;    /* from 0 to 1 */
	bool below;
	double limit, scale;
	const char *unit;
	/* the counter at the last edge, and its time; NaN: there was no edge */
	double count, at_ns;
	uint64_t bucket[NETCOST_LATENCY_BUCKETS];
	unsigned int unknown; /* number of consecutive intervals without a value */
};

/* ---- parsing ------------------------------------------------------------------------------ */

/* Writes a message that lists the valid names, or the checkpoints if the name has the form of a quantile. */
static void trigger_known(char *why, size_t size, const char *name)
{
	bool quantile = strchr(name, '(');

	snprintf(why, size,
		 quantile ? "'%s' is not a quantile (p50, p99.9 ...) of one of" :
			    "'%s' is not p99(CHECKPOINT) nor one of",
		 name);
	for (size_t i = 0; quantile && latency_keys[i]; i++)
		text_append(why, size, " ", "%s", latency_keys[i]);
	for (size_t i = 0; !quantile && i < LEAF_NODES; i++)
		text_append(why, size, " ", "%s", leaf_node[i].key);
	for (size_t i = 0; !quantile && trigger_rates[i]; i++)
		text_append(why, size, " ", "%s", trigger_rates[i]);
	if (!quantile)
		text_append(why, size, " ", "cost");
}

/* Returns the index of a name in a list that ends with NULL, or -1. */
static int trigger_index(const char *const *list, const char *name, size_t len)
{
	for (int i = 0; list[i]; i++)
		if (strlen(list[i]) == len && !memcmp(list[i], name, len))
			return i;
	return -1;
}

/* Parses the name of a series. Returns false if there is no such series. */
static bool trigger_series(struct trigger_condition *c, const char *name, size_t len)
{
	char *open;
	int i = trigger_index(trigger_rates, name, len);

	c->kind = TRIGGER_RATE;
	c->which = (unsigned int)i;
	if (i >= 0)
		return true;
	for (size_t k = 0; k < LEAF_NODES; k++)
		if (strlen(leaf_node[k].key) == len && !memcmp(leaf_node[k].key, name, len)) {
			c->kind = TRIGGER_SHARE;
			c->which = leaf_node[k].leaves;
			return true;
		}
	c->kind = TRIGGER_COST;
	if (len == strlen("cost") && !memcmp(name, "cost", len))
		return true;
	c->kind = TRIGGER_QUANTILE;
	if (*name != 'p' || !isdigit((unsigned char)name[1]) || name[len - 1] != ')')
		return false;
	c->quantile = strtod(name + 1, &open) / 100;
	i = *open == '(' && open < name + len ?
		    trigger_index(latency_keys, open + 1, (size_t)(name + len - open) - 2) :
		    -1;
	c->which = (unsigned int)i;
	return i >= 0 && c->quantile > 0 && c->quantile < 1;
}

/* Parses the limit. Returns false if the number is invalid, or if the unit does not fit the series. */
static bool trigger_limit(struct trigger_condition *c, const char *text)
{
	char *unit;

	c->limit = strtod(text, &unit);
	if (unit == text || !isfinite(c->limit) || c->limit < 0)
		return false;
	for (size_t i = 0; i < sizeof(trigger_units) / sizeof(*trigger_units); i++)
		if (trigger_units[i].kind == c->kind && !strcmp(trigger_units[i].name, unit)) {
			c->scale = trigger_units[i].scale;
			c->unit = trigger_units[i].name;
		}
	return c->unit;
}

static int trigger_parse(struct trigger_condition *c, const char *text, size_t len, char *why,
			 size_t size)
{
	size_t name;

	if (len >= sizeof(c->text)) {
		snprintf(why, size, "a condition has more than %zu bytes", sizeof(c->text) - 1);
		return -EINVAL;
	}
	memcpy(c->text, text, len);
	name = strcspn(c->text, "<>");
	c->below = c->text[name] == '<';
	if (!name || !trigger_series(c, c->text, name)) {
		c->text[name] = '\0';
		trigger_known(why, size, c->text);
	} else if (!c->text[name] || !trigger_limit(c, c->text + name + 1)) {
		snprintf(why, size, "'%s' lacks a limit such as %s%s", c->text,
			 c->text[name] ? "" : ">",
			 c->kind == TRIGGER_QUANTILE ? "5ms" :
			 c->kind == TRIGGER_RATE     ? "100/s" :
						       "60%");
	} else {
		return 0;
	}
	return -EINVAL;
}

/* ---- values ------------------------------------------------------------------------------- */

static void trigger_judge(struct trigger *t, struct trigger_condition *c, double v)
{
	if (isnan(v)) {
		if (++c->unknown == TRIGGER_UNKNOWN)
			tell("--trigger", "%s: not measured so far%s", c->text,
			     c->kind == TRIGGER_QUANTILE ? "; record with --latency" : "");
		return;
	}
	c->unknown = 0;
	v /= c->scale;
	if (c->below ? v < c->limit : v > c->limit)
		snprintf(t->holds, sizeof(t->holds), "trigger %s: %.6g%s", c->text, v, c->unit);
}

static double trigger_so_far(const struct counter *c)
{
	return c->readings && !c->unknown ? (double)c->sum : NAN;
}

static double trigger_drops(const struct model *m)
{
	double sum = m->drops_at_ns.readings ? 0 : NAN;

	for (size_t i = 0; i < m->ndrops; i++)
		sum += known_or_0(trigger_so_far(&m->drop[i].packets));
	return sum;
}

/* Sums over all interfaces, not over interfaces_basis(), which depends on the traffic: a limit keeps its meaning. */
static double trigger_netdevs(const struct model *m, enum model_netdev_key rx,
			      enum model_netdev_key tx)
{
	double sum = NAN;

	for (size_t i = 0; i < m->nnetdevs; i++) {
		known_add(&sum, trigger_so_far(&m->netdev[i].counter[rx]));
		known_add(&sum, trigger_so_far(&m->netdev[i].counter[tx]));
	}
	return sum;
}

static void trigger_rate(struct trigger *t, struct trigger_condition *c, const struct model *m,
			 bool first)
{
	double at_ns = (double)m->at_ns.last, before = c->count, since_ns = at_ns - c->at_ns;

	c->count = !c->which	 ? trigger_drops(m) :
		   c->which == 1 ? trigger_netdevs(m, NETDEV_RX_PACKETS, NETDEV_TX_PACKETS) :
				   trigger_netdevs(m, NETDEV_RX_BYTES, NETDEV_TX_BYTES);
	c->at_ns = at_ns;
	if (!first)
		trigger_judge(t, c, 1e9 * (c->count - before) / since_ns);
}

/* Without packets in an interval there is no quantile to judge. The series still counts as measured. */
static void trigger_quantile(struct trigger *t, struct trigger_condition *c, const struct model *m,
			     bool first)
{
	const struct dist *d = model_latency_dist(m, c->which);
	uint64_t now[NETCOST_LATENCY_BUCKETS], packets;
	struct dist since = { .min_ns = TRACE_NIL, .max_ns = TRACE_NIL, .bucket = c->bucket };

	if (!d->bucket) {
		if (!model_is_measured(m, NETCOST_OF_LATENCY, c->which))
			trigger_judge(t, c, NAN);
		return;
	}
	memcpy(now, d->bucket, sizeof(now));
	for (size_t i = 0; i < NETCOST_LATENCY_BUCKETS; i++)
		c->bucket[i] = now[i] - c->bucket[i];
	packets = dist_count(&since);
	if (!first && packets)
		trigger_judge(t, c,
			      dist_value(&since, (uint64_t)ceil(c->quantile * (double)packets)));
	memcpy(c->bucket, now, sizeof(now));
}

/* The watch's function for edges: evaluates what is counted at ticks. */
static void trigger_edge(void *ctx, const struct model *m, size_t edge)
{
	struct trigger *t = ctx;

	(void)edge;
	for (size_t i = 0; i < t->n; i++) {
		struct trigger_condition *c = &t->condition[i];

		if (c->kind == TRIGGER_RATE)
			trigger_rate(t, c, m, isnan(c->at_ns));
		else if (c->kind == TRIGGER_QUANTILE)
			trigger_quantile(t, c, m, isnan(c->at_ns));
		c->at_ns = (double)m->at_ns.last;
	}
}

/* Updates the recorder's share of the time of all CPUs, as of the last tick that was read. */
static void trigger_self(struct trigger *t, const struct model *m)
{
	double self_us = trigger_so_far(&m->self_user_us) + trigger_so_far(&m->self_system_us);
	double at_ns = (double)m->at_ns.last;

	if (at_ns > t->at_ns && t->iv->ncpus)
		t->self = 1e3 * (self_us - t->self_us) / (at_ns - t->at_ns) / (double)t->iv->ncpus;
	t->self_us = self_us;
	t->at_ns = at_ns;
}

/* The watch's function for complete intervals: evaluates the split, which needs all samples of the interval. */
static int trigger_closed(void *ctx, const struct model *m, size_t i)
{
	struct trigger *t = ctx;
	struct split_cpu all;
	int err = interval_split(t->iv, i, m, &all);

	if (err)
		return err;
	trigger_self(t, m);
	for (size_t k = 0; k < t->n; k++) {
		struct trigger_condition *c = &t->condition[k];

		if (c->kind == TRIGGER_SHARE)
			trigger_judge(t, c, split_sum(&all, c->which).ns / all.wall_ns);
		else if (c->kind == TRIGGER_COST)
			trigger_judge(t, c, all.leaf[LEAF_OWN].ns / all.wall_ns + t->self);
	}
	return 0;
}

/* ---- the trigger -------------------------------------------------------------------------- */

int trigger_init(struct trigger *t, const char *text, char *why, size_t size)
{
	int err = 0;

	*t = (struct trigger){ .watch = {
				       .ctx = t, .edge = trigger_edge, .closed = trigger_closed } };
	t->condition = calloc(strlen(text) + 1, sizeof(*t->condition));
	if (!t->condition)
		return -ENOMEM;
	for (; !err && *text; text += *text == ',') {
		size_t len = strcspn(text, ",");

		err = trigger_parse(&t->condition[t->n], text, len, why, size);
		t->latency |= t->condition[t->n++].kind == TRIGGER_QUANTILE;
		text += len;
	}
	return err;
}

void trigger_free(struct trigger *t)
{
	free(t->condition);
	t->condition = NULL;
}

void trigger_begin(struct trigger *t, const struct intervals *iv)
{
	t->iv = iv;
	t->self = t->self_us = t->at_ns = NAN;
	for (size_t i = 0; i < t->n; i++) {
		memset(t->condition[i].bucket, 0, sizeof(t->condition[i].bucket));
		t->condition[i].at_ns = NAN;
	}
}
