/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * post.h: runs a command for each finished file (--post), by sh(1), with the file's path in NETCOST_FILE. One command
 * runs at a time, in its own process group; up to POST_MOST files wait for their command. The recording never waits for
 * a command. If too many files wait, further files are skipped. Skipped files and failing commands are reported and
 * counted. The commands are started by a process without the limits of the recorder (privileges.h), so they have the
 * rights of the user who started the recording.
 */
#ifndef NETCOST_POST_H
#define NETCOST_POST_H

#include <stdint.h>

#define POST_MOST 64
#define POST_END_S 30 /* time for the remaining commands at the end of the recording, s */

struct post {
	const char *command; /* NULL if there is no command */
	/* socket of the process that starts the commands, readable when post_reap() must be called; -1: none */
	int fd;
	int epoll_fd; /* the caller's epoll set, which contains the socket; or -1 */
	char *running, *waiting[POST_MOST];
	unsigned int n;
	/* refused: number of files that were skipped because too many files waited or because --keep deleted them */
	uint64_t done, failed, refused;
};

/* Returns 0 or -errno. Call it before opening descriptors that must be closed at a certain time. */
int post_init(struct post *p, const char *command);
/* Runs the command for a finished file, or lets the file wait. */
void post_add(struct post *p, const char *path);
/* Drops a file that is deleted, if the file is waiting. */
void post_forget(struct post *p, const char *path);
/* Starts the next command if the running command has ended. */
void post_reap(struct post *p);
/*
 * Waits for the remaining commands, and reports those that were not run. A command that still runs after POST_END_S
 * continues to run.
 */
void post_end(struct post *p);
void post_free(struct post *p);

#endif
