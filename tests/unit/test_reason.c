// SPDX-License-Identifier: BSD-2-Clause
/* Tests how reasons are encoded, and the sentences that are made from valid and from hostile reasons. */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <netcost/reasons.h>
#include <netcost/trace.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static void check_text(const char *in, const char *expected)
{
	char text[TRACE_MAX_STR];

	CU_ASSERT_STRING_EQUAL(reason_text(in, text, sizeof(text)), expected);
	if (strcmp(text, expected))
		printf("  '%s' became '%s'\n", in, text);
}

/* Tests several reasons in one text, as the recorder writes them. */
static void test_written(void)
{
	char why[256], path[64];

	snprintf(why, sizeof(why), reason_not_attached, "kfree_skb", EINVAL);
	check_text(why, "cannot attach kfree_skb: Invalid argument");
	snprintf(why, sizeof(why), reason_certify_nothing, reason_exact_off);
	check_text(why, "nothing is counted exactly: --exact=off");
	snprintf(why, sizeof(why), "%s %s", reason_latency_established, reason_latency_udp_read);
	check_text(
		why,
		"established connections only; reads are matched to packets in order: if several "
		"tasks read from one socket, some are missing");
	snprintf(why, sizeof(why), reason_cgroups_new,
		 reason_escape("/mnt/a b%#\n", path, sizeof(path)), reason_needs_search);
	check_text(
		why,
		"only cgroups created during the recording have paths: /mnt/a b%#\n: needs CAP_DAC_READ_SEARCH");
	snprintf(why, sizeof(why), reason_cpus_gone, 1.5, 2u);
	check_text(why, "no samples for 1.500 s: 2 CPUs went offline, and sampling resumed at a "
			"tick after they were back");
	snprintf(why, sizeof(why), reason_list, "cycles,task-clock");
	check_text(why, "cycles, task-clock");
	snprintf(why, sizeof(why), reason_cut_end, reason_sigint);
	check_text(why, "cut; SIGINT");
}

/* Tests that the length of a reason does not include the text after it. */
static void test_length(void)
{
	static const char codes[] = "#12", error[] = "#111 kfree_skb 221";
	char text[TRACE_MAX_STR];

	text[reason_sentences(codes, 2, text, sizeof(text) - 1)] = '\0';
	CU_ASSERT_STRING_EQUAL(text, "the command ended");
	text[reason_sentences(error, sizeof(error) - 2, text, sizeof(text) - 1)] = '\0';
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "Invalid argument"));
}

/* Tests that text that is not a reason stays unchanged, and that an unknown reason is shown with its number. */
static void test_foreign(void)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{ "", "" },
		{ "#", "#" },
		{ "# 1", "# 1" },
		{ "the duration was over", "the duration was over" },
		{ "#123456", "#123456" },
		{ "#1x", "#1x" },
		{ " #1", "the command ended" },
		{ "#00001", "the command ended" },
		{ "#99999", "unknown reason 99999" },
		{ "#99999 a b%20c", "unknown reason 99999 (a b c)" },
		{ "#99999 a #1 #99998",
		  "unknown reason 99999 (a); the command ended; unknown reason 99998" },
		{ "#1 eth0", "unknown reason 1 (eth0)" },
		{ "#111 kfree_skb", "unknown reason 111 (kfree_skb)" },
		{ "#111 kfree_skb 22 3", "unknown reason 111 (kfree_skb 22 3)" },
		{ "#111 kfree_skb -22", "unknown reason 111 (kfree_skb -22)" },
		{ "#111 kfree_skb 99999", "unknown reason 111 (kfree_skb 99999)" },
		{ "#105 9999", "refused: Unknown error 9999" },
		{ "#105 524", "refused: not supported" },
		{ "#19 1. 2", "unknown reason 19 (1. 2)" },
		{ "#115", "nothing is counted exactly: " },
		{ "#147 %", "%" },
		{ "#147 %2", "%2" },
		{ "#147 %2g%61", "%2ga" },
		{ "#147 a\x1b[2J\nb", "a\x1b[2J\nb" }, /* escaped for display */
		{ "#147 #1", "unknown reason 147; the command ended" },
		{ "#147 #123456", "#123456" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check_text(rows[i].in, rows[i].out);
}

