/* SPDX-License-Identifier: BSD-2-Clause */
/* procfs.h: reads small files of /proc and /sys. */
#ifndef NETCOST_PROCFS_H
#define NETCOST_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct cpuset;

/* the kernel writes at most a page, of 4 to 64 KiB: enough for "0,2,4,…" of thousands of CPUs */
#define CPULIST_TEXT 16384

/* Reads the file's text without the final newline; 0 or -errno. */
int procfs_text(const char *path, char *dst, size_t size);
/* Reads files in a folder, which saves the path lookup. If opening the folder returned -errno, no file can be read. */
int procfs_folder(const char *path);
int procfs_text_at(int dir, const char *path, char *dst, size_t size);
/* Reads a list of CPUs: 0, -errno, or the result of cpuset_parse(). */
int procfs_cpus(const char *path, struct cpuset *set);
/* Reads a number; dflt if the file is unreadable or has no number. */
uint64_t procfs_uint(const char *path, uint64_t dflt);
/* Reads an open file from its start into *buf, which grows; NUL-terminated. Returns bytes, or -errno. */
ssize_t procfs_reread(int fd, char **buf, size_t *size);

/* Returns the inode number, which identifies a namespace; 0: the file does not exist. */
uint64_t procfs_inode(const char *path);
/* Returns whether we are in the initial pid namespace, whose ids the kernel itself uses. */
bool procfs_initial_pids(void);

/* Parses the number after blanks, in base 10 or 16, and advances *p. False: there is no number, and *p is unchanged. */
bool procfs_number(const char **p, unsigned int base, uint64_t *v);

#endif
