/* SPDX-License-Identifier: BSD-2-Clause */
/* procfs.h: reads small files of /proc and /sys. */
#ifndef NETCOST_PROCFS_H
#define NETCOST_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct cpuset;

/*
 * Size of a buffer for a list of CPUs. The kernel writes at most one page, which has 4 to 64 KiB. This size is enough
 * for "0,2,4,…" of thousands of CPUs.
 */
#define CPULIST_TEXT 16384

/* Reads the text of a file without the final newline. Returns 0 or -errno. */
int procfs_text(const char *path, char *dst, size_t size);
/*
 * Opens a folder for procfs_text_at(), which reads a file in it without looking up the folder's path again. If opening
 * the folder returned -errno, reading returns this error.
 */
int procfs_folder(const char *path);
int procfs_text_at(int dir, const char *path, char *dst, size_t size);
/* Reads a list of CPUs. Returns 0, -errno, or the result of cpuset_parse(). */
int procfs_cpus(const char *path, struct cpuset *set);
/* Reads a number. Returns dflt if the file is unreadable or has no number. */
uint64_t procfs_uint(const char *path, uint64_t dflt);
/*
 * Reads an open file from its start into *buf, which grows. The text is NUL-terminated. Returns the number of bytes, or
 * -errno.
 */
ssize_t procfs_reread(int fd, char **buf, size_t *size);

/* Returns the inode number of a file, which identifies a namespace, or 0 if the file does not exist. */
uint64_t procfs_inode(const char *path);
/* Returns true if the recorder is in the initial pid namespace, whose ids the kernel itself uses. */
bool procfs_initial_pids(void);

/*
 * Parses the number after blanks, in base 10 or 16, and advances *p. Returns false, and leaves *p unchanged, if there
 * is no number.
 */
bool procfs_number(const char **p, unsigned int base, uint64_t *v);

#endif
