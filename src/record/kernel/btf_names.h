/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf_names.h: lookups by name in the kernel's BTF. libbpf parses all of it, and again for each
 * user; the lookups here need only a few types, which often do not exist.
 */
#ifndef NETCOST_BTF_NAMES_H
#define NETCOST_BTF_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct btf;
struct btf_names;
struct btf_type;

/* -errno: unreadable, or an unknown format. */
int btf_names_open(struct btf_names **bp);
void btf_names_close(struct btf_names *b); /* NULL is allowed */
/* The whole BTF as a libbpf object, for what only libbpf can do: parsed once, on the first call. NULL: not possible. */
struct btf *btf_names_parsed(const struct btf_names *b);

/* Return the type's id, 0 if it does not exist. */
uint32_t btf_names_func(const struct btf_names *b, const char *name);
uint32_t btf_names_typedef(const struct btf_names *b, const char *name);
uint32_t btf_names_tracepoint(const struct btf_names *b, const char *name);
uint32_t btf_names_enum(const struct btf_names *b, const char *name); /* of 32 bits */
/* Iterates over structs and unions: *i starts at 0. 0: the end. */
uint32_t btf_names_composite(const struct btf_names *b, size_t *i, const char **name);

/* The whole type, including its members, is in memory. NULL: there is no such type. */
const struct btf_type *btf_names_type(const struct btf_names *b, uint32_t id);
/* "" if there is no text. */
const char *btf_names_text(const struct btf_names *b, uint32_t offset);

/* Parses BTF in memory, which the caller keeps: for tests. */
int btf_names_parse(struct btf_names **bp, const void *data, size_t size);

#endif
