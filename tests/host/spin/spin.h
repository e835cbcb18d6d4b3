/* SPDX-License-Identifier: BSD-2-Clause */
/* spin.h: interfaces between the parts of tests/host/spin: the injected work, and the traffic that triggers it. */
#ifndef NETCOST_TESTS_SPIN_H
#define NETCOST_TESTS_SPIN_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

static inline uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Prints the reason and exits: the kernel detaches what was attached. */
_Noreturn void die(const char *what);

/* ---- attach.c ---- */

struct attached;

/*
 * Attaches the program until the process ends. If the hook needs a cgroup, makes a cgroup and moves the process to it.
 * At the end the cgroup is removed, and so is the program on a namespace's interface; port: for "tc-port"; interface:
 * NULL means the interface of the traffic. Returns NULL if the hook does not exist.
 */
struct attached *attach(const char *hook, uint16_t port, const char *interface, const char *sender,
			const char *receiver);

void spin_for(struct attached *a, uint64_t ns);
/* Spins whenever this task gets a CPU; only for "switched". */
void spin_at(struct attached *a, pid_t task);
/* Spins longer per byte of a packet; only for TC. */
void spin_for_bytes(struct attached *a, uint64_t byte_ps);

struct spun {
	uint64_t runs, bytes, ns, longest_ns;
};
struct spun spun_so_far(const struct attached *a);

/* ---- load.c ---- */

#define LOAD_SIZE 1400 /* at most */

/* UDP traffic from one network namespace to the other: `slots` times a batch of packets, then a rest. */
struct load {
	unsigned int slots, batch;
	uint64_t slot_ns;
	size_t size; /* bytes of a packet's data */
	bool varies; /* each slot has a random batch up to this number, of a random size up to size */
	int send_buffer; /* bytes; 0: the system's default */
	int waiting_cpu; /* CPU of a thread that waits in receives; -1: the sender receives once per slot */
	unsigned int migrate_us; /* 0: the sender stays on its CPU */

	int tx, rx;
	struct sockaddr_in to;
};

struct sent {
	uint64_t begin_ns, end_ns;
	unsigned int sent, received, moves;
	unsigned int sends; /* calls, including those outside the load */
};

/* Leaves the process in the namespace of the sender. */
void load_open(struct load *l, const char *sender, const char *receiver);
struct sent load_run(struct load *l);

/* Returns whether the namespace is "-", the current namespace, so that the traffic uses its loopback. */
bool load_is_local(const char *netns);
void enter_netns(const char *name);
void stay_on(int thread, int cpu);

#endif
