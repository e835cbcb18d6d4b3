// SPDX-License-Identifier: BSD-2-Clause
#include "selftest_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h> /* IORING_OP_* */
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "uring.h"

#define SIZE 32 /* of a message; not what the stack rounds to anywhere */
#define MESSAGES                                                                                   \
	2 /* of sendmmsg and recvmmsg: one call, though each is a call of an inner function */

struct message {
	char data[SIZE];
	struct iovec iov;
	struct msghdr msg;
};

static struct msghdr *message(struct message *m)
{
	memset(m->data, 'x', sizeof(m->data));
	m->iov = (struct iovec){ m->data, sizeof(m->data) };
	m->msg = (struct msghdr){ .msg_iov = &m->iov, .msg_iovlen = 1 };
	return &m->msg;
}

/* ---- sending ----------------------------------------------------------------------------- */

static const char data[SIZE];
static const struct iovec iov = { (char *)data, SIZE };

static ssize_t call_write(const struct selftest_sockets *s, int fd)
{
	(void)s;
	return write(fd, data, SIZE);
}

static ssize_t call_writev(const struct selftest_sockets *s, int fd)
{
	(void)s;
	return writev(fd, &iov, 1);
}

static ssize_t call_pwritev2(const struct selftest_sockets *s, int fd)
{
	(void)s;
	return pwritev2(fd, &iov, 1, -1, 0);
}

static ssize_t call_send(const struct selftest_sockets *s, int fd)
{
	(void)s;
	return send(fd, data, SIZE, MSG_DONTWAIT);
}

/* To nobody: refused, deep enough. */
static ssize_t call_sendto(const struct selftest_sockets *s, int fd)
{
	const struct sockaddr nobody = { .sa_family = AF_UNSPEC + 255 };

	(void)s;
	return sendto(fd, data, SIZE, MSG_DONTWAIT, &nobody, sizeof(nobody));
}

static ssize_t call_sendmsg(const struct selftest_sockets *s, int fd)
{
	struct message m;

	(void)s;
	return sendmsg(fd, message(&m), MSG_DONTWAIT);
}

static ssize_t sum_of_messages(const struct mmsghdr *mm, int n)
{
	ssize_t bytes = 0;

	if (n < 1)
		return n;
	for (int i = 0; i < n; i++)
		bytes += mm[i].msg_len;
	return bytes;
}

static ssize_t call_sendmmsg(const struct selftest_sockets *s, int fd)
{
	struct message m[MESSAGES];
	struct mmsghdr mm[MESSAGES];

	(void)s;
	for (int i = 0; i < MESSAGES; i++)
		mm[i] = (struct mmsghdr){ .msg_hdr = *message(&m[i]) };
	return sum_of_messages(mm, sendmmsg(fd, mm, MESSAGES, MSG_DONTWAIT));
}

static ssize_t call_splice_to(const struct selftest_sockets *s, int fd)
{
	if (write(s->pipe[1], data, SIZE) != SIZE)
		return -1;
	return splice(s->pipe[0], NULL, fd, NULL, SIZE, SPLICE_F_NONBLOCK);
}

static ssize_t call_sendfile(const struct selftest_sockets *s, int fd)
{
	off_t at = 0;

	return sendfile(fd, s->file, &at, SIZE);
}

static ssize_t call_uring_send(const struct selftest_sockets *s, int fd)
{
	return uring_call(s->uring, IORING_OP_SEND, fd, (char *)data, SIZE, MSG_DONTWAIT);
}

static ssize_t call_uring_sendmsg(const struct selftest_sockets *s, int fd)
{
	struct message m;

	return uring_call(s->uring, IORING_OP_SENDMSG, fd, message(&m), 1, MSG_DONTWAIT);
}

/* ---- receiving --------------------------------------------------------------------------- */

static ssize_t call_read(const struct selftest_sockets *s, int fd)
{
	char buf[SIZE];

	(void)s;
	return read(fd, buf, SIZE);
}

static ssize_t call_readv(const struct selftest_sockets *s, int fd)
{
	struct message m;

	(void)s;
	message(&m);
	return readv(fd, &m.iov, 1);
}

static ssize_t call_preadv2(const struct selftest_sockets *s, int fd)
{
	struct message m;

	(void)s;
	message(&m);
	return preadv2(fd, &m.iov, 1, -1, 0);
}

static ssize_t call_recv(const struct selftest_sockets *s, int fd)
{
	char buf[SIZE];

	(void)s;
	return recv(fd, buf, SIZE, MSG_DONTWAIT);
}

static ssize_t call_recvfrom(const struct selftest_sockets *s, int fd)
{
	struct sockaddr_storage from;
	socklen_t len = sizeof(from);
	char buf[SIZE];

	(void)s;
	return recvfrom(fd, buf, SIZE, MSG_DONTWAIT, (struct sockaddr *)&from, &len);
}

static ssize_t call_recvmsg(const struct selftest_sockets *s, int fd)
{
	struct message m;

	(void)s;
	return recvmsg(fd, message(&m), MSG_DONTWAIT);
}

