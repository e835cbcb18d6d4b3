// SPDX-License-Identifier: BSD-2-Clause
/*
 * Receivers and a sender of known numbers of packets, for tests of --owners.
 *
 *	packets receive PROTOCOL PORT	udp or tcp: prints a line when it is ready, then receives everything until a signal. It
 *					polls, because a wakeup would add to the time of a packet. multicast: UDP of the group
 *					239.9.9.9, which several processes may receive
 *	packets keep PORT		UDP: receives one packet, prints a line, and leaves all others in the socket
 *	packets lock PORT MS		TCP: receives the first data, then stays inside the next receive call for MS, which
 *					locks the socket. Prints a line when it is ready, and another one at the end; then
 *					continues as receive
 *	packets send PROTOCOL ADDRESS ROUNDS US PORT:PACKETS...
 *					sends PACKETS to each of the ports, in any order, every US
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SIZE 100
/* large enough that no packet is dropped while the receiver waits for a CPU */
#define ROOM (1 << 25)
#define MOST 64 /* packets per round */
#define READ_US 10000

_Noreturn static void die(const char *what)
{
	fprintf(stderr, "packets: %s: %s\n", what, strerror(errno));
	exit(1);
}

static unsigned int number(const char *text)
{
	return (unsigned int)strtoul(text, NULL, 10);
}

static int new_socket(bool tcp)
{
	int fd = socket(AF_INET, (tcp ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC, 0);

	if (fd < 0)
		die("socket");
	return fd;
}

static void say(const char *what)
{
	puts(what);
	fflush(stdout);
}

/* ---- receivers ----------------------------------------------------------------------------- */

static int bound(bool tcp, unsigned int port)
{
	struct sockaddr_in here = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	int fd = new_socket(tcp), on = 1, room = ROOM;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
	if (bind(fd, (struct sockaddr *)&here, sizeof(here)) || (tcp && listen(fd, 5)))
		die("bind");
	return fd;
}

/* Joins the group on the interface that has a route to it. */
static void join(int fd)
{
	struct ip_mreqn group = { .imr_multiaddr.s_addr = inet_addr("239.9.9.9") };

	if (setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof(group)))
		die("IP_ADD_MEMBERSHIP");
}

static int accepted(int listening)
{
	int fd = accept(listening, NULL, NULL);

	if (fd < 0)
		die("accept");
	return fd;
}

static int take_all(int fd)
{
	static char data[65536];

	for (;;) {
		ssize_t n = recv(fd, data, sizeof(data), MSG_DONTWAIT);

		if (!n)
			return 0;
		if (n < 0 && errno != EAGAIN)
			die("recv");
		if (n < 0)
			usleep(READ_US);
	}
}

static int do_receive(int argc, char **arg)
{
	bool tcp = !strcmp(arg[0], "tcp");
	int fd = bound(tcp, number(arg[1]));

	(void)argc;
	if (!strcmp(arg[0], "multicast"))
		join(fd);
	say("ready");
	return take_all(tcp ? accepted(fd) : fd);
}

static int do_keep(int argc, char **arg)
{
	int fd = bound(false, number(arg[0]));
	char data[SIZE];

	(void)argc;
	if (recv(fd, data, sizeof(data), 0) < 0)
		die("recv");
	say("ready");
	for (;;)
		pause();
}

/* ---- a socket that is locked --------------------------------------------------------------- */

struct fault {
	int fd;
	unsigned int ms;
	void *page;
	size_t size;
};

/* Makes every access to this page block for some time, even if the kernel accesses it to copy received data. */
static void *give_late(void *arg)
{
	struct fault *f = arg;
	struct pollfd p = { .fd = f->fd, .events = POLLIN };
	struct uffdio_zeropage zero = { .range = { (uintptr_t)f->page, f->size } };

	if (poll(&p, 1, -1) != 1)
		die("poll");
	usleep(f->ms * 1000);
	if (ioctl(f->fd, UFFDIO_ZEROPAGE, &zero))
		die("UFFDIO_ZEROPAGE");
	return NULL;
}

static void *late_page(unsigned int ms)
{
	static struct fault f;
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register whole = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	pthread_t t;

	f.ms = ms;
	f.size = (size_t)sysconf(_SC_PAGESIZE);
	/* O_NONBLOCK: otherwise poll() does not wait. */
	f.fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	f.page = mmap(NULL, f.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (f.fd < 0 || f.page == MAP_FAILED || ioctl(f.fd, UFFDIO_API, &api))
		die("userfaultfd");
	whole.range.start = (uintptr_t)f.page;
	whole.range.len = f.size;
	if (ioctl(f.fd, UFFDIO_REGISTER, &whole))
		die("UFFDIO_REGISTER");
	errno = pthread_create(&t, NULL, give_late, &f);
	if (errno)
		die("pthread_create");
	return f.page;
}

static int do_lock(int argc, char **arg)
{
	int fd = bound(true, number(arg[0]));
	void *page = late_page(number(arg[1]));
	char data[SIZE];

	(void)argc;
	say("ready");
	fd = accepted(fd);
	if (recv(fd, data, sizeof(data), 0) <= 0 || recv(fd, page, SIZE, 0) <= 0)
		die("recv");
	say("over");
	return take_all(fd);
}

/* ---- the sender ---------------------------------------------------------------------------- */

static int connected(bool tcp, const char *address, unsigned int port)
{
	struct sockaddr_in there = { .sin_family = AF_INET,
				     .sin_port = htons((uint16_t)port),
				     .sin_addr.s_addr = inet_addr(address) };
	int fd = new_socket(tcp), on = 1;

	if (connect(fd, (struct sockaddr *)&there, sizeof(there)))
		die("connect");
	if (tcp && setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)))
		die("TCP_NODELAY");
	return fd;
}

/* Shuffles the order of packets. The first packet of a round runs with cold caches, so its place in the order is
 * random. */
static void shuffle(int *fd, unsigned int n)
{
	for (unsigned int i = n; i > 1; i--) {
		unsigned int k = (unsigned int)rand() % i;
		int last = fd[i - 1];

		fd[i - 1] = fd[k];
		fd[k] = last;
	}
}

static int do_send(int argc, char **arg)
{
	unsigned int rounds = number(arg[2]), us = number(arg[3]), n = 0;
	static const char data[SIZE];
	int fds[MOST];

	for (int i = 4; i < argc; i++) {
		const char *colon = strchr(arg[i], ':');
		int fd = connected(!strcmp(arg[0], "tcp"), arg[1], number(arg[i]));

		for (unsigned int k = colon ? number(colon + 1) : 1; k && n < MOST; k--)
			fds[n++] = fd;
	}
	while (rounds--) {
		shuffle(fds, n);
		for (unsigned int i = 0; i < n;
		     /* a send fails with the ICMP error of an earlier packet if there is no receiver */
		     i++)
			if (send(fds[i], data, SIZE, 0) != SIZE && errno != ECONNREFUSED)
				die("send");
		usleep(us);
	}
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int least, most;
		int (*run)(int argc, char **arg);
	} verbs[] = { { "receive", 2, 2, do_receive },
		      { "keep", 1, 1, do_keep },
		      { "lock", 2, 2, do_lock },
		      { "send", 5, 4 + MOST, do_send } };

	for (size_t i = 0; argc > 1 && i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(argv[1], verbs[i].name) && argc - 2 >= verbs[i].least &&
		    argc - 2 <= verbs[i].most)
			return verbs[i].run(argc - 2, argv + 2);
	fprintf(stderr, "packets: see tests/host/packets.c\n");
	return 2;
}
