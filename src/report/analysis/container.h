/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * container.h: the container that a cgroup is of, by its path alone: docker, containerd, CRI-O and podman, as they call their
 * cgroups with systemd and without, in pods of Kubernetes or not; LXC and systemd-nspawn.
 */
#ifndef NETCOST_REPORT_CONTAINER_H
#define NETCOST_REPORT_CONTAINER_H

#include <stdbool.h>

#define CONTAINER_ID 96

struct container {
	const char *
		runtime; /* docker, containerd, cri-o, podman, lxc, nspawn, machined; "": not said */
	char id[CONTAINER_ID];	/* 64 hex digits, or a name */
	char pod[CONTAINER_ID]; /* the pod's uid; "": none */
};

/* The innermost one. False: of none, or that is not to be seen; *c is empty then. */
bool container_of_path(const char *path, struct container *c);

#endif
