/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * core_types.h: makes a small BTF with only those kernel types that libbpf needs to relocate programs (CO-RE). For each
 * struct that the programs declare, this BTF has only the members that the programs declare. The kernel's whole BTF
 * would work as well. But for each struct, libbpf searches all 130 000 types of that BTF. This search takes longer than
 * all other work before the first tick.
 *
 * This BTF is valid only for offsets and sizes of members. Queries about a type itself (bpf_core_type_id_kernel() and
 * similar) would be answered from this BTF, not from the kernel's.
 */
#ifndef NETCOST_CORE_TYPES_H
#define NETCOST_CORE_TYPES_H

#include <stdint.h>

struct btf;
struct btf_names;
struct core_types;

/*
 * Makes the types. programs is the programs' BTF, which must outlive *cp. The kernel's BTF may be closed earlier.
 * Returns 0 or -errno.
 */
int core_types_new(struct core_types **cp, const struct btf_names *kernel,
		   const struct btf *programs);
void core_types_free(struct core_types *c); /* NULL is allowed */

/* Writes the BTF to a file, for libbpf. */
int core_types_write(const struct core_types *c, int fd);
/*
 * Returns the kernel's id of a struct that the programs use. Returns 0 if the kernel has no struct, or several structs,
 * of that name.
 */
uint32_t core_types_id(const struct core_types *c, const char *name);

#endif
