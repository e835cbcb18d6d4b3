// SPDX-License-Identifier: BSD-2-Clause
#include "own_calls.h"

#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/base/clock.h"

#define STACK_BYTES (64u << 10)
#define MOST_CPUS 8192 /* as the kernel's NR_CPUS */

#define ANSWER_US 100000 /* an answer that takes longer was lost: loopback may drop packets, too */
#define SOFTIRQS_US 2000 /* for so long ksoftirqd is let run, so often at most */
#define SOFTIRQS_TRIES 10
#define BATCH_TRIES 3

/* What two tasks say to each other: also what an eventfd takes. */
enum { GO_ON = 1 };

struct own_calls {
	cpu_set_t *before; /* where this thread may run otherwise */
	size_t set_bytes;
	int nice; /* likewise, how */
	int policy;
	struct sched_param priority;
	unsigned int cpu;
	int udp;     /* is connected to itself */
	int nowhere; /* has no address to send to */
	int never;   /* an eventfd that is never written */
	/* A second task, which answers; 0: there is none. -1: no descriptors. */
	pid_t other;
	char *stack, *asker_stack;
	int ask, hear, other_hears, other_answers;
	bool lost; /* an answer: what was measured is nothing */
};

/* ---- the second task --------------------------------------------------------------------- */

/* These tasks have our descriptors: if the recorder is killed, nothing of it is to stay. */
static void end_with_parent(void)
{
	syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

/* System calls alone: tasks that share our memory share the C library's state, too. */
static int answer(void *ctx)
{
	struct own_calls *c = ctx;
	uint64_t word = 0;

	end_with_parent();
	while (syscall(SYS_read, c->other_hears, &word, sizeof(word)) == sizeof(word) &&
	       word == GO_ON)
		syscall(SYS_write, c->other_answers, &word, sizeof(word));
	syscall(SYS_exit, 0);
	return 0;
}

/* Its end sends no signal. flags: CLONE_VM: it shares our memory; 0: a switch to it is one to another process. */
static pid_t new_task(int (*run)(void *ctx), char *stack, void *ctx, int flags)
{
	return clone(run, stack + STACK_BYTES, CLONE_FILES | CLONE_FS | flags, ctx);
}

static int begin_other(struct own_calls *c)
{
	c->stack = malloc(STACK_BYTES);
	c->asker_stack = malloc(STACK_BYTES);
	if (!c->stack || !c->asker_stack)
		return -ENOMEM;
	c->other = new_task(answer, c->stack, c, 0);
	if (c->other > 0)
		return 0;
	c->other = 0;
	return -errno;
}

static int prepare_events(struct own_calls *c)
{
	c->ask = c->other_hears = eventfd(0, EFD_CLOEXEC);
	c->hear = c->other_answers = eventfd(0, EFD_CLOEXEC);
	return c->ask < 0 || c->hear < 0 ? -errno : begin_other(c);
}

static int prepare_sockets(struct own_calls *c)
{
	int fd[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, fd))
		return -errno;
	c->ask = c->hear = fd[0];
	c->other_hears = c->other_answers = fd[1];
	return begin_other(c);
}

static void end_other(struct own_calls *c)
{
	if (c->other) {
		kill(c->other, SIGKILL);
		waitpid(c->other, NULL, __WALL);
	}
	c->other = 0;
	free(c->stack);
	free(c->asker_stack);
	c->stack = c->asker_stack = NULL;
	if (c->ask >= 0)
		close(c->ask);
	if (c->other_answers >= 0)
		close(c->other_answers);
	c->ask = c->hear = c->other_hears = c->other_answers = -1;
}

/* ---- pieces of work ---------------------------------------------------------------------- */

static void call_nothing(struct own_calls *c)
{
	(void)c;
	syscall(SYS_getppid);
}

static void read_no_socket(struct own_calls *c)
{
	uint64_t word;

	(void)!read(c->never, &word, sizeof(word)); /* nothing is there */
}

/* Refused before anything is looked at but the address, which is the kernel's. */
static void receive_nowhere(struct own_calls *c)
{
	(void)!syscall(SYS_recvfrom, c->nowhere, (void *)-4096L, 8, MSG_DONTWAIT, NULL, NULL);
}

static void send_nowhere(struct own_calls *c)
{
	const char byte = 0;

	(void)!send(c->nowhere, &byte, sizeof(byte), MSG_DONTWAIT);
}

