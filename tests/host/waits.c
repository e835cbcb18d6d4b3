// SPDX-License-Identifier: BSD-2-Clause
/*
 * waits KIND SECONDS: socket operations that wait, or that do not return normally. At the end it prints the number of
 * calls that a recorder must have counted: "SENDS RECEIVES", each as FEWEST-MOST.
 *
 * A call counts when it returns. A call whose task is killed never returns.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SIZE 100
#define MANY 8		/* threads or processes that wait at once */
#define ENDINGS 50	/* processes that end while they send */
#define SETTLE_MS 10	/* interval between two checks whether a thread waits */
#define LARGE (1 << 20) /* bytes: more than a full socket accepts */

struct counted {
	unsigned long sends, most_sends, receives, most_receives;
};

static void die(const char *what)
{
	fprintf(stderr, "waits: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void sleep_ms(unsigned long ms)
{
	usleep((useconds_t)ms * 1000);
}

static pthread_t start(void *(*fn)(void *), void *arg)
{
	pthread_t t;

	errno = pthread_create(&t, NULL, fn, arg);
	if (errno)
		die("pthread_create");
	return t;
}

static void send_one(int fd)
{
	static const char data[SIZE];

	if (send(fd, data, SIZE, 0) != SIZE)
		die("send");
}

static void receive_one(int fd)
{
	char data[SIZE];

	if (recv(fd, data, SIZE, 0) != SIZE)
		die("recv");
}

/* ---- pairs of sockets on the loopback, the first sends to the second ---------------------- */

static void udp_pair(int fd[2])
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(a);

	fd[0] = socket(AF_INET, SOCK_DGRAM, 0);
	fd[1] = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd[0] < 0 || fd[1] < 0 || bind(fd[1], (struct sockaddr *)&a, len) ||
	    getsockname(fd[1], (struct sockaddr *)&a, &len) ||
	    connect(fd[0], (struct sockaddr *)&a, len))
		die("udp");
}

/* Makes a pair of TCP sockets with small buffers, which fill up at little cost. */
static void tcp_pair(int fd[2])
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int listener = socket(AF_INET, SOCK_STREAM, 0), small = 4096;
	socklen_t len = sizeof(a);

	fd[0] = socket(AF_INET, SOCK_STREAM, 0);
	if (listener < 0 || fd[0] < 0 ||
	    setsockopt(fd[0], SOL_SOCKET, SO_SNDBUF, &small, sizeof(small)) ||
	    setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small)) ||
	    bind(listener, (struct sockaddr *)&a, len) || listen(listener, 1) ||
	    getsockname(listener, (struct sockaddr *)&a, &len) ||
	    connect(fd[0], (struct sockaddr *)&a, len))
		die("tcp");
	fd[1] = accept(listener, NULL, NULL);
	if (fd[1] < 0)
		die("accept");
	close(listener);
}

/* ---- operations that wait ----------------------------------------------------------------- */

static void *receive_in_thread(void *arg)
{
	receive_one(*(int *)arg);
	return NULL;
}

static void *send_large(void *arg)
{
	static const char data[LARGE];

	(void)!send(*(int *)arg, data, LARGE, 0);
	return NULL;
}

/* Sends more than the buffers hold: the send waits until the peer resets the connection without reading. */
static struct counted send_full(unsigned long seconds)
{
	struct linger reset = { .l_onoff = 1 };
	pthread_t sender;
	int fd[2];

	tcp_pair(fd);
	sender = start(send_large, &fd[0]);
	sleep(seconds);
	setsockopt(fd[1], SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
	close(fd[1]);
	pthread_join(sender, NULL);
	return (struct counted){ 1, 1, 0, 0 };
}

static struct counted poll_first(unsigned long seconds)
{
	struct pollfd p = { .events = POLLIN };
	int fd[2];

	udp_pair(fd);
	p.fd = fd[1];
	if (poll(&p, 1, (int)seconds * 1000))
		die("poll");
	send_one(fd[0]);
	if (poll(&p, 1, 1000) != 1)
		die("poll");
	receive_one(fd[1]);
	return (struct counted){ 1, 1, 1, 1 };
}

static struct counted recv_waiters(unsigned long seconds)
{
	pthread_t waiter[MANY];
	int fd[2];

