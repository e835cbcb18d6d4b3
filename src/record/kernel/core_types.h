/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * core_types.h: the part of the kernel's types that libbpf needs to relocate programs (CO-RE), as separate BTF: for
 * each struct that the programs know, the members that they know. The kernel's whole BTF would do as well, but libbpf
 * searches all of its 130 000 types for each struct, which takes longer than everything else before the first tick.
 *
 * It is valid for offsets and sizes of members only: queries about a type itself (bpf_core_type_id_kernel() and
 * similar) would be answered from this BTF, not from the kernel's.
 */
#ifndef NETCOST_CORE_TYPES_H
#define NETCOST_CORE_TYPES_H

#include <stdint.h>

struct btf;
struct btf_names;
struct core_types;

/* programs: their BTF, which must outlive this; the kernel's need not. 0 or -errno. */
int core_types_new(struct core_types **cp, const struct btf_names *kernel,
		   const struct btf *programs);
void core_types_free(struct core_types *c); /* NULL is allowed */

/* Writes it to a file, for libbpf. */
int core_types_write(const struct core_types *c, int fd);
/* Returns the kernel's id of a struct of the programs; 0: the kernel has none, or several of that name. */
uint32_t core_types_id(const struct core_types *c, const char *name);

#endif
