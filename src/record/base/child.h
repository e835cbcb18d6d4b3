/* SPDX-License-Identifier: BSD-2-Clause */
/* child.h: the recorded command. */
#ifndef NETCOST_CHILD_H
#define NETCOST_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct child {
	pid_t pid;
	int pidfd;  /* readable when it has ended */
	int go_fd;  /* closing it lets the command start */
	int err_fd; /* has the errno of a failed exec */
};

/* Checks whether this command can be run at all, without starting anything. why: one line on failure. */
int child_check(char *const *command, char *why, size_t whysize);
/*
 * Creates a process that waits. sigmask: for the command; files: its limit of open files, 0: ours.
 * Its standard output becomes our standard error if our standard output is for the trace. silent:
 * it must not write to a terminal: what it would write there is discarded.
 */
int child_new(struct child *c, char *const *command, const void *sigmask, unsigned long files,
	      bool stdout_is_ours, bool silent);
/* Lets the command start: 0, or the negative errno of exec. */
int child_go(struct child *c);
/* Terminates it if it still runs, and frees what belongs to it. Returns its wait status, -1: still running. */
int child_end(struct child *c);

#endif
