// SPDX-License-Identifier: BSD-2-Clause
/* Tests drop reasons that are found in a kernel's BTF (drop_reasons.c), and the reasons why drops.c counts nothing. */
#include "unit.h"

#include <stdio.h>

#include <bpf/btf.h>

#include <netcost/cpuset.h>
#include <netcost/reasons.h>

#include "record/kernel/btf_names.h"
#include "record/kernel/drop_reasons.h"
#include "record/source/source.h"

/* Returns the names of a kernel whose tracepoint has this number of arguments; -1: the kernel has no such
 * tracepoint. */
static struct btf_names *kernel(struct btf *btf, int arguments)
{
	struct btf_names *names;
	const void *data;
	__u32 size;

	btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	btf__add_enum(btf, "skb_drop_reason", 4);
	btf__add_enum_value(btf, "SKB_NOT_DROPPED_YET", 0);
	btf__add_enum_value(btf, "SKB_CONSUMED", 1);
	btf__add_enum_value(btf, "SKB_DROP_REASON_NOT_SPECIFIED", 2);
	btf__add_enum_value(btf, "UNUSUAL", 3);
	btf__add_enum(btf, "skb_drop_reason_subsys", 4);
	btf__add_enum_value(btf, "SKB_DROP_REASON_SUBSYS_OPENVSWITCH", 2);
	if (arguments >= 0) {
		int function = btf__add_func_proto(btf, 0);

		for (int i = 0; i < arguments; i++)
			btf__add_func_param(btf, "x", 1);
		btf__add_typedef(btf, "btf_trace_kfree_skb", btf__add_ptr(btf, function));
	}
	data = btf__raw_data(btf, &size);
	CU_ASSERT_EQUAL_FATAL(btf_names_parse(&names, NULL, data, size), 0);
	return names;
}

static void test_drop_names(void)
{
	static const struct {
		uint32_t reason;
		const char *name;
	} names[] = {
		{ 0, "NOT_DROPPED_YET" },
		{ 1, "CONSUMED" },
		{ 2, "NOT_SPECIFIED" },
		{ 3, "UNUSUAL" },
		{ 4, "reason 4" },
		{ 2 << 16 | 7, "OPENVSWITCH 7" },
		{ 5 << 16 | 7, "subsystem 5 reason 7" },
	};
	struct btf *btf = btf__new_empty();
	struct btf_names *kernel_names = kernel(btf, 5);
	struct drop_reasons *r;
	char text[64];

	CU_ASSERT_EQUAL(drop_reasons_here(kernel_names), DROP_REASONS_GIVEN);
	CU_ASSERT_EQUAL_FATAL(drop_reasons_new(&r, kernel_names), 0);
	btf_names_close(kernel_names);
	btf__free(btf);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CU_ASSERT_STRING_EQUAL(drop_reasons_name(r, names[i].reason, text, sizeof(text)),
				       names[i].name);
		CU_ASSERT_EQUAL(drop_reasons_is_none(r, names[i].reason), names[i].reason == 1);
	}
	CU_ASSERT_STRING_EQUAL(drop_reasons_name(r, 2, text, 4), "NOT");
	drop_reasons_free(r);
}

static void test_drop_kernels(void)
{
	static const struct {
		int arguments;
		enum drop_reasons_here here;
	} kernels[] = {
		{ -1, DROP_REASONS_NONE }, { 0, DROP_REASONS_OLD },   { 3, DROP_REASONS_OLD },
		{ 4, DROP_REASONS_GIVEN }, { 5, DROP_REASONS_GIVEN },
	};

	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		struct btf *btf = btf__new_empty();
		struct btf_names *names = kernel(btf, kernels[i].arguments);

		CU_ASSERT_EQUAL(drop_reasons_here(names), kernels[i].here);
		btf_names_close(names);
		btf__free(btf);
	}
}

/* Checks that the source reports that it counts nothing, and why. */
static void check_not_counted(const struct source_host *h, const char *state, const char *why)
{
	struct source_status st = { 0 };
	void *ctx = &st;

	CU_ASSERT_EQUAL(drops_source.open(&ctx, &drops_source, h, &st), 0);
	CU_ASSERT_PTR_NULL(ctx);
	CU_ASSERT_STRING_EQUAL(st.state, state);
	CU_ASSERT_STRING_EQUAL(st.why, why);
}

/* Tests that a host that refuses BPF is the reported reason, even if no BTF of the kernel was read. */
static void test_drops_not_counted(void)
{
	static const char why[] = "BPF is not allowed here";
	const struct cpuset cpus = { 0 };
	struct btf *btf = btf__new_empty();
	struct btf_names *old = kernel(btf, 3);
	struct source_host h = { .cpus = &cpus, .why = why };

	check_not_counted(&h, "off", reason_exact_off);
	h.programs = true;
	check_not_counted(&h, "refused", why);
	h.kernel = old;
	check_not_counted(&h, "absent", reason_drops_old);
	h.programs = false;
	check_not_counted(&h, "off", reason_exact_off);
	btf_names_close(old);
	btf__free(btf);
}

static const struct unit_test tests[] = {
	{ "names", test_drop_names },
	{ "kernels", test_drop_kernels },
	{ "not_counted", test_drops_not_counted },
};

int main(void)
{
	return unit_main("record_drops", tests, sizeof(tests) / sizeof(tests[0]));
}
