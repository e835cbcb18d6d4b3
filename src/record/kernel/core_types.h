/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * core_types.h: what libbpf needs of the kernel's types to relocate programs (CO-RE), as BTF of its own: of each
 * struct that the programs know the members that they know. The kernel's whole BTF would do as well: libbpf looks
 * for each struct among all of its 130 000 types, which takes longer than everything else before the first tick.
 *
 * For where members are, and how large: what a program asks of a type itself (bpf_core_type_id_kernel() and the like)
 * would be answered by what is here, not by the kernel.
 */
#ifndef NETCOST_CORE_TYPES_H
#define NETCOST_CORE_TYPES_H

#include <stdint.h>

struct btf;
struct btf_names;
struct core_types;

/* programs: their BTF, which must live as long as this; the kernel's need not. 0 or -errno. */
int core_types_new(struct core_types **cp, const struct btf_names *kernel,
		   const struct btf *programs);
void core_types_free(struct core_types *c); /* takes NULL */

/* To a file, for libbpf. */
int core_types_write(const struct core_types *c, int fd);
/* The kernel's id of a struct that the programs have; 0: the kernel has none, or several of that name. */
uint32_t core_types_id(const struct core_types *c, const char *name);

#endif
