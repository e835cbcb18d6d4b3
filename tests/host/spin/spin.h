/* SPDX-License-Identifier: BSD-2-Clause */
/* spin.h: the parts of tests/host/spin: where the work is put, and the traffic that sets it off. */
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

/* A process that cannot go on says why and ends: the kernel detaches what it had attached. */
_Noreturn void die(const char *what);

/* ---- attach.c ---- */

struct attached;

/*
 * Until the process ends. Where the hook needs a cgroup, it makes one and goes there; the cgroup goes with
 * the process, and so does what is attached to a namespace's interface. port: of "tc-port". interface: NULL: of the traffic. NULL: no such hook.
 */
struct attached *attach(const char *hook, uint16_t port, const char *interface, const char *sender,
			const char *receiver);

void spin_for(struct attached *a, uint64_t ns);
/* Whenever this task gets a CPU; "switched" only. */
void spin_at(struct attached *a, pid_t task);
/* Added per byte of a packet; TC only. */
void spin_for_bytes(struct attached *a, uint64_t byte_ps);

struct spun {
	uint64_t runs, bytes, ns, longest_ns;
};
struct spun spun_so_far(const struct attached *a);

/* ---- load.c ---- */

#define LOAD_SIZE 1400 /* at most */

/* UDP from one network namespace to the other: `slots` times a batch of packets, then a rest. */
struct load {
	unsigned int slots, batch;
	uint64_t slot_ns;
	size_t size;	 /* bytes of a packet's data */
	bool varies;	 /* each slot has a random batch up to that, of a random size up to that */
	int send_buffer; /* bytes; 0: the system's default */
	int waiting_cpu; /* a thread waits in receives there; -1: what came is taken once a slot */
	unsigned int migrate_us; /* 0: stays where it is */

	int tx, rx;
	struct sockaddr_in to;
};

struct sent {
	uint64_t begin_ns, end_ns;
	unsigned int sent, received, moves;
	unsigned int sends; /* calls, those that are no part of the load included */
};

/* Leaves the process in the sender's namespace. */
void load_open(struct load *l, const char *sender, const char *receiver);
struct sent load_run(struct load *l);

/* "-" is the namespace that we are in: the traffic then goes over its loopback. */
bool load_is_local(const char *netns);
void enter_netns(const char *name);
void stay_on(int thread, int cpu);

#endif
