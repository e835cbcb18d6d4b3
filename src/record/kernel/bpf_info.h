/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpf_info.h: reads all BPF programs and links of the host. Reading one of them takes some microseconds, and requires
 * CAP_SYS_ADMIN.
 */
#ifndef NETCOST_BPF_INFO_H
#define NETCOST_BPF_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A program type. The table has its own order. */
struct bpf_type {
	uint32_t number;
	const char *name;
	bool network; /* programs of this type are in the path of packets or sockets */
};

extern const struct bpf_type bpf_types[];
extern const size_t bpf_types_count;

/*
 * Returns the name of a program type. For a type that is newer than this table it writes, for example, "type 77" to
 * dst.
 */
const char *bpf_type_name(uint32_t number, char *dst, size_t size);

struct bpf_program_info {
	uint32_t type;
	char name[17];
	bool counts; /* `runs` and `run_ns` are known: since Linux 5.1 */
	uint64_t runs, run_ns;
	uint64_t loaded_ns; /* CLOCK_BOOTTIME */
};

/* Stores the next id after `id`; begin with 0. Returns -ENOENT at the end. */
int bpf_program_next(uint32_t id, uint32_t *next);
int bpf_program_info(uint32_t id, struct bpf_program_info *info);

#endif
