// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "model_maker.h"
#include "report/base/text.h"
#include "report/stacks/stacks.h"

/* Makes folded lines of the trace and compares them with `want`. */
static void expect_folded(struct maker *k, unsigned int drop, bool per_cpu, const char *want)
{
	const struct model_choice of = { .leaves = LEAF_ALL & ~drop };
	struct model *m = model_new(MODEL_CPU_STACKS, NULL);
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	CU_ASSERT_EQUAL_FATAL(maker_read(k, m), 0);
	CU_ASSERT_EQUAL(folded_write(out, m, NULL, &of, per_cpu, 0), 0);
	fclose(out);
	CU_ASSERT_STRING_EQUAL(text, want);
	if (strcmp(text, want))
		printf("--- got\n%s--- want\n%s", text, want);
	free(text);
	model_free(m);
}

/* Returns a trace with samples in a, in b and c called by a, in b, and in user mode. */
static struct maker small_trace(void)
{
	struct maker k = maker_new();

	maker_symbols(&k, 1, S("a", "b", "c"));
	/* stack 1: a; stack 2: a;c; stack 3: a;b; stack 4: b */
	maker_stacks(&k, 1, U(1, 1, 2, 4), U(1, 3, 2, 2));
	maker_samples(&k, 0, U(4, 2, 0, 2, 1));
	maker_samples(&k, 1, U(3, 4, 4));
	return k;
}

static void test_lines(void)
{
	struct maker k = small_trace();

	expect_folded(&k, 0, false, "[user] 1\na 1\na;b 1\na;c 2\nb 3\n");
}

static void test_per_cpu(void)
{
	struct maker k = small_trace();

	expect_folded(&k, 0, true,
		      "cpu0;[user] 1\ncpu0;a 1\ncpu0;a;c 2\ncpu0;b 1\ncpu1;a;b 1\ncpu1;b 2\n");
}

static void test_drop(void)
{
	struct maker k = small_trace();

	expect_folded(&k, LEAF_BIT(OTHER_KERNEL), false, "[user] 1\n");
	k = small_trace();
	expect_folded(&k, LEAF_BIT(USER), true,
		      "cpu0;a 1\ncpu0;a;c 2\ncpu0;b 1\ncpu1;a;b 1\ncpu1;b 2\n");
}

/* Code of user space is in the leaf user, whatever its name; the kernel's functions that it called are not. */
static void test_user_stacks(void)
{
	for (unsigned int user = 0; user < 2; user++) {
		struct maker k = maker_new();

		trace_writer_begin(k.w, TRACE_MODULE);
		trace_writer_uint(k.w, TRACE_MODULE_ID, 1);
		trace_writer_str(k.w, TRACE_MODULE_BUILD_ID, "00c0ffee00");
		trace_writer_str(k.w, TRACE_MODULE_FILE, user ? "libx.so" : "");
		trace_writer_end(k.w);
		maker_two_symbols(&k, 1, (const char *[]){ "", "do_idle" }, (uint64_t[]){ 1, 1 },
				  (int64_t[]){ 0x12, 0 });
		maker_symbols(&k, 3, S("do_exit"));
		maker_stacks(&k, 1, U(1, 1, 1), U(1, 2, 3));
		maker_samples(&k, 0, U(1, 2, 2, 3));
		expect_folded(
			&k, user ? LEAF_BIT(USER) : LEAF_BIT(OTHER_KERNEL), false,
			user ? "libx.so+0x12;do_idle;do_exit 1\n" :
			       "[build-id_00c0ffee]+0x12 1\n[build-id_00c0ffee]+0x12;do_idle 2\n");
	}
}

static void test_no_samples(void)
{
	struct maker k = maker_new();

	expect_folded(&k, 0, false, "");
	k = maker_new();
	expect_folded(&k, 0, true, "");
}

/* Checks that equal names with different ids give one line. */
static void test_same_names_merge(void)
{
	struct maker k = maker_new();

	maker_symbols(&k, 1, S("a", "a", "b", "b"));
	maker_stacks(&k, 1, U(1, 1, 3, 1), U(1, 3, 2, 4));
	maker_samples(&k, 0, U(2, 4, 4));
	expect_folded(&k, 0, false, "a;b 3\n");
}

