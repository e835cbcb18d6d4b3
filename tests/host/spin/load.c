// SPDX-License-Identifier: BSD-2-Clause
#include "spin.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- sockets ----------------------------------------------------------------------------- */

bool load_is_local(const char *netns)
{
	return !strcmp(netns, "-");
}

void enter_netns(const char *name)
{
	char path[256];
	int fd;

	if (load_is_local(name))
		return;
	snprintf(path, sizeof(path), "/run/netns/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		die(path);
	close(fd);
}

/* A socket stays in the namespace in which it was made, even if its process moves. */
void load_open(struct load *l, const char *sender, const char *receiver)
{
	struct sockaddr_in any = { .sin_family = AF_INET };
	socklen_t len = sizeof(any);

	enter_netns(receiver);
	l->rx = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (l->rx < 0 || bind(l->rx, (struct sockaddr *)&any, len) ||
	    getsockname(l->rx, (struct sockaddr *)&any, &len))
		die("receiver");
	l->to = any;
	/* address of the second namespace of a pair, see tools/netns.sh */
	l->to.sin_addr.s_addr = inet_addr(load_is_local(receiver) ? "127.0.0.1" : "10.77.0.2");
	enter_netns(sender);
	l->tx = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (l->tx < 0)
		die("sender");
	if (l->send_buffer &&
	    setsockopt(l->tx, SOL_SOCKET, SO_SNDBUF, &l->send_buffer, sizeof(int)))
		die("SO_SNDBUF");
}

/* Addresses are passed with each call, because connected sockets do not reach the hooks sendmsg4 and recvmsg4. */
static bool receive_one(const struct load *l, int flags)
{
	struct sockaddr_in from;
	socklen_t len = sizeof(from);
	char data[LOAD_SIZE];

	return recvfrom(l->rx, data, sizeof(data), flags, (struct sockaddr *)&from, &len) >= 0;
}

static void send_sized(const struct load *l, size_t size)
{
	static const char data[LOAD_SIZE];
	const struct sockaddr *to = (const struct sockaddr *)&l->to;

	if (sendto(l->tx, data, size, 0, to, sizeof(l->to)) != (ssize_t)size)
		die("sendto");
}

static void send_one(const struct load *l)
{
	send_sized(l, l->size);
}

/* ---- threads: one waits in receives, or one moves the sender ----------------------- */

void stay_on(int thread, int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(thread, sizeof(one), &one))
		die("sched_setaffinity");
}

struct helper {
	const struct load *load;
	pid_t sender;
	bool stop;
	unsigned int received;
};

static bool stopped(struct helper *h)
{
	return __atomic_load_n(&h->stop, __ATOMIC_ACQUIRE);
}

static void *receive_all(void *arg)
{
	struct helper *h = arg;

	stay_on(0, h->load->waiting_cpu);
	while (!stopped(h))
		if (receive_one(h->load, 0))
			h->received++;
	return NULL;
}

static void *move_sender(void *arg)
{
	struct helper *h = arg;
	long ncpus = sysconf(_SC_NPROCESSORS_ONLN);

	for (long i = 0; !stopped(h); i++) {
		stay_on(h->sender, (int)(i % ncpus));
		usleep(h->load->migrate_us);
	}
	return NULL;
}

static pthread_t helper_start(struct helper *h, void *(*fn)(void *))
{
	pthread_t t;

	errno = pthread_create(&t, NULL, fn, h);
	if (errno)
		die("thread");
	return t;
}

/* ---- running ----------------------------------------------------------------------------- */

static void sleep_until(uint64_t ns)
{
	struct timespec t = { .tv_sec = (time_t)(ns / 1000000000u),
			      .tv_nsec = (long)(ns % 1000000000u) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

static void drain(const struct load *l, struct sent *s)
{
	while (l->waiting_cpu < 0 && receive_one(l, MSG_DONTWAIT))
		s->received++;
}

/*
 * A sender that is late because something else had the CPU does not catch up: packets in quick succession share a
 * softirq, and each costs less.
 */
static void run_slots(const struct load *l, struct sent *s)
{
	uint64_t next = s->begin_ns;
	int cpu = sched_getcpu();

	for (unsigned int i = 0; i < l->slots; i++) {
		size_t size = l->varies ? 1 + (size_t)(drand48() * (double)l->size) : l->size;
		unsigned int batch = l->varies ? (unsigned int)(drand48() * l->batch) : l->batch;

		drain(l, s);
		for (unsigned int k = 0; k < batch; k++) {
			send_sized(l, size);
			s->moves += cpu != sched_getcpu();
			cpu = sched_getcpu();
		}
		s->sent += batch;
		if (!l->slot_ns)
			continue; /* an absolute sleep would block even if its time is over */
		next += l->slot_ns;
		if (next < now_ns())
			next = now_ns() + l->slot_ns / 2;
		sleep_until(next);
	}
	drain(l, s);
}

struct sent load_run(struct load *l)
{
	struct helper h = { .load = l, .sender = (pid_t)syscall(SYS_gettid) };
	bool waiting = l->waiting_cpu >= 0, helped = waiting || l->migrate_us;
	struct sent s = { 0 };
	pthread_t thread;

	if (helped)
		thread = helper_start(&h, waiting ? receive_all : move_sender);
	s.begin_ns = now_ns();
	run_slots(l, &s);
	s.sends = s.sent + waiting;
	if (helped) {
		__atomic_store_n(&h.stop, true, __ATOMIC_RELEASE);
		if (waiting)
			send_one(l); /* makes the change visible to the thread */
		pthread_join(thread, NULL);
		s.received += h.received;
	}
	s.end_ns = now_ns();
	return s;
}
