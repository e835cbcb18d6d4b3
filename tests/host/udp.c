// SPDX-License-Identifier: BSD-2-Clause
/*
 * UDP traffic and device settings for tests of the receive path.
 *
 *	udp gro DEVICE on|off		generic receive offload; veth then has NAPI of its own, for packets
 *	udp tso DEVICE on|off		of a peer without segmentation offload
 *	udp echo PORT			sends everything back, until it is killed
 *	udp reply PORT US		sends each packet back US after it arrived, until it is killed
 *	udp sink PORT			receives everything, until it is killed
 *	udp late PORT US		receives each packet US after it arrived, and sleeps meanwhile
 *	udp busy PORT US		receives each packet US after it arrived, and spins meanwhile
 *	udp ask ADDRESS PORT N BUSY_US	N round trips of a packet, polling the device for BUSY_US (0: not)
 *	udp trip ADDRESS PORT N		N round trips: prints the median, in ns
 *	udp capture DEVICE		captures all of its packets, until it is killed
 *	udp table NAME			makes the kernel create that table of iptables, without rules
 *	udp flood ADDRESS PORT N US	sends N packets, one every US; no receiver is needed
 *	udp timed ADDRESS PORT N US HOLD	like flood, with a transmit time HOLD us later (SO_TXTIME)
 *	udp tai SECONDS			sets the offset of the clock TAI from the wall clock
 *	udp rush ADDRESS PORT N US	like flood, as a real-time task with the highest priority
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/ethtool.h>
#include <linux/if_packet.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#define SIZE 100

_Noreturn static void die(const char *what)
{
	fprintf(stderr, "udp: %s: %s\n", what, strerror(errno));
	exit(1);
}

static unsigned long number(const char *text)
{
	return strtoul(text, NULL, 10);
}

static int udp_socket(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		die("socket");
	return fd;
}

static struct sockaddr_in address(const char *ip, const char *port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET,
				     .sin_port = htons((uint16_t)number(port)),
				     .sin_addr.s_addr = inet_addr(ip) };
}

static int set_offload(char **arg, unsigned int cmd)
{
	struct ethtool_value value = { .cmd = cmd, .data = !strcmp(arg[1], "on") };
	struct ifreq req = { .ifr_data = (char *)&value };

	snprintf(req.ifr_name, sizeof(req.ifr_name), "%s", arg[0]);
	if (ioctl(udp_socket(), SIOCETHTOOL, &req))
		die("SIOCETHTOOL");
	return 0;
}

static int set_gro(char **arg)
{
	return set_offload(arg, ETHTOOL_SGRO);
}

static int set_tso(char **arg)
{
	return set_offload(arg, ETHTOOL_STSO);
}

static int bound(const char *port)
{
	struct sockaddr_in here = address("0.0.0.0", port);
	int fd = udp_socket();

	if (bind(fd, (struct sockaddr *)&here, sizeof(here)))
		die("bind");
	return fd;
}

static void sleep_for(unsigned long us)
{
	struct timespec t = { .tv_sec = (time_t)(us / 1000000),
			      .tv_nsec = (long)(us % 1000000 * 1000) };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

/* Answers each packet; us: delay of the answer, negative if the packet is not answered. */
_Noreturn static void answer(const char *port, long us)
{
	struct sockaddr_in from;
	int fd = bound(port);
	char data[SIZE];

	for (;;) {
		socklen_t len = sizeof(from);
		ssize_t n = recvfrom(fd, data, sizeof(data), 0, (struct sockaddr *)&from, &len);

		if (us > 0)
			sleep_for((unsigned long)us);
		if (n >= 0 && us >= 0)
			(void)!sendto(fd, data, (size_t)n, 0, (struct sockaddr *)&from, len);
	}
}

static int echo(char **arg)
{
	answer(arg[0], 0);
}

static int reply(char **arg)
{
	answer(arg[0], (long)number(arg[1]));
}

static int sink(char **arg)
{
	answer(arg[0], -1);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t now_us(void)
{
	return now_ns() / 1000;
}

static void spin_for(unsigned long us)
{
	uint64_t until = now_us() + us;

	while (now_us() < until)
		;
}

/* Sleeps or spins for some time after a packet has arrived, and then reads it. */
_Noreturn static void delayed(char **arg, void (*wait)(unsigned long us))
{
	struct pollfd p = { .fd = bound(arg[0]), .events = POLLIN };
	char data[SIZE];

	for (;;) {
		if (poll(&p, 1, -1) != 1)
			die("poll");
		wait(number(arg[1]));
		(void)!recv(p.fd, data, sizeof(data), 0);
	}
}

static int late(char **arg)
{
	delayed(arg, sleep_for);
}

static int busy(char **arg)
{
	delayed(arg, spin_for);
}

static int capture(char **arg)
{
	struct sockaddr_ll on = { .sll_family = AF_PACKET,
				  .sll_protocol = htons(ETH_P_ALL),
				  .sll_ifindex = (int)if_nametoindex(arg[0]) };
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(ETH_P_ALL));
	char data[SIZE];

	if (fd < 0 || bind(fd, (struct sockaddr *)&on, sizeof(on)))
		die("AF_PACKET");
	for (;;)
		(void)!recv(fd, data, sizeof(data), 0);
}

