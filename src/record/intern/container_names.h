/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * container_names.h: finds the names of containers and their pods in files that container runtimes and kubelet keep on
 * the node. No daemon is asked.
 */
#ifndef NETCOST_CONTAINER_NAMES_H
#define NETCOST_CONTAINER_NAMES_H

enum container_name {
	CONTAINER_POD,
	CONTAINER_NAMESPACE,
	CONTAINER_NAME,
	CONTAINER_IMAGE,
	CONTAINER_WORKLOAD,
	CONTAINER_NAMES
};

struct container_names;

/* root is the path of the host's root folder. Returns 0 or -errno. */
int container_names_new(struct container_names **np, const char *root);
void container_names_free(struct container_names *n); /* NULL is allowed */

/*
 * Returns the CONTAINER_NAMES names of the container to which the path of a cgroup belongs. A name is empty if it is
 * unknown or the path belongs to no container. The names are looked up at each call until one is found. They are valid
 * until container_names_free(). n may be NULL.
 */
const char *const *container_names_of(struct container_names *n, const char *path);

#endif
