/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernfs.h: gives access to debugfs and tracefs, whether or not they are mounted. The file system is mounted privately,
 * so no other process sees the mount. The mount ends when its descriptor is closed.
 */
#ifndef NETCOST_KERNFS_H
#define NETCOST_KERNFS_H

/* Returns a descriptor of the root folder, or -errno. */
int kernfs_mount(const char *fstype);

#endif
