/* SPDX-License-Identifier: BSD-2-Clause */
/* child.h: the command that is recorded. */
#ifndef NETCOST_CHILD_H
#define NETCOST_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct child {
	pid_t pid;
	int pidfd;  /* readable when it ended */
	int go_fd;  /* closing it lets the command begin */
	int err_fd; /* the errno of a failed exec comes from here */
};

/* Can this command be run at all? Nothing is started. why: on failure, one line. */
int child_check(char *const *command, char *why, size_t whysize);
/*
 * Starts a process that waits. sigmask: the command's; files: how many it may have open, 0: as many as we may. Its
 * standard output becomes our standard error if ours is for the trace.
 */
int child_new(struct child *c, char *const *command, const void *sigmask, unsigned long files,
	      bool stdout_is_ours);
/* Lets it begin: 0, or the errno of exec, negative. */
int child_go(struct child *c);
/* Ends it if it still runs, and frees what belongs to it. Returns its wait status, -1: still running. */
int child_end(struct child *c);

#endif
