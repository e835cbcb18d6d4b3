// SPDX-License-Identifier: BSD-2-Clause
/* Tests kallsyms.c, which finds the names of addresses in a table like /proc/kallsyms. */
#include "kernel_table.h"
#include "record_util.h"

#include <errno.h>

#include "record/kernel/kallsyms.h"
#include "record/intern/symbols.h"

static struct kallsyms *table_of(const char *text)
{
	struct kallsyms *k = NULL;
	struct tmp t;

	tmp_make(&t);
	CU_ASSERT_EQUAL_FATAL(kallsyms_read(&k, tmp_file(&t, "kallsyms", text)), 0);
	tmp_remove(&t);
	return k;
}

static const char *name_at(const struct kallsyms *k, uint64_t ip)
{
	const struct kallsym *s = kallsyms_find(k, ip);

	return s ? s->name : "-";
}

static void test_lookup(void)
{
	struct kallsyms *k = table_of(KERNEL);

	CU_ASSERT_FALSE(kallsyms_hidden(k));
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x100), "alpha");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x101), "alpha");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x1ff), "alpha");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x210), "beta");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x300), "weak");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x4ff), "last");
	kallsyms_free(k);
}

static void test_outside_of_text(void)
{
	struct kallsyms *k = table_of(KERNEL);

	CU_ASSERT_STRING_EQUAL(name_at(k, 0), "-");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT - 1), "-");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x500), "-");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x501), "-");
	CU_ASSERT_STRING_EQUAL(name_at(k, 0xffffffff82000000), "-");
	CU_ASSERT_STRING_EQUAL(name_at(k, 0xffffffff83000010), "init_function");
	CU_ASSERT_STRING_EQUAL(name_at(k, UINT64_MAX), "bpf_prog_6deef7357e7b4530_p");
	kallsyms_free(k);
}

/* Tests symbols of padding and of data: they do not start a function, so the previous function continues. */
static void test_ignored_symbols(void)
{
	struct kallsyms *k = table_of(KERNEL);

	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x200), "alpha");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x20f), "alpha");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x380), "weak");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x3ff), "weak");
	kallsyms_free(k);
}

static void test_plainest_alias(void)
{
	struct kallsyms *k = table_of("ffffffff81000000 T _stext\n"
				      "ffffffff81000100 T __x64_sys_send\n"
				      "ffffffff81000100 t sys_send\n"
				      "ffffffff81000100 T _sys_send\n"
				      "ffffffff81000100 T __ia32_sys_send\n"
				      "ffffffff81000200 T zeta\n"
				      "ffffffff81000200 T eta\n"
				      "ffffffff81000300 T __pi_memcpy\n"
				      "ffffffff81000300 T ___memcpy\n");

	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT), "_stext");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x100), "sys_send");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x1ff), "sys_send");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x200), "eta");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x300), "___memcpy");
	kallsyms_free(k);
}

static void test_modules(void)
{
	struct kallsyms *k = table_of(KERNEL);

	CU_ASSERT_STRING_EQUAL(kallsyms_find(k, STEXT)->module, "");
	CU_ASSERT_STRING_EQUAL(kallsyms_find(k, MOD + 0x100)->name, "mod_work");
	CU_ASSERT_STRING_EQUAL(kallsyms_find(k, MOD + 0x100)->module, "mod");
	CU_ASSERT_STRING_EQUAL(kallsyms_find(k, BPF)->module, "bpf");
	CU_ASSERT_EQUAL(kallsyms_base(k, kallsyms_find(k, STEXT + 0x300)), STEXT);
	CU_ASSERT_EQUAL(kallsyms_base(k, kallsyms_find(k, MOD + 0x100)), MOD);
	CU_ASSERT_EQUAL(kallsyms_base(k, kallsyms_find(k, BPF + 8)), BPF);
	kallsyms_free(k);
}

static void test_unsorted(void)
{
	struct kallsyms *k = table_of("ffffffffc0001100 T mod_work\t[mod]\n"
				      "ffffffff81000300 T c\n"
				      "ffffffff81000500 T _etext\n"
				      "ffffffff81000100 T a\n"
				      "ffffffffc0001000 t mod_first\t[mod]\n"
				      "ffffffff81000000 T _stext\n"
				      "ffffffff81000200 T b\n");

	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x1ff), "a");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x2ff), "b");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x4ff), "c");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x500), "-");
	CU_ASSERT_EQUAL(kallsyms_base(k, kallsyms_find(k, MOD + 0x150)), MOD);
	kallsyms_free(k);
}

