/* SPDX-License-Identifier: BSD-2-Clause */
/* live.h: with --live, `netcost-report live` on our terminal, which shows the trace that we write. */
#ifndef NETCOST_LIVE_H
#define NETCOST_LIVE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

struct live {
	pid_t pid;		 /* 0: none runs */
	int pidfd;		 /* readable when it has ended */
	int err;		 /* our own standard error, while messages go to the screen */
	struct termios terminal; /* as it was before */
};

#define LIVE_NONE                                                                                  \
	{                                                                                          \
		.pidfd = -1, .err = -1                                                             \
	}

/* Finds netcost-report: beside our own program, or in PATH. -errno, and why. */
int live_find(char path[PATH_MAX], char *why, size_t whysize);
/*
 * Starts it for this file. From now on our messages go to it, until live_ended(). sigmask: for the
 * program. -errno.
 */
int live_start(struct live *l, const char *program, const char *file, const void *sigmask);
/*
 * Waits for its end. end: ends it first. Messages go to standard error again. Returns whether it
 * was the user who ended it. Does nothing if there is none.
 */
bool live_ended(struct live *l, bool end);

#endif
