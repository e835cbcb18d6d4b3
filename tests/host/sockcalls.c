// SPDX-License-Identifier: BSD-2-Clause
/*
 * sockcalls KIND N [SOCKETS]: makes exactly N calls of one kind, each of one message of 100 bytes.
 *
 * SOCKETS (default: inet, UDP on the loopback): see the table. Each message is sent on one socket of a
 * pair and received on the other; the call that is not of KIND is a plain send(2) or recv(2). So a
 * recorder should count N sends and N receives.
 * `recv-wait SECONDS` makes one receive, which waits for SECONDS. At the end the program prints KIND,
 * SOCKETS, and the times when the calls began and ended, in ns of CLOCK_MONOTONIC. Without arguments it lists all kinds.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>	      /* PRIu64 */
#include <linux/errqueue.h>   /* the head of net_tstamp.h's messages */
#include <linux/if_ether.h>   /* ETH_P_802_EX1 */
#include <linux/netlink.h>    /* sockaddr_nl */
#include <linux/net_tstamp.h> /* SOF_TIMESTAMPING_* */
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <netpacket/packet.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h> /* memfd_create */
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "uring.h"

#define SIZE 100
#define STUCK_S 10
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static char data[SIZE];
static struct iovec iov = { data, SIZE };
static struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
static struct mmsghdr mmsg = { .msg_hdr = { .msg_iov = &iov, .msg_iovlen = 1 } };

/* ---- the kinds of calls ------------------------------------------------------------------ */

struct kind;

/* The arguments of one call. */
struct ctx {
	const struct kind *kind;
	int fd;	     /* the socket */
	int pipe[2]; /* for splice */
	int file;    /* file for sendfile, with one message */
	struct ring ring;
};

struct kind {
	const char *name;
	enum { SENDS, RECEIVES, RECEIVES_ERRORS } what;
	ssize_t (*call)(struct ctx *c);
	void (*prepare)(struct ctx *c);
	/* only for io_uring */
	uint8_t opcode, sqe_flags;
	unsigned int setup;
};

static ssize_t do_write(struct ctx *c)
{
	return write(c->fd, data, SIZE);
}

static ssize_t do_writev(struct ctx *c)
{
	return writev(c->fd, &iov, 1);
}

static ssize_t do_pwritev2(struct ctx *c)
{
	return pwritev2(c->fd, &iov, 1, -1, 0);
}

/* libc implements send(3) by sendto(2). Both kinds are requested by name, so both are listed. */
static ssize_t do_send(struct ctx *c)
{
	return send(c->fd, data, SIZE, 0);
}

static ssize_t do_sendto(struct ctx *c)
{
	return sendto(c->fd, data, SIZE, 0, NULL, 0);
}

static ssize_t do_sendmsg(struct ctx *c)
{
	return sendmsg(c->fd, &msg, 0);
}

static ssize_t do_sendmmsg(struct ctx *c)
{
	return sendmmsg(c->fd, &mmsg, 1, 0) == 1 ? (ssize_t)mmsg.msg_len : -1;
}

static void open_pipe(struct ctx *c)
{
	if (pipe(c->pipe))
		die("pipe");
}

static ssize_t do_splice_to(struct ctx *c)
{
	if (write(c->pipe[1], data, SIZE) != SIZE)
		return -1;
	return splice(c->pipe[0], NULL, c->fd, NULL, SIZE, 0);
}

static void open_file(struct ctx *c)
{
	c->file = memfd_create("sockcalls", 0);
	if (c->file < 0 || write(c->file, data, SIZE) != SIZE)
		die("memfd_create");
}

static ssize_t do_sendfile(struct ctx *c)
{
	off_t from = 0;

	return sendfile(c->fd, c->file, &from, SIZE);
}

static void allow_zerocopy(struct ctx *c)
{
	int on = 1;

	if (setsockopt(c->fd, SOL_SOCKET, SO_ZEROCOPY, &on, sizeof(on)))
		die("SO_ZEROCOPY");
}

static ssize_t do_zerocopy(struct ctx *c)
{
	return send(c->fd, data, SIZE, MSG_ZEROCOPY);
}

static ssize_t do_read(struct ctx *c)
{
	return read(c->fd, data, SIZE);
}

