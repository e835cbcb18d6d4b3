// SPDX-License-Identifier: BSD-2-Clause
/* Tests growing arrays (src/common/array.c). */
#include "unit.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include <netcost/array.h>

static void test_grows(void)
{
	uint32_t *array = NULL;
	size_t cap = 0, grown = 0;

	for (uint32_t i = 0; i < 100000; i++) {
		size_t had = cap;

		CU_ASSERT_EQUAL_FATAL(array_reserve(&array, &cap, i + 1, sizeof(*array)), 0);
		CU_ASSERT_FATAL(cap > i);
		CU_ASSERT(cap <= i + i / 2 + 16);
		grown += cap != had;
		array[i] = i;
	}
	CU_ASSERT(grown < 30);
	for (uint32_t i = 0; i < 100000; i++)
		CU_ASSERT_EQUAL(array[i], i);
	free(array);
}

/*
 * Checks that a reserved array has exactly the requested size, and that a second request of this size changes nothing.
 */
static void test_reserves(void)
{
	uint64_t *array = NULL, *was;
	size_t cap = 0;

	CU_ASSERT_EQUAL(array_reserve(&array, &cap, 0, sizeof(*array)), 0);
	CU_ASSERT_PTR_NULL(array);
	CU_ASSERT_EQUAL(array_reserve(&array, &cap, 1000, sizeof(*array)), 0);
	CU_ASSERT_EQUAL(cap, 1000);
	was = array;
	CU_ASSERT_EQUAL(array_reserve(&array, &cap, 1000, sizeof(*array)), 0);
	CU_ASSERT_PTR_EQUAL(array, was);
	CU_ASSERT_EQUAL(cap, 1000);
	free(array);
}

/* Checks that a size in bytes beyond size_t is refused and that the array stays intact. */
static void test_too_much(void)
{
	size_t cap = 0;
	char *array = NULL;

	CU_ASSERT_EQUAL(array_reserve(&array, &cap, 3, 1), 0);
	array[2] = 'x';
	CU_ASSERT_EQUAL(array_reserve(&array, &cap, SIZE_MAX / 2 + 2, 2), -ENOMEM);
	CU_ASSERT_EQUAL(cap, 16);
	CU_ASSERT_EQUAL(array[2], 'x');
	free(array);
}

/* Checks arrays that grow together. */
static void test_columns(void)
{
	uint16_t *small = NULL;
	uint64_t *large = NULL;
	const struct array_column columns[] = { { &small, sizeof(*small) },
						{ &large, sizeof(*large) } };
	size_t cap = 0;

	CU_ASSERT_EQUAL(array_reserve_columns(columns, 2, &cap, 1), 0);
	CU_ASSERT_EQUAL(cap, 16);
	CU_ASSERT_EQUAL(array_reserve_columns(columns, 2, &cap, 16), 0);
	CU_ASSERT_EQUAL(cap, 16);
	small[15] = 1;
	large[15] = 2;
	CU_ASSERT_EQUAL(array_reserve_columns(columns, 2, &cap, 17), 0);
	CU_ASSERT_EQUAL(cap, 40);
	CU_ASSERT_EQUAL(array_reserve_columns(columns, 2, &cap, 100), 0);
	CU_ASSERT_EQUAL(cap, 100);
	CU_ASSERT_EQUAL(array_reserve_columns(columns, 2, &cap, SIZE_MAX), -ENOMEM);
	CU_ASSERT_EQUAL(cap, 100);
	CU_ASSERT_EQUAL(small[15], 1);
	CU_ASSERT_EQUAL(large[15], 2);
	free(small);
	free(large);
}

static void test_by_hand(void)
{
	uint16_t *array = NULL;

	CU_ASSERT_EQUAL(array_resize(&array, 40, sizeof(*array)), 0);
	array[39] = 1;
	CU_ASSERT_EQUAL(array_resize(&array, SIZE_MAX, sizeof(*array)), -ENOMEM);
	CU_ASSERT_EQUAL(array[39], 1);
	free(array);
}

static const struct unit_test tests[] = {
	{ "grows", test_grows },     { "reserves", test_reserves }, { "too_much", test_too_much },
	{ "columns", test_columns }, { "by_hand", test_by_hand },
};

int main(void)
{
	return unit_main("array", tests, sizeof(tests) / sizeof(tests[0]));
}
