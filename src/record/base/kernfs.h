/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernfs.h: gives access to debugfs and tracefs, whether or not they are mounted. It uses a private mount that no other
 * process sees and that ends when its descriptor is closed.
 */
#ifndef NETCOST_KERNFS_H
#define NETCOST_KERNFS_H

/* Returns a descriptor of the root folder, or -errno. */
int kernfs_mount(const char *fstype);

#endif
