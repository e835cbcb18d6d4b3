// SPDX-License-Identifier: BSD-2-Clause
/*
 * spin [OPTIONS] HOOK SENDER RECEIVER: sends UDP between two network namespaces made by tools/netns.sh, or over
 * loopback if both are "-". A BPF program does work of a known length for each packet.
 *
 *	HOOK	tc, xdp		in the receiver's RX softirq
 *		tc-port		only for packets to the port of -o
 *		sendmsg, egress	in the sender's send (sendmsg4 and skb egress of its cgroup)
 *		tc-egress	also in the send, where it cannot be preempted
 *		egress-only	egress, attached without a link
 *		recvmsg		in the receiver's receive (recvmsg4 of its cgroup)
 *		traced		in the sender's send (raw tracepoint net_dev_queue)
 *		switched	when the task of -a gets a CPU, with interrupts disabled (raw tracepoint sched_switch)
 *		woken		when the CPU of -a (0) wakes from an idle state (raw tracepoint cpu_idle)
 *		rx		when a driver without NAPI hands any packet over (raw tracepoint netif_rx)
 *		none		no program
 *	-t US,US,...	one block of traffic for each length (0,5,20,100); the last one may be "US+PS" for tc: PS more per
 *			byte of a packet, in all blocks
 *	-r ROUNDS	number of rounds, with one more block of the first length at the end (5)
 *	-s SLOTS -b BATCH -l US	a block: SLOTS times a batch of packets every US (40, 50, 6000);
 *			0: without pauses
 *	-g MS		rest between blocks (30)
 *	-p US		instead of resting it stays awake for a random time up to US, so the CPU never is idle (with
 *			-s 1 -b 1 -l 0 a block is a packet)
 *	-c CPU		stays on this CPU
 *	-q PID		adds the CPU time of this process, for ksoftirqd/CPU
 *	-m US		another thread moves the sender to the next CPU at this interval
 *	-z BYTES	a packet's data (100); "~BYTES": each slot has a random size up to that, and a random batch
 *			up to BATCH
 *	-k BYTES	SO_SNDBUF
 *	-o PORT		another process sends: spins for the first length until a signal, and prints one line, the injected
 *			work
 *	-a TASK		task id for "switched"; CPU for "woken"
 *	-i INTERFACE	of tc and xdp, instead of that of the traffic
 *	-w CPU		another thread receives there, waiting; otherwise the sender itself receives when it rests
 *
 * Prints one JSON object per block: the requested work, its time, and the work that was really injected.
 */
#include "spin.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_TIMES 8

struct plan {
	struct load load;
	uint64_t times_ns[MOST_TIMES], byte_ps;
	unsigned int ntimes, rounds, gap_ms, awake_us;
	int cpu;
	uint16_t port; /* 0: packets of this process */
	const char *interface;
	pid_t helper, task;
};

static volatile sig_atomic_t interrupted;

void die(const char *what)
{
	fprintf(stderr, "spin: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void on_signal(int signo)
{
	(void)signo;
	interrupted = 1;
}

static void parse_times(struct plan *p, const char *list)
{
	char *end;

	for (p->ntimes = 0; p->ntimes < MOST_TIMES; list = end + 1) {
		p->times_ns[p->ntimes++] = strtoull(list, &end, 10) * 1000;
		if (*end == '+')
			p->byte_ps = strtoull(end + 1, NULL, 10);
		if (*end != ',')
			break;
	}
}

static void parse_size(struct load *l, const char *text)
{
	unsigned long value;

	l->varies = *text == '~';
	value = strtoul(text + l->varies, NULL, 10);
	l->size = value < LOAD_SIZE ? value : LOAD_SIZE;
}

static void parse(struct plan *p, int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "t:r:s:b:l:g:p:c:m:z:k:w:q:o:i:a:")) != -1) {
		unsigned int value = optarg ? (unsigned int)strtoul(optarg, NULL, 10) : 0;

		switch (c) {
		case 't':
			parse_times(p, optarg);
			break;
		case 'r':
			p->rounds = value;
			break;
		case 's':
			p->load.slots = value;
			break;
		case 'b':
			p->load.batch = value;
			break;
		case 'l':
			p->load.slot_ns = value * 1000ull;
			break;
		case 'g':
			p->gap_ms = value;
			break;
		case 'p':
			p->awake_us = value;
			break;
		case 'c':
			p->cpu = (int)value;
			break;
		case 'i':
			p->interface = optarg;
			break;
		case 'o':
			p->port = (uint16_t)value;
			break;
		case 'a':
			p->task = (pid_t)value;
			break;
		case 'q':
			p->helper = (pid_t)value;
			break;
		case 'm':
			p->load.migrate_us = value;
			break;
		case 'z':
			parse_size(&p->load, optarg);
			break;
		case 'k':
			p->load.send_buffer = (int)value;
			break;
		case 'w':
			p->load.waiting_cpu = (int)value;
			break;
		default:
			exit(2);
		}
	}
	if (argc - optind != 3)
		exit(2);
}

