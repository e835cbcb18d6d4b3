/* SPDX-License-Identifier: BSD-2-Clause */
/* uring.h: io_uring for tests, one request at a time. It only uses system calls, so a static program does not need
 * liburing. */
#ifndef NETCOST_TEST_URING_H
#define NETCOST_TEST_URING_H

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/io_uring.h>

struct ring {
	int fd;
	bool polled; /* a kernel thread takes the submitted requests */
	unsigned int sq_mask, cq_mask, *sq_tail, *sq_flags, *cq_head, *cq_tail;
	struct io_uring_sqe *sqes;
	struct io_uring_cqe *cqes;
};

static inline void die(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
	exit(1);
}

static inline void *ring_map(int fd, size_t bytes, off_t what)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, what);

	if (p == MAP_FAILED)
		die("io_uring mmap");
	return p;
}

static inline unsigned int *ring_word(void *rings, unsigned int offset)
{
	return (unsigned int *)((char *)rings + offset);
}

/*
 * Pins the thread to its current CPU and returns the CPU. The kernel's thread polls on the same CPU. Where QEMU
 * emulates CPUs in turn, two CPUs that wait for each other would each wait for the end of a turn.
 */
static inline unsigned int stay_on_cpu(void)
{
	int cpu = sched_getcpu();
	cpu_set_t one;

	CPU_ZERO(&one);
	if (cpu >= 0)
		CPU_SET((unsigned int)cpu, &one);
	if (cpu < 0 || sched_setaffinity(0, sizeof(one), &one))
		die("sched_setaffinity");
	return (unsigned int)cpu;
}

static inline void ring_open(struct ring *r, unsigned int setup)
{
	struct io_uring_params p = { .flags = setup, .sq_thread_idle = 1000 };
	unsigned int *array;
	void *rings;

	r->polled = setup & IORING_SETUP_SQPOLL;
	if (r->polled) {
		p.flags |= IORING_SETUP_SQ_AFF;
		p.sq_thread_cpu = stay_on_cpu();
	}
	r->fd = (int)syscall(SYS_io_uring_setup, 4, &p);
	if (r->fd < 0)
		die("io_uring_setup");
	/* Since Linux 5.4 one mapping contains both rings. */
	rings = ring_map(r->fd, p.cq_off.cqes + p.cq_entries * sizeof(*r->cqes),
			 IORING_OFF_SQ_RING);
	r->sqes = ring_map(r->fd, p.sq_entries * sizeof(*r->sqes), IORING_OFF_SQES);
	r->sq_mask = p.sq_entries - 1;
	r->cq_mask = p.cq_entries - 1;
	r->sq_tail = ring_word(rings, p.sq_off.tail);
	r->sq_flags = ring_word(rings, p.sq_off.flags);
	r->cq_head = ring_word(rings, p.cq_off.head);
	r->cq_tail = ring_word(rings, p.cq_off.tail);
	r->cqes = (struct io_uring_cqe *)((char *)rings + p.cq_off.cqes);
	array = ring_word(rings, p.sq_off.array);
	for (unsigned int i = 0; i < p.sq_entries; i++)
		array[i] = i;
}

/* Lets the kernel take `submit` requests, and waits for a completion. Returns its result, and stores its flags in
 * *flags. */
static inline int ring_wait(struct ring *r, unsigned int submit, unsigned int enter,
			    unsigned int *flags)
{
	unsigned int head = *r->cq_head;
	int ret;

	if (syscall(SYS_io_uring_enter, r->fd, submit, 1, enter | IORING_ENTER_GETEVENTS, NULL, 0) <
	    0)
		die("io_uring_enter");
	if (head == __atomic_load_n(r->cq_tail, __ATOMIC_ACQUIRE))
		die("io_uring gave nothing");
	*flags = r->cqes[head & r->cq_mask].flags;
	ret = r->cqes[head & r->cq_mask].res;
	__atomic_store_n(r->cq_head, head + 1, __ATOMIC_RELEASE);
	return ret;
}

/* Returns the result of a request as the equivalent system call does: -1 and errno for an error. */
static inline int ring_do(struct ring *r, const struct io_uring_sqe *sqe)
{
	unsigned int tail = *r->sq_tail, enter = 0, flags;
	int ret;

	r->sqes[tail & r->sq_mask] = *sqe;
	__atomic_store_n(r->sq_tail, tail + 1, __ATOMIC_RELEASE);
	__atomic_thread_fence(
		/* stores the request before it reads whether the kernel's thread sleeps */
		__ATOMIC_SEQ_CST);
	if (r->polled && __atomic_load_n(r->sq_flags, __ATOMIC_RELAXED) & IORING_SQ_NEED_WAKEUP)
		enter = IORING_ENTER_SQ_WAKEUP;
	ret = ring_wait(r, !r->polled, enter, &flags);
	while (flags &
	       /* with zero copy, also waits for the notification that the memory is no longer in use */
	       IORING_CQE_F_MORE)
		ring_wait(r, 0, 0, &flags);
	if (ret >= 0)
		return ret;
	errno = -ret;
	return -1;
}

#endif
