/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * container.h: finds the container to which a cgroup belongs, by the path of the cgroup alone. It knows the names that
 * docker, containerd, CRI-O and podman give their cgroups, with and without systemd, inside and outside of Kubernetes
 * pods, and the names of LXC and systemd-nspawn.
 */
#ifndef NETCOST_CONTAINER_H
#define NETCOST_CONTAINER_H

#include <stdbool.h>

#define CONTAINER_ID 96
#define CONTAINER_DIGITS 64 /* number of digits of an id that a runtime generated */

struct container {
	/* docker, containerd, cri-o, podman, lxc, nspawn or machined; "" if it is unknown */
	const char *runtime;
	char id[CONTAINER_ID];	/* id of 64 hex digits, or a name */
	char pod[CONTAINER_ID]; /* uid of the pod; "" outside of pods */
};

/* Finds the innermost container of a path. Returns false, with an empty *c, if the path has no container. */
bool container_of_path(const char *path, struct container *c);

#endif
