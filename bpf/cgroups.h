/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* cgroups.h: the map that cgroups.bpf.c shares with the recorder: cgroup paths by the kernel's id. */
#ifndef NETCOST_CGROUPS_MADE_H
#define NETCOST_CGROUPS_MADE_H

#define NETCOST_MADE 512	 /* only the most recent ones are kept */
#define NETCOST_BIRTHS (1 << 18) /* bytes of paths that wait for the recorder */

struct netcost_made {
	char path[1024]; /* the kernel's tracepoint has the same limit */
};

#endif