static void receive_nothing(struct own_calls *c)
{
	char byte;

	(void)!recv(c->nowhere, &byte, sizeof(byte), MSG_DONTWAIT);
}

static void ask_other(struct own_calls *c)
{
	uint64_t word = GO_ON;

	if (!c->lost)
		c->lost = write(c->ask, &word, sizeof(word)) != sizeof(word) ||
			  read(c->hear, &word, sizeof(word)) != sizeof(word);
}

static void send_to_self(struct own_calls *c)
{
	char message[64] = { 0 };

	(void)!send(c->udp, message, sizeof(message), MSG_DONTWAIT);
	if (recv(c->udp, message, sizeof(message), MSG_DONTWAIT) != sizeof(message))
		c->lost = true;
}

/*
 * Before 6.4 (d15121be7485) softirqs are left to ksoftirqd as long as that wants to run, and while we run it cannot. What is
 * sent then is received later, by another task: that is not what is to be measured. Is it received in the call that sends?
 */
static bool softirqs_run(struct own_calls *c)
{
	char message[64];

	if (c->udp < 0)
		return true;
	while (recv(c->udp, message, sizeof(message), MSG_DONTWAIT) > 0)
		;
	c->lost = false;
	send_to_self(c);
	return !c->lost;
}

static bool wait_for_softirqs(struct own_calls *c)
{
	for (int i = 0; i < SOFTIRQS_TRIES; i++) {
		if (softirqs_run(c))
			return true;
		usleep(SOFTIRQS_US);
	}
	return false;
}

/* ---- the kinds --------------------------------------------------------------------------- */

static int open_udp(struct sockaddr_in *address)
{
	socklen_t size = sizeof(*address);
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	*address = (struct sockaddr_in){ .sin_family = AF_INET,
					 .sin_addr = { htonl(INADDR_LOOPBACK) } };
	if (fd >= 0 && !bind(fd, (struct sockaddr *)address, size) &&
	    !getsockname(fd, (struct sockaddr *)address, &size))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static int connect_udp(int fd, const struct sockaddr_in *address)
{
	return fd < 0 ? -1 : connect(fd, (const struct sockaddr *)address, sizeof(*address));
}

static int prepare_loopback(struct own_calls *c)
{
	struct sockaddr_in self;

	c->udp = open_udp(&self);
	return connect_udp(c->udp, &self) ? -errno : 0;
}

static int prepare_loopback_pair(struct own_calls *c)
{
	const struct timeval patience = { .tv_usec = ANSWER_US };
	struct sockaddr_in ours, others;

	c->ask = c->hear = open_udp(&ours);
	c->other_hears = c->other_answers = open_udp(&others);
	if (prepare_loopback(c) || connect_udp(c->ask, &others) ||
	    connect_udp(c->other_hears, &ours) ||
	    setsockopt(c->hear, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)))
		return -errno;
	return begin_other(c);
}

const struct own_calls_kind own_calls_kinds[OWN_CALLS_KINDS] = {
	[OWN_CALLS_NOTHING] = { 30, NETCOST_EV_TASK, NULL, false, call_nothing },
	{ 30, NETCOST_EV_TASK, NULL, false, read_no_socket },
	[OWN_CALLS_OPERATION] = { 30, NETCOST_EV_SOCK_RECV, NULL, false, receive_nowhere },
	{ 30, NETCOST_EV_SOCK_SEND, NULL, false, send_nowhere },
	{ 30, NETCOST_EV_SOCK_RECV, NULL, false, receive_nothing },
	{ 20, NETCOST_EV_TASK, prepare_events, true, ask_other },
	{ 20, NETCOST_EV_SOCK_LOCAL, prepare_sockets, true, ask_other },
	{ 20, NETCOST_EV_SOCK_SEND, prepare_loopback_pair, true, ask_other },
	[OWN_CALLS_LOOPBACK] = { 20, NETCOST_EV_SOCK_SEND, prepare_loopback, false, send_to_self },
};

int own_calls_begin(struct own_calls *c, const struct own_calls_kind *k)
{
	c->lost = false;
	return k->prepare ? k->prepare(c) : 0;
}

struct batch {
	struct own_calls *calls;
	const struct own_calls_kind *kind;
	void (*look)(void *ctx, bool after);
	void *ctx;
	double ns;
};

