/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernfs.h: debugfs and tracefs, whether or not they are mounted, through a private mount that no
 * other process sees and that ends with its descriptor.
 */
#ifndef NETCOST_KERNFS_H
#define NETCOST_KERNFS_H

/* Returns the root folder's descriptor, or -errno. */
int kernfs_mount(const char *fstype);

#endif
