/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * container_names.h: what people call containers and their pods, from files that container runtimes and kubelet keep
 * on the node. No daemon is asked.
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

/* root: the folder where the host's root is. -errno. */
int container_names_new(struct container_names **np, const char *root);
void container_names_free(struct container_names *n); /* NULL is allowed */

/*
 * Returns the CONTAINER_NAMES names of the container that a cgroup's path is of; empty: unknown, or of no container. They
 * are looked up until one is found, and valid until container_names_free(). n: NULL is allowed.
 */
const char *const *container_names_of(struct container_names *n, const char *path);

#endif
