// SPDX-License-Identifier: BSD-2-Clause
/* Tests names in BTF: the result for this kernel is compared with libbpf's, and damaged BTF is parsed. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>

#include "record/kernel/btf_names.h"

#define EVERY 997 /* of this many types of the kernel, one is looked up */

/* Tests this kernel's BTF. If several types have the same name, libbpf also returns the first one. */
static void test_this_kernel(void)
{
	struct btf *btf = btf__load_vmlinux_btf();
	struct btf_names *b;
	size_t asked = 0;

	if (!btf)
		return; /* some kernels have no BTF */
	CU_ASSERT_EQUAL_FATAL(btf_names_open(&b, NULL, "vmlinux"), 0);
	for (uint32_t id = 1; id < btf__type_cnt(btf); id += EVERY) {
		const struct btf_type *t = btf__type_by_id(btf, id);
		const struct btf_type *same = btf_names_type(b, id);
		const char *name = btf__name_by_offset(btf, t->name_off);

		CU_ASSERT_FATAL(same != NULL);
		CU_ASSERT_EQUAL(same->info, t->info);
		CU_ASSERT_STRING_EQUAL(btf_names_text(b, same->name_off), name);
		if (btf_is_func(t)) {
			CU_ASSERT_EQUAL((int)btf_names_func(b, name),
					btf__find_by_name_kind(btf, name, BTF_KIND_FUNC));
			asked++;
		} else if (btf_is_typedef(t)) {
			CU_ASSERT_EQUAL((int)btf_names_typedef(b, name),
					btf__find_by_name_kind(btf, name, BTF_KIND_TYPEDEF));
			asked++;
		}
	}
	CU_ASSERT(asked > 10);
	CU_ASSERT_EQUAL(btf_names_func(b, "netcost_has_no_such_function"), 0);
	CU_ASSERT_EQUAL(btf_names_typedef(b, "schedule"), 0); /* a function */
	CU_ASSERT_EQUAL(btf_names_func(b, ""), 0);
	CU_ASSERT_PTR_NULL(btf_names_type(b, 0));
	CU_ASSERT_PTR_NULL(btf_names_type(b, btf__type_cnt(btf)));
	CU_ASSERT_PTR_NULL(btf_names_type(b, UINT32_MAX));
	btf_names_close(b);
	btf__free(btf);
}

static struct btf *made(void)
{
	struct btf *btf = btf__new_empty();
	int proto;

	btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	btf__add_array(btf, 1, 1, 3);
	btf__add_struct(btf, "s", 8);
	btf__add_field(btf, "a", 1, 0, 0);
	btf__add_field(btf, "b", 1, 32, 0);
	btf__add_enum(btf, "e", 4);
	btf__add_enum_value(btf, "E", 1);
	proto = btf__add_func_proto(btf, 1);
	btf__add_func_param(btf, "x", 1);
	btf__add_var(btf, "v", BTF_VAR_STATIC, 1);
	btf__add_datasec(btf, ".data", 4);
	btf__add_datasec_var_info(btf, 6, 0, 4);
	btf__add_func(btf, "s", BTF_FUNC_STATIC, proto);
	btf__add_typedef(btf, "s_t", 3);
	return btf;
}

static void test_kinds(void)
{
	struct btf *btf = made();
	struct btf_names *b;
	const void *data;
	const char *name;
	size_t at = 0;
	__u32 size, id;

	data = btf__raw_data(btf, &size);
	CU_ASSERT_EQUAL_FATAL(btf_names_parse(&b, NULL, data, size), 0);
	CU_ASSERT_EQUAL((int)btf_names_func(b, "s"),
			btf__find_by_name_kind(btf, "s", BTF_KIND_FUNC));
	CU_ASSERT_EQUAL((int)btf_names_typedef(b, "s_t"),
			btf__find_by_name_kind(btf, "s_t", BTF_KIND_TYPEDEF));
	CU_ASSERT_EQUAL(btf_names_func(b, "x"), 0);
	id = btf_names_composite(b, &at, &name);
	CU_ASSERT_EQUAL(id, 3);
	CU_ASSERT_STRING_EQUAL(name, "s");
	CU_ASSERT_EQUAL(btf_vlen(btf_names_type(b, id)), 2);
	CU_ASSERT_EQUAL(btf_names_composite(b, &at, &name), 0);
	CU_ASSERT_STRING_EQUAL(btf_names_text(b, UINT32_MAX), "");
	btf_names_close(b);
	btf__free(btf);
}

/* Tests a module's BTF: its ids and names continue those of the kernel. */
static void test_module(void)
{
	struct btf *kernel = made(), *module = btf__new_empty_split(kernel);
	struct btf_names *k, *m;
	const void *data;
	__u32 size;
	int id, func;

	id = btf__add_struct(module, "s_of_module", 8);
	btf__add_field(module, "b", 1, 0, 0);	 /* a name of the kernel */
	btf__add_field(module, "mine", 1, 0, 0); /* a name of its own */
	func = btf__add_func(module, "s", BTF_FUNC_STATIC, 5);
	data = btf__raw_data(kernel, &size);
	CU_ASSERT_EQUAL_FATAL(btf_names_parse(&k, NULL, data, size), 0);
	data = btf__raw_data(module, &size);
	CU_ASSERT_EQUAL_FATAL(btf_names_parse(&m, k, data, size), 0);
	CU_ASSERT_EQUAL((int)btf_names_func(m, "s"), func);
	CU_ASSERT_EQUAL(btf_vlen(btf_names_type(m, (uint32_t)id)), 2);
	for (int i = 0; i < 2; i++) {
		__u32 name = btf_members(btf_names_type(m, (uint32_t)id))[i].name_off;

		CU_ASSERT_STRING_EQUAL(btf_names_text(m, name), i ? "mine" : "b");
	}
	CU_ASSERT_PTR_EQUAL(btf_names_type(m, 3), btf_names_type(k, 3));
	CU_ASSERT_PTR_NULL(btf_names_type(m, (uint32_t)func + 1));
	btf_names_close(m);
	btf_names_close(k);
	btf__free(module);
	btf__free(kernel);
}

/* Tests BTF that is truncated anywhere or has any byte changed: it may be rejected, but no access is out of bounds. */
static void test_damaged(void)
{
	struct btf *btf = made();
	const uint8_t *data;
	struct btf_names *b;
	__u32 size;

	data = btf__raw_data(btf, &size);
	for (__u32 n = 0; n < size; n++) {
		uint8_t *copy = malloc(n + 1);

		memcpy(copy, data, n);
		CU_ASSERT_NOT_EQUAL(btf_names_parse(&b, NULL, copy, n), 0);
		CU_ASSERT_PTR_NULL(b);
		free(copy);
	}
	for (__u32 n = 0; n < size; n++) {
		uint8_t *copy = malloc(size);

		memcpy(copy, data, size);
		copy[n] ^= 0xff;
		if (!btf_names_parse(&b, NULL, copy, size))
			btf_names_func(b, "s");
		btf_names_close(b);
		free(copy);
	}
	btf__free(btf);
}

static const struct unit_test tests[] = {
	{ "this_kernel", test_this_kernel },
	{ "kinds", test_kinds },
	{ "module", test_module },
	{ "damaged", test_damaged },
};

int main(void)
{
	return unit_main("record_btf", tests, sizeof(tests) / sizeof(tests[0]));
}
