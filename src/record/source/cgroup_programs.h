/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cgroup_programs.h: finds the BPF programs that are attached to cgroups. Programs with a link report their cgroup.
 * Other programs are found only by querying each cgroup of the hierarchy that is mounted here.
 */
#ifndef NETCOST_CGROUP_PROGRAMS_H
#define NETCOST_CGROUP_PROGRAMS_H

#include <stdint.h>

/* Callback for a program that is attached to a cgroup. hook is a value of enum bpf_attach_type. */
typedef void cgroup_program_fn(void *ctx, uint32_t id, uint64_t cgroup, uint32_t hook);

/*
 * Calls fn for each program of the given types. types is a bit mask of enum bpf_prog_type. On hosts with very many
 * cgroups, some cgroups are not queried.
 */
void cgroup_programs(uint64_t types, cgroup_program_fn *fn, void *ctx);

#endif
