/* SPDX-License-Identifier: BSD-2-Clause */
/* unit.c: the main() of a CUnit program; unit.h says how to use it. */
#include "unit.h"

#include <CUnit/TestRun.h>
#include <stdio.h>
#include <stdlib.h>

#include <netcost/reasons.h>
#include <netcost/trace.h>

static void print_result(const CU_pTest test, const CU_pSuite suite, const CU_pFailureRecord first)
{
	const CU_FailureRecord *f;

	if (!first) {
		printf("ok %s.%s\n", suite->pName, test->pName);
		return;
	}
	printf("not ok %s.%s: %s:%u: %s\n", suite->pName, test->pName, first->strFileName,
	       first->uiLineNumber, first->strCondition);
	for (f = first->pNext; f; f = f->pNext)
		printf("  also %s:%u: %s\n", f->strFileName, f->uiLineNumber, f->strCondition);
}

static int run(const char *name, const struct unit_test *tests, size_t n)
{
	CU_pSuite suite = CU_add_suite(name, NULL, NULL);

	if (!suite)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (!CU_add_test(suite, tests[i].name, tests[i].fn))
			return -1;
	}
	CU_set_test_complete_handler(print_result);
	return CU_run_all_tests() == CUE_SUCCESS ? 0 : -1;
}

int unit_main(const char *suite, const struct unit_test *tests, size_t n)
{
	int err = -1;

	/* Line buffering keeps the results before a crash. */
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	if (CU_initialize_registry() == CUE_SUCCESS)
		err = run(suite, tests, n);
	if (err)
		printf("not ok %s: CUnit: %s\n", suite, CU_get_error_msg());
	else if (CU_get_number_of_failures())
		err = -1;
	CU_cleanup_registry();
	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}

const char *unit_sentence(const char *why)
{
	static char text[TRACE_MAX_STR + 1];

	return reason_text(why, text, sizeof(text));
}
