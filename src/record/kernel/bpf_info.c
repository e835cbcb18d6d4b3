// SPDX-License-Identifier: BSD-2-Clause
#include "bpf_info.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include <netcost/bpf_types.h>

const struct bpf_type bpf_types[] = {
#define X(number, name, network) { number, name, network },
	NETCOST_BPF_TYPES(X)
#undef X
};
const size_t bpf_types_count = sizeof(bpf_types) / sizeof(*bpf_types);

const char *bpf_type_name(uint32_t number, char *dst, size_t size)
{
	for (size_t i = 0; i < bpf_types_count; i++)
		if (bpf_types[i].number == number)
			return bpf_types[i].name;
	snprintf(dst, size, "type %u", number);
	return dst;
}

int bpf_program_next(uint32_t id, uint32_t *next)
{
	return bpf_prog_get_next_id(id, next) ? -errno : 0;
}

int bpf_program_info(uint32_t id, struct bpf_program_info *out)
{
	struct bpf_prog_info info = { 0 };
	int fd = bpf_prog_get_fd_by_id(id), err;
	uint32_t size = sizeof(info);

	if (fd < 0)
		return -errno;
	err = bpf_obj_get_info_by_fd(fd, &info, &size) ? -errno : 0;
	close(fd);
	*out = (struct bpf_program_info){
		.id = id,
		.type = info.type,
		.counts = size >= offsetof(struct bpf_prog_info, run_cnt) + sizeof(info.run_cnt),
		.runs = info.run_cnt,
		.run_ns = info.run_time_ns,
		.loaded_ns = info.load_time,
	};
	memcpy(out->name, info.name, sizeof(info.name));
	return err;
}

int bpf_link_read(uint32_t id, struct bpf_link_about *about)
{
	int fd = bpf_link_get_fd_by_id(id), err;
	struct bpf_link_part *info = &about->info;
	uint32_t length = sizeof(*info);

	if (fd < 0)
		return -errno;
	*about = (struct bpf_link_about){ 0 };
	err = bpf_obj_get_info_by_fd(fd, info, &length) ? -errno : 0;
	/* only a raw tracepoint has a name: read again, with a buffer for the name */
	if (!err && info->type == LINK_RAW_TRACEPOINT) {
		*info = (struct bpf_link_part){ .raw_tracepoint = { (uintptr_t)about->name,
								    sizeof(about->name) - 1 } };
		length = sizeof(*info);
		err = bpf_obj_get_info_by_fd(fd, info, &length) ? -errno : 0;
	}
	close(fd);
	return err;
}