static ssize_t do_readv(struct ctx *c)
{
	return readv(c->fd, &iov, 1);
}

static ssize_t do_preadv2(struct ctx *c)
{
	return preadv2(c->fd, &iov, 1, -1, 0);
}

static ssize_t do_recv(struct ctx *c)
{
	return recv(c->fd, data, SIZE, 0);
}

static ssize_t do_recvfrom(struct ctx *c)
{
	struct sockaddr_storage from;
	socklen_t len = sizeof(from);

	return recvfrom(c->fd, data, SIZE, 0, (struct sockaddr *)&from, &len);
}

static ssize_t do_recvmsg(struct ctx *c)
{
	return recvmsg(c->fd, &msg, 0);
}

static ssize_t do_recvmmsg(struct ctx *c)
{
	return recvmmsg(c->fd, &mmsg, 1, 0, NULL) == 1 ? (ssize_t)mmsg.msg_len : -1;
}

static ssize_t do_splice_from(struct ctx *c)
{
	ssize_t n = splice(c->fd, NULL, c->pipe[1], NULL, SIZE, 0);

	return n > 0 ? read(c->pipe[0], data, SIZE) : n;
}

/* Asks the kernel to return each message through the error queue, with the time when it was sent. */
static void ask_timestamps(struct ctx *c)
{
	int flags = SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;

	if (setsockopt(c->fd, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof(flags)))
		die("SO_TIMESTAMPING");
}

static ssize_t do_errqueue(struct ctx *c)
{
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };

	return recvmsg(c->fd, &m, MSG_ERRQUEUE);
}

static void open_ring(struct ctx *c)
{
	ring_open(&c->ring, c->kind->setup);
}

/* Peeks at each message before it receives the message. Both calls count, but the bytes only count once. */
static ssize_t do_peek(struct ctx *c)
{
	return recv(c->fd, data, SIZE, MSG_PEEK) == SIZE ? recv(c->fd, data, SIZE, 0) : -1;
}

static ssize_t do_peek_msg(struct ctx *c)
{
	return recvmsg(c->fd, &msg, MSG_PEEK) == SIZE ? recvmsg(c->fd, &msg, 0) : -1;
}

static ssize_t do_peek_mmsg(struct ctx *c)
{
	return recvmmsg(c->fd, &mmsg, 1, MSG_PEEK, NULL) == 1 ? do_recvmmsg(c) : -1;
}

static ssize_t do_uring_flags(struct ctx *c, uint32_t flags)
{
	bool is_msg = c->kind->opcode == IORING_OP_SENDMSG || c->kind->opcode == IORING_OP_RECVMSG;
	struct io_uring_sqe sqe = {
		.opcode = c->kind->opcode,
		.flags = c->kind->sqe_flags,
		.msg_flags = flags,
		.fd = c->fd,
		.addr = is_msg ? (uintptr_t)&msg : (uintptr_t)data,
		.len = is_msg ? 1 : SIZE,
	};

	return ring_do(&c->ring, &sqe);
}

static ssize_t do_uring(struct ctx *c)
{
	return do_uring_flags(c, 0);
}

static ssize_t do_uring_peek(struct ctx *c)
{
	return do_uring_flags(c, MSG_PEEK) == SIZE ? do_uring_flags(c, 0) : -1;
}

#define KIND(text, half, function, before)                                                         \
	{                                                                                          \
		.name = text, .what = half, .call = function, .prepare = before                    \
	}
#define URING(text, half, op, flags, ring_flags)                                                   \
	{                                                                                          \
		.name = text, .what = half, .call = do_uring, .prepare = open_ring,                \
		.opcode = IORING_OP_##op, .sqe_flags = flags, .setup = ring_flags                  \
	}