static void test_order_is_by_name(void)
{
	struct maker k = maker_new();

	maker_symbols(&k, 1, S("zz", "mm", "aa"));
	maker_stacks(&k, 1, U(1, 2, 3), U(1, 2, 3));
	maker_samples(&k, 0, U(1, 2, 3));
	expect_folded(&k, 0, false, "aa 1\nmm 1\nzz 1\n");
}

static void test_hostile_names(void)
{
	struct maker k = maker_new();

	maker_symbols(&k, 1, S("a;b", "c d\n", "", "\x1b[31m", "\xff"));
	maker_stacks(&k, 1, U(1, 1, 1, 1, 1), U(1, 2, 3, 4, 5));
	maker_stacks(&k, 6, U(6), U(0));
	maker_samples(&k, 0, U(5, 6));
	expect_folded(&k, 0, false, "[unknown] 1\na_b;c_d_;[unknown];_[31m;? 1\n");
}

static void test_deepest_stack(void)
{
	struct maker k = maker_new();
	char want[2 * TRACE_MAX_STACK + 8], *p = want;

	maker_symbols(&k, 1, S("f"));
	for (uint64_t i = 0; i < TRACE_MAX_STACK; i++) {
		maker_stacks(&k, i + 1, U(1), U(1));
		p += sprintf(p, "%sf", i ? ";" : "");
	}
	strcpy(p, " 1\n");
	maker_samples(&k, 0, U(TRACE_MAX_STACK));
	expect_folded(&k, 0, false, want);
}

/* ---- escaping ---------------------------------------------------------------------------- */

static void expect_json(const char *s, size_t n, const char *want)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	escape_json(out, s, n);
	fclose(out);
	CU_ASSERT_STRING_EQUAL(text, want);
	if (strcmp(text, want))
		printf("%s, not %s\n", text, want);
	free(text);
}

#define JSON(s, want) expect_json(s, sizeof(s) - 1, want)

static void test_json_strings(void)
{
	JSON("", "\"\"");
	JSON("a\xe2\x80\xae\xe2\x81\xa6z\xe2\x80\xaf", "\"a\\u202e\\u2066z\xe2\x80\xaf\"");
	JSON("a\"b\\c/", "\"a\\\"b\\\\c/\"");
	JSON("\b\f\n\r\t\x01\x1f\x7f", "\"\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\"");
	JSON("\xc2\x80\xc2\x9b"
	     "1m\xc2\x9f\xc2\xa0",
	     "\"\\u0080\\u009b1m\\u009f\xc2\xa0\"");
	JSON("a\0b", "\"a\\u0000b\"");
	JSON("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
	     "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"");
	JSON("\xff"
	     "a",
	     "\"\\ufffda\"");
	JSON("\xc3", "\"\\ufffd\"");
	JSON("\xc3(", "\"\\ufffd(\"");
	/* The longest prefix of a valid sequence counts as one error. */
	JSON("\xe2\x82", "\"\\ufffd\"");
	JSON("\xe2\x82(\xf0\x9f", "\"\\ufffd(\\ufffd\"");
	JSON("\xc0\x80", "\"\\ufffd\\ufffd\"");			      /* overlong */
	JSON("\xe0\x80\x80", "\"\\ufffd\\ufffd\\ufffd\"");	      /* overlong */
	JSON("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");	      /* surrogate */
	JSON("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""); /* beyond U+10FFFF */
}

static void test_terminal_text(void)
{
	char buf[8];

	CU_ASSERT_STRING_EQUAL(escape_text(buf, sizeof(buf), "a\x1b[1m\xc3\xa9"), "a?[1m??");
	CU_ASSERT_STRING_EQUAL(escape_text(buf, sizeof(buf), "123456789"), "1234567");
}

static const struct unit_test tests[] = {
	{ "lines", test_lines },
	{ "per_cpu", test_per_cpu },
	{ "drop", test_drop },
	{ "user_stacks", test_user_stacks },
	{ "no_samples", test_no_samples },
	{ "same_names_merge", test_same_names_merge },
	{ "order_is_by_name", test_order_is_by_name },
	{ "hostile_names", test_hostile_names },
	{ "deepest_stack", test_deepest_stack },
	{ "json_strings", test_json_strings },
	{ "terminal_text", test_terminal_text },
};

int main(void)
{
	return unit_main("folded", tests, sizeof(tests) / sizeof(tests[0]));
}
