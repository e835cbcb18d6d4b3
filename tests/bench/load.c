// SPDX-License-Identifier: BSD-2-Clause
/*
 * Loads that report their rate and latency as JSON: "per_s", answers per second; "p99_us"; and
 * "fast_us", the mean of the faster half, which excludes most disturbances.
 *
 *   load echo PORT                          sends datagrams back, until it is killed
 *   load ping-pong ADDRESS PORT SECONDS     makes round trips of a datagram of 64 bytes with echo
 *   load uneven ADDRESS PORT SECONDS        like ping-pong, with a varying pause after each round
 *                                           trip: up to 2000 rounds of arithmetic
 *   load self ADDRESS PORT SECONDS          like uneven, but sends to itself: it never waits, so no
 *                                           context switch occurs
 *   load burst ADDRESS PORT SECONDS         sends 64 datagrams to itself by one call, repeatedly;
 *                                           on an interface without segmentation one softirq
 *                                           receives them
 *   load memcached ADDRESS PORT SECONDS     gets one value of 100 bytes repeatedly, on 16
 *                                           connections
 *   load storm FOLDER CGROUPS PROCESSES     creates CGROUPS v2 cgroups in FOLDER and runs PROCESSES
 *                                           short-lived processes in them, in turn; then removes
 *                                           the cgroups
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/udp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SIZE 64
#define BURST 64 /* the number of packets that the kernel takes from a CPU's backlog at once */
#define CONNECTIONS 16
#define ROUNDS 2000 /* rounds of arithmetic that take some 10 us, about the time of an answer */

/* Number of answers by tenths of a microsecond. The last element counts longer ones. */
#define TENTHS (1 << 20)
static unsigned int took[TENTHS];
static unsigned long answers;

_Noreturn static void die(const char *what)
{
	fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
	exit(1);
}

static unsigned long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (unsigned long long)t.tv_sec * 1000000000 + (unsigned long long)t.tv_nsec;
}

static void answered(unsigned long long ns)
{
	took[ns < 100ull * (TENTHS - 1) ? ns / 100 : TENTHS - 1]++;
	answers++;
}

static double p99_us(void)
{
	unsigned long seen = 0;
	size_t i = 0;

	while (i < TENTHS - 1 && (seen += took[i]) < answers * 0.99)
		i++;
	return (double)(i + 1) / 10;
}

static double fast_us(void)
{
	double left = (double)answers / 2, sum = 0;

	for (size_t i = 0; i < TENTHS && left > 0; i++) {
		double n = took[i] < left ? took[i] : left;

		sum += n * ((double)i + 0.5) / 10;
		left -= n;
	}
	return answers ? sum * 2 / (double)answers : 0;
}

static int print(unsigned long long ns)
{
	printf("{\"per_s\": %.1f, \"p99_us\": %.1f, \"fast_us\": %.4f}\n",
	       (double)answers * 1e9 / (double)ns, p99_us(), fast_us());
	return !answers;
}

/* ---- sockets ------------------------------------------------------------------------------ */

static struct sockaddr_in address(const char *ip, const char *port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET,
				     .sin_port = htons((unsigned short)strtoul(port, NULL, 10)),
				     .sin_addr.s_addr = inet_addr(ip) };
}

static int connected(int type, char **arg)
{
	struct sockaddr_in there = address(arg[0], arg[1]);
	int fd = socket(AF_INET, type, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&there, sizeof(there)))
		die("connect");
	return fd;
}

static unsigned long long end_ns(char **arg)
{
	return now_ns() + (unsigned long long)(strtod(arg[2], NULL) * 1e9);
}

/* ---- datagrams ---------------------------------------------------------------------------- */

static int echo(char **arg)
{
	struct sockaddr_in from, here = address("0.0.0.0", arg[0]);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	char data[SIZE];

	if (fd < 0 || bind(fd, (struct sockaddr *)&here, sizeof(here)))
		die("bind");
	for (;;) {
		socklen_t len = sizeof(from);
		ssize_t n = recvfrom(fd, data, sizeof(data), 0, (struct sockaddr *)&from, &len);

		if (n >= 0)
			(void)!sendto(fd, data, (size_t)n, 0, (struct sockaddr *)&from, len);
	}
}

static unsigned int next_random(unsigned int x)
{
	x ^= x << 13;
	x ^= x >> 17;
	return x ^ x << 5;
}

/*
 * Measures packets that `out` sends and that arrive, or are answered, at `in`. rounds: upper bound
 * on the rounds of arithmetic after each answer.
 */
static int ask_again_and_again(int out, int in, char **arg, unsigned int rounds)
{
	struct timeval wait = { .tv_sec = 1 };
	unsigned long long begin = now_ns(), end = end_ns(arg), before = begin, now = begin;
	/* volatile, so that the compiler keeps the arithmetic */
	volatile unsigned int last;
	unsigned int random = 1;
	char data[SIZE] = "";

	if (setsockopt(in, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait)))
		die("SO_RCVTIMEO");
	for (; now < end; before = now) {
		if (send(out, data, SIZE, 0) != SIZE || recv(in, data, SIZE, 0) != SIZE)
			die("no answer");
		now = now_ns();
		answered(now - before);
		for (unsigned int i = random % (rounds + 1) + 1; i; i--)
			random = next_random(random);
		last = random;
	}
	(void)last;
	return print(now - begin);
}

static int bound(char **arg)
{
	struct sockaddr_in here = address(arg[0], arg[1]);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&here, sizeof(here)))
		die("bind");
	return fd;
}

