/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf_names.h: looks up types by name in the kernel's BTF. libbpf would parse the whole BTF again for each user. The
 * lookups here need only a few types, and these often do not exist.
 */
#ifndef NETCOST_BTF_NAMES_H
#define NETCOST_BTF_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct btf_names;
struct btf_type;

#define BTF_NAMES_DIR "/sys/kernel/btf/"

/*
 * Opens the BTF of the kernel (kernel: NULL, module: "vmlinux") or of a module. The BTF of a module may refer to ids
 * and names of the kernel's BTF, so `kernel` must outlive *bp. Returns -errno if the BTF cannot be read or has an
 * unknown format.
 */
int btf_names_open(struct btf_names **bp, const struct btf_names *kernel, const char *module);
void btf_names_close(struct btf_names *b); /* NULL is allowed */

/* Return the id of a type of this kernel or of this module. Return 0 if it does not exist. */
uint32_t btf_names_func(const struct btf_names *b, const char *name);
uint32_t btf_names_typedef(const struct btf_names *b, const char *name);
uint32_t btf_names_tracepoint(const struct btf_names *b, const char *name);
/* an enum with values of 32 bits */
uint32_t btf_names_enum(const struct btf_names *b, const char *name);
/* Returns the id of the next struct or union. Begin with *i = 0. Returns 0 at the end. */
uint32_t btf_names_composite(const struct btf_names *b, size_t *i, const char **name);

/* Returns a type. The whole type, including its members, is in memory. Returns NULL if there is no such type. */
const struct btf_type *btf_names_type(const struct btf_names *b, uint32_t id);
/* Returns the string at an offset. Returns "" if the offset is outside of the string section. */
const char *btf_names_text(const struct btf_names *b, uint32_t offset);

/* Parses BTF in memory. The memory must outlive *bp. Only tests use this function. */
int btf_names_parse(struct btf_names **bp, const struct btf_names *kernel, const void *data,
		    size_t size);

#endif
