/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cgroup_programs.h: BPF programs that are attached to cgroups. Those with a link say so themselves; others are only
 * found by asking each cgroup of the hierarchy that is mounted here.
 */
#ifndef NETCOST_CGROUP_PROGRAMS_H
#define NETCOST_CGROUP_PROGRAMS_H

#include <stdint.h>

/* hook: a number of enum bpf_attach_type. */
typedef void cgroup_program_fn(void *ctx, uint32_t id, uint64_t cgroup, uint32_t hook);

/* Programs of those types: a bit for each number of enum bpf_prog_type. Not of all cgroups where there are very many. */
void cgroup_programs(uint64_t types, cgroup_program_fn *fn, void *ctx);

#endif
