/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * core_types.h: what libbpf needs of the kernel's types to relocate programs (CO-RE), as BTF of its own: of each
 * struct that the programs know the members that they know. The kernel's whole BTF would do as well: libbpf looks
 * for each struct among all of its 130 000 types, which takes it longer than all else before the first tick.
 */
#ifndef NETCOST_CORE_TYPES_H
#define NETCOST_CORE_TYPES_H

struct btf;
struct btf_names;

/* programs: the BTF of theirs. Writes it to fd; 0 or -errno. */
int core_types_write(const struct btf_names *kernel, const struct btf *programs, int fd);

#endif
