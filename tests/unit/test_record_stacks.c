// SPDX-License-Identifier: BSD-2-Clause
/* Tests stacks.c: ids of stacks. */
#include "kernel_table.h"
#include "symbols_util.h"

/* ---- stacks ------------------------------------------------------------------------------ */

#define STACK(s, ...)                                                                              \
	stack_id((s), (const uint64_t[]){ __VA_ARGS__ },                                           \
		 sizeof((const uint64_t[]){ __VA_ARGS__ }) / 8)

static void test_stack_ids(void)
{
	const uint64_t alpha = STEXT + 0x120, beta = STEXT + 0x220, weak = STEXT + 0x310;
	struct setup s;
	uint32_t id;

	setup(&s, KERNEL);
	id = STACK(s.stacks, alpha, beta, weak);
	CU_ASSERT_EQUAL(id, 3); /* the stacks weak, weak;beta and weak;beta;alpha */
	CU_ASSERT_EQUAL(STACK(s.stacks, alpha, beta, weak), id);
	CU_ASSERT_EQUAL(STACK(s.stacks, alpha + 4, beta + 5, weak + 6), id);
	CU_ASSERT_EQUAL(STACK(s.stacks, beta, weak), 2);
	CU_ASSERT_EQUAL(STACK(s.stacks, weak), 1);
	CU_ASSERT_EQUAL(stacks_count(s.stacks), 3);
	CU_ASSERT_EQUAL(STACK(s.stacks, weak, beta, weak), 4);
	CU_ASSERT_EQUAL(STACK(s.stacks, alpha), 5);
	CU_ASSERT_EQUAL(STACK(s.stacks, 0), 6);
	read_back(&s);
	CU_ASSERT_EQUAL(defined.stacks, 6);
	CU_ASSERT_EQUAL(defined.stack[4].parent, 2);
	CU_ASSERT_EQUAL(defined.stack[5].parent, 0);
	CU_ASSERT_STRING_EQUAL(defined.symbol[defined.stack[3].symbol].name, "alpha");
	teardown(&s);
}

/* Tests return addresses: the return address of a call that never returns lies in the next function. */
static void test_return_addresses(void)
{
	struct setup s;

	setup(&s, KERNEL);
	STACK(s.stacks, STEXT + 0x300, STEXT + 0x300);
	read_back(&s);
	CU_ASSERT_STRING_EQUAL(defined.symbol[defined.stack[1].symbol].name, "beta");
	CU_ASSERT_STRING_EQUAL(defined.symbol[defined.stack[2].symbol].name, "weak");
	teardown(&s);
}

static void test_deep_stack(void)
{
	uint64_t ips[TRACE_MAX_STACK];
	uint32_t id, depth = 0;
	struct setup s;

	setup(&s, KERNEL);
	for (size_t i = 0; i < TRACE_MAX_STACK; i++)
		ips[i] = STEXT + 0x180;
	id = stack_id(s.stacks, ips, TRACE_MAX_STACK);
	CU_ASSERT_EQUAL(stack_id(s.stacks, ips, TRACE_MAX_STACK), id);
	CU_ASSERT_EQUAL(stack_id(s.stacks, ips, TRACE_MAX_STACK - 1), id - 1);
	read_back(&s);
	for (; id; id = defined.stack[id].parent, depth++)
		CU_ASSERT_STRING_EQUAL(defined.symbol[defined.stack[id].symbol].name, "alpha");
	CU_ASSERT_EQUAL(depth, TRACE_MAX_STACK);
	teardown(&s);
}

/* Tests a stack that was seen before its module's symbols were known: it gets its names as soon as they are known. */
static void test_stack_after_refresh(void)
{
	const uint64_t ip = 0xffffffffc0200010, caller = STEXT + 0x120;
	struct setup s;
	uint32_t before, after;

	setup(&s, KERNEL);
	before = STACK(s.stacks, ip, caller);
	write_all(&s);
	new_table(&s, KERNEL NEW_MODULE);
	after = STACK(s.stacks, ip, caller);
	read_back(&s);
	CU_ASSERT_STRING_EQUAL(defined.symbol[defined.stack[before].symbol].name, "");
	CU_ASSERT_STRING_EQUAL(defined.symbol[defined.stack[after].symbol].name, "new_work");
	teardown(&s);
}

/* ---- many random stacks against a model -------------------------------------------------- */

#define FUNCTIONS 60
#define FUNCTION_SIZE 64
#define STACKS 3000
#define DEPTH 40
#define FOLDED (DEPTH * 8)

/* Makes the model's text of a stack. The name of an address follows from a division. */
static void model_fold(const uint64_t *ips, size_t n, char *text)
{
	*text = '\0';
	while (n--)
		sprintf(text + strlen(text), "f%u;",
			(unsigned int)((ips[n] - (n > 0) - STEXT) / FUNCTION_SIZE));
}

