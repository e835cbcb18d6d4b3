// SPDX-License-Identifier: BSD-2-Clause
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"
#include "output.h"
#include "privileges.h"

#define END_WAIT_MS 2000 /* maximum wait for the command to end after SIGTERM, ms */

static int is_executable(const char *path)
{
	struct stat st;

	if (access(path, X_OK))
		return -errno;
	return !stat(path, &st) && S_ISDIR(st.st_mode) ? -EACCES : 0;
}

static const char *next_entry(const char *path)
{
	path += strcspn(path, ":");
	return *path ? path + 1 : NULL;
}

/* Searches PATH for a program, as execvp(3) does. Returns 0 if it was found. */
static int search_path(const char *name)
{
	const char *path = getenv("PATH");
	int err = -ENOENT;

	if (strchr(name, '/'))
		return is_executable(name);
	for (path = path ? path : "/bin:/usr/bin"; path && *name && err; path = next_entry(path)) {
		int len = (int)strcspn(path, ":");
		char full[PATH_MAX];

		/* an empty entry of PATH means the current directory */
		if (snprintf(full, sizeof(full), "%.*s/%s", len ? len : 1, len ? path : ".", name) <
			    (int)sizeof(full) &&
		    !is_executable(full))
			err = 0;
	}
	return err;
}

int child_check(char *const *command, char *why, size_t whysize)
{
	int err = search_path(command[0]);

	if (err)
		snprintf(why, whysize, "cannot run %s: %s", command[0],
			 err == -ENOENT ? "command not found" : strerror(-err));
	return err;
}

static void limit_files(unsigned long files)
{
	struct rlimit limit;

	if (!files || getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = files;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void leave_terminal(void)
{
	int nowhere = open("/dev/null", O_RDWR);

	for (int fd = STDIN_FILENO; nowhere >= 0 && fd <= STDERR_FILENO; fd++)
		if (isatty(fd))
			dup2(nowhere, fd);
}

static _Noreturn void run(int go, int err_fd, const struct config *cfg, const void *sigmask)
{
	char byte;
	int err = cfg->user ? -privileges_become(cfg->user) : 0;

	sigprocmask(SIG_SETMASK, sigmask, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	/* read() returns 1 if the recorder starts the command, and 0 if the recorder dies */
	if (read(go, &byte, 1) != 1)
		_exit(127);
	if (!err) {
		execvp(cfg->command[0], cfg->command);
		err = errno;
	}
	if (write(err_fd, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

int child_watch(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

int child_new(struct child *c, const struct config *cfg, const void *sigmask)
{
	int go[2], failed[2];

	*c = (struct child){ .pidfd = -1, .go_fd = -1, .err_fd = -1 };
	if (pipe2(go, O_CLOEXEC))
		return -errno;
	if (pipe2(failed, O_CLOEXEC)) {
		int err = -errno;

		close(go[0]);
		close(go[1]);
		return err;
	}
	c->pid = fork();
	if (!c->pid) {
		close(go[1]); /* otherwise this process would not notice the recorder's death */
		if (output_is_stdout(cfg->output))
			dup2(STDERR_FILENO, STDOUT_FILENO);
		if (cfg->live)
			leave_terminal();
		limit_files(cfg->files);
		run(go[0], failed[1], cfg, sigmask);
	}
	close(go[0]);
	close(failed[1]);
	c->go_fd = go[1];
	c->err_fd = failed[0];
	if (c->pid < 0)
		return -errno;
	c->pidfd = child_watch(c->pid);
	return c->pidfd < 0 ? -errno : 0;
}

int child_go(struct child *c)
{
	int err = 0;

	if (write(c->go_fd, "", 1) != 1)
		return -errno;
	/* end of file: exec has succeeded and closed the pipe */
	return read(c->err_fd, &err, sizeof(err)) == sizeof(err) ? -err : 0;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int child_end(struct child *c)
{
	struct pollfd ended = { .fd = c->pidfd, .events = POLLIN };
	int status = -1;

	close_fd(&c->go_fd);
	close_fd(&c->err_fd);
	if (c->pid > 0 && waitpid(c->pid, &status, WNOHANG) == 0) {
		kill(c->pid, SIGTERM);
		if (poll(&ended, 1, END_WAIT_MS) <= 0 || waitpid(c->pid, &status, WNOHANG) <= 0)
			status = -1;
	}
	close_fd(&c->pidfd);
	c->pid = 0;
	return status;
}

int child_shell_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