	udp_pair(fd);
	for (int i = 0; i < MANY; i++)
		waiter[i] = start(receive_in_thread, &fd[1]);
	sleep(seconds);
	for (int i = 0; i < MANY; i++)
		send_one(fd[0]);
	for (int i = 0; i < MANY; i++)
		pthread_join(waiter[i], NULL);
	return (struct counted){ MANY, MANY, MANY, MANY };
}

static pid_t waiter_tid;

static void *receive_and_say(void *arg)
{
	__atomic_store_n(&waiter_tid, gettid(), __ATOMIC_RELEASE);
	receive_one(*(int *)arg);
	return NULL;
}

/* Waits until the thread that is about to receive sleeps in its receive. */
static void wait_until_asleep(void)
{
	char path[64], state = 0;

	while (state != 'S') {
		pid_t tid = __atomic_load_n(&waiter_tid, __ATOMIC_ACQUIRE);
		FILE *f;

		sleep_ms(SETTLE_MS);
		snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
		f = tid ? fopen(path, "r") : NULL;
		if (f && fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
			die(path);
		if (f)
			fclose(f);
	}
}

/*
 * Receives, and reports on stderr when the receive waits: a recording that begins then has not seen the begin of the
 * call. The process continues when the file $GO exists.
 */
static struct counted recv_hot(unsigned long seconds)
{
	pthread_t waiter;
	int fd[2];

	(void)seconds;
	udp_pair(fd);
	waiter = start(receive_and_say, &fd[1]);
	wait_until_asleep();
	fprintf(stderr, "waiting\n");
	while (access(getenv("GO"), F_OK))
		sleep_ms(SETTLE_MS);
	send_one(fd[0]);
	pthread_join(waiter, NULL);
	for (int i = 0; i < MANY; i++) {
		send_one(fd[0]);
		receive_one(fd[1]);
	}
	return (struct counted){ 1 + MANY, 1 + MANY, MANY, MANY };
}

/* ---- operations whose task ends ----------------------------------------------------------- */

static void reap(pid_t pid, int signo)
{
	if (signo)
		kill(pid, signo);
	if (waitpid(pid, NULL, 0) != pid)
		die("waitpid");
}

static pid_t new_process(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	return pid;
}

static struct counted recv_killed(unsigned long seconds)
{
	pid_t child[MANY];
	int fd[2];

	udp_pair(fd);
	for (int i = 0; i < MANY; i++) {
		child[i] = new_process();
		if (!child[i]) {
			receive_one(fd[1]);
			_exit(1);
		}
	}
	sleep(seconds);
	for (int i = 0; i < MANY; i++)
		reap(child[i], SIGKILL);
	return (struct counted){ 0 };
}

/* Another thread ends the process while this one waits in a send. */
static struct counted send_full_exit(unsigned long seconds)
{
	pid_t child[MANY];

	for (int i = 0; i < MANY; i++) {
		int fd[2];

		child[i] = new_process();
		if (child[i])
			continue;
		tcp_pair(fd);
		start(send_large, &fd[0]);
		sleep(seconds);
		_exit(0);
	}
	for (int i = 0; i < MANY; i++)
		reap(child[i], 0);
	return (struct counted){ 0, MANY, 0,
				 0 }; /* a send that accepted some bytes returns their number */
}

struct tally {
	int fd;
	volatile unsigned long *returned;
};

static void *send_on(void *arg)
{
	struct tally *t = arg;

	for (;;) {
		send_one(t->fd);
		++*t->returned;
	}
	return NULL;
}

/* Ends processes while they send. The program does not know whether the last send of each
 * process has ended. */
static struct counted send_exit(unsigned long seconds)
{
	volatile unsigned long *returned = mmap(NULL, sizeof(*returned), PROT_READ | PROT_WRITE,
						MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (returned == MAP_FAILED)
		die("mmap");
	for (int i = 0; i < ENDINGS; i++) {
		pid_t child = new_process();
		int fd[2];

		if (!child) {
			udp_pair(fd);
			start(send_on, &(struct tally){ fd[0], returned });
			sleep_ms(seconds * 1000 / ENDINGS);
			_exit(0);
		}
		reap(child, 0);
	}
	return (struct counted){ *returned, *returned + ENDINGS, 0, 0 };
}

/* ---- no operation at all ------------------------------------------------------------------ */

/* Takes the CPU from other tasks repeatedly. */
static struct counted hog(unsigned long seconds, unsigned long on_ms, unsigned long off_ms)
{
	struct sched_param p = { .sched_priority = 50 };
	time_t end = time(NULL) + (time_t)seconds;

	if (sched_setscheduler(0, SCHED_FIFO, &p))
		die("SCHED_FIFO");
	while (time(NULL) < end) {
		struct timespec t0, t;
		unsigned long ns;

		clock_gettime(CLOCK_MONOTONIC, &t0);
		do {
			clock_gettime(CLOCK_MONOTONIC, &t);
			ns = (unsigned long)((t.tv_sec - t0.tv_sec) * 1000000000 + t.tv_nsec -
					     t0.tv_nsec);
		} while (ns < on_ms * 1000000);
		sleep_ms(off_ms);
	}
	return (struct counted){ 0 };
}

/* Runs for 3 ms of every 10. */
static struct counted fifo_hog(unsigned long seconds)
{
	return hog(seconds, 3, 7);
}

/* Runs for 30 ms of every 60. */
static struct counted fifo_hog_long(unsigned long seconds)
{
	return hog(seconds, 30, 30);
}

static const struct kind {
	const char *name;
	struct counted (*run)(unsigned long seconds);
} kinds[] = {
	{ "send-full", send_full },	    { "send-full-exit", send_full_exit },
	{ "send-exit", send_exit },	    { "poll", poll_first },
	{ "recv-waiters", recv_waiters },   { "recv-hot", recv_hot },
	{ "recv-killed", recv_killed },	    { "fifo-hog", fifo_hog },
	{ "fifo-hog-long", fifo_hog_long },
};

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct counted c;

		if (strcmp(kinds[i].name, argv[1]))
			continue;
		c = kinds[i].run(strtoul(argv[2], NULL, 10));
		printf("%lu-%lu %lu-%lu\n", c.sends, c.most_sends, c.receives, c.most_receives);
		return 0;
	}
	return 2;
}