static const struct kind kinds[] = {
	KIND("write", SENDS, do_write, NULL),
	KIND("writev", SENDS, do_writev, NULL),
	KIND("pwritev2", SENDS, do_pwritev2, NULL),
	KIND("send", SENDS, do_send, NULL),
	KIND("sendto", SENDS, do_sendto, NULL),
	KIND("sendmsg", SENDS, do_sendmsg, NULL),
	KIND("sendmmsg", SENDS, do_sendmmsg, NULL),
	KIND("splice-to", SENDS, do_splice_to, open_pipe),
	KIND("sendfile", SENDS, do_sendfile, open_file),
	KIND("zerocopy", SENDS, do_zerocopy, allow_zerocopy),
	URING("uring-write", SENDS, WRITE, 0, 0),
	URING("uring-send", SENDS, SEND, 0, 0),
	URING("uring-send-zc", SENDS, SEND_ZC, 0, 0),
	URING("uring-sendmsg", SENDS, SENDMSG, 0, 0),
	URING("uring-send-wq", SENDS, SEND, IOSQE_ASYNC, 0),
	URING("uring-send-sq", SENDS, SEND, 0, IORING_SETUP_SQPOLL),
	KIND("read", RECEIVES, do_read, NULL),
	KIND("readv", RECEIVES, do_readv, NULL),
	KIND("preadv2", RECEIVES, do_preadv2, NULL),
	KIND("recv", RECEIVES, do_recv, NULL),
	KIND("recvfrom", RECEIVES, do_recvfrom, NULL),
	KIND("recvmsg", RECEIVES, do_recvmsg, NULL),
	KIND("recvmmsg", RECEIVES, do_recvmmsg, NULL),
	KIND("splice-from", RECEIVES, do_splice_from, open_pipe),
	KIND("errqueue", RECEIVES_ERRORS, do_errqueue, ask_timestamps),
	KIND("peek", RECEIVES, do_peek, NULL),
	KIND("peek-msg", RECEIVES, do_peek_msg, NULL),
	KIND("peek-mmsg", RECEIVES, do_peek_mmsg, NULL),
	URING("uring-read", RECEIVES, READ, 0, 0),
	URING("uring-recv", RECEIVES, RECV, 0, 0),
	URING("uring-recvmsg", RECEIVES, RECVMSG, 0, 0),
	URING("uring-recv-wq", RECEIVES, RECV, IOSQE_ASYNC, 0),
	URING("uring-recv-sq", RECEIVES, RECV, 0, IORING_SETUP_SQPOLL),
	{ .name = "uring-recv-peek",
	  .what = RECEIVES,
	  .call = do_uring_peek,
	  .prepare = open_ring,
	  .opcode = IORING_OP_RECV },
};

/* ---- the pairs of sockets ---------------------------------------------------------------- */

struct sockets {
	const char *name;
	int family, type, protocol;
	void (*pair)(const struct sockets *s, int fd[2]);
};

/* fd[0] sends to fd[1], both on the loopback. */
union address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	struct sockaddr_nl nl;
};

static int open_socket(const struct sockets *s)
{
	int fd = socket(s->family, s->type, s->protocol);

	if (fd < 0)
		die(s->name);
	return fd;
}

static socklen_t loopback(int family, union address *a)
{
	memset(a, 0, sizeof(*a));
	a->any.sa_family = (sa_family_t)family;
	if (family == AF_INET6)
		a->in6.sin6_addr = in6addr_loopback;
	else if (family == AF_INET)
		a->in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return family == AF_INET6 ? sizeof(a->in6) :
	       family == AF_INET  ? sizeof(a->in) :
				    sizeof(a->nl);
}

static void bind_anywhere(const struct sockets *s, int fd, union address *a, socklen_t *len)
{
	*len = loopback(s->family, a);
	if (bind(fd, &a->any, *len) || getsockname(fd, &a->any, len))
		die(s->name);
}

/* Datagram sockets: connect() sets the destination. */
static void pair_connected(const struct sockets *s, int fd[2])
{
	union address a;
	socklen_t len;

	fd[0] = open_socket(s);
	fd[1] = open_socket(s);
	bind_anywhere(s, fd[1], &a, &len);
	if (connect(fd[0], &a.any, len))
		die(s->name);
}

static void pair_stream(const struct sockets *s, int fd[2])
{
	int listener = open_socket(s), on = 1;
	union address a;
	socklen_t len;

	fd[0] = open_socket(s);
	bind_anywhere(s, listener, &a, &len);
	if (listen(listener, 1) || connect(fd[0], &a.any, len) ||
	    (fd[1] = accept(listener, NULL, NULL)) < 0)
		die(s->name);
	/* Without TCP_NODELAY a message waits for the acknowledgement of the previous message. */
	if (setsockopt(fd[0], IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)))
		die(s->name);
	close(listener);
}

