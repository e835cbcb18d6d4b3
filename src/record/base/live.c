// SPDX-License-Identifier: BSD-2-Clause
#include "live.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

#define PROGRAM "netcost-report"

int live_find(char path[PATH_MAX], char *why, size_t whysize)
{
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - sizeof(PROGRAM));
	char *command[] = { path, NULL }, *slash;

	if (n > 0) {
		path[n] = '\0';
		slash = strrchr(path, '/');
		strcpy(slash ? slash + 1 : path, PROGRAM);
		if (!access(path, X_OK))
			return 0;
	}
	strcpy(path, PROGRAM);
	return child_check(command, why, whysize);
}

static _Noreturn void live_run(const char *program, const char *file, int messages,
			       const void *sigmask)
{
	sigprocmask(SIG_SETMASK, sigmask, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	if (dup2(messages, STDIN_FILENO) >= 0)
		execlp(program, program, "live", "--recorder", "--", file, (char *)NULL);
	_exit(127);
}

int live_start(struct live *l, const char *program, const char *file, const void *sigmask)
{
	int messages[2];

	*l = (struct live)LIVE_NONE;
	if (pipe2(messages, O_CLOEXEC))
		return -errno;
	tcgetattr(STDOUT_FILENO, &l->terminal);
	fflush(NULL);
	l->pid = fork();
	if (!l->pid)
		live_run(program, file, messages[0], sigmask);
	close(messages[0]);
	if (l->pid > 0)
		l->pidfd = (int)syscall(SYS_pidfd_open, l->pid, 0);
	/* A screen that is stopped must not stop us: what it does not take is lost. */
	if (l->pidfd >= 0 && !fcntl(messages[1], F_SETFL, O_NONBLOCK))
		l->err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (l->err >= 0)
		dup2(messages[1], STDERR_FILENO);
	close(messages[1]);
	return l->pidfd < 0 ? -errno : 0;
}

bool live_ended(struct live *l, bool end)
{
	int status = 0;

	if (!l->pid)
		return false;
	if (end)
		kill(l->pid, SIGTERM);
	/* It ends when its pipe does: our standard error. */
	waitpid(l->pid, &status, 0);
	if (l->err >= 0) {
		dup2(l->err, STDERR_FILENO);
		close(l->err);
	}
	if (WIFSIGNALED(status))
		tcsetattr(STDOUT_FILENO, TCSADRAIN, &l->terminal);
	close(l->pidfd);
	*l = (struct live)LIVE_NONE;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}
