// SPDX-License-Identifier: BSD-2-Clause
/* Tests symbols.c: ids of symbols, their names and their modules. */
#include "kernel_table.h"
#include "symbols_util.h"

#include <errno.h>

static void test_ids_dense_and_stable(void)
{
	struct setup s;

	setup(&s, KERNEL);
	CU_ASSERT_FALSE(symbols_hidden(s.symbols));
	CU_ASSERT_EQUAL(symbols_id(s.symbols, STEXT + 0x110), 1);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, MOD + 0x100), 2);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, STEXT + 0x1ff), 1);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, STEXT + 0x210), 3);
	write_all(&s);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, STEXT + 0x110), 1);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, BPF), 4);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, MOD), 5);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, MOD + 0x1ff), 2);
	CU_ASSERT_EQUAL(symbols_count(s.symbols), 5);
	write_all(&s);
	write_all(&s); /* there is no new symbol: nothing is written */
	read_defined(&defined, &s.trace);
	CU_ASSERT_EQUAL(defined.symbols, 5);
	CU_ASSERT_EQUAL(defined.modules, 2);
	teardown(&s);
}

/* Tests that the ids of symbols, modules and stacks restart in the next file. */
static void test_ids_again(void)
{
	const uint64_t ips[] = { MOD + 0x100, STEXT + 0x211 };
	struct setup s;

	setup(&s, KERNEL);
	symbols_id(s.symbols, STEXT + 0x110);
	CU_ASSERT_EQUAL(stack_id(s.stacks, ips, 1), 1);
	CU_ASSERT_EQUAL(stack_id(s.stacks, ips, 2), 3);
	write_all(&s);
	symbols_again(s.symbols);
	stacks_again(s.stacks);
	mem_trace_end(&s.trace);
	mem_trace_begin(&s.trace);
	CU_ASSERT_EQUAL(stack_id(s.stacks, ips, 2), 2);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, STEXT + 0x110), 3);
	CU_ASSERT_EQUAL(symbols_count(s.symbols), 3);
	CU_ASSERT_EQUAL(stacks_count(s.stacks), 2);
	read_back(&s);
	CU_ASSERT_EQUAL(defined.symbols, 3);
	CU_ASSERT_EQUAL(defined.modules, 1);
	CU_ASSERT_EQUAL(defined.stacks, 2);
	teardown(&s);
}

/* Tests more addresses than the cache holds. */
static void test_many_addresses(void)
{
	unsigned int wrong = 0;
	struct setup s;

	setup(&s, KERNEL);
	symbols_id(s.symbols, STEXT + 0x210);
	symbols_id(s.symbols, MOD);
	for (uint64_t round = 0; round < 300; round++)
		for (uint64_t at = 0; at < 0xf0; at++) {
			wrong += symbols_id(s.symbols, STEXT + 0x210 + at) != 1;
			wrong += symbols_id(s.symbols, MOD + at) != 2;
			wrong += symbols_id(s.symbols, round << 16 | at) != 3;
		}
	CU_ASSERT_EQUAL(wrong, 0);
	teardown(&s);
}

static void check_symbol(uint32_t id, const char *name, const char *module, int64_t offset)
{
	const struct defined_symbol *s = &defined.symbol[id];

	CU_ASSERT_STRING_EQUAL(s->name, name);
	CU_ASSERT_STRING_EQUAL(defined.module[s->module], module);
	CU_ASSERT_EQUAL(s->offset, offset);
}

/* Tests offsets: they are counted from the start of the function that contains the address, and are never addresses. */
static void test_offsets(void)
{
	struct setup s;

	setup(&s, KERNEL);
	symbols_id(s.symbols, STEXT + 0x42);
	symbols_id(s.symbols, STEXT + 0x2ff);
	symbols_id(s.symbols, MOD + 0x123);
	symbols_id(s.symbols, MOD + 1);
	symbols_id(s.symbols, BPF + 4);
	symbols_id(s.symbols, 4096);
	read_back(&s);
	check_symbol(1, "first", "", 0);
	check_symbol(2, "beta", "", 0x210);
	check_symbol(3, "mod_work", "mod", 0x100);
	check_symbol(4, "mod_first", "mod", 0);
	check_symbol(5, "bpf_prog_6deef7357e7b4530_p", "bpf", 0);
	check_symbol(6, "", "", 0);
	teardown(&s);
}

/* Tests a table without _stext: an offset must still not be an address, which would reveal where KASLR put the
 * kernel. */
static void test_no_stext(void)
{
	struct setup s;

	setup(&s, "ffffffff81000100 T a\nffffffff81000300 T b\nffffffffc0001000 t m\t[mod]\n");
	symbols_id(s.symbols, STEXT + 0x300);
	read_back(&s);
	check_symbol(1, "b", "", 0x200);
	teardown(&s);
}

static void test_unknown_addresses(void)
{
	struct setup s;
	uint32_t id;

	setup(&s, KERNEL);
	id = symbols_id(s.symbols, STEXT - 1);
	CU_ASSERT_NOT_EQUAL(id, 0);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, 0), id);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, STEXT + 0x500), id);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, BPF + (1u << 20) + 1), id);
	CU_ASSERT_NOT_EQUAL(symbols_id(s.symbols, BPF + (1u << 20)), id);
	teardown(&s);
}

