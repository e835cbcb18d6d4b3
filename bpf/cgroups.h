/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* cgroups.h: the map that cgroups.bpf.c shares with the recorder. It holds the paths of cgroups by the kernel's id. */
#ifndef NETCOST_CGROUPS_MADE_H
#define NETCOST_CGROUPS_MADE_H

#define NETCOST_MADE 512	 /* number of the most recent paths that are kept */
#define NETCOST_BIRTHS (1 << 18) /* size in bytes of the ring of paths that wait for the recorder */

struct netcost_made {
	char path[1024]; /* as long as the longest path that the kernel's tracepoint reports */
};

#endif
