/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * container.h: the container that a cgroup is of, by its path alone: docker, containerd, CRI-O and
 * podman, as they call their cgroups with systemd and without, in pods of Kubernetes or not; LXC
 * and systemd-nspawn.
 */
#ifndef NETCOST_CONTAINER_H
#define NETCOST_CONTAINER_H

#include <stdbool.h>

#define CONTAINER_ID 96
#define CONTAINER_DIGITS 64 /* of an id that a runtime made */

struct container {
	/* docker, containerd, cri-o, podman, lxc, nspawn, machined; "": not known */
	const char *runtime;
	char id[CONTAINER_ID];	/* 64 hex digits, or a name */
	char pod[CONTAINER_ID]; /* the pod's uid; "": none */
};

/* Finds the innermost container of a path. False: no container in the path; *c is empty. */
bool container_of_path(const char *path, struct container *c);

#endif
