// SPDX-License-Identifier: BSD-2-Clause
#include "core_types.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "btf_names.h"

#define MAX_MEMBERS 64	 /* that are taken of one struct */
#define MAX_DEPTH 16	 /* of structs in structs */
#define MAX_MODIFIERS 32 /* of one type */

struct making {
	const struct btf_names *kernel;
	const struct btf *programs;
	struct btf *made;
	int empty; /* a type to count array elements with */
};

/* ---- types without const, volatile and other names ---------------------------------------- */

static bool is_modifier(const struct btf_type *t)
{
	return btf_is_mod(t) || btf_is_typedef(t);
}

/* NULL: none. */
static const struct btf_type *kernel_type(const struct making *m, uint32_t id)
{
	const struct btf_type *t = btf_names_type(m->kernel, id);

	for (int i = 0; t && is_modifier(t); i++)
		t = i < MAX_MODIFIERS ? btf_names_type(m->kernel, t->type) : NULL;
	return t;
}

static const struct btf_type *program_type(const struct making *m, uint32_t id)
{
	const struct btf_type *t = btf__type_by_id(m->programs, id);

	for (int i = 0; t && is_modifier(t); i++)
		t = i < MAX_MODIFIERS ? btf__type_by_id(m->programs, t->type) : NULL;
	return t;
}

static bool is_composite(const struct btf_type *t)
{
	return t && btf_is_composite(t);
}

/* The type of that member of the programs' struct; NULL: it has none such. */
static const struct btf_type *known_member(const struct making *m, const struct btf_type *known,
					   const char *name)
{
	const struct btf_member *member = btf_members(known);

	for (int i = 0; i < btf_vlen(known); i++)
		if (!strcmp(btf__name_by_offset(m->programs, member[i].name_off), name))
			return program_type(m, member[i].type);
	return NULL;
}

/* ---- the kernel's, as far as they are known ------------------------------------------------ */

struct kept {
	const char *name;
	int type;
	uint32_t bit_offset, bit_size;
};

static int add_composite(const struct making *m, const struct btf_type *t,
			 const struct btf_type *known, int depth);

/* The id of what stands for a type; 0: it is none that programs read; or -errno. */
static int add_type(const struct making *m, const struct btf_type *t, const struct btf_type *known,
		    int depth)
{
	const char *name = t ? btf_names_text(m->kernel, t->name_off) : "";
	int element;

	if (!t || depth > MAX_DEPTH)
		return 0;
	if (btf_is_int(t))
		return btf__add_int(m->made, name, (int)t->size, btf_int_encoding(t));
	if (btf_is_ptr(t))
		return btf__add_ptr(m->made,
				    0); /* what it points to begins a relocation of its own */
	if (btf_is_composite(t))
		return is_composite(known) ? add_composite(m, t, known, depth + 1) : 0;
	if (!btf_is_array(t))
		return 0;
	known = known && btf_is_array(known) ? program_type(m, btf_array(known)->type) : NULL;
	element = add_type(m, kernel_type(m, btf_array(t)->type), known, depth + 1);
	return element > 0 ? btf__add_array(m->made, m->empty, element, btf_array(t)->nelems) :
			     element;
}

/* 1: it is kept; 0: not; or -errno. */
static int keep_member(const struct making *m, const struct btf_type *t, int i,
		       const struct btf_type *known, int depth, struct kept *kept)
{
	const struct btf_member *member = btf_members(t) + i;
	const struct btf_type *type = kernel_type(m, member->type);
	const char *name = btf_names_text(m->kernel, member->name_off);
	const struct btf_type *inner = *name		  ? known_member(m, known, name) :
				       is_composite(type) ? known :
							    NULL;
	int id = inner ? add_type(m, type, inner, depth) : 0;

	if (id <= 0)
		return id;
	*kept = (struct kept){
		.name = name,
		.type = id,
		.bit_offset = btf_member_bit_offset(t, (__u32)i),
		.bit_size = btf_member_bitfield_size(t, (__u32)i),
	};
	return 1;
}

/* 0: none of its members is known. Those of unnamed structs and unions in it are its own. */
static int add_composite(const struct making *m, const struct btf_type *t,
			 const struct btf_type *known, int depth)
{
	const char *name = btf_names_text(m->kernel, t->name_off);
	struct kept kept[MAX_MEMBERS];
	int n = 0, id, err = 0;

	for (int i = 0; i < btf_vlen(t) && err >= 0; i++) {
		err = n < MAX_MEMBERS ? keep_member(m, t, i, known, depth, &kept[n]) : -E2BIG;
		n += err > 0;
	}
	if (err < 0 || !n)
		return err < 0 ? err : 0;
	id = btf_is_struct(t) ? btf__add_struct(m->made, name, t->size) :
				btf__add_union(m->made, name, t->size);
	for (int i = 0; i < n && id > 0; i++) {
		err = btf__add_field(m->made, kept[i].name, kept[i].type, kept[i].bit_offset,
				     kept[i].bit_size);
		if (err)
			return err;
	}
	return id;
}

/* All of the kernel's that have this one's name: libbpf tells which of them it is. */
static int add_all_named(const struct making *m, const struct btf_type *known)
{
	const char *name = btf__name_by_offset(m->programs, known->name_off);
	uint32_t id = 0;
	int err = 0;

	while (*name && err >= 0 && (id = btf_names_struct(m->kernel, name, id)))
		err = add_composite(m, btf_names_type(m->kernel, id), known, 0);
	return err < 0 ? err : 0;
}

/* ---- all ---------------------------------------------------------------------------------- */

static int make(struct making *m)
{
	int err = 0;

	m->empty = btf__add_int(m->made, "int", 4, BTF_INT_SIGNED);
	if (m->empty < 0)
		return m->empty;
	for (uint32_t id = 1; id < btf__type_cnt(m->programs) && !err; id++) {
		const struct btf_type *known = btf__type_by_id(m->programs, id);

		if (is_composite(known))
			err = add_all_named(m, known);
	}
	return err;
}

static int write_raw(const struct btf *btf, int fd)
{
	__u32 size;
	const void *raw = btf__raw_data(btf, &size);
	ssize_t n = raw ? pwrite(fd, raw, size, 0) : -1;

	return n < 0 ? -errno : n != (ssize_t)size ? -EIO : 0;
}

int core_types_write(const struct btf_names *kernel, const struct btf *programs, int fd)
{
	struct making m = { .kernel = kernel, .programs = programs, .made = btf__new_empty() };
	int err = m.made ? make(&m) : -ENOMEM;

	if (!err)
		err = write_raw(m.made, fd);
	btf__free(m.made);
	return err;
}
