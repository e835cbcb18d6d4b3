// SPDX-License-Identifier: BSD-2-Clause
#include "btf_names.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "record/base/procfs.h"

#define STEP 16 /* the position of every 16th type is stored */

enum list {
	LIST_NONE, /* types that are never looked up by name */
	LIST_FUNC,
	LIST_TYPEDEF,
	LIST_COMPOSITE,
	LIST_ENUM,
	LISTS,
};

/* The names of a list, sorted by id. */
struct names {
	struct name {
		uint32_t offset, id;
	} * name;
	size_t n;
};

struct btf_names {
	struct names list[LISTS];
	uint32_t *step; /* positions of each STEPth type */
	size_t nsteps;
	const char *types, *types_end, *text;
	size_t text_size;
	const struct btf_names
		*kernel;	 /* of a module: its ids and offsets continue those of the kernel */
	uint32_t before, ntypes; /* number of the kernel's types, and of the types here */

	void *map; /* mapping of the file, or NULL */
	size_t map_size;
	char *copy; /* copy of the file if it cannot be mapped (before 6.16) */
	size_t copy_size;
};

/* For each kind, the size of a type (0: unknown kind), and the size of each of its members. */
static const struct {
	uint8_t size, each, list;
} kinds[BTF_INFO_KIND(UINT32_MAX) + 1] = {
	[BTF_KIND_INT] = { 16, 0, 0 },
	[BTF_KIND_PTR] = { 12, 0, 0 },
	[BTF_KIND_ARRAY] = { 24, 0, 0 },
	[BTF_KIND_STRUCT] = { 12, 12, LIST_COMPOSITE },
	[BTF_KIND_UNION] = { 12, 12, LIST_COMPOSITE },
	[BTF_KIND_ENUM] = { 12, 8, LIST_ENUM },
	[BTF_KIND_FWD] = { 12, 0, 0 },
	[BTF_KIND_TYPEDEF] = { 12, 0, LIST_TYPEDEF },
	[BTF_KIND_VOLATILE] = { 12, 0, 0 },
	[BTF_KIND_CONST] = { 12, 0, 0 },
	[BTF_KIND_RESTRICT] = { 12, 0, 0 },
	[BTF_KIND_FUNC] = { 12, 0, LIST_FUNC },
	[BTF_KIND_FUNC_PROTO] = { 12, 8, 0 },
	[BTF_KIND_VAR] = { 16, 0, 0 },
	[BTF_KIND_DATASEC] = { 12, 12, 0 },
	[16 /* FLOAT, 5.13 */] = { 12, 0, 0 },
	[17 /* DECL_TAG, 5.16 */] = { 16, 0, 0 },
	[18 /* TYPE_TAG, 5.17 */] = { 12, 0, 0 },
	[19 /* ENUM64, 6.0 */] = { 12, 12, 0 },
};

/*
 * Returns the size of a type. Returns 0 if its kind is unknown. Almost half of the types are functions. The branch lets
 * the CPU predict the size of a function, and continue with the next type before it has read this type.
 */
static size_t type_size(const struct btf_type *t)
{
	uint32_t kind = BTF_INFO_KIND(t->info);

	if (kind == BTF_KIND_FUNC)
		return sizeof(*t);
	return kinds[kind].size + BTF_INFO_VLEN(t->info) * (size_t)kinds[kind].each;
}

/* Allocates as much as any file can need. Memory that is never written costs nothing. */
static int allocate(struct btf_names *b)
{
	size_t most = (size_t)(b->types_end - b->types) / sizeof(struct btf_type) + 1;

	for (int i = 0; i < LISTS; i++) {
		size_t n = i == LIST_NONE ? 1 : most;

		b->list[i].name = malloc(n * sizeof(*b->list[i].name));
		if (!b->list[i].name)
			return -ENOMEM;
	}
	b->step = malloc((most / STEP + 1) * sizeof(*b->step));
	return b->step ? 0 : -ENOMEM;
}

/*
 * Reads all types into lists. The loop does not branch on the list of a type, because there are over 100 000 types in
 * no order. Mispredicted branches would take as long as all the other work here.
 */
static int read_types(struct btf_names *b)
{
	const char *at = b->types;

	for (uint32_t id = 1; at < b->types_end; id++) {
		const struct btf_type *t = (const struct btf_type *)at;
		size_t left = (size_t)(b->types_end - at);
		size_t size = left < sizeof(*t) ? 0 : type_size(t);
		enum list i = size ? kinds[BTF_INFO_KIND(t->info)].list : LIST_NONE;
		struct names *list = &b->list[i];

		if (!size || size > left)
			return -EOPNOTSUPP;
		if (id % STEP == 1)
			b->step[b->nsteps++] = (uint32_t)(at - b->types);
		list->name[list->n] = (struct name){ t->name_off, b->before + id };
		list->n += i != LIST_NONE;
		at += size;
		b->ntypes = id;
	}
	return 0;
}

