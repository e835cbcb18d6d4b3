/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf_names.h: the kernel's BTF, by name. libbpf parses all of it, and again for each user; what is asked for here
 * needs only a few of its types, and often is not there.
 */
#ifndef NETCOST_BTF_NAMES_H
#define NETCOST_BTF_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct btf;
struct btf_names;
struct btf_type;

/* -errno: it cannot be read, or is not what we know. */
int btf_names_open(struct btf_names **bp);
void btf_names_close(struct btf_names *b); /* takes NULL */
/* All of it as libbpf has it, for what only libbpf can do: parsed once, when it is first asked for. NULL: it cannot be. */
struct btf *btf_names_parsed(const struct btf_names *b);

/* The type's id, 0 if there is none. */
uint32_t btf_names_func(const struct btf_names *b, const char *name);
uint32_t btf_names_typedef(const struct btf_names *b, const char *name);
uint32_t btf_names_tracepoint(const struct btf_names *b, const char *name);
uint32_t btf_names_enum(const struct btf_names *b, const char *name); /* of 32 bits */
/* Structs and unions, one after the other: *i counts them, from 0. 0: that was the last. */
uint32_t btf_names_composite(const struct btf_names *b, size_t *i, const char **name);

/* All of it, including its members, is in memory. NULL: there is no such type. */
const struct btf_type *btf_names_type(const struct btf_names *b, uint32_t id);
/* "": there is nothing. */
const char *btf_names_text(const struct btf_names *b, uint32_t offset);

/* Of BTF in memory, which stays the caller's: for tests. */
int btf_names_parse(struct btf_names **bp, const void *data, size_t size);

#endif
