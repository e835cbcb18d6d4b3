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

#define SIZE 32 /* bytes of a message; the network stack never rounds a size to this number */

static const char data[SIZE];

/* The arguments of a call. */
struct selftest_call {
	const struct selftest_sockets *sockets;
	int fd;
	char data[SIZE];
	struct iovec iov;
	struct mmsghdr message[SELFTEST_MESSAGES];
};

/* ---- sending ----------------------------------------------------------------------------- */

static ssize_t call_write(struct selftest_call *c)
{
	return write(c->fd, c->data, SIZE);
}

static ssize_t call_writev(struct selftest_call *c)
{
	return writev(c->fd, &c->iov, 1);
}

static ssize_t call_pwritev2(struct selftest_call *c)
{
	return pwritev2(c->fd, &c->iov, 1, -1, 0);
}

static ssize_t call_send(struct selftest_call *c)
{
	return send(c->fd, c->data, SIZE, MSG_DONTWAIT);
}

/* Sends to an invalid address. The kernel refuses the address, but only after the hooked functions ran. */
static ssize_t call_sendto(struct selftest_call *c)
{
	const struct sockaddr nobody = { .sa_family = AF_UNSPEC + 255 };

	return sendto(c->fd, c->data, SIZE, MSG_DONTWAIT, &nobody, sizeof(nobody));
}

static ssize_t call_sendmsg(struct selftest_call *c)
{
	return sendmsg(c->fd, &c->message->msg_hdr, MSG_DONTWAIT);
}

static ssize_t sum_of_messages(const struct selftest_call *c, int n)
{
	ssize_t bytes = 0;

	if (n < 1)
		return n;
	for (int i = 0; i < n; i++)
		bytes += c->message[i].msg_len;
	return bytes;
}

static ssize_t call_sendmmsg(struct selftest_call *c)
{
	return sum_of_messages(c, sendmmsg(c->fd, c->message, SELFTEST_MESSAGES, MSG_DONTWAIT));
}

static ssize_t call_splice_to(struct selftest_call *c)
{
	if (write(c->sockets->pipe[1], c->data, SIZE) != SIZE)
		return -1;
	return splice(c->sockets->pipe[0], NULL, c->fd, NULL, SIZE, SPLICE_F_NONBLOCK);
}

static ssize_t call_sendfile(struct selftest_call *c)
{
	off_t at = 0;

	return sendfile(c->fd, c->sockets->file, &at, SIZE);
}

static ssize_t call_uring(struct selftest_call *c, uint8_t opcode)
{
	return uring_call(c->sockets->uring, opcode, c->fd, c->data, SIZE, MSG_DONTWAIT);
}

static ssize_t call_uring_msg(struct selftest_call *c, uint8_t opcode)
{
	return uring_call(c->sockets->uring, opcode, c->fd, &c->message->msg_hdr, 1, MSG_DONTWAIT);
}

static ssize_t call_uring_send(struct selftest_call *c)
{
	return call_uring(c, IORING_OP_SEND);
}

static ssize_t call_uring_sendmsg(struct selftest_call *c)
{
	return call_uring_msg(c, IORING_OP_SENDMSG);
}

/* ---- receiving --------------------------------------------------------------------------- */

static ssize_t call_read(struct selftest_call *c)
{
	return read(c->fd, c->data, SIZE);
}

static ssize_t call_readv(struct selftest_call *c)
{
	return readv(c->fd, &c->iov, 1);
}

static ssize_t call_preadv2(struct selftest_call *c)
{
	return preadv2(c->fd, &c->iov, 1, -1, 0);
}

static ssize_t call_recv(struct selftest_call *c)
{
	return recv(c->fd, c->data, SIZE, MSG_DONTWAIT);
}

static ssize_t call_recvfrom(struct selftest_call *c)
{
	struct sockaddr_storage from;
	socklen_t len = sizeof(from);

	return recvfrom(c->fd, c->data, SIZE, MSG_DONTWAIT, (struct sockaddr *)&from, &len);
}

static ssize_t call_recvmsg(struct selftest_call *c)
{
	return recvmsg(c->fd, &c->message->msg_hdr, MSG_DONTWAIT);
}

static ssize_t call_recvmmsg(struct selftest_call *c)
{
	return sum_of_messages(c,
			       recvmmsg(c->fd, c->message, SELFTEST_MESSAGES, MSG_DONTWAIT, NULL));
}

static ssize_t call_splice_from(struct selftest_call *c)
{
	return splice(c->fd, NULL, c->sockets->pipe[1], NULL, SIZE, SPLICE_F_NONBLOCK);
}

static ssize_t call_uring_recv(struct selftest_call *c)
{
	return call_uring(c, IORING_OP_RECV);
}

static ssize_t call_uring_recvmsg(struct selftest_call *c)
{
	return call_uring_msg(c, IORING_OP_RECVMSG);
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

ssize_t selftest_call(const struct selftest_sockets *s, const struct selftest_kind *k, int fd)
{
	struct selftest_call c = { .sockets = s, .fd = fd };

	c.iov = (struct iovec){ c.data, SIZE };
	for (int i = 0; i < SELFTEST_MESSAGES; i++)
		c.message[i].msg_hdr = (struct msghdr){ .msg_iov = &c.iov, .msg_iovlen = 1 };
	return k->call(&c);
}

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

/* Sends data through a local pair, so that a call that receives finds data. */
void selftest_prepare(const struct selftest_sockets *s, const struct selftest_kind *k)
{
	for (int i = 0; k->receives && s->fd[0] != s->fd[1] && i < SELFTEST_MESSAGES; i++)
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
