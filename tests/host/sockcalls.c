// SPDX-License-Identifier: BSD-2-Clause
/*
 * sockcalls KIND N [FAMILY]: makes exactly N calls of one kind on a datagram socket, and nothing else that
 * a recorder could count for the same event. FAMILY: inet (default), inet6, unix.
 *
 * Sending kinds send N datagrams of 100 bytes to a socket of our own that is never read. Receiving kinds
 * send one and receive one, N times; with `recv-wait SECONDS`, one receive waits that long.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#define SIZE 100

static char data[SIZE];
static struct iovec iov = { data, SIZE };
static struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
static struct mmsghdr mmsg = { .msg_hdr = { .msg_iov = &iov, .msg_iovlen = 1 } };

static ssize_t do_write(int fd)
{
	return write(fd, data, SIZE);
}

static ssize_t do_writev(int fd)
{
	return writev(fd, &iov, 1);
}

/* libc makes sendto(2) of send(3): both are asked for, so both are here. */
static ssize_t do_send(int fd)
{
	return send(fd, data, SIZE, 0);
}

static ssize_t do_sendto(int fd)
{
	return sendto(fd, data, SIZE, 0, NULL, 0);
}

static ssize_t do_sendmsg(int fd)
{
	return sendmsg(fd, &msg, 0);
}

static ssize_t do_sendmmsg(int fd)
{
	return sendmmsg(fd, &mmsg, 1, 0);
}

static ssize_t do_read(int fd)
{
	return read(fd, data, SIZE);
}

static ssize_t do_readv(int fd)
{
	return readv(fd, &iov, 1);
}

static ssize_t do_recv(int fd)
{
	return recv(fd, data, SIZE, 0);
}

static ssize_t do_recvmsg(int fd)
{
	return recvmsg(fd, &msg, 0);
}

static ssize_t do_recvmmsg(int fd)
{
	return recvmmsg(fd, &mmsg, 1, 0, NULL);
}

static const struct kind {
	const char *name;
	int receives;
	ssize_t (*call)(int fd);
} kinds[] = {
	{ "write", 0, do_write },	{ "writev", 0, do_writev },
	{ "send", 0, do_send },		{ "sendto", 0, do_sendto },
	{ "sendmsg", 0, do_sendmsg },	{ "sendmmsg", 0, do_sendmmsg },
	{ "read", 1, do_read },		{ "readv", 1, do_readv },
	{ "recv", 1, do_recv },		{ "recvmsg", 1, do_recvmsg },
	{ "recvmmsg", 1, do_recvmmsg },
};

static void die(const char *what)
{
	fprintf(stderr, "sockcalls: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Two datagram sockets, the first connected to the second. */
static void make_pair(const char *family, int fd[2])
{
	struct sockaddr_in in4 = { .sin_family = AF_INET,
				   .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	int v6 = !strcmp(family, "inet6"), af = v6 ? AF_INET6 : AF_INET;
	struct sockaddr *addr = v6 ? (struct sockaddr *)&in6 : (struct sockaddr *)&in4;
	socklen_t len = v6 ? sizeof(in6) : sizeof(in4);

	if (!strcmp(family, "unix")) {
		if (socketpair(AF_UNIX, SOCK_DGRAM, 0, fd))
			die("socketpair");
		return;
	}
	fd[0] = socket(af, SOCK_DGRAM, 0);
	fd[1] = socket(af, SOCK_DGRAM, 0);
	if (fd[0] < 0 || fd[1] < 0 || bind(fd[1], addr, len) || getsockname(fd[1], addr, &len) ||
	    connect(fd[0], addr, len))
		die(family);
}

static void recv_wait(int fd, int seconds)
{
	struct timeval tv = { .tv_sec = seconds };

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	if (recv(fd, data, SIZE, 0) >= 0 || errno != EAGAIN)
		die("recv-wait");
}

int main(int argc, char **argv)
{
	long n = argc > 2 ? atol(argv[2]) : 0;
	const struct kind *k = NULL;
	int fd[2];

	if (argc < 3)
		return 2;
	make_pair(argc > 3 ? argv[3] : "inet", fd);
	if (!strcmp(argv[1], "recv-wait")) {
		recv_wait(fd[1], (int)n);
		return 0;
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, argv[1]))
			k = &kinds[i];
	if (!k)
		return 2;
	for (long i = 0; i < n; i++) {
		if (k->receives && do_send(fd[0]) != SIZE)
			die("send");
		if (k->call(fd[k->receives ? 1 : 0]) < 1)
			die(k->name);
		if (!strcmp(argv[argc > 3 ? 3 : 1], "unix") && !k->receives)
			(void)!recv(fd[1], data, SIZE,
				    MSG_DONTWAIT); /* its queue holds only a few */
	}
	return 0;
}
