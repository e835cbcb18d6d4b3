// SPDX-License-Identifier: BSD-2-Clause
#include "kernfs.h"

#include <errno.h>
#include <linux/mount.h> /* for FSOPEN_CLOEXEC */
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Mounts the file system by system call numbers, because glibc has functions for these calls only since 2.36. */
int kernfs_mount(const char *fstype)
{
	int fs = (int)syscall(SYS_fsopen, fstype, FSOPEN_CLOEXEC), dir = -1, err;

	if (fs < 0)
		return -errno;
	if (!syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		dir = (int)syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC, 0);
	err = dir < 0 ? -errno : 0;
	close(fs);
	return err ? err : dir;
}