/* Tests the kernel's functions in order, followed by symbols with addresses among or before them. */
static void test_tail_out_of_order(void)
{
	struct kallsyms *k = table_of("ffffffff81000000 T _stext\n"
				      "ffffffff81000100 T __a\n"
				      "ffffffff81000100 T a\n"
				      "ffffffff81000100 T _a\n"
				      "ffffffff81000200 T b\n"
				      "ffffffff81000300 T c\n"
				      "ffffffffc0001100 t late\t[m]\n"
				      "ffffffff80000100 t below\t[n]\n"
				      "ffffffff81000200 t __b\t[n]\n"
				      "ffffffff81000280 t within\t[n]\n"
				      "ffffffffc0001000 t early\t[m]\n");

	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT - 1), "below");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT), "_stext");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x100), "a");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x27f), "b");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x280), "within");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x300), "c");
	CU_ASSERT_STRING_EQUAL(name_at(k, MOD), "early");
	CU_ASSERT_STRING_EQUAL(name_at(k, MOD + 0x100), "late");
	kallsyms_free(k);
}

/* Tests that a malformed line is skipped, and that the lines before and after it are used. */
static void test_garbage(void)
{
	struct kallsyms *k = table_of("\n"
				      "no address at all\n"
				      "ffffffff81000000 T _stext\n"
				      "ffffffff81000050\n"
				      "ffffffff81000060 \n"
				      "ffffffff81000070 T\n"
				      "ffffffff81000080Tglued\n"
				      "ffffffff81000090 TT two_letters\n"
				      "\n\n \t\n"
				      "ffffffff81000100 T a\t\n"
				      "ffffffff81000200 T b\t[open\n"
				      "ffffffff81000300 T c\t]closed[\n"
				      "ffffffff81000400 T d no_newline");

	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0xff), "_stext");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x100), "a");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x200), "b");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x300), "c");
	CU_ASSERT_STRING_EQUAL(kallsyms_find(k, STEXT + 0x200)->module, "");
	CU_ASSERT_STRING_EQUAL(kallsyms_find(k, STEXT + 0x300)->module, "");
	CU_ASSERT_PTR_NOT_NULL(kallsyms_find(k, STEXT + 0x400));
	kallsyms_free(k);
}

/* Tests a copy of the table with the line ends of another operating system. */
static void test_crlf(void)
{
	struct kallsyms *k = table_of("ffffffff81000000 T _stext\r\n"
				      "\r\n"
				      "ffffffff81000100 T a\r\n"
				      "ffffffff81000200 T _etext\r\n"
				      "ffffffffc0001000 t m\t[mod]\r\n");

	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x100), "a");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x200), "-");
	CU_ASSERT_STRING_EQUAL(name_at(k, MOD), "m");
	CU_ASSERT_STRING_EQUAL(kallsyms_find(k, MOD)->module, "mod");
	CU_ASSERT_EQUAL(kallsyms_base(k, kallsyms_find(k, STEXT + 0x100)), STEXT);
	kallsyms_free(k);
}

static void test_long_lines(void)
{
	static const char end[] = "\nffffffff81000200 T after\n";
	size_t n = 3u << 20;
	char *text = malloc(n + sizeof(end) + 64);
	struct kallsyms *k;

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	strcpy(text, "ffffffff81000000 T _stext\nffffffff81000100 T long_");
	memset(text + strlen(text), 'x', n);
	strcpy(text + n, end);
	k = table_of(text);
	CU_ASSERT_EQUAL(strncmp(name_at(k, STEXT + 0x100), "long_xxx", 8), 0);
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 0x200), "after");
	kallsyms_free(k);
	free(text);
}

/* Tests a table of 400 000 lines (13 MiB), which is larger than the first buffer. */
static void test_large_table(void)
{
	struct tmp t;
	struct kallsyms *k;
	FILE *f;

	tmp_make(&t);
	f = fopen(tmp_path(&t, "kallsyms"), "we");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	for (unsigned int i = 0; i < 400000; i++)
		fprintf(f, "%llx T function_%u\n", STEXT + i * 16ull, i);
	CU_ASSERT_EQUAL(fclose(f), 0);
	CU_ASSERT_EQUAL_FATAL(kallsyms_read(&k, tmp_path(&t, "kallsyms")), 0);
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT), "function_0");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 200000 * 16ull + 15), "function_200000");
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT + 399999 * 16ull), "function_399999");
	kallsyms_free(k);
	tmp_remove(&t);
}

