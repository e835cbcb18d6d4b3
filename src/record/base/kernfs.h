/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernfs.h: debugfs and tracefs, whether or not they are mounted: through a mount of our own, which
 * no other process sees and which ends with its descriptor.
 */
#ifndef NETCOST_KERNFS_H
#define NETCOST_KERNFS_H

/* The top folder's descriptor, or -errno. */
int kernfs_mount(const char *fstype);

#endif
