/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * post.h: a command for each finished file (--post), by sh(1), which has the file's path in NETCOST_FILE. One runs at a
 * time, in a process group of its own; POST_MOST files wait. The recording never waits for it: what is too much is not
 * run, and that is reported and counted, as is a command that fails.
 */
#ifndef NETCOST_POST_H
#define NETCOST_POST_H

#include <stdint.h>
#include <sys/types.h>

#define POST_MOST 64
#define POST_END_S 30 /* at the end, those that are left have this long */

struct post {
	const char *command; /* NULL: there is none */
	int epoll_fd;	     /* readable: post_reap() has something to do; -1 */
	pid_t pid;	     /* 0: none runs */
	int pidfd;
	char *running, *waiting[POST_MOST];
	unsigned int n;
	uint64_t done, failed, refused; /* refused: not run, as too many waited */
};

int post_init(struct post *p, const char *command); /* -errno */
/* The file is finished. */
void post_add(struct post *p, const char *path);
/* It is deleted: if it waits, it is not run for it. */
void post_forget(struct post *p, const char *path);
/* One has ended, perhaps: the next one begins. */
void post_reap(struct post *p);
/* Waits for those that are left, and says what was not run. A command that still runs then goes on. */
void post_end(struct post *p);
void post_free(struct post *p);

#endif
