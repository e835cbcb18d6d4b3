/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * post.h: runs a command for each finished file (--post), by sh(1), with the file's path in NETCOST_FILE. One command
 * runs at a time, in its own process group; up to POST_MOST files wait. The recording never waits for it: excess files
 * are skipped, which is reported and counted, as are failing commands.
 */
#ifndef NETCOST_POST_H
#define NETCOST_POST_H

#include <stdint.h>
#include <sys/types.h>

#define POST_MOST 64
#define POST_END_S 30 /* at the end, the remaining ones have this time */

struct post {
	const char *command; /* NULL: none */
	int epoll_fd;	     /* readable when post_reap() is due; or -1 */
	pid_t pid;	     /* 0: none is running */
	int pidfd;
	char *running, *waiting[POST_MOST];
	unsigned int n;
	uint64_t done, failed, refused; /* refused: skipped because too many waited */
};

int post_init(struct post *p, const char *command); /* -errno */
/* Call when the file is finished. */
void post_add(struct post *p, const char *path);
/* The file is deleted: drops it if it is waiting. */
void post_forget(struct post *p, const char *path);
/* A command may have ended: starts the next one. */
void post_reap(struct post *p);
/* Waits for the remaining ones, and reports those that were not run. A command that still runs then continues. */
void post_end(struct post *p);
void post_free(struct post *p);

#endif
