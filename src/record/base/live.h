/* SPDX-License-Identifier: BSD-2-Clause */
/* live.h: with --live, `netcost-report live` on our terminal, which shows the trace that we write. */
#ifndef NETCOST_LIVE_H
#define NETCOST_LIVE_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

struct live {
	pid_t pid;		 /* 0: none runs */
	int pidfd;		 /* readable when it has ended */
	int err;		 /* our own standard error: messages are kept until the end */
	struct termios terminal; /* as it was before */
};

/*
 * Returns the program, beside our own or in PATH; NULL: neither. The caller has room for PATH_MAX
 * bytes.
 */
const char *live_find(char *path);
/* Starts it for this file; it ends when we die. sigmask: for the program. -errno. */
int live_start(struct live *l, const char *program, const char *file, const void *sigmask);
/*
 * Waits for its end, and prints the messages. end: ends it first. Returns whether it was the user
 * who ended it. Does nothing if no screen runs.
 */
bool live_ended(struct live *l, bool end);

#endif
