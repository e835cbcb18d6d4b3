// SPDX-License-Identifier: BSD-2-Clause
#include "helper.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

static _Noreturn void run(void (*serve)(int socket, const void *arg), int socket, const void *arg)
{
	sigset_t all;

	/* Ctrl-C or the stop of a service must end the recording before this process */
	sigfillset(&all);
	sigdelset(&all, SIGSYS);
	sigprocmask(SIG_BLOCK, &all, NULL);
	setpgid(0, 0);
	serve(socket, arg);
	_exit(0);
}

int helper_start(void (*serve)(int socket, const void *arg), const void *arg)
{
	int ends[2], err = 0;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return -errno;
	pid = fork();
	if (!pid) {
		close(ends[0]);
		run(serve, ends[1], arg);
	}
	if (pid < 0)
		err = -errno;
	close(ends[1]);
	if (err)
		close(ends[0]);
	return err ? err : ends[0];
}
