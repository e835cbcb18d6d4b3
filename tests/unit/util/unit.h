/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unit.h: the main() of a CUnit program, driven by a table.
 *
 *	static const struct unit_test tests[] = {
 *		{ "header_is_first", test_header_is_first },
 *	};
 *
 *	int main(void)
 *	{
 *		return unit_main("writer", tests, sizeof(tests) / sizeof(tests[0]));
 *	}
 */
#ifndef NETCOST_TESTS_UNIT_H
#define NETCOST_TESTS_UNIT_H

#include <CUnit/CUnit.h>
#include <stddef.h>

struct unit_test {
	const char *name;
	void (*fn)(void);
};

/*
 * Runs the tests in order and prints "ok SUITE.NAME" or "not ok SUITE.NAME: FILE:LINE: CONDITION"
 * for each, as tests/run.sh reads it. Returns main()'s status.
 */
int unit_main(const char *suite, const struct unit_test *tests, size_t n);

/* Returns the sentences of reasons (reasons.h). They are valid until the next call. */
const char *unit_sentence(const char *why);

#endif
