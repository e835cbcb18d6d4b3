// SPDX-License-Identifier: BSD-2-Clause
#include "core_types.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "btf_names.h"

#define MAX_MEMBERS 64	 /* maximum number of members taken from one struct */
#define MAX_DEPTH 8	 /* maximum nesting of structs */
#define MAX_MODIFIERS 32 /* maximum number of modifiers of a type */
#define BEGINNINGS 4096	 /* hash table size for the first two characters of names */

struct core_types {
	const struct btf_names *kernel;
	const struct btf *programs;
	struct btf *made;
	int index; /* type of array indices */

	struct known {
		const char *name;
		const struct btf_type *type;
		uint32_t kernel_id; /* last type of this name in the kernel */
		unsigned int n;	    /* number of kernel types of this name */
	} * known;		    /* the programs' structs and unions */
	size_t nknown;
	/* by hash of two characters: whether some known name begins with these characters; most kernel names do not */
	bool begins[BEGINNINGS];
};

/* ---- types without qualifiers and typedefs ---------------------------------------- */

static bool is_modifier(const struct btf_type *t)
{
	return btf_is_mod(t) || btf_is_typedef(t);
}

/*
 * Returns the kernel's type with this id after resolving modifiers and typedefs. Returns NULL if there is no such type.
 */
static const struct btf_type *kernel_type(const struct core_types *c, uint32_t id)
{
	const struct btf_type *t = btf_names_type(c->kernel, id);

	for (int i = 0; t && is_modifier(t); i++)
		t = i < MAX_MODIFIERS ? btf_names_type(c->kernel, t->type) : NULL;
	return t;
}

static const struct btf_type *program_type(const struct core_types *c, uint32_t id)
{
	const struct btf_type *t = btf__type_by_id(c->programs, id);

	for (int i = 0; t && is_modifier(t); i++)
		t = i < MAX_MODIFIERS ? btf__type_by_id(c->programs, t->type) : NULL;
	return t;
}

static bool is_composite(const struct btf_type *t)
{
	return t && btf_is_composite(t);
}

/* Returns the type of the member in the programs' struct. Returns NULL if the struct has no such member. */
static const struct btf_type *known_member(const struct core_types *c, const struct btf_type *known,
					   const char *name)
{
	const struct btf_member *member = btf_members(known);

	for (int i = 0; i < btf_vlen(known); i++)
		if (!strcmp(btf__name_by_offset(c->programs, member[i].name_off), name))
			return program_type(c, member[i].type);
	return NULL;
}

/* ---- types of the kernel that the programs know -------------------------------------------- */

struct kept {
	const char *name;
	int type;
	uint32_t bit_offset, bit_size;
};

static int add_composite(const struct core_types *c, const struct btf_type *t,
			 const struct btf_type *known, int depth);

/* Adds a kernel type to the new BTF. Returns its new id, 0 if the programs do not read such types, or -errno. */
static int add_type(const struct core_types *c, const struct btf_type *t,
		    const struct btf_type *known, int depth)
{
	const char *name = t ? btf_names_text(c->kernel, t->name_off) : "";
	int element;

	if (!t || depth > MAX_DEPTH)
		return 0;
	if (btf_is_int(t))
		return btf__add_int(c->made, name, (int)t->size, btf_int_encoding(t));
	/* the type that the pointer points to has a relocation of its own */
	if (btf_is_ptr(t))
		return btf__add_ptr(c->made, 0);
	if (btf_is_composite(t))
		return is_composite(known) ? add_composite(c, t, known, depth + 1) : 0;
	if (!btf_is_array(t))
		return 0;
	known = known && btf_is_array(known) ? program_type(c, btf_array(known)->type) : NULL;
	element = add_type(c, kernel_type(c, btf_array(t)->type), known, depth + 1);
	return element > 0 ? btf__add_array(c->made, c->index, element, btf_array(t)->nelems) :
			     element;
}

