// SPDX-License-Identifier: BSD-2-Clause
#include "live.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "privileges.h"

#define PROGRAM "netcost-report"

const char *live_find(char *path)
{
	static char *command[] = { PROGRAM, NULL };
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - sizeof(PROGRAM));
	char why[PATH_MAX];

	while (n > 0 && path[n - 1] != '/')
		n--;
	strcpy(path + (n > 0 ? n : 0), PROGRAM);
	if (n > 0 && !access(path, X_OK))
		return path;
	return child_check(command, why, sizeof(why)) ? NULL : PROGRAM;
}

int live_start(struct live *l, const char *program, const char *file, const void *sigmask)
{
	int kept = memfd_create("netcost-record", MFD_CLOEXEC);

	tcgetattr(STDOUT_FILENO, &l->terminal);
	fflush(NULL);
	l->err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	l->pid = kept < 0 || l->err < 0 ? -1 : fork();
	if (!l->pid) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		privileges_keep(PRIVILEGES_REPORT, -1);
		sigprocmask(SIG_SETMASK, sigmask, NULL);
		signal(SIGPIPE, SIG_DFL);
		signal(SIGXFSZ, SIG_DFL);
		execlp(program, program, "live", "--", file, (char *)NULL);
		_exit(127);
	}
	if (l->pid > 0)
		l->pidfd = child_watch(l->pid);
	if (l->pid < 0 || l->pidfd < 0)
		return -errno;
	dup2(kept, STDERR_FILENO);
	close(kept);
	return 0;
}

bool live_ended(struct live *l, bool end)
{
	char text[4096];
	int status = 0;
	ssize_t n;

	if (l->pid <= 0)
		return false;
	if (end)
		kill(l->pid, SIGTERM);
	waitpid(l->pid, &status, 0);
	if (WIFSIGNALED(status))
		tcsetattr(STDOUT_FILENO, TCSADRAIN, &l->terminal);
	n = pread(STDERR_FILENO, text, sizeof(text), 0);
	dup2(l->err, STDERR_FILENO);
	fwrite(text, 1, n > 0 ? (size_t)n : 0, stderr);
	close(l->err);
	close(l->pidfd);
	l->pid = 0;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}
