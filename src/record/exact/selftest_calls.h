/* SPDX-License-Identifier: BSD-2-Clause */
/* selftest_calls.h: makes the calls of the self-test. A table has one row for each kind of call. */
#ifndef NETCOST_SELFTEST_CALLS_H
#define NETCOST_SELFTEST_CALLS_H

#include <stdbool.h>
#include <sys/types.h>

#include "hooks.h"

/*
 * Number of messages of a sendmmsg or recvmmsg. The test counts one call, although the kernel calls an inner function
 * for each message.
 */
#define SELFTEST_MESSAGES 2

struct selftest_call;
struct uring;

/* Descriptors for the calls. fd is a pair of sockets; for a network socket both are the same descriptor. */
struct selftest_sockets {
	int fd[2];
	int pipe[2], file;
	struct uring *uring; /* NULL: io_uring is not available */
};

struct selftest_kind {
	const char *name;
	bool receives;
	enum hook hook;
	bool needs_uring;
	ssize_t (*call)(struct selftest_call *c); /* makes the call; only selftest_call() uses it */
};

extern const struct selftest_kind selftest_kinds[];
extern const size_t selftest_nkinds;

/* Makes a call on fd. Returns the number of bytes, or less than 1 on failure. */
ssize_t selftest_call(const struct selftest_sockets *s, const struct selftest_kind *k, int fd);

/* Opens a pair of network or local sockets. Returns 0 or -errno. */
int selftest_open(struct selftest_sockets *s, bool local);
void selftest_close(struct selftest_sockets *s);
/* Call selftest_prepare() before and selftest_clean() after each call. Both functions make socket calls themselves. */
void selftest_prepare(const struct selftest_sockets *s, const struct selftest_kind *k);
void selftest_clean(const struct selftest_sockets *s);

#endif
