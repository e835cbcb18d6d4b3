// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Stores the path of each cgroup that is created during the recording. Without this program, the recorder could not
 * find the path of a cgroup that is removed soon after its creation. The program runs only when a cgroup is created.
 */
#include "kernel_types.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "cgroups.h"

/* number of the hierarchy whose ids are recorded, as in /proc/cgroups; 0: cgroup v2 */
const volatile int hierarchy;

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, NETCOST_MADE);
	__type(key, __u64);
	__type(value, struct netcost_made);
} made SEC(".maps");

/* paths of created cgroups, in the order of creation; the recorder reads this ring continuously */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, NETCOST_BIRTHS);
} births SEC(".maps");

struct netcost_made nothing;

/*
 * Stores the path of a cgroup that is created. The arguments are the cgroup and its path from the root of its
 * hierarchy.
 */
SEC("raw_tp/cgroup_mkdir")
int cgroup_mkdir(const __u64 *args)
{
	const struct cgroup *cgroup = (const void *)args[0];
	struct netcost_made *m;
	__u64 id;

	if (BPF_CORE_READ(cgroup, root, hierarchy_id) != hierarchy)
		return 0;
	id = BPF_CORE_READ(cgroup, kn, id);
	bpf_map_update_elem(&made, &id, &nothing, 0);
	m = bpf_map_lookup_elem(&made, &id);
	if (!m)
		return 0;
	bpf_probe_read_kernel_str(m->path, sizeof(m->path), (const void *)args[1]);
	bpf_ringbuf_output(&births, m, sizeof(*m), 0);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
