// SPDX-License-Identifier: BSD-2-Clause
/* Tests names that are requested from the kernel one by one: the parser on fixed input, and all names of this kernel
 * compared with /proc/kallsyms. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "record/kernel/ksyms.h"

#define EVERY 7 /* of this many functions of the kernel, one is looked up */

static void parses(const char *as, uint64_t ip, const char *name, const char *module,
		   uint64_t start, uint64_t length)
{
	struct kallsym sym;
	char text[128];
	uint64_t size;

	snprintf(text, sizeof(text), "%s", as);
	CU_ASSERT_FATAL(ksyms_parse(text, ip, &sym, &size));
	CU_ASSERT_STRING_EQUAL(sym.name, name);
	CU_ASSERT_STRING_EQUAL(sym.module, module);
	CU_ASSERT_EQUAL(sym.addr, start);
	CU_ASSERT_EQUAL(size, length);
}

static void test_parse(void)
{
	parses("ip_rcv+0x0/0x40", 0x1000, "ip_rcv", "", 0x1000, 0x40);
	parses("veth_poll.cold+0x3f/0x40 [veth]", 0x1040, "veth_poll.cold", "veth", 0x1001, 0x40);
	parses("bpf_prog_6deef7357e7b4530_f+0x1/0x9", 0x11, "bpf_prog_6deef7357e7b4530_f", "bpf",
	       0x10, 9);
	parses("f+0x1/0x9 [m", 0x11, "f", "", 0x10, 9);
}

static void test_parse_nothing(void)
{
	static const char *const none[] = {
		"",	     "0xffffffff81000000", "f",	     "+0x0/0x1", "f+0x1",
		"f+0x9/0x9", "f+0x99/0x100",	   "f+/0x1", "f+0x0/"
	};

	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		struct kallsym sym;
		char text[64];
		uint64_t size;

		snprintf(text, sizeof(text), "%s", none[i]);
		CU_ASSERT_FALSE(ksyms_parse(text, 0x11, &sym, &size));
	}
}

/* Compares the name of an address with the table. If an address has several names in the table, any of these names
 * is correct. */
static void compare(const struct kallsyms *table, struct ksyms *k, uint64_t at, size_t *same,
		    size_t *others)
{
	const struct kallsym *a = kallsyms_find(table, at), *b = ksyms_find(k, at);

	CU_ASSERT_PTR_NOT_NULL_FATAL(a);
	if (!b) {
		++*others;
		return;
	}
	CU_ASSERT_EQUAL(a->addr, b->addr);
	if (!strcmp(a->name, b->name) && !strcmp(a->module, b->module))
		++*same;
	else
		++*others;
}

static void test_this_kernel(void)
{
	size_t same = 0, others = 0, n = 0;
	struct kallsyms *table;
	struct ksyms *k;
	char line[768], type;
	unsigned long long at;
	FILE *f;

	if (ksyms_new(&k, "/proc/kallsyms"))
		return; /* BPF is not available or not permitted */
	CU_ASSERT_EQUAL_FATAL(kallsyms_read(&table, "/proc/kallsyms"), 0);
	f = fopen("/proc/kallsyms", "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%llx %c", &at, &type) != 2 || !strchr("tTwW", type) ||
		    strchr(line, '[') || strstr(line, " __pfx_") || n++ % EVERY)
			continue;
		if (kallsyms_find(table, at))
			compare(table, k, at, &same, &others);
	}
	if (f)
		fclose(f);
	CU_ASSERT(same > 1000);
	/* on Linux 6.18, 156 of 60 000 addresses have several names */
	CU_ASSERT(others < same / 200);
	kallsyms_free(table);
	ksyms_free(k);
}

static void test_hidden(void)
{
	struct ksyms *k;

	CU_ASSERT_NOT_EQUAL(ksyms_new(&k, "/dev/null"), 0);
	CU_ASSERT_PTR_NULL(k);
	CU_ASSERT_NOT_EQUAL(ksyms_new(&k, "/nonexistent"), 0);
}

static const struct unit_test tests[] = {
	{ "parse", test_parse },
	{ "parse_nothing", test_parse_nothing },
	{ "this_kernel", test_this_kernel },
	{ "hidden", test_hidden },
};

int main(void)
{
	return unit_main("record_ksyms", tests, sizeof(tests) / sizeof(tests[0]));
}