static int burst(char **arg)
{
	int in = bound(arg), out = connected(SOCK_DGRAM, arg), size = SIZE;
	unsigned long long begin = now_ns(), end = end_ns(arg), before = begin, now = begin;
	static char data[BURST * SIZE];

	if (setsockopt(out, SOL_UDP, UDP_SEGMENT, &size, sizeof(size)))
		die("UDP_SEGMENT");
	for (; now < end; before = now) {
		if (send(out, data, sizeof(data), 0) != sizeof(data))
			die("send");
		for (int i = 0; i < BURST; i++)
			if (recv(in, data, SIZE, MSG_DONTWAIT) != SIZE)
				die("recv");
		now = now_ns();
		answered(now - before);
	}
	return print(now - begin);
}

static int ping_pong(char **arg)
{
	int fd = connected(SOCK_DGRAM, arg);

	return ask_again_and_again(fd, fd, arg, 0);
}

static int uneven(char **arg)
{
	int fd = connected(SOCK_DGRAM, arg);

	return ask_again_and_again(fd, fd, arg, ROUNDS);
}

static int self(char **arg)
{
	int in = bound(arg);

	return ask_again_and_again(connected(SOCK_DGRAM, arg), in, arg, ROUNDS);
}

/* ---- memcached ---------------------------------------------------------------------------- */

static void ask(int fd, const char *what)
{
	size_t n = strlen(what);

	if (write(fd, what, n) != (ssize_t)n)
		die("write");
}

/* Reads until an answer ends with a text. */
static void take(int fd, const char *end)
{
	size_t at = 0, n = strlen(end);
	char data[512];

	do {
		ssize_t got = read(fd, data + at, sizeof(data) - at);

		if (got <= 0)
			die("read");
		at += (size_t)got;
	} while (at < n || memcmp(data + at - n, end, n) != 0);
}

static void store(int fd)
{
	char set[160];

	snprintf(set, sizeof(set), "set key 0 0 100\r\n%0100d\r\n", 0);
	ask(fd, set);
	take(fd, "STORED\r\n");
}

static int memcached(char **arg)
{
	struct pollfd fds[CONNECTIONS];
	unsigned long long asked[CONNECTIONS], begin, end, now;

	for (int i = 0; i < CONNECTIONS; i++)
		fds[i] = (struct pollfd){ .fd = connected(SOCK_STREAM, arg), .events = POLLIN };
	store(fds[0].fd);
	begin = now_ns();
	end = end_ns(arg);
	for (int i = 0; i < CONNECTIONS; i++) {
		asked[i] = now_ns();
		ask(fds[i].fd, "get key\r\n");
	}
	for (now = begin; now < end;) {
		if (poll(fds, CONNECTIONS, 1000) <= 0)
			die("no answer");
		for (int i = 0; i < CONNECTIONS; i++) {
			if (!fds[i].revents)
				continue;
			take(fds[i].fd, "END\r\n");
			now = now_ns();
			answered(now - asked[i]);
			asked[i] = now;
			ask(fds[i].fd, "get key\r\n");
		}
	}
	return print(now - begin);
}

/* ---- many processes ----------------------------------------------------------------------- */

static void cgroup_path(char *path, size_t size, const char *folder, long i, const char *file)
{
	snprintf(path, size, "%s/storm-%ld%s", folder, i, file);
}

/* Moves this process to a cgroup, so that its children start there. */
static void enter(const char *procs)
{
	FILE *f = fopen(procs, "we");

	if (!f || fputs("0\n", f) < 0 || fclose(f))
		die(procs);
}

static int storm(char **arg)
{
	long ncgroups = strtol(arg[1], NULL, 10), nprocesses = strtol(arg[2], NULL, 10);
	unsigned long long begin = now_ns();
	char path[4096];

	for (long i = 0; i < ncgroups; i++) {
		cgroup_path(path, sizeof(path), arg[0], i, "");
		if (mkdir(path, 0755) && errno != EEXIST)
			die(path);
	}
	for (long i = 0; i < nprocesses; i++) {
		pid_t child;

		if (ncgroups && i * ncgroups / nprocesses != (i - 1) * ncgroups / nprocesses) {
			cgroup_path(path, sizeof(path), arg[0], i * ncgroups / nprocesses,
				    "/cgroup.procs");
			enter(path);
		}
		child = fork();
		if (!child)
			_exit(0);
		if (child < 0 || waitpid(child, NULL, 0) != child)
			die("fork");
	}
	snprintf(path, sizeof(path), "%s/cgroup.procs", arg[0]);
	enter(path);
	for (long i = 0; i < ncgroups; i++) {
		cgroup_path(path, sizeof(path), arg[0], i, "");
		rmdir(path);
	}
	answers = (unsigned long)nprocesses;
	return print(now_ns() - begin);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int arguments;
		int (*run)(char **arg);
	} all[] = {
		{ "echo", 1, echo },   { "ping-pong", 3, ping_pong }, { "uneven", 3, uneven },
		{ "self", 3, self },   { "burst", 3, burst },	      { "memcached", 3, memcached },
		{ "storm", 3, storm },
	};

	for (size_t i = 0; argc > 1 && i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(argv[1], all[i].name) && argc == 2 + all[i].arguments)
			return all[i].run(argv + 2);
	fprintf(stderr,
		"usage: load echo PORT | ping-pong|uneven|self|burst ADDRESS PORT SECONDS | "
		"memcached ADDRESS PORT SECONDS | storm FOLDER CGROUPS PROCESSES\n");
	return 2;
}
