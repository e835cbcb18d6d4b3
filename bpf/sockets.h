/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sockets.h: determines the class of an operation's socket: local if the socket's family never leaves the host,
 * otherwise network.
 */
#ifndef NETCOST_SOCKETS_H
#define NETCOST_SOCKETS_H

#include "config.h"

/*
 * Returns true if packets of an address family never leave the host. Such families are counted separately. The numbers
 * are from include/linux/socket.h.
 */
static __always_inline bool family_is_local(__u16 family)
{
	return family == 1 /* UNIX */ || family == 16 /* NETLINK */ || family == 38 /* ALG */ ||
	       family == 40 /* VSOCK */;
}

static __always_inline __u64 sock_event(const struct socket *sock, __u64 network_event, bool casts)
{
	const struct sock *sk = FIELD(socket, sock, sk, casts);

	if (family_is_local(FIELD(sock, sk, __sk_common.skc_family, casts)))
		return NETCOST_EV_SOCK_LOCAL;
	return network_event;
}

/* Returns the event of an operation on a file, or 0 if the file is not a socket. */
static __always_inline __u64 file_event(struct file *file, __u64 network_event, bool casts)
{
	const struct inode *inode;

	if (!file)
		return 0;
	inode = FIELD(file, file, f_inode, casts);
	if ((FIELD(inode, inode, i_mode, casts) & S_IFMT) != S_IFSOCK)
		return 0;
	return sock_event(FIELD(file, file, private_data, casts), network_event, casts);
}

/*
 * Returns the event of an operation on a file descriptor of the current task, or 0 if the descriptor is not a socket.
 * The table is read without a lock. Only another thread that closes the descriptor at this moment can falsify the
 * result, and only for this call.
 */
static __always_inline __u64 socket_event(__u32 fd, __u64 network_event, bool casts)
{
	struct task_struct *task = UNTRUSTED(task_struct, bpf_get_current_task_btf(), casts);
	struct fdtable *fdt = task->files->fdt;

	if (fd >= fdt->max_fds)
		return 0;
	return file_event(POINTER_AT(fdt->fd + fd, casts), network_event, casts);
}

#endif
