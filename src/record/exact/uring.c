// SPDX-License-Identifier: BSD-2-Clause
#include "uring.h"

#include <errno.h>
#include <linux/io_uring.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ENTRIES 2

struct uring {
	int fd;
	char *ring; /* mapping of both rings: IORING_FEAT_SINGLE_MMAP, Linux 5.4 */
	size_t ring_bytes;
	struct io_uring_sqe *sqe;
	struct io_uring_params p;
};

static void *map(const struct uring *u, size_t bytes, off_t offset)
{
	void *p =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, u->fd, offset);

	return p == MAP_FAILED ? NULL : p;
}

struct uring *uring_open(void)
{
	struct uring *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->fd = (int)syscall(SYS_io_uring_setup, ENTRIES, &u->p);
	if (u->fd >= 0 && u->p.features & IORING_FEAT_SINGLE_MMAP) {
		u->ring_bytes = u->p.cq_off.cqes + u->p.cq_entries * sizeof(struct io_uring_cqe);
		u->ring = map(u, u->ring_bytes, IORING_OFF_SQ_RING);
		u->sqe = map(u, ENTRIES * sizeof(*u->sqe), IORING_OFF_SQES);
	}
	if (u->ring && u->sqe)
		return u;
	uring_close(u);
	return NULL;
}

void uring_close(struct uring *u)
{
	if (!u)
		return;
	if (u->ring)
		munmap(u->ring, u->ring_bytes);
	if (u->sqe)
		munmap(u->sqe, ENTRIES * sizeof(*u->sqe));
	if (u->fd >= 0)
		close(u->fd);
	free(u);
}

/* Returns the address of a field of the rings. */
static uint32_t *at(const struct uring *u, uint32_t offset)
{
	return (uint32_t *)(void *)(u->ring + offset);
}

int uring_call(struct uring *u, uint8_t opcode, int fd, void *addr, uint32_t len, uint32_t flags)
{
	uint32_t mask = *at(u, u->p.sq_off.ring_mask), tail = *at(u, u->p.sq_off.tail), head;
	const struct io_uring_cqe *cqe;
	int result;

	u->sqe[tail & mask] = (struct io_uring_sqe){
		.opcode = opcode,
		.fd = fd,
		.addr = (uintptr_t)addr,
		.len = len,
		.msg_flags = flags,
	};
	at(u, u->p.sq_off.array)[tail & mask] = tail & mask;
	__atomic_store_n(at(u, u->p.sq_off.tail), tail + 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, u->fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0)
		return -errno;
	head = *at(u, u->p.cq_off.head);
	if (head == __atomic_load_n(at(u, u->p.cq_off.tail), __ATOMIC_ACQUIRE))
		return -EIO;
	mask = *at(u, u->p.cq_off.ring_mask);
	cqe = (const struct io_uring_cqe *)(const void *)(u->ring + u->p.cq_off.cqes) +
	      (head & mask);
	result = cqe->res;
	__atomic_store_n(at(u, u->p.cq_off.head), head + 1, __ATOMIC_RELEASE);
	return result;
}