/* The first piece, which finds caches cold, is not timed. */
static void run_batch(struct batch *b)
{
	uint64_t began;

	b->kind->piece(b->calls);
	if (b->look)
		b->look(b->ctx, false);
	began = now_ns();
	for (unsigned int i = 0; i < b->kind->pieces; i++)
		b->kind->piece(b->calls);
	b->ns = (double)(now_ns() - began);
	if (b->look)
		b->look(b->ctx, true);
}

static int run_apart(void *ctx)
{
	end_with_parent();
	run_batch(ctx);
	syscall(SYS_exit, 0);
	return 0;
}

/* Was it run, and nothing lost? */
static bool run_somewhere(struct batch *b)
{
	struct own_calls *c = b->calls;
	pid_t asker;

	if (!b->kind->apart) {
		run_batch(b);
		return !c->lost;
	}
	asker = new_task(run_apart, c->asker_stack, b, CLONE_VM);
	if (asker > 0)
		waitpid(asker, NULL, __WALL);
	return asker > 0 && !c->lost;
}

double own_calls_batch(struct own_calls *c, const struct own_calls_kind *k,
		       void (*look)(void *ctx, bool after), void *ctx)
{
	struct batch b = { c, k, look, ctx, 0 };

	for (int i = 0; i < BATCH_TRIES && wait_for_softirqs(c); i++) {
		bool done = run_somewhere(&b);

		if (!done && k->apart) /* an answer may come later, among others */
			break;
		if (done && softirqs_run(c))
			return b.ns;
	}
	return NAN;
}

void own_calls_end(struct own_calls *c)
{
	end_other(c);
	if (c->udp >= 0)
		close(c->udp);
	c->udp = -1;
}

/* ---- life -------------------------------------------------------------------------------- */

/*
 * Nobody comes between two tasks that wait for each other, as someone would who only has to wait longer. It lasts some
 * milliseconds at a time.
 */
static void go_first(struct own_calls *c)
{
	const struct sched_param lowest = { .sched_priority = sched_get_priority_min(SCHED_FIFO) };

	c->nice = getpriority(PRIO_PROCESS, 0);
	c->policy = sched_getscheduler(0);
	sched_getparam(0, &c->priority);
	if (sched_setscheduler(0, SCHED_FIFO, &lowest))
		setpriority(PRIO_PROCESS, 0, -20);
}

static void go_as_before(struct own_calls *c)
{
	sched_setscheduler(0, c->policy, &c->priority);
	setpriority(PRIO_PROCESS, 0, c->nice);
}

/* From here on this thread stays on its CPU, and others do not come between, if it may ask for that. */
static int stay(struct own_calls *c)
{
	int cpu = sched_getcpu(), err = 0;
	cpu_set_t *one = CPU_ALLOC(MOST_CPUS);

	c->set_bytes = CPU_ALLOC_SIZE(MOST_CPUS);
	c->before = CPU_ALLOC(MOST_CPUS);
	if (!one || !c->before || cpu < 0)
		err = -ENOMEM;
	else if (sched_getaffinity(0, c->set_bytes, c->before))
		err = -errno;
	if (!err) {
		c->cpu = (unsigned int)cpu;
		CPU_ZERO_S(c->set_bytes, one);
		CPU_SET_S(c->cpu, c->set_bytes, one);
		err = sched_setaffinity(0, c->set_bytes, one) ? -errno : 0;
		go_first(c);
	}
	if (one)
		CPU_FREE(one);
	return err;
}

int own_calls_new(struct own_calls **cp)
{
	struct own_calls *c = calloc(1, sizeof(*c));
	int err;

	*cp = NULL;
	if (!c)
		return -ENOMEM;
	c->udp = c->ask = c->hear = c->other_hears = c->other_answers = -1;
	c->nowhere = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	c->never = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	err = c->nowhere < 0 || c->never < 0 ? -errno : stay(c);
	if (err)
		own_calls_free(c);
	else
		*cp = c;
	return err;
}

void own_calls_free(struct own_calls *c)
{
	if (!c)
		return;
	own_calls_end(c);
	if (c->nowhere >= 0)
		close(c->nowhere);
	if (c->never >= 0)
		close(c->never);
	if (c->before) {
		sched_setaffinity(0, c->set_bytes, c->before);
		go_as_before(c);
		CPU_FREE(c->before);
	}
	free(c);
}

unsigned int own_calls_cpu(const struct own_calls *c)
{
	return c->cpu;
}
