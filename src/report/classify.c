// SPDX-License-Identifier: BSD-2-Clause
#include "classify.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct pattern {
	const char *name; /* not terminated */
	uint32_t len;
	bool prefix;
	uint8_t leaf;
};

struct classifier {
	struct pattern *pattern; /* whole names in order of name, then prefixes, the longest first */
	size_t nwhole, n;
};

/* ---- rules ------------------------------------------------------------------------------- */

static int compare_names(const char *a, size_t alen, const char *b, size_t blen)
{
	int d = memcmp(a, b, alen < blen ? alen : blen);

	return d ? d : (alen > blen) - (alen < blen);
}

static int compare_patterns(const void *pa, const void *pb)
{
	const struct pattern *a = pa, *b = pb;

	if (a->prefix != b->prefix)
		return a->prefix - b->prefix;
	if (a->prefix && a->len != b->len)
		return a->len < b->len ? 1 : -1;
	return compare_names(a->name, a->len, b->name, b->len);
}

/* Calls add() for each name of a rule; counts them where add is NULL. */
static size_t split_rule(const struct class_rule *rule, struct pattern *out)
{
	const char *s = rule->functions;
	size_t n = 0;

	for (;;) {
		size_t len;

		s += strspn(s, " ");
		len = strcspn(s, " ");
		if (!len)
			return n;
		if (out) {
			bool prefix = s[len - 1] == '*';

			out[n] = (struct pattern){ .name = s,
						   .len = (uint32_t)(len - prefix),
						   .prefix = prefix,
						   .leaf = (uint8_t)rule->leaf };
		}
		n++;
		s += len;
	}
}

struct classifier *classifier_new(const struct class_rule *rules, size_t nrules)
{
	struct classifier *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	for (size_t i = 0; i < nrules; i++)
		c->n += split_rule(&rules[i], NULL);
	c->pattern = calloc(c->n + 1, sizeof(*c->pattern));
	if (!c->pattern) {
		classifier_free(c);
		return NULL;
	}
	c->n = 0;
	for (size_t i = 0; i < nrules; i++)
		c->n += split_rule(&rules[i], c->pattern + c->n);
	qsort(c->pattern, c->n, sizeof(*c->pattern), compare_patterns);
	while (c->nwhole < c->n && !c->pattern[c->nwhole].prefix)
		c->nwhole++;
	return c;
}

void classifier_free(struct classifier *c)
{
	if (!c)
		return;
	free(c->pattern);
	free(c);
}

/* ---- functions --------------------------------------------------------------------------- */

/* __x64_sys_sendto, __arm64_sys_sendto, __ia32_compat_sys_sendto … are all sys_sendto. */
static const char *without_arch(const char *name)
{
	static const char *const arch[] = { "__x64_",	"__ia32_", "__x32_",   "__arm64_",
					    "__s390x_", "__s390_", "__riscv_", "__powerpc_",
					    "__se_",	"__do_" };

	if (name[0] != '_' || name[1] != '_')
		return name;
	for (size_t i = 0; i < sizeof(arch) / sizeof(*arch); i++) {
		const char *rest = name + strlen(arch[i]);

		if (strncmp(name, arch[i], strlen(arch[i])))
			continue;
		if (!strncmp(rest, "compat_", 7))
			rest += 7;
		if (!strncmp(rest, "sys_", 4))
			return rest;
	}
	return name;
}

/* Names of functions hold no dot; compilers add one and what they have done behind it. */
static size_t without_suffix(const char *name)
{
	return *name ? 1 + strcspn(name + 1, ".") : 0;
}

enum leaf classifier_mark(const struct classifier *c, const char *function)
{
	size_t len, lo = 0, hi = c->nwhole;

	function = without_arch(function);
	len = without_suffix(function);
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct pattern *p = &c->pattern[mid];
		int d = compare_names(function, len, p->name, p->len);

		if (!d)
			return p->leaf;
		if (d < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	for (size_t i = c->nwhole; i < c->n; i++) {
		const struct pattern *p = &c->pattern[i];

		if (p->len && *function != *p->name)
			continue;
		if (len >= p->len && !memcmp(function, p->name, p->len))
			return p->leaf;
	}
	return CLASS_NO_MARK;
}

/* ---- stacks ------------------------------------------------------------------------------ */

/*
 * The innermost mark wins, but not everywhere: what the exact counters give to one event stays there,
 * so that both say the same. A local send is no network send, whatever generic code it passes; a
 * softirq belongs to itself, wherever it runs; and other network is only what nothing else has: timers
 * on an idle CPU are the idle task's time.
 */
#define SOFTIRQS (LEAF_BIT(RX_SOFTIRQ) | LEAF_BIT(TX_SOFTIRQ))

static const unsigned int without_effect_in[LEAF_COUNT] = {
	[LEAF_SOCK_SEND] = LEAF_BIT(SOCK_LOCAL) | SOFTIRQS | LEAF_BIT(IDLE),
	[LEAF_SOCK_RECV] = LEAF_BIT(SOCK_LOCAL) | SOFTIRQS | LEAF_BIT(IDLE),
	[LEAF_SOCK_LOCAL] = SOFTIRQS | LEAF_BIT(IDLE),
	[LEAF_IO_WORKER] = ~LEAF_BIT(OTHER_KERNEL),
	[LEAF_OTHER_NETWORK] = ~LEAF_BIT(OTHER_KERNEL),
	[LEAF_OTHER_KERNEL] = ~LEAF_BIT(OTHER_NETWORK),
};

enum leaf classify_step(enum leaf outer, enum leaf mark)
{
	if (mark == CLASS_NO_MARK || without_effect_in[mark] & 1u << outer)
		return outer;
	return mark;
}
