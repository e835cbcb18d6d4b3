/* SPDX-License-Identifier: BSD-2-Clause */
/* fd_pass.h: messages with file descriptors over a Unix socket that keeps messages apart (SOCK_SEQPACKET). */
#ifndef NETCOST_FD_PASS_H
#define NETCOST_FD_PASS_H

#include <stddef.h>
#include <sys/types.h>

/* Sends bytes and, if fd is not negative, a copy of that descriptor. Returns the number of bytes, or -1 with errno. */
ssize_t fd_send(int socket, const void *data, size_t size, int fd);
/*
 * Receives at most `size` bytes, and a descriptor that exec(2) closes. *fd is -1 if the message has no descriptor.
 * Returns the number of bytes, 0 at the end, or -1 with errno.
 */
ssize_t fd_receive(int socket, void *data, size_t size, int *fd);

#endif
