/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpf_info.h: reads all BPF programs and links of the host. Reading a program or link takes some microseconds, and
 * requires CAP_SYS_ADMIN.
 */
#ifndef NETCOST_BPF_INFO_H
#define NETCOST_BPF_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A program type. The table is not sorted by number. */
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
	uint32_t id, type;
	char name[17];
	bool counts; /* set if `runs` and `run_ns` are known (Linux 5.1 and later) */
	uint64_t runs, run_ns;
	uint64_t loaded_ns; /* CLOCK_BOOTTIME */
};

/* Stores the next id after `id`; begin with 0. Returns -ENOENT at the end. */
int bpf_program_next(uint32_t id, uint32_t *next);
int bpf_program_info(uint32_t id, struct bpf_program_info *info);

/* The part of struct bpf_link_info that is read, as of Linux 6.6. The build's headers may lack some of these fields. */
struct bpf_link_part {
	uint32_t type, id, prog_id, hole;
	union {
		struct {
			uint64_t name;
			uint32_t length;
		} raw_tracepoint;
		struct {
			uint64_t id;
			uint32_t attach_type;
		} cgroup;
		struct {
			uint32_t number, attach_type;
		} other; /* number of an interface; for tracing, the attach type */
		uint64_t room[4];
	};
};

enum {
	LINK_RAW_TRACEPOINT = 1,
	LINK_CGROUP = 3,
	LINK_NETNS = 5,
	LINK_XDP = 6,
	LINK_NETFILTER = 10,
	LINK_TCX = 11,
	LINK_NETKIT = 13,
};

struct bpf_link_about {
	struct bpf_link_part info;
	char name[65]; /* of a raw tracepoint */
};

int bpf_link_read(uint32_t id, struct bpf_link_about *about);

#endif