/* Queries the table, and so creates it. All packets then pass the table. */
static int table(char **arg)
{
	struct {
		char name[32];
		unsigned int hooks, hook[5], underflow[5], entries, size;
	} info = { .hooks = 0 }; /* struct ipt_getinfo */
	socklen_t len = sizeof(info);
	int fd = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_RAW);

	snprintf(info.name, sizeof(info.name), "%s", arg[0]);
	if (fd < 0 || getsockopt(fd, IPPROTO_IP, 64 /* IPT_SO_GET_INFO */, &info, &len))
		die("IPT_SO_GET_INFO");
	return 0;
}

static int ask(char **arg)
{
	struct sockaddr_in there = address(arg[0], arg[1]);
	unsigned long n = number(arg[2]), answers = 0;
	int fd = udp_socket(), busy_us = (int)number(arg[3]);
	struct timeval wait = { .tv_sec = 1 };
	char data[SIZE] = "";

	if (connect(fd, (struct sockaddr *)&there, sizeof(there)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait)))
		die("connect");
	if (busy_us && setsockopt(fd, SOL_SOCKET, SO_BUSY_POLL, &busy_us, sizeof(busy_us)))
		die("SO_BUSY_POLL");
	for (unsigned long i = 0; i < n; i++)
		if (send(fd, data, SIZE, 0) == SIZE && recv(fd, data, SIZE, 0) == SIZE)
			answers++;
	printf("%lu\n", answers);
	return answers != n;
}

static int earlier(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static int trip(char **arg)
{
	struct sockaddr_in there = address(arg[0], arg[1]);
	unsigned long n = number(arg[2]);
	uint64_t *took = calloc(n, sizeof(*took));
	char data[SIZE] = "";
	int fd = udp_socket();

	if (!took || connect(fd, (struct sockaddr *)&there, sizeof(there)))
		die("connect");
	for (unsigned long i = 0; i < n; i++) {
		uint64_t begin = now_ns();

		if (send(fd, data, SIZE, 0) != SIZE || recv(fd, data, SIZE, 0) != SIZE)
			die("no answer");
		took[i] = now_ns() - begin;
	}
	qsort(took, n, sizeof(*took), earlier);
	printf("%llu\n", n ? (unsigned long long)took[n / 2] : 0);
	free(took);
	return 0;
}

static int flood(char **arg)
{
	struct sockaddr_in there = address(arg[0], arg[1]);
	unsigned long n = number(arg[2]), us = number(arg[3]);
	const char data[SIZE] = "";
	int fd = udp_socket();

	for (unsigned long i = 0; i < n; i++) {
		if (sendto(fd, data, SIZE, 0, (struct sockaddr *)&there, sizeof(there)) != SIZE)
			die("sendto");
		if (us)
			sleep_for(us);
	}
	return 0;
}

/* Sends a packet with a transmit time. The kernel stores this time in skb->tstamp, which otherwise holds the time of
 * the packet itself. */
static void send_at(int fd, struct sockaddr_in *there, uint64_t ns)
{
	char data[SIZE] = "", control[CMSG_SPACE(sizeof(ns))] = "";
	struct iovec part = { .iov_base = data, .iov_len = SIZE };
	struct msghdr m = { .msg_name = there,
			    .msg_namelen = sizeof(*there),
			    .msg_iov = &part,
			    .msg_iovlen = 1,
			    .msg_control = control,
			    .msg_controllen = sizeof(control) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_TXTIME;
	c->cmsg_len = CMSG_LEN(sizeof(ns));
	memcpy(CMSG_DATA(c), &ns, sizeof(ns));
	if (sendmsg(fd, &m, 0) != SIZE)
		die("sendmsg");
}

static int timed(char **arg)
{
	struct sock_txtime by = { .clockid = CLOCK_MONOTONIC };
	struct sockaddr_in there = address(arg[0], arg[1]);
	unsigned long n = number(arg[2]);
	int fd = udp_socket();

	if (setsockopt(fd, SOL_SOCKET, SO_TXTIME, &by, sizeof(by)))
		die("SO_TXTIME");
	for (unsigned long i = 0; i < n; i++) {
		send_at(fd, &there, now_ns() + 1000 * number(arg[4]));
		sleep_for(number(arg[3]));
	}
	return 0;
}

static int tai(char **arg)
{
	struct timex t = { .modes = ADJ_TAI, .constant = (long)number(arg[0]) };

	if (adjtimex(&t) < 0)
		die("adjtimex");
	return 0;
}

static int rush(char **arg)
{
	struct sched_param p = { .sched_priority = sched_get_priority_max(SCHED_FIFO) };

	if (sched_setscheduler(0, SCHED_FIFO, &p))
		die("SCHED_FIFO");
	return flood(arg);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int args;
		int (*run)(char **arg);
	} verbs[] = { { "gro", 2, set_gro },	 { "tso", 2, set_tso }, { "sink", 1, sink },
		      { "late", 2, late },	 { "busy", 2, busy },	{ "echo", 1, echo },
		      { "ask", 4, ask },	 { "flood", 4, flood }, { "rush", 4, rush },
		      { "capture", 1, capture }, { "table", 1, table }, { "trip", 3, trip },
		      { "timed", 5, timed },	 { "tai", 1, tai },	{ "reply", 2, reply } };

	for (size_t i = 0; argc > 1 && i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(argv[1], verbs[i].name) && argc - 2 == verbs[i].args)
			return verbs[i].run(argv + 2);
	fprintf(stderr, "udp: see tests/host/udp.c\n");
	return 2;
}
