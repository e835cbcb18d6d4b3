/* SPDX-License-Identifier: BSD-2-Clause */
/* bpf_info.h: all BPF programs and links of the host. Reading one takes some us, and CAP_SYS_ADMIN. */
#ifndef NETCOST_BPF_INFO_H
#define NETCOST_BPF_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Program types, in our own order. */
struct bpf_type {
	uint32_t number;
	const char *name;
	bool network; /* in the path of packets or sockets */
};

extern const struct bpf_type bpf_types[];
extern const size_t bpf_types_count;

/* "type 77" for a type that is newer than this table. */
const char *bpf_type_name(uint32_t number, char *dst, size_t size);

struct bpf_program_info {
	uint32_t type;
	char name[17];
	bool counts; /* the next two are known: Linux 5.1 */
	uint64_t runs, run_ns;
	uint64_t loaded_ns; /* CLOCK_BOOTTIME */
};

/* Finds the next id, starting from 0. -ENOENT: the end. */
int bpf_program_next(uint32_t id, uint32_t *next);
int bpf_program_info(uint32_t id, struct bpf_program_info *info);

#endif