static void test_nothing_there(void)
{
	struct kallsyms *k = (struct kallsyms *)-1;
	struct symbols *s = (struct symbols *)-1;
	struct tmp t;

	tmp_make(&t);
	CU_ASSERT_EQUAL(kallsyms_read(&k, tmp_path(&t, "missing")), -ENOENT);
	CU_ASSERT_PTR_NULL(k);
	CU_ASSERT_EQUAL(kallsyms_read(&k, t.dir), -EISDIR);
	CU_ASSERT_PTR_NULL(k);
	CU_ASSERT_EQUAL(symbols_new(&s, tmp_path(&t, "missing"), NULL), -ENOENT);
	CU_ASSERT_PTR_NULL(s);
	CU_ASSERT_EQUAL_FATAL(kallsyms_read(&k, tmp_file(&t, "empty", "")), 0);
	CU_ASSERT_STRING_EQUAL(name_at(k, STEXT), "-");
	kallsyms_free(k);
	kallsyms_free(NULL);
	symbols_free(NULL);
	tmp_remove(&t);
}

static void test_hidden(void)
{
	struct kallsyms *k = table_of("0000000000000000 T _stext\n"
				      "0000000000000000 T a\n"
				      "0000000000000000 T _etext\n"
				      "0000000000000000 t m\t[mod]\n");

	CU_ASSERT_TRUE(kallsyms_hidden(k));
	CU_ASSERT_PTR_NULL(kallsyms_find(k, 0));
	CU_ASSERT_PTR_NULL(kallsyms_find(k, STEXT));
	kallsyms_free(k);
}

static const char *named(const struct kallsyms *k, const char *name)
{
	const struct kallsym *s = kallsyms_named(k, name, "");

	return s ? s->name : "-";
}

/* Tests functions of which a compiler made variants: only the variants that are called under the function's name
 * count. */
static void test_named(void)
{
	struct kallsyms *k = table_of(KERNEL "ffffffff81000010 t parted.part.0\n"
					     "ffffffff81000020 t cooled.cold\n"
					     "ffffffff81000030 t changed.isra.0\n"
					     "ffffffff81000040 t fixed.constprop.3\n"
					     "ffffffff81000050 t alpha.isra.0\n"
					     "ffffffff81000060 t longer_name\n");

	CU_ASSERT_STRING_EQUAL(named(k, "alpha"), "alpha");
	CU_ASSERT_STRING_EQUAL(named(k, "weak"), "weak");
	CU_ASSERT_STRING_EQUAL(named(k, "changed"), "changed.isra.0");
	CU_ASSERT_STRING_EQUAL(named(k, "fixed"), "fixed.constprop.3");
	CU_ASSERT_STRING_EQUAL(named(k, "parted"), "-");
	CU_ASSERT_STRING_EQUAL(named(k, "cooled"), "-");
	CU_ASSERT_STRING_EQUAL(named(k, "longer"), "-");
	CU_ASSERT_STRING_EQUAL(named(k, "some_data"), "-");
	CU_ASSERT_STRING_EQUAL(named(k, "mod_work"), "-"); /* the function belongs to a module */
	kallsyms_free(k);
}

static const struct unit_test tests[] = {
	{ "lookup", test_lookup },
	{ "outside_of_text", test_outside_of_text },
	{ "ignored_symbols", test_ignored_symbols },
	{ "plainest_alias", test_plainest_alias },
	{ "modules", test_modules },
	{ "unsorted", test_unsorted },
	{ "tail_out_of_order", test_tail_out_of_order },
	{ "garbage", test_garbage },
	{ "crlf", test_crlf },
	{ "long_lines", test_long_lines },
	{ "large_table", test_large_table },
	{ "nothing_there", test_nothing_there },
	{ "hidden", test_hidden },
	{ "named", test_named },
};

int main(void)
{
	return unit_main("record_kallsyms", tests, sizeof(tests) / sizeof(tests[0]));
}