static ssize_t call_recvmmsg(const struct selftest_sockets *s, int fd)
{
	struct message m[MESSAGES];
	struct mmsghdr mm[MESSAGES];

	(void)s;
	for (int i = 0; i < MESSAGES; i++)
		mm[i] = (struct mmsghdr){ .msg_hdr = *message(&m[i]) };
	return sum_of_messages(mm, recvmmsg(fd, mm, MESSAGES, MSG_DONTWAIT, NULL));
}

static ssize_t call_splice_from(const struct selftest_sockets *s, int fd)
{
	return splice(fd, NULL, s->pipe[1], NULL, SIZE, SPLICE_F_NONBLOCK);
}

static ssize_t call_uring_recv(const struct selftest_sockets *s, int fd)
{
	char buf[SIZE];

	return uring_call(s->uring, IORING_OP_RECV, fd, buf, SIZE, MSG_DONTWAIT);
}

static ssize_t call_uring_recvmsg(const struct selftest_sockets *s, int fd)
{
	struct message m;

	return uring_call(s->uring, IORING_OP_RECVMSG, fd, message(&m), 1, MSG_DONTWAIT);
}

/* ---- the kinds --------------------------------------------------------------------------- */

const struct selftest_kind selftest_kinds[] = {
	{ "write", false, HOOK_WRITE, false, call_write },
	{ "writev", false, HOOK_WRITE, false, call_writev },
	{ "pwritev2", false, HOOK_WRITE, false, call_pwritev2 },
	{ "send", false, HOOK_SENDTO, false, call_send },
	{ "sendto", false, HOOK_SENDTO, false, call_sendto },
	{ "sendmsg", false, HOOK_SENDMSG, false, call_sendmsg },
	{ "sendmmsg", false, HOOK_SENDMMSG, false, call_sendmmsg },
	{ "splice to it", false, HOOK_SPLICE_TO, false, call_splice_to },
	{ "sendfile", false, HOOK_SPLICE_TO, false, call_sendfile },
	{ "io_uring send", false, HOOK_KERNEL_SEND, true, call_uring_send },
	{ "io_uring sendmsg", false, HOOK_SENDMSG, true, call_uring_sendmsg },

	{ "read", true, HOOK_READ, false, call_read },
	{ "readv", true, HOOK_READ, false, call_readv },
	{ "preadv2", true, HOOK_READ, false, call_preadv2 },
	{ "recv", true, HOOK_RECVFROM, false, call_recv },
	{ "recvfrom", true, HOOK_RECVFROM, false, call_recvfrom },
	{ "recvmsg", true, HOOK_RECVMSG, false, call_recvmsg },
	{ "recvmmsg", true, HOOK_RECVMMSG, false, call_recvmmsg },
	{ "splice from it", true, HOOK_SPLICE_FROM, false, call_splice_from },
	{ "io_uring recv", true, HOOK_KERNEL_RECV, true, call_uring_recv },
	{ "io_uring recvmsg", true, HOOK_RECVMSG, true, call_uring_recvmsg },
};

const size_t selftest_nkinds = sizeof(selftest_kinds) / sizeof(selftest_kinds[0]);

/* ---- sockets ----------------------------------------------------------------------------- */

static int open_socket(struct selftest_sockets *s, bool local)
{
	if (local)
		return socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, s->fd);
	s->fd[0] = s->fd[1] = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	return s->fd[0] < 0 ? -1 : 0;
}

int selftest_open(struct selftest_sockets *s, bool local)
{
	int err = 0;

	*s = (struct selftest_sockets){ .fd = { -1, -1 }, .pipe = { -1, -1 } };
	s->file = memfd_create("netcost", MFD_CLOEXEC);
	if (s->file < 0 || write(s->file, data, SIZE) != SIZE ||
	    pipe2(s->pipe, O_NONBLOCK | O_CLOEXEC) || open_socket(s, local))
		err = -errno;
	else
		s->uring = uring_open();
	if (err)
		selftest_close(s);
	return err;
}

void selftest_close(struct selftest_sockets *s)
{
	uring_close(s->uring);
	if (s->fd[1] >= 0 && s->fd[1] != s->fd[0])
		close(s->fd[1]);
	if (s->fd[0] >= 0)
		close(s->fd[0]);
	if (s->pipe[0] >= 0) {
		close(s->pipe[0]);
		close(s->pipe[1]);
	}
	if (s->file >= 0)
		close(s->file);
}

/* A local pair has something to receive. */
void selftest_prepare(const struct selftest_sockets *s, const struct selftest_kind *k)
{
	for (int i = 0; k->receives && s->fd[0] != s->fd[1] && i < MESSAGES; i++)
		(void)!send(s->fd[0], data, SIZE, MSG_DONTWAIT);
}

void selftest_clean(const struct selftest_sockets *s)
{
	char buf[SIZE];

	while (recv(s->fd[1], buf, sizeof(buf), MSG_DONTWAIT) > 0)
		;
	while (read(s->pipe[0], buf, sizeof(buf)) > 0)
		;
}
