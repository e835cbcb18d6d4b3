// SPDX-License-Identifier: BSD-2-Clause
#include "btf_names.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/btf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "procfs.h"

#define VMLINUX "/sys/kernel/btf/vmlinux"
#define STEP 64 /* of so many types the place of one is kept */

/* In order of their ids. */
struct names {
	struct name {
		uint32_t offset, id;
	} * name;
	size_t n, room;
};

struct btf_names {
	struct names func, def, composite;
	struct names step; /* offset: of the type, not of its name */
	const char *types, *types_end, *text;
	size_t text_size;

	void *map; /* of the file, or NULL */
	size_t map_size;
	char *copy; /* else, where it cannot be mapped (before 6.16) */
	size_t copy_size;
};

/* What follows a type: so many bytes, and for each of its members. By its kind. */
static const struct {
	uint8_t fixed, each;
	bool known;
} behind[] = {
	[BTF_KIND_INT] = { 4, 0, true },
	[BTF_KIND_PTR] = { 0, 0, true },
	[BTF_KIND_ARRAY] = { 12, 0, true },
	[BTF_KIND_STRUCT] = { 0, 12, true },
	[BTF_KIND_UNION] = { 0, 12, true },
	[BTF_KIND_ENUM] = { 0, 8, true },
	[BTF_KIND_FWD] = { 0, 0, true },
	[BTF_KIND_TYPEDEF] = { 0, 0, true },
	[BTF_KIND_VOLATILE] = { 0, 0, true },
	[BTF_KIND_CONST] = { 0, 0, true },
	[BTF_KIND_RESTRICT] = { 0, 0, true },
	[BTF_KIND_FUNC] = { 0, 0, true },
	[BTF_KIND_FUNC_PROTO] = { 0, 8, true },
	[BTF_KIND_VAR] = { 4, 0, true },
	[BTF_KIND_DATASEC] = { 0, 12, true },
	[16 /* FLOAT, 5.13 */] = { 0, 0, true },
	[17 /* DECL_TAG, 5.16 */] = { 4, 0, true },
	[18 /* TYPE_TAG, 5.17 */] = { 0, 0, true },
	[19 /* ENUM64, 6.0 */] = { 0, 12, true },
};

#define KINDS (sizeof(behind) / sizeof(behind[0]))

static int keep(struct names *l, uint32_t offset, uint32_t id)
{
	if (l->n == l->room) {
		size_t room = l->room ? 2 * l->room : 4096;
		struct name *p = realloc(l->name, room * sizeof(*p));

		if (!p)
			return -ENOMEM;
		l->name = p;
		l->room = room;
	}
	l->name[l->n++] = (struct name){ offset, id };
	return 0;
}

/* With what follows it. */
static size_t type_size(const struct btf_type *t)
{
	uint32_t kind = BTF_INFO_KIND(t->info);

	return sizeof(*t) + behind[kind].fixed + BTF_INFO_VLEN(t->info) * behind[kind].each;
}

static struct names *names_of(struct btf_names *b, uint32_t kind)
{
	switch (kind) {
	case BTF_KIND_FUNC:
		return &b->func;
	case BTF_KIND_TYPEDEF:
		return &b->def;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return &b->composite;
	default:
		return NULL;
	}
}

static int read_types(struct btf_names *b)
{
	const char *at = b->types;
	int err = 0;

	for (uint32_t id = 1; at < b->types_end && !err; id++) {
		const struct btf_type *t = (const struct btf_type *)at;
		size_t left = (size_t)(b->types_end - at);
		uint32_t kind = left < sizeof(*t) ? KINDS : BTF_INFO_KIND(t->info);
		struct names *names;

		if (kind >= KINDS || !behind[kind].known || type_size(t) > left)
			return -EOPNOTSUPP;
		if (id % STEP == 1)
			err = keep(&b->step, (uint32_t)(at - b->types), id);
		names = names_of(b, kind);
		if (names && !err)
			err = keep(names, t->name_off, id);
		at += type_size(t);
	}
	return err;
}

static int read_btf(struct btf_names *b, const char *data, size_t size)
{
	const struct btf_header *h = (const struct btf_header *)data;

	if (size < sizeof(*h) || h->magic != BTF_MAGIC || h->hdr_len > size ||
	    (h->hdr_len | h->type_off) % _Alignof(struct btf_type) ||
	    h->type_off > size - h->hdr_len || h->type_len > size - h->hdr_len - h->type_off ||
	    h->str_off > size - h->hdr_len || !h->str_len ||
	    h->str_len > size - h->hdr_len - h->str_off)
		return -EOPNOTSUPP;
	data += h->hdr_len;
	b->text = data + h->str_off;
	b->text_size = h->str_len;
	if (b->text[b->text_size - 1])
		return -EOPNOTSUPP;
	b->types = data + h->type_off;
	b->types_end = b->types + h->type_len;
	return read_types(b);
}

int btf_names_parse(struct btf_names **bp, const void *data, size_t size)
{
	struct btf_names *b = calloc(1, sizeof(*b));
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

int btf_names_open(struct btf_names **bp)
{
	struct btf_names *b = calloc(1, sizeof(*b));
	int fd = open(VMLINUX, O_RDONLY | O_CLOEXEC), err = fd < 0 ? -errno : 0;

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
	free(b->func.name);
	free(b->def.name);
	free(b->composite.name);
	free(b->step.name);
	free(b);
}

const char *btf_names_text(const struct btf_names *b, uint32_t offset)
{
	return offset < b->text_size ? b->text + offset : "";
}

static uint32_t find(const struct btf_names *b, const struct names *l, const char *name,
		     uint32_t after)
{
	for (size_t i = 0; i < l->n; i++) {
		const char *text = btf_names_text(b, l->name[i].offset);

		if (*text == *name && l->name[i].id > after && !strcmp(text, name))
			return l->name[i].id;
	}
	return 0;
}

uint32_t btf_names_func(const struct btf_names *b, const char *name)
{
	return find(b, &b->func, name, 0);
}

uint32_t btf_names_typedef(const struct btf_names *b, const char *name)
{
	return find(b, &b->def, name, 0);
}

uint32_t btf_names_struct(const struct btf_names *b, const char *name, uint32_t after)
{
	return find(b, &b->composite, name, after);
}

const struct btf_type *btf_names_type(const struct btf_names *b, uint32_t id)
{
	const char *at;

	if (!id || (id - 1) / STEP >= b->step.n)
		return NULL;
	at = b->types + b->step.name[(id - 1) / STEP].offset;
	for (uint32_t i = (id - 1) % STEP; i && at < b->types_end; i--)
		at += type_size((const struct btf_type *)at);
	return at < b->types_end ? (const struct btf_type *)at : NULL;
}