static void gap(const struct plan *p)
{
	uint64_t until;

	if (!p->awake_us) {
		usleep(p->gap_ms * 1000);
		return;
	}
	until = now_ns() + (uint64_t)(drand48() * p->awake_us * 1000);
	while (now_ns() < until)
		;
}

static uint64_t clock_of(clockid_t clock)
{
	struct timespec t = { 0 };

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Returns the CPU time of this process and of the processes that may have done part of the work. */
static uint64_t cpu_time_ns(const struct plan *p)
{
	uint64_t ns = clock_of(CLOCK_PROCESS_CPUTIME_ID);
	clockid_t clock;

	if (p->helper && !clock_getcpuclockid(p->helper, &clock))
		ns += clock_of(clock);
	return ns;
}

static void run_block(struct plan *p, struct attached *a, uint64_t t_ns)
{
	struct spun before, after;
	uint64_t cpu_ns;
	struct sent s;

	gap(p);
	if (interrupted)
		return;
	spin_for(a, t_ns);
	spin_for_bytes(a, p->byte_ps);
	before = spun_so_far(a);
	cpu_ns = cpu_time_ns(p);
	s = load_run(&p->load);
	cpu_ns = cpu_time_ns(p) - cpu_ns;
	after = spun_so_far(a);
	printf("{\"t_ns\": %llu, \"begin_ns\": %llu, \"end_ns\": %llu, \"sent\": %u, \"sends\": %u, "
	       "\"received\": %u, \"moves\": %u, \"runs\": %llu, \"bytes\": %llu, \"spun_ns\": %llu, "
	       "\"longest_ns\": %llu, \"cpu_ns\": %llu}\n",
	       (unsigned long long)t_ns, (unsigned long long)s.begin_ns,
	       (unsigned long long)s.end_ns, s.sent, s.sends, s.received, s.moves,
	       (unsigned long long)(after.runs - before.runs),
	       (unsigned long long)(after.bytes - before.bytes),
	       (unsigned long long)(after.ns - before.ns), (unsigned long long)after.longest_ns,
	       (unsigned long long)cpu_ns);
}

/* Prints a line when the program is attached, and spins for packets of another process. */
static void spin_for_others(const struct plan *p, struct attached *a)
{
	struct spun s;

	spin_for(a, p->times_ns[0]);
	if (p->task)
		spin_at(a, p->task);
	puts("{}");
	fflush(stdout);
	while (!interrupted)
		usleep(10000);
	s = spun_so_far(a);
	printf("{\"t_ns\": %llu, \"runs\": %llu, \"spun_ns\": %llu, \"longest_ns\": %llu}\n",
	       (unsigned long long)p->times_ns[0], (unsigned long long)s.runs,
	       (unsigned long long)s.ns, (unsigned long long)s.longest_ns);
}

int main(int argc, char **argv)
{
	struct plan p = { .load = { .slots = 40,
				    .batch = 50,
				    .slot_ns = 6000000,
				    .size = 100,
				    .waiting_cpu = -1 },
			  .times_ns = { 0, 5000, 20000, 100000 },
			  .ntimes = 4,
			  .rounds = 5,
			  .gap_ms = 30,
			  .cpu = -1 };
	struct sigaction sa = { .sa_handler = on_signal };
	struct attached *a;

	parse(&p, argc, argv);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	if (p.cpu >= 0)
		stay_on(0, p.cpu);
	a = attach(argv[optind], p.port, p.interface, argv[optind + 1], argv[optind + 2]);
	if (!a)
		exit(2);
	if (p.port) {
		spin_for_others(&p, a);
		return 0;
	}
	/* The socket is opened after the process moved to the cgroup, because a socket belongs to the cgroup in
	 * which it was made. */
	load_open(&p.load, argv[optind + 1], argv[optind + 2]);
	for (unsigned int i = 0; i < p.rounds && !interrupted; i++)
		for (unsigned int k = 0; k < p.ntimes && !interrupted; k++)
			run_block(&p, a, p.times_ns[k]);
	run_block(&p, a, p.times_ns[0]);
	usleep(p.gap_ms * 1000);
	return interrupted;
}
