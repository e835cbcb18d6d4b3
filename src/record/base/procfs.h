/* SPDX-License-Identifier: BSD-2-Clause */
/* procfs.h: small files of /proc and /sys. */
#ifndef NETCOST_PROCFS_H
#define NETCOST_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct cpuset;

#define CPULIST_TEXT                                                                               \
	16384 /* the kernel writes a page at most, of 4 to 64 KiB: "0,2,4,…" of thousands fits */

/* The file's text without the final newline; 0 or -errno. */
int procfs_text(const char *path, char *dst, size_t size);
/* In a folder, which spares the way to it for each of its files. Where that is -errno, none can be read. */
int procfs_folder(const char *path);
int procfs_text_at(int dir, const char *path, char *dst, size_t size);
/* A list of CPUs in a file: 0, -errno or as cpuset_parse(). */
int procfs_cpus(const char *path, struct cpuset *set);
/* The number in a file; dflt if it cannot be read or is none. */
uint64_t procfs_uint(const char *path, uint64_t dflt);
/* Reads an open file from its start into *buf, which grows; NUL-terminated. Bytes, or -errno. */
ssize_t procfs_reread(int fd, char **buf, size_t *size);

/* The number of its inode, which tells namespaces apart; 0: it is not there. */
uint64_t procfs_inode(const char *path);
/* Are we in the initial pid namespace, whose ids the kernel itself uses? */
bool procfs_initial_pids(void);

/* The number after blanks, to base 10 or 16; *p moves past it. False: there is none, *p stays. */
bool procfs_number(const char **p, unsigned int base, uint64_t *v);

#endif
