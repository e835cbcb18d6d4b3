/* SPDX-License-Identifier: BSD-2-Clause */
/* uring.h: io_uring as far as the self-test needs it: one request at a time. */
#ifndef NETCOST_URING_H
#define NETCOST_URING_H

#include <stddef.h>
#include <stdint.h>

struct uring;

struct uring *uring_open(void);	   /* NULL: not available here */
void uring_close(struct uring *u); /* takes NULL */

/* Makes a request of an opcode IORING_OP_* and waits for its result. */
int uring_call(struct uring *u, uint8_t opcode, int fd, void *addr, uint32_t len, uint32_t flags);

#endif
