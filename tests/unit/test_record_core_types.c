// SPDX-License-Identifier: BSD-2-Clause
/* Tests core_types.c, which reduces the kernel's types to those that programs need: libbpf reads the result, and
 * damaged types are parsed. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "record/kernel/btf_names.h"
#include "record/kernel/core_types.h"

#define MAX_BYTES (1 << 20)

/* Returns type information of a kernel: several structs in several forms. */
static struct btf *kernel(void)
{
	struct btf *btf = btf__new_empty();
	int i32 = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	int u8 = btf__add_int(btf, "unsigned char", 1, 0);
	int name_t = btf__add_typedef(btf, "i32_t", btf__add_const(btf, i32));
	int chars = btf__add_array(btf, i32, u8, 16);
	int ptr = btf__add_ptr(btf, 0);
	int inner, unnamed;

	inner = btf__add_struct(btf, "inner", 8);
	btf__add_field(btf, "unknown", i32, 0, 0);
	btf__add_field(btf, "x", name_t, 32, 0);
	unnamed = btf__add_union(btf, NULL, 8);
	btf__add_field(btf, "bits", u8, 0, 2);
	btf__add_field(btf, "ptr", ptr, 0, 0);
	btf__add_struct(btf, "task", 64);
	btf__add_field(btf, "before", chars, 0, 0);
	btf__add_field(btf, "in", inner, 128, 0);
	btf__add_field(btf, "", unnamed, 192, 0);
	btf__add_field(btf, "comm", chars, 256, 0);
	btf__add_field(btf, "call", ptr, 384, 0);
	btf__add_struct(btf, "unasked", 4);
	btf__add_field(btf, "x", i32, 0, 0);
	for (int i = 0; i < 2; i++) {
		btf__add_struct(btf, "twice", 8);
		btf__add_field(btf, "x", i32, i * 32u, 0);
	}
	return btf;
}

/* Returns the type information of programs, which know a small part of the kernel's types. */
static struct btf *programs(void)
{
	struct btf *btf = btf__new_empty();
	int i32 = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	int u8 = btf__add_int(btf, "unsigned char", 1, 0);
	int chars = btf__add_array(btf, i32, u8, 16);
	int ptr = btf__add_ptr(btf, 0);
	int inner = btf__add_struct(btf, "inner", 4);

	btf__add_field(btf, "x", i32, 0, 0);
	btf__add_struct(btf, "task", 40);
	btf__add_field(btf, "in", inner, 0, 0);
	btf__add_field(btf, "ptr", ptr, 64, 0);
	btf__add_field(btf, "comm", chars, 128, 0);
	btf__add_field(btf, "bits", u8, 256, 2);
	btf__add_field(btf, "call", ptr, 320, 0);
	btf__add_field(btf, "gone", i32, 280, 0);
	btf__add_struct(btf, "twice", 4);
	btf__add_field(btf, "x", i32, 0, 0);
	btf__add_struct(btf, "ours", 4);
	btf__add_field(btf, "x", i32, 0, 0);
	return btf;
}

/* Returns the BTF that libbpf would read. */
static struct btf *written(const struct core_types *c)
{
	int fd = memfd_create("test", MFD_CLOEXEC);
	void *data = malloc(MAX_BYTES);
	struct btf *btf;
	ssize_t n;

	CU_ASSERT_EQUAL_FATAL(core_types_write(c, fd), 0);
	n = pread(fd, data, MAX_BYTES, 0);
	CU_ASSERT_FATAL(n > 0 && n < MAX_BYTES);
	btf = btf__new(data, (__u32)n);
	CU_ASSERT_PTR_NOT_NULL_FATAL(btf);
	free(data);
	close(fd);
	return btf;
}

static const struct btf_type *find(const struct btf *btf, const char *name)
{
	int id = btf__find_by_name_kind(btf, name, BTF_KIND_STRUCT);

	return id < 0 ? NULL : btf__type_by_id(btf, (__u32)id);
}

/* Returns the type of a field, NULL if the struct has no such field. *bits: the field's offset from the start of the
 * struct. */
static const struct btf_type *member(const struct btf *btf, const struct btf_type *t,
				     const char *name, __u32 *bits)
{
	for (__u32 i = 0; i < btf_vlen(t); i++) {
		const struct btf_member *m = &btf_members(t)[i];

		*bits = btf_member_bit_offset(t, i);
		if (!strcmp(btf__name_by_offset(btf, m->name_off), name))
			return btf__type_by_id(btf, m->type);
	}
	return NULL;
}

