// SPDX-License-Identifier: BSD-2-Clause
#include "codes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#define DECAY 0.9f	  /* of what was seen, from one flush to the next */
#define MOST_WEIGHT 1e20f /* far from what a float can hold */
#define FLUSHES_EACH 16	  /* lists are written every so many … */

void codes_free(struct codes *c)
{
	free(c->stack);
	*c = (struct codes){ 0 };
}

static int grow(struct codes *c, size_t need)
{
	size_t had = c->size;
	int err = array_reserve(&c->stack, &c->size, need, sizeof(*c->stack));

	if (!err && c->size > had)
		memset(c->stack + had, 0, (c->size - had) * sizeof(*c->stack));
	return err;
}

int codes_begin(struct codes *c, uint32_t nstacks)
{
	/* Instead of making all older samples count for less, new ones count for more. */
	c->weight = c->weight > 0 ? c->weight / DECAY : 1;
	if (c->weight > MOST_WEIGHT) {
		for (size_t i = 0; i < c->size; i++)
			c->stack[i].seen /= c->weight;
		c->weight = 1;
	}
	return grow(c, nstacks + (size_t)1);
}

void codes_see(struct codes *c, const uint32_t *stack, size_t n)
{
	for (size_t i = 0; i < n; i++)
		c->stack[stack[i]].seen += c->weight;
}

/* Into the list, which is in order of how often stacks were seen. */
static void insert(struct codes *c, uint32_t id)
{
	float seen = c->stack[id].seen;
	uint32_t at = c->n < TRACE_MAX_CODES ? c->n++ : c->n - 1;

	for (; at && c->stack[c->listed[at - 1]].seen < seen; at--)
		c->listed[at] = c->listed[at - 1];
	c->listed[at] = id;
}

static void choose(struct codes *c)
{
	float least = 0;

	while (c->n)
		c->stack[c->listed[--c->n]].number = 0;
	for (size_t id = 1; id < c->size; id++) {
		if (c->stack[id].seen <= least)
			continue;
		insert(c, (uint32_t)id);
		if (c->n == TRACE_MAX_CODES)
			least = c->stack[c->listed[c->n - 1]].seen;
	}
	for (uint32_t i = 0; i < c->n; i++)
		c->stack[c->listed[i]].number = (uint8_t)(i + 1);
}

/* … and sooner at first, when little is known. */
static bool is_due(uint64_t flushes)
{
	return flushes == 1 || flushes == 3 || flushes % FLUSHES_EACH == 0;
}

int codes_write(struct codes *c, struct trace_writer *w)
{
	if (!is_due(c->flushes++))
		return 0;
	choose(c);
	trace_writer_begin(w, TRACE_STACK_CODES, 2);
	trace_writer_uint(w, TRACE_STACK_CODES_ID, ++c->id);
	trace_writer_u32s(w, TRACE_STACK_CODES_STACK, c->listed, c->n);
	return trace_writer_end(w);
}

void codes_apply(const struct codes *c, uint32_t *stack, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint8_t number = c->stack[stack[i]].number;

		stack[i] = number || !stack[i] ? number : stack[i] + c->n;
	}
}
