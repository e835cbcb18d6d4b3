/* SPDX-License-Identifier: BSD-2-Clause */
/* child.h: starts and ends the recorded command. */
#ifndef NETCOST_CHILD_H
#define NETCOST_CHILD_H

#include <stddef.h>
#include <sys/types.h>

struct config;

struct child {
	pid_t pid;
	int pidfd;  /* descriptor that is readable when the command has ended */
	int go_fd;  /* descriptor; the command starts when a byte is written to it */
	int err_fd; /* descriptor from which the errno of a failed exec can be read */
};

/* Checks whether the command can be run at all, without starting anything. why: one line on failure. */
int child_check(char *const *command, char *why, size_t whysize);
/*
 * Creates a process that waits for child_go() and then runs the command as the user of --user. sigmask: signal mask for
 * the command. If the recorder's standard output is for the trace, the command's standard output becomes the recorder's
 * standard error. With --live, the command's output to a terminal is discarded.
 */
int child_new(struct child *c, const struct config *cfg, const void *sigmask);
/* Returns a descriptor that is readable when the process has ended, or -1 with errno. */
int child_watch(pid_t pid);
/* Lets the command start. Returns 0 or the negative errno of exec. */
int child_go(struct child *c);
/* Terminates the command if it still runs, and frees its resources. Returns its wait status, or -1 if it still runs. */
int child_end(struct child *c);
/* Returns the exit status that a shell would have in $? for a wait status. */
int child_shell_status(int status);

#endif
