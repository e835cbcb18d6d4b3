// SPDX-License-Identifier: BSD-2-Clause
/* Tests the caveats about the classification of samples, which say how many samples they concern. */
#include <string.h>

#include "model_maker.h"
#include "report/analysis/caveats.h"

static void loss(struct maker *k, uint64_t at_ns, uint64_t written, uint64_t cut)
{
	maker_tick(k, at_ns, U(0));
	trace_writer_begin(k->w, TRACE_SAMPLE_LOSS);
	trace_writer_uints(k->w, TRACE_SAMPLE_LOSS_WRITTEN, &written, 1);
	trace_writer_uints(k->w, TRACE_SAMPLE_LOSS_CUT, &cut, 1);
	CU_ASSERT_EQUAL_FATAL(trace_writer_end(k->w), 0);
}

/*
 * Returns the caveat about truncated stacks for a recording with `written` samples, `cut` of them truncated; "" if
 * there is no caveat.
 */
static const char *stacks(uint64_t written, uint64_t cut)
{
	static char text[480];
	struct caveat caveat[CAVEATS_MAX];
	struct model *m = model_new(0, NULL);
	struct maker k = maker_new();
	struct summary s;
	size_t n;

	loss(&k, 1000000, 0, 0);
	loss(&k, 2000000, written, cut);
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	CU_ASSERT_EQUAL_FATAL(summary_make(&s, m, NULL), 0);
	n = caveats_make(caveat, &s);
	text[0] = '\0';
	for (size_t i = 0; i < n; i++)
		if (!strcmp(caveat[i].name, "stacks"))
			snprintf(text, sizeof(text), "%s", caveat[i].text);
	summary_free(&s);
	model_free(m);
	return text;
}

static void test_stacks(void)
{
	CU_ASSERT_STRING_EQUAL(stacks(10000, 0), "");
	CU_ASSERT_STRING_EQUAL(stacks(10000, 5), "");
	CU_ASSERT_PTR_NOT_NULL(strstr(stacks(10000, 6250), "62.5 % of the samples"));
	CU_ASSERT_PTR_NOT_NULL(strstr(stacks(10000, 6250), "kernel.perf_event_max_stack"));
}

/*
 * Returns whether the samples count as classified, with these numbers of kernel and user samples, and of truncated
 * stacks among them.
 */
static bool classified(uint64_t kernel, uint64_t user, uint64_t cut)
{
	struct model *m = model_new(0, NULL);
	struct maker k = maker_new();
	bool known;

	loss(&k, 1000000, 0, 0);
	loss(&k, 2000000, kernel + user, cut);
	CU_ASSERT_EQUAL_FATAL(maker_read(&k, m), 0);
	m->samples = kernel + user;
	m->count[0] = user;
	known = !summary_unclassified(m);
	model_free(m);
	return known;
}

static void test_unclassified(void)
{
	CU_ASSERT(classified(500, 9500, 0));
	CU_ASSERT(classified(500, 9500, 200));
	CU_ASSERT(!classified(500, 9500, 400));
	CU_ASSERT(!classified(0, 10000, 500)); /* no sample has a kernel stack */
	CU_ASSERT(classified(0, 0, 0));
}

static const struct unit_test tests[] = {
	{ "stacks", test_stacks },
	{ "unclassified", test_unclassified },
};

int main(void)
{
	return unit_main("caveats", tests, sizeof(tests) / sizeof(tests[0]));
}
