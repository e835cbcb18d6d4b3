/* SPDX-License-Identifier: BSD-2-Clause */
/* selftest_calls.h: the calls that the self-test makes: a table, a row a kind. */
#ifndef NETCOST_SELFTEST_CALLS_H
#define NETCOST_SELFTEST_CALLS_H

#include <stdbool.h>
#include <sys/types.h>

#include "hooks.h"

/* Of sendmmsg and recvmmsg: one call, though each is a call of an inner function. */
#define SELFTEST_MESSAGES 2

struct selftest_call;
struct uring;

/* What the calls need. fd: a pair; on a network socket both are the same one. */
struct selftest_sockets {
	int fd[2];
	int pipe[2], file;
	struct uring *uring; /* NULL: there is no io_uring */
};

struct selftest_kind {
	const char *name;
	bool receives;
	enum hook hook;
	bool needs_uring;
	ssize_t (*call)(struct selftest_call *c); /* for selftest_call() */
};

extern const struct selftest_kind selftest_kinds[];
extern const size_t selftest_nkinds;

/* Makes a call on fd. Bytes; or less than 1. */
ssize_t selftest_call(const struct selftest_sockets *s, const struct selftest_kind *k, int fd);

/* A network's or a local pair; -errno. */
int selftest_open(struct selftest_sockets *s, bool local);
void selftest_close(struct selftest_sockets *s);
/* Before and after a call, with calls of their own. */
void selftest_prepare(const struct selftest_sockets *s, const struct selftest_kind *k);
void selftest_clean(const struct selftest_sockets *s);

#endif