/* Tests that a NUL is an ordinary byte, and that a text of the maximum length stays complete. */
static void test_bytes(void)
{
	static const char nul[] = "#147 a%00b\0c", shown[] = "a\0b\0c";
	char text[TRACE_MAX_STR + 1], most[TRACE_MAX_STR];

	CU_ASSERT_EQUAL(reason_sentences(nul, sizeof(nul) - 1, text, sizeof(text)),
			sizeof(shown) - 1);
	CU_ASSERT(!memcmp(text, shown, sizeof(shown)));
	CU_ASSERT_EQUAL(reason_sentences(shown, sizeof(shown) - 1, text, sizeof(text)),
			sizeof(shown) - 1);
	CU_ASSERT(!memcmp(text, shown, sizeof(shown)));
	memset(most, 'x', sizeof(most));
	CU_ASSERT_EQUAL(reason_sentences(most, sizeof(most), text, sizeof(text)), sizeof(most));
}

/* Checks that each number is used once, and that the formats to write and to read have the same conversions. */
static void check_row(unsigned int number, const char *arguments, const char *sentence)
{
	static unsigned char used[1000];

	CU_ASSERT_FATAL(number && number < ARRAY_SIZE(used));
	CU_ASSERT(!used[number]);
	used[number] = 1;
	for (; (sentence = strchr(sentence, '%')); sentence += 2) {
		static const char *const as[] = { "u %u", "u %llu", "f %.3f", "e %d", "w %s",
						  "l %s", "p %s",   "n %s",   "r %s" };
		bool found = false;

		for (size_t i = 0; i < ARRAY_SIZE(as) && !found; i++) {
			found = sentence[1] == *as[i] &&
				!strncmp(arguments, as[i] + 1, strlen(as[i] + 1));
			arguments += found ? strlen(as[i] + 1) : 0;
		}
		CU_ASSERT(found);
		CU_ASSERT(sentence[1] != 'r' || !sentence[2]);
	}
	CU_ASSERT_STRING_EQUAL(arguments, "");
}

static void test_rows(void)
{
#define X(number, name, arguments, sentence) check_row(number, arguments, sentence);
	NETCOST_REASONS(X)
#undef X
}

/* Tests buffers of every size: the text is truncated, and no byte is written beyond the buffer. */
static void test_sizes(void)
{
	const char *in = "#111 kfree_skb 22 #99999 a b #115 #147 abc%20def";
	char whole[TRACE_MAX_STR], most[TRACE_MAX_STR], many[TRACE_MAX_STR];

	reason_text(in, whole, sizeof(whole));
	for (size_t size = 1; size < strlen(whole) + 2; size++) {
		char text[TRACE_MAX_STR];

		memset(text, 'x', sizeof(text));
		reason_text(in, text, size);
		CU_ASSERT(!strncmp(text, whole, size - 1));
		CU_ASSERT(strlen(text) == (strlen(whole) < size ? strlen(whole) : size - 1));
		CU_ASSERT_EQUAL(text[size], 'x');
	}
	for (size_t i = 0; i < sizeof(many); i += 4)
		memcpy(many + i, "#80 ", 4);
	CU_ASSERT_EQUAL(reason_sentences(many, sizeof(many), most, sizeof(most)), sizeof(most) - 1);
	for (size_t size = 1; size < 20; size++) {
		char text[20];

		CU_ASSERT(strlen(reason_escape("a b%#\n", text, size)) < size);
	}
}

static const struct unit_test tests[] = {
	{ "written", test_written }, { "length", test_length }, { "foreign", test_foreign },
	{ "bytes", test_bytes },     { "rows", test_rows },	{ "sizes", test_sizes },
};

int main(void)
{
	return unit_main("reason", tests, ARRAY_SIZE(tests));
}