static void test_hidden_symbols(void)
{
	struct setup s;

	setup(&s, "0000000000000000 T _stext\n0000000000000000 T a\n");
	CU_ASSERT_TRUE(symbols_hidden(s.symbols));
	CU_ASSERT_EQUAL(symbols_id(s.symbols, STEXT), 1);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, 0), 1);
	write_all(&s);
	CU_ASSERT_EQUAL(symbols_refresh(s.symbols), 0);
	read_defined(&defined, &s.trace);
	check_symbol(1, "", "", 0);
	teardown(&s);
}

static void test_refresh(void)
{
	const uint64_t ip = 0xffffffffc0200010;
	struct setup s;
	uint32_t unknown, known, alpha;

	setup(&s, KERNEL);
	alpha = symbols_id(s.symbols, STEXT + 0x100);
	unknown = symbols_id(s.symbols, ip);
	write_all(&s);
	new_table(&s, KERNEL NEW_MODULE);
	known = symbols_id(s.symbols, ip);
	CU_ASSERT_NOT_EQUAL(known, unknown);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, STEXT + 0x100), alpha);
	read_back(&s);
	check_symbol(unknown, "", "", 0);
	check_symbol(known, "new_work", "new", 0);
	teardown(&s);
}

/* Tests pending output, which points into the table: the table stays until the output is written, even if a refresh
 * is requested. */
static void test_refresh_keeps_what_is_pending(void)
{
	struct setup s;

	setup(&s, KERNEL);
	symbols_id(s.symbols, STEXT + 0x100);
	symbols_id(s.symbols, 0);
	new_table(&s, NEW_MODULE);
	read_back(&s);
	check_symbol(1, "alpha", "", 0x100);
	teardown(&s);
}

/* Tests that known symbols stay if no symbol was missing, or if the table is not readable now. */
static void test_refresh_without_need(void)
{
	struct setup s;

	setup(&s, KERNEL);
	symbols_id(s.symbols, STEXT + 0x100);
	write_all(&s);
	new_table(&s, NEW_MODULE);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, STEXT + 0x210), 2);
	symbols_id(s.symbols, 0);
	write_all(&s);
	CU_ASSERT_EQUAL(unlink(s.path), 0);
	CU_ASSERT_EQUAL(symbols_refresh(s.symbols), -ENOENT);
	CU_ASSERT_EQUAL(symbols_id(s.symbols, STEXT + 0x100), 1);
	read_back(&s);
	check_symbol(2, "beta", "", 0x210);
	teardown(&s);
}

/* Tests that an address that stays unknown does not cause a refresh at every flush, because reading the table is
 * slow. */
static void test_refresh_once_an_address(void)
{
	struct setup s;

	setup(&s, KERNEL);
	symbols_id(s.symbols, 0);
	write_all(&s);
	new_table(&s, KERNEL);
	CU_ASSERT_EQUAL(unlink(s.path), 0);
	symbols_id(s.symbols, 0);
	CU_ASSERT_EQUAL(symbols_refresh(s.symbols), 0);
	symbols_id(s.symbols, 1);
	CU_ASSERT_EQUAL(symbols_refresh(s.symbols), -ENOENT);
	teardown(&s);
}

/* Tests an address that is reused: another BPF program or module may be loaded there. */
static void test_reused_address(void)
{
	struct setup s;
	uint32_t id[3];

	setup(&s, "ffffffff81000000 T _stext\nffffffffc0100000 t one\t[bpf]\n");
	id[0] = symbols_id(s.symbols, BPF + 4);
	symbols_id(s.symbols, 0);
	write_all(&s);
	new_table(&s, "ffffffff81000000 T _stext\nffffffffc0100000 t two\t[bpf]\n");
	id[1] = symbols_id(s.symbols, BPF + 4);
	symbols_id(s.symbols, 1);
	write_all(&s);
	new_table(&s, "ffffffff81000000 T _stext\nffffffffc0100000 t two\t[mod]\n");
	id[2] = symbols_id(s.symbols, BPF + 4);
	write_all(&s);
	CU_ASSERT_NOT_EQUAL(id[0], id[1]);
	CU_ASSERT_NOT_EQUAL(id[1], id[2]);
	read_defined(&defined, &s.trace);
	check_symbol(id[0], "one", "bpf", 0);
	check_symbol(id[1], "two", "bpf", 0);
	check_symbol(id[2], "two", "mod", 0);
	teardown(&s);
}

static const struct unit_test tests[] = {
	{ "ids_dense_and_stable", test_ids_dense_and_stable },
	{ "ids_again", test_ids_again },
	{ "many_addresses", test_many_addresses },
	{ "offsets", test_offsets },
	{ "no_stext", test_no_stext },
	{ "unknown_addresses", test_unknown_addresses },
	{ "hidden_symbols", test_hidden_symbols },
	{ "refresh", test_refresh },
	{ "refresh_keeps_what_is_pending", test_refresh_keeps_what_is_pending },
	{ "refresh_without_need", test_refresh_without_need },
	{ "refresh_once_an_address", test_refresh_once_an_address },
	{ "reused_address", test_reused_address },
};

int main(void)
{
	return unit_main("record_symbols", tests, sizeof(tests) / sizeof(tests[0]));
}
