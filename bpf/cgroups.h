/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* cgroups.h: what cgroups.bpf.c and the recorder share in memory: paths of cgroups, by the kernel's id. */
#ifndef NETCOST_CGROUPS_MADE_H
#define NETCOST_CGROUPS_MADE_H

#define NETCOST_MADE 512 /* the last ones */

struct netcost_made {
	char path[1024]; /* what the kernel's tracepoint has room for */
};

#endif