static void test_made(void)
{
	struct btf *k = kernel(), *p = programs(), *made;
	const struct btf_type *task, *t;
	struct core_types *c;
	struct btf_names *b;
	const void *data;
	__u32 size, bits;

	data = btf__raw_data(k, &size);
	CU_ASSERT_EQUAL_FATAL(btf_names_parse(&b, NULL, data, size), 0);
	CU_ASSERT_EQUAL_FATAL(core_types_new(&c, b, p), 0);
	btf_names_close(b);
	made = written(c);
	task = find(made, "task");
	CU_ASSERT_PTR_NOT_NULL_FATAL(task);
	CU_ASSERT_EQUAL(task->size, 64);
	t = member(made, task, "in", &bits);
	CU_ASSERT_FATAL(t && btf_is_struct(t));
	CU_ASSERT_EQUAL(bits, 128);
	CU_ASSERT_PTR_NULL(member(made, t, "unknown", &bits));
	CU_ASSERT(btf_is_int(member(made, t, "x", &bits)));
	CU_ASSERT_EQUAL(bits, 32);
	t = member(made, task, "", &bits);
	CU_ASSERT_FATAL(t && btf_is_union(t));
	CU_ASSERT_EQUAL(bits, 192);
	CU_ASSERT(btf_is_ptr(member(made, t, "ptr", &bits)));
	CU_ASSERT(btf_is_int(member(made, t, "bits", &bits)));
	CU_ASSERT_EQUAL(btf_member_bitfield_size(t, 0), 2);
	t = member(made, task, "comm", &bits);
	CU_ASSERT_FATAL(t && btf_is_array(t));
	CU_ASSERT_EQUAL(btf_array(t)->nelems, 16);
	CU_ASSERT(btf_is_ptr(member(made, task, "call", &bits)));
	CU_ASSERT_PTR_NULL(member(made, task, "before", &bits));
	CU_ASSERT_PTR_NULL(member(made, task, "gone", &bits));
	CU_ASSERT_PTR_NULL(find(made, "unasked"));
	CU_ASSERT_PTR_NULL(find(made, "ours"));
	CU_ASSERT_EQUAL((int)core_types_id(c, "task"),
			btf__find_by_name_kind(k, "task", BTF_KIND_STRUCT));
	CU_ASSERT_EQUAL(core_types_id(c, "twice"), 0);
	CU_ASSERT_EQUAL(core_types_id(c, "ours"), 0);
	CU_ASSERT_EQUAL(core_types_id(c, "unasked"), 0);
	core_types_free(c);
	btf__free(made);
	btf__free(k);
	btf__free(p);
}

/* Tests endless chains of types: they are rejected, and the function terminates. */
static void test_endless(void)
{
	struct btf *k = btf__new_empty(), *p = programs();
	struct core_types *c;
	struct btf_names *b;
	const void *data;
	__u32 size;

	btf__add_struct(k, "task", 64); /* type 1 */
	btf__add_field(k, "", 1, 0, 0);
	btf__add_field(k, "comm", 2, 0, 0);
	btf__add_field(k, "in", 3, 0, 0);
	btf__add_array(k, 2, 2, 2);	/* type 2 */
	btf__add_typedef(k, "self", 3); /* type 3 */
	data = btf__raw_data(k, &size);
	CU_ASSERT_EQUAL_FATAL(btf_names_parse(&b, NULL, data, size), 0);
	CU_ASSERT_EQUAL_FATAL(core_types_new(&c, b, p), 0);
	core_types_free(c);
	btf_names_close(b);
	btf__free(k);
	btf__free(p);
}

static void test_damaged(void)
{
	struct btf *k = kernel(), *p = programs();
	struct core_types *c;
	struct btf_names *b;
	const uint8_t *data;
	__u32 size;

	data = btf__raw_data(k, &size);
	for (__u32 i = 0; i < 8 * size; i++) {
		uint8_t *copy = malloc(size);

		memcpy(copy, data, size);
		copy[i / 8] ^= (uint8_t)(1 << i % 8);
		if (!btf_names_parse(&b, NULL, copy, size)) {
			if (!core_types_new(&c, b, p))
				core_types_free(c);
			btf_names_close(b);
		}
		free(copy);
	}
	btf__free(k);
	btf__free(p);
}

static const struct unit_test tests[] = {
	{ "made", test_made },
	{ "endless", test_endless },
	{ "damaged", test_damaged },
};

int main(void)
{
	return unit_main("record_core_types", tests, sizeof(tests) / sizeof(tests[0]));
}