static void pair_packet(const struct sockets *s, int fd[2])
{
	struct sockaddr_ll lo = { .sll_family = AF_PACKET,
				  .sll_protocol = htons((uint16_t)s->protocol),
				  .sll_ifindex = (int)if_nametoindex("lo") };

	for (int i = 0; i < 2; i++) {
		fd[i] = socket(s->family, s->type, 0);
		if (fd[i] < 0 || bind(fd[i], (struct sockaddr *)&lo, sizeof(lo)))
			die(s->name);
	}
}

static void pair_local(const struct sockets *s, int fd[2])
{
	if (socketpair(s->family, s->type, s->protocol, fd))
		die(s->name);
}

static const struct sockets all_sockets[] = {
	{ "inet", AF_INET, SOCK_DGRAM, 0, pair_connected },
	{ "inet6", AF_INET6, SOCK_DGRAM, 0, pair_connected },
	{ "tcp", AF_INET, SOCK_STREAM, 0, pair_stream },
	{ "tcp6", AF_INET6, SOCK_STREAM, 0, pair_stream },
	{ "mptcp", AF_INET, SOCK_STREAM, IPPROTO_MPTCP, pair_stream },
	/* Protocol 253 is for experiments (RFC 3692): no process answers. */
	{ "raw", AF_INET, SOCK_RAW, 253, pair_connected },
	{ "raw6", AF_INET6, SOCK_RAW, 253, pair_connected },
	{ "packet", AF_PACKET, SOCK_DGRAM, ETH_P_802_EX1, pair_packet },
	{ "unix", AF_UNIX, SOCK_DGRAM, 0, pair_local },
	{ "unix-stream", AF_UNIX, SOCK_STREAM, 0, pair_local },
	{ "netlink", AF_NETLINK, SOCK_RAW, NETLINK_USERSOCK, pair_connected },
};

/* ------------------------------------------------------------------------------------------ */

static void set_timeout(int fd, int seconds)
{
	struct timeval tv = { .tv_sec = seconds };

	if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)))
		die("SO_RCVTIMEO");
}

static void recv_wait(int fd, int seconds)
{
	set_timeout(fd, seconds);
	if (recv(fd, data, SIZE, 0) >= 0 || errno != EAGAIN)
		die("recv-wait");
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void repeat(const struct kind *k, int fd[2], long n)
{
	struct ctx c = { .kind = k, .fd = fd[k->what == RECEIVES] };

	if (k->prepare)
		k->prepare(&c);
	for (long i = 0; i < n; i++) {
		if (k->what != SENDS && send(fd[0], data, SIZE, 0) != SIZE)
			die("send");
		if (k->call(&c) != SIZE)
			die(k->name);
		if (k->what == SENDS && recv(fd[1], data, SIZE, 0) < SIZE)
			die("recv");
	}
}

static int usage(void)
{
	for (size_t i = 0; i < COUNT(kinds); i++)
		puts(kinds[i].name);
	return 2;
}

int main(int argc, char **argv)
{
	const char *name = argc > 3 ? argv[3] : "inet";
	const struct kind *k = NULL;
	int fd[2] = { -1, -1 };
	uint64_t began_ns;

	if (argc < 3)
		return usage();
	for (size_t i = 0; i < COUNT(all_sockets); i++)
		if (!strcmp(all_sockets[i].name, name))
			all_sockets[i].pair(&all_sockets[i], fd);
	if (fd[0] < 0)
		return usage();
	if (!strcmp(argv[1], "recv-wait")) {
		recv_wait(fd[1], atoi(argv[2]));
		return 0;
	}
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (!strcmp(kinds[i].name, argv[1]))
			k = &kinds[i];
	if (!k)
		return usage();
	set_timeout(fd[1], STUCK_S);
	began_ns = now_ns();
	repeat(k, fd, atol(argv[2]));
	printf("%s %s %" PRIu64 " %" PRIu64 "\n", k->name, name, began_ns, now_ns());
	return 0;
}