/* Keeps a member if the programs know it. Returns 1 if it is kept, 0 if not, or -errno. */
static int keep_member(const struct core_types *c, const struct btf_type *t, int i,
		       const struct btf_type *known, int depth, struct kept *kept)
{
	const struct btf_member *member = btf_members(t) + i;
	const struct btf_type *type = kernel_type(c, member->type);
	const char *name = btf_names_text(c->kernel, member->name_off);
	const struct btf_type *inner = *name		  ? known_member(c, known, name) :
				       is_composite(type) ? known :
							    NULL;
	int id = inner ? add_type(c, type, inner, depth) : 0;

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

/*
 * Adds a struct or union. Returns 0 if the programs know none of its members. Members of unnamed structs and unions
 * inside it count as its own members.
 */
static int add_composite(const struct core_types *c, const struct btf_type *t,
			 const struct btf_type *known, int depth)
{
	const char *name = btf_names_text(c->kernel, t->name_off);
	struct kept kept[MAX_MEMBERS];
	int n = 0, id, err = 0;

	for (int i = 0; i < btf_vlen(t) && err >= 0; i++) {
		err = n < MAX_MEMBERS ? keep_member(c, t, i, known, depth, &kept[n]) : -E2BIG;
		n += err > 0;
	}
	if (err < 0 || !n)
		return err < 0 ? err : 0;
	id = btf_is_struct(t) ? btf__add_struct(c->made, name, t->size) :
				btf__add_union(c->made, name, t->size);
	for (int i = 0; i < n && id > 0; i++) {
		err = btf__add_field(c->made, kept[i].name, kept[i].type, kept[i].bit_offset,
				     kept[i].bit_size);
		if (err)
			return err;
	}
	return id;
}

/* ---- making all types --------------------------------------------------------------------- */

static unsigned int beginning(const char *name)
{
	return *name ? ((unsigned char)name[0] << 5 ^ (unsigned char)name[1]) % BEGINNINGS : 0;
}

static int find_known(struct core_types *c)
{
	uint32_t n = btf__type_cnt(c->programs);

	c->known = calloc(n, sizeof(*c->known));
	if (!c->known)
		return -ENOMEM;
	for (uint32_t id = 1; id < n; id++) {
		const struct btf_type *t = btf__type_by_id(c->programs, id);
		const char *name = btf__name_by_offset(c->programs, t->name_off);

		if (!btf_is_composite(t) || !*name)
			continue;
		c->known[c->nknown++] = (struct known){ .name = name, .type = t };
		c->begins[beginning(name)] = true;
	}
	return 0;
}

static struct known *find_named(const struct core_types *c, const char *name)
{
	for (size_t i = 0; c->begins[beginning(name)] && i < c->nknown; i++)
		if (!strcmp(c->known[i].name, name))
			return &c->known[i];
	return NULL;
}

/*
 * Adds the kernel's types. If there are several structs of one name it adds all of them, because libbpf finds out which
 * one matches.
 */
static int make(struct core_types *c)
{
	const char *name;
	size_t i = 0;
	uint32_t id;
	int err = 0;

	c->index = btf__add_int(c->made, "int", 4, BTF_INT_SIGNED);
	if (c->index < 0)
		return c->index;
	while (err >= 0 && (id = btf_names_composite(c->kernel, &i, &name))) {
		struct known *k = find_named(c, name);

		if (!k)
			continue;
		k->kernel_id = id;
		k->n++;
		err = add_composite(c, btf_names_type(c->kernel, id), k->type, 0);
	}
	return err < 0 ? err : 0;
}

int core_types_new(struct core_types **cp, const struct btf_names *kernel,
		   const struct btf *programs)
{
	struct core_types *c = calloc(1, sizeof(*c));
	int err;

	*cp = NULL;
	if (!c)
		return -ENOMEM;
	c->kernel = kernel;
	c->programs = programs;
	c->made = btf__new_empty();
	err = c->made ? find_known(c) : -ENOMEM;
	if (!err)
		err = make(c);
	if (err)
		core_types_free(c);
	else
		*cp = c;
	return err;
}

void core_types_free(struct core_types *c)
{
	if (!c)
		return;
	btf__free(c->made);
	free(c->known);
	free(c);
}

int core_types_write(const struct core_types *c, int fd)
{
	__u32 size;
	const void *raw = btf__raw_data(c->made, &size);
	ssize_t n = raw ? pwrite(fd, raw, size, 0) : -1;

	return n < 0 ? -errno : n != (ssize_t)size ? -EIO : 0;
}

uint32_t core_types_id(const struct core_types *c, const char *name)
{
	const struct known *k = find_named(c, name);

	return k && k->n == 1 ? k->kernel_id : 0;
}
