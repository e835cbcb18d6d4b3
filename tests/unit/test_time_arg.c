// SPDX-License-Identifier: BSD-2-Clause
/* Tests times that are given to --from and --to. */
#include "report/base/text.h"
#include "unit.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static void test_times(void)
{
	static const struct {
		const char *text;
		enum time_anchor when;
		uint64_t ns;
	} good[] = {
		{ "0", TIME_SINCE_START, 0 },
		{ "2.5", TIME_SINCE_START, 2500000000 },
		{ "2.5s", TIME_SINCE_START, 2500000000 },
		{ ".25", TIME_SINCE_START, 250000000 },
		{ "3.", TIME_SINCE_START, 3000000000 },
		{ "500ms", TIME_SINCE_START, 500000000 },
		{ "1.5us", TIME_SINCE_START, 1500 },
		{ "0.000000001", TIME_SINCE_START, 1 },
		{ "0.0000000019", TIME_SINCE_START, 1 },
		{ "7ns", TIME_SINCE_START, 7 },
		{ "1m30s", TIME_SINCE_START, 90000000000 },
		{ "1m30", TIME_SINCE_START, 90000000000 },
		{ "1.5m", TIME_SINCE_START, 90000000000 },
		{ "2h0m1s5ms", TIME_SINCE_START, 7201005000000 },
		{ "-10s", TIME_BEFORE_END, 10000000000 },
		{ "-1m1.5", TIME_BEFORE_END, 61500000000 },
		{ "9223372036s", TIME_SINCE_START, 9223372036000000000 },
		{ "mark:x", TIME_AT_MARK, 0 },
		{ "mark:mark: 1", TIME_AT_MARK, 0 },
	};
	static const char *const bad[] = {
		"",	    "-",	  "s",	    ".",
		"1x",	    "1 s",	  "--1",    "+1",
		"1s1",	    "30s1m",	  "1ss",    "mark:",
		"1e3",	    "0x10",	  "1.2.3",  "99999999999999999999",
		"2562048h", "9223372037", "1s 2ms", "nan",
		"1S",
	};
	struct time_arg t;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		CU_ASSERT(time_arg_parse(good[i].text, &t));
		CU_ASSERT_EQUAL(t.anchor, good[i].when);
		CU_ASSERT_EQUAL(t.ns, good[i].ns);
	}
	CU_ASSERT_STRING_EQUAL((time_arg_parse("mark:a:b", &t), t.mark), "a:b");
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		CU_ASSERT_FALSE(time_arg_parse(bad[i], &t));
}

static const struct unit_test tests[] = {
	{ "times", test_times },
};

int main(void)
{
	return unit_main("time_arg", tests, ARRAY_SIZE(tests));
}
