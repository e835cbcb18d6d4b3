// SPDX-License-Identifier: BSD-2-Clause
#include <netcost/fd_pass.h>

#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

/* Room for one descriptor, aligned as control messages are. */
union fd_control {
	struct cmsghdr head;
	char space[CMSG_SPACE(sizeof(int))];
};

ssize_t fd_send(int socket, const void *data, size_t size, int fd)
{
	union fd_control control = { .head = { CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS } };
	struct iovec part = { (void *)(uintptr_t)data, size };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };

	if (fd >= 0) {
		memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
		m.msg_control = &control;
		m.msg_controllen = sizeof(control);
	}
	return sendmsg(socket, &m, MSG_NOSIGNAL);
}

ssize_t fd_receive(int socket, void *data, size_t size, int *fd)
{
	union fd_control control;
	struct iovec part = { data, size };
	struct msghdr m = { .msg_iov = &part,
			    .msg_iovlen = 1,
			    .msg_control = &control,
			    .msg_controllen = sizeof(control) };
	ssize_t n = recvmsg(socket, &m, MSG_CMSG_CLOEXEC);
	const struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&m) : NULL;

	*fd = -1;
	if (c && c->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(c), sizeof(*fd));
	return n;
}
