/* SPDX-License-Identifier: BSD-2-Clause */
/* uring.h: makes io_uring requests for the self-test, one at a time. */
#ifndef NETCOST_URING_H
#define NETCOST_URING_H

#include <stddef.h>
#include <stdint.h>

struct uring;

struct uring *uring_open(void);	   /* returns NULL if io_uring is not available */
void uring_close(struct uring *u); /* NULL is allowed */

/* Makes a request with an opcode IORING_OP_* and waits for its result. */
int uring_call(struct uring *u, uint8_t opcode, int fd, void *addr, uint32_t len, uint32_t flags);

#endif
