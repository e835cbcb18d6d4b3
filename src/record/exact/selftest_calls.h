/* SPDX-License-Identifier: BSD-2-Clause */
/* selftest_calls.h: the calls of the self-test: one table row per kind. */
#ifndef NETCOST_SELFTEST_CALLS_H
#define NETCOST_SELFTEST_CALLS_H

#include <stdbool.h>
#include <sys/types.h>

#include "hooks.h"

/* Messages of a sendmmsg or recvmmsg: one call, although each is a call of an inner function. */
#define SELFTEST_MESSAGES 2

struct selftest_call;
struct uring;

/* What the calls need. fd: a pair; for a network socket both are the same. */
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
	ssize_t (*call)(struct selftest_call *c); /* called by selftest_call() */
};

extern const struct selftest_kind selftest_kinds[];
extern const size_t selftest_nkinds;

/* Makes a call on fd. Returns bytes, or less than 1. */
ssize_t selftest_call(const struct selftest_sockets *s, const struct selftest_kind *k, int fd);

/* Opens a network or a local pair; -errno. */
int selftest_open(struct selftest_sockets *s, bool local);
void selftest_close(struct selftest_sockets *s);
/* Before and after a call. These make calls of their own. */
void selftest_prepare(const struct selftest_sockets *s, const struct selftest_kind *k);
void selftest_clean(const struct selftest_sockets *s);

#endif