static void fold_defined(uint32_t id, char *text)
{
	uint32_t chain[DEPTH], n = 0;

	for (; id && n < DEPTH; id = defined.stack[id].parent)
		chain[n++] = defined.stack[id].symbol;
	*text = '\0';
	while (n--)
		sprintf(text + strlen(text), "%s;", defined.symbol[chain[n]].name);
}

static void table_of_functions(char *text)
{
	strcpy(text, "ffffffff81000000 T _stext\n");
	for (unsigned int i = 0; i < FUNCTIONS; i++)
		sprintf(text + strlen(text), "%llx t f%u\n", STEXT + i * FUNCTION_SIZE, i);
}

/* Makes a random stack. As in a profile, most stacks share their outer part with an earlier stack. */
static size_t random_stack(uint64_t *rnd, uint64_t (*all)[DEPTH], const size_t *depth, size_t i,
			   uint64_t *ips)
{
	size_t n = 1 + random_below(rnd, DEPTH), kept = 0;

	if (i && random_below(rnd, 4)) {
		size_t other = random_below(rnd, (uint32_t)i), size = depth[other];

		kept = random_below(rnd, (uint32_t)(size < n ? size : n));
		memcpy(ips + n - kept, all[other] + size - kept, kept * sizeof(*ips));
	}
	for (size_t k = 0; k < n - kept; k++)
		ips[k] = STEXT + 1 + random_below(rnd, FUNCTIONS * FUNCTION_SIZE - 1);
	return n;
}

static int compare_nodes(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct defined_stack));
}

static bool nodes_are_unique(void)
{
	qsort(defined.stack + 1, defined.stacks, sizeof(defined.stack[0]), compare_nodes);
	for (uint32_t i = 2; i <= defined.stacks; i++)
		if (!compare_nodes(&defined.stack[i - 1], &defined.stack[i]))
			return false;
	return true;
}

/* Adds stacks in groups of the maximum size and of other sizes. Returns the number of wrong ids. */
static unsigned int wrong_at_once(struct stacks *s, uint64_t (*all)[DEPTH], const size_t *depth,
				  const uint32_t *id)
{
	struct chain chain[STACKS_AT_ONCE];
	uint32_t got[STACKS_AT_ONCE];
	unsigned int wrong = 0;

	for (size_t i = 0, n = 0; i < STACKS; i += n) {
		n = i % (STACKS_AT_ONCE + 1);
		n = !n || n > STACKS - i ? 1 : n;
		for (size_t k = 0; k < n; k++)
			chain[k] = (struct chain){ all[i + k], depth[i + k] };
		stacks_ids(s, chain, n, got);
		wrong += memcmp(got, id + i, n * sizeof(*got)) != 0;
	}
	return wrong;
}

static void test_random_stacks(void)
{
	static uint64_t all[STACKS][DEPTH];
	static size_t depth[STACKS];
	static uint32_t id[STACKS];
	char table[FUNCTIONS * 32 + 64], expected[FOLDED], got[FOLDED];
	uint64_t rnd = 20241120;
	unsigned int wrong = 0;
	struct setup s;

	table_of_functions(table);
	setup(&s, table);
	for (size_t i = 0; i < STACKS; i++) {
		depth[i] = random_stack(&rnd, all, depth, i, all[i]);
		id[i] = stack_id(s.stacks, all[i], depth[i]);
		wrong += id[i] == 0 || id[i] > stacks_count(s.stacks);
		if (i % 100 == 99)
			write_all(&s);
	}
	/* The ids stay the same with a cache that is too small. */
	for (size_t i = 0; i < STACKS; i++)
		wrong += stack_id(s.stacks, all[i], depth[i]) != id[i];
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(stacks_count(s.stacks) > 33000);
	wrong += wrong_at_once(s.stacks, all, depth, id);
	CU_ASSERT_EQUAL(wrong, 0);
	read_defined(&defined, &s.trace);
	CU_ASSERT_EQUAL(defined.stacks, stacks_count(s.stacks));
	for (size_t i = 0; i < STACKS; i++) {
		model_fold(all[i], depth[i], expected);
		fold_defined(id[i], got);
		wrong += strcmp(expected, got) != 0;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(nodes_are_unique());
	teardown(&s);
}

static const struct unit_test tests[] = {
	{ "stack_ids", test_stack_ids },
	{ "return_addresses", test_return_addresses },
	{ "deep_stack", test_deep_stack },
	{ "stack_after_refresh", test_stack_after_refresh },
	{ "random_stacks", test_random_stacks },
};

int main(void)
{
	return unit_main("record_stacks", tests, sizeof(tests) / sizeof(tests[0]));
}