static int read_btf(struct btf_names *b, const char *data, size_t size)
{
	const struct btf_header *h = (const struct btf_header *)data;
	int err;

	if (size < sizeof(*h) || h->magic != BTF_MAGIC || h->hdr_len > size ||
	    (h->hdr_len | h->type_off) % _Alignof(struct btf_type) ||
	    h->type_off > size - h->hdr_len || h->type_len > size - h->hdr_len - h->type_off ||
	    h->str_off > size - h->hdr_len || (!h->str_len && !b->kernel) ||
	    h->str_len > size - h->hdr_len - h->str_off)
		return -EOPNOTSUPP;
	data += h->hdr_len;
	b->text = data + h->str_off;
	b->text_size = h->str_len;
	if (b->text_size && b->text[b->text_size - 1])
		return -EOPNOTSUPP;
	b->types = data + h->type_off;
	b->types_end = b->types + h->type_len;
	err = allocate(b);
	return err ? err : read_types(b);
}

static struct btf_names *new_names(const struct btf_names *kernel)
{
	struct btf_names *b = calloc(1, sizeof(*b));

	if (b && kernel) {
		b->kernel = kernel;
		b->before = kernel->ntypes;
	}
	return b;
}

int btf_names_parse(struct btf_names **bp, const struct btf_names *kernel, const void *data,
		    size_t size)
{
	struct btf_names *b = new_names(kernel);
	int err = b ? read_btf(b, data, size) : -ENOMEM;

	*bp = err ? NULL : b;
	if (err)
		btf_names_close(b);
	return err;
}

static int take_file(struct btf_names *b, int fd)
{
	struct stat st;
	ssize_t size;

	if (!fstat(fd, &st) && st.st_size > 0) {
		b->map_size = (size_t)st.st_size;
		b->map = mmap(NULL, b->map_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (b->map != MAP_FAILED)
			return read_btf(b, b->map, b->map_size);
		b->map = NULL;
	}
	size = procfs_reread(fd, &b->copy, &b->copy_size);
	return size < 0 ? (int)size : read_btf(b, b->copy, (size_t)size);
}

int btf_names_open(struct btf_names **bp, const struct btf_names *kernel, const char *module)
{
	struct btf_names *b = new_names(kernel);
	char path[96];
	int fd, err;

	snprintf(path, sizeof(path), BTF_NAMES_DIR "%s", module);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	err = fd < 0 ? -errno : 0;
	if (!err)
		err = b ? take_file(b, fd) : -ENOMEM;
	if (fd >= 0)
		close(fd);
	*bp = err ? NULL : b;
	if (err)
		btf_names_close(b);
	return err;
}

void btf_names_close(struct btf_names *b)
{
	if (!b)
		return;
	if (b->map)
		munmap(b->map, b->map_size);
	free(b->copy);
	for (int i = 0; i < LISTS; i++)
		free(b->list[i].name);
	free(b->step);
	free(b);
}

const char *btf_names_text(const struct btf_names *b, uint32_t offset)
{
	if (b->kernel && offset < b->kernel->text_size)
		return btf_names_text(b->kernel, offset);
	if (b->kernel)
		offset -= (uint32_t)b->kernel->text_size;
	return offset < b->text_size ? b->text + offset : "";
}

static uint32_t find(const struct btf_names *b, enum list list, const char *name)
{
	const struct names *l = &b->list[list];

	for (size_t i = 0; i < l->n; i++) {
		const char *text = btf_names_text(b, l->name[i].offset);

		if (*text == *name && !strcmp(text, name))
			return l->name[i].id;
	}
	return 0;
}

uint32_t btf_names_func(const struct btf_names *b, const char *name)
{
	return find(b, LIST_FUNC, name);
}

uint32_t btf_names_typedef(const struct btf_names *b, const char *name)
{
	return find(b, LIST_TYPEDEF, name);
}

uint32_t btf_names_tracepoint(const struct btf_names *b, const char *name)
{
	char type[64];

	snprintf(type, sizeof(type), "btf_trace_%s", name);
	return find(b, LIST_TYPEDEF, type);
}

uint32_t btf_names_enum(const struct btf_names *b, const char *name)
{
	return find(b, LIST_ENUM, name);
}

uint32_t btf_names_composite(const struct btf_names *b, size_t *i, const char **name)
{
	const struct names *l = &b->list[LIST_COMPOSITE];

	if (*i >= l->n)
		return 0;
	*name = btf_names_text(b, l->name[*i].offset);
	return l->name[(*i)++].id;
}

const struct btf_type *btf_names_type(const struct btf_names *b, uint32_t id)
{
	const char *at;

	if (b->kernel && id <= b->before)
		return btf_names_type(b->kernel, id);
	id -= b->before;
	if (!id || (id - 1) / STEP >= b->nsteps)
		return NULL;
	at = b->types + b->step[(id - 1) / STEP];
	for (uint32_t i = (id - 1) % STEP; i && at < b->types_end; i--)
		at += type_size((const struct btf_type *)at);
	return at < b->types_end ? (const struct btf_type *)at : NULL;
}
