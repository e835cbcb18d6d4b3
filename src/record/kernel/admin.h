/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * admin.h: makes the few calls for which the kernel demands CAP_SYS_ADMIN during a recording. A helper process makes
 * these calls and no others. So the recorder, which parses and compresses, can give up that capability.
 *
 * If `admin` is NULL, this process makes the calls itself.
 */
#ifndef NETCOST_ADMIN_H
#define NETCOST_ADMIN_H

#include <stddef.h>
#include <stdint.h>

struct admin;
struct bpf_link_about;
struct bpf_program_info;
struct stat;

#define ADMIN_NAMED_NETNS "/run/netns"
#define ADMIN_MOST 48 /* maximum number of programs or links of a call */

/*
 * Starts the helper process. Call it before opening descriptors that must be closed at a certain time, because the
 * helper inherits copies. Returns 0 or -errno. *ap is NULL if this process does not have the capability.
 */
int admin_start(struct admin **ap);
void admin_end(struct admin *a);
uint64_t
admin_cpu_ns(const struct admin *a); /* CPU time of the helper process until its last answer */

/* Turns BPF statistics on until the returned descriptor is closed. Returns -errno on failure. */
int admin_stats(struct admin *a);
/* Opens the file of the preemption model, for preemption_chosen(). Returns a descriptor or -errno. */
int admin_preemption(struct admin *a);
/* Opens net/dev in a namespace of ADMIN_NAMED_NETNS. st: the namespace's inode. Returns a descriptor or -errno. */
int admin_netdev(struct admin *a, const char *name, struct stat *st);
/*
 * Returns the cookie of a network namespace, a number that the kernel never uses again (SO_NETNS_COOKIE, Linux 5.14),
 * or 0 if the cookie cannot be read. ns: a descriptor of the namespace.
 */
uint64_t admin_netns_cookie(struct admin *a, int ns);
/*
 * Read programs or links with ids above `after`, in order of their ids. most: at most ADMIN_MOST. Return how many were
 * read, 0 at the end, or -errno.
 */
int admin_programs(struct admin *a, uint32_t after, struct bpf_program_info *info, size_t most);
int admin_links(struct admin *a, uint32_t after, struct bpf_link_about *about, size_t most);

#endif
