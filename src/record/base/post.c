// SPDX-License-Identifier: BSD-2-Clause
#include "post.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "helper.h"
#include "msg.h"
#include "privileges.h"

#define VARIABLE "NETCOST_FILE"

/* ---- one command ------------------------------------------------------------------------- */

/*
 * Runs the command for a file and waits for it. Returns its wait status or -errno. The command has its own process
 * group, because Ctrl-C is meant for the recording. Signals that are blocked in this process are not blocked in the
 * command.
 */
static int post_run(const char *command, const char *file)
{
	char *argv[] = { "sh", "-c", (char *)(uintptr_t)command, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none;
	int err, status;
	pid_t pid;

	if (setenv(VARIABLE, file, 1))
		return -errno;
	sigemptyset(&none);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
	err = posix_spawn(&pid, "/bin/sh", &files, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	if (err)
		return -err;
	return waitpid(pid, &status, 0) == pid ? status : -errno;
}

/* Receives file names, runs the command for each file, and sends back the command's result. */
static void post_serve(int socket, const void *arg)
{
	const struct post *p = arg;
	char file[2 * PATH_MAX];
	ssize_t n;

	privileges_keep(PRIVILEGES_NONE, -1);
	while ((n = recv(socket, file, sizeof(file) - 1, 0)) > 0) {
		int result;

		file[n] = '\0';
		result = post_run(p->command, file);
		send(socket, &result, sizeof(result), MSG_NOSIGNAL);
	}
}

int post_init(struct post *p, const char *command)
{
	*p = (struct post){ .command = command, .fd = -1, .epoll_fd = -1 };
	if (command)
		p->fd = helper_start(post_serve, p);
	return command && p->fd < 0 ? p->fd : 0;
}

static int start(struct post *p)
{
	size_t len = strlen(p->running);

	return send(p->fd, p->running, len, MSG_NOSIGNAL) == (ssize_t)len ? 0 : -errno;
}

static void finished(struct post *p)
{
	free(p->running);
	p->running = NULL;
}

static void begin_next(struct post *p)
{
	while (!p->running && p->n) {
		int err;

		p->running = p->waiting[0];
		memmove(p->waiting, p->waiting + 1, --p->n * sizeof(*p->waiting));
		err = start(p);
		if (!err)
			return;
		p->failed++;
		msg("warning: --post cannot be run for %s: %s", p->running, strerror(-err));
		finished(p);
	}
}

/* ---- all commands ------------------------------------------------------------------------ */

void post_add(struct post *p, const char *path)
{
	char *copy;

	if (!p->command)
		return;
	copy = p->n < POST_MOST ? strdup(path) : NULL;
	if (!copy) {
		p->refused++;
		msg("warning: --post is skipped for %s: %u files are waiting", path, p->n);
		return;
	}
	p->waiting[p->n++] = copy;
	begin_next(p);
}

void post_forget(struct post *p, const char *path)
{
	for (unsigned int i = 0; i < p->n; i++) {
		if (strcmp(p->waiting[i], path))
			continue;
		p->refused++;
		msg("warning: --post is skipped for %s: --keep deleted the file first", path);
		free(p->waiting[i]);
		memmove(p->waiting + i, p->waiting + i + 1, (--p->n - i) * sizeof(*p->waiting));
		return;
	}
}

static void say_failed(const struct post *p, int result)
{
	if (result < 0)
		msg("warning: --post cannot be run for %s: %s", p->running, strerror(-result));
	else if (WIFSIGNALED(result))
		msg("warning: --post was ended by signal %d for %s", WTERMSIG(result), p->running);
	else
		msg("warning: --post ended with status %d for %s", WEXITSTATUS(result), p->running);
}

void post_reap(struct post *p)
{
	int result = -EPIPE;
	ssize_t n = p->fd < 0 ? -1 : recv(p->fd, &result, sizeof(result), MSG_DONTWAIT);

	if (n < 0)
		return;
	/*
	 * The process that starts the commands was killed. Other processes may have copies of the socket, so close()
	 * alone may not remove it from the epoll set.
	 */
	if (!n) {
		epoll_ctl(p->epoll_fd, EPOLL_CTL_DEL, p->fd, NULL);
		close(p->fd);
		p->fd = -1;
	}
	if (!p->running)
		return;
	p->done++;
	if (result) {
		p->failed++;
		say_failed(p, result);
	}
	finished(p);
	begin_next(p);
}

void post_end(struct post *p)
{
	uint64_t end_ns = now_ns() + POST_END_S * 1000000000ull, now;

	while (p->running && (now = now_ns()) < end_ns) {
		struct pollfd ended = { .fd = p->fd, .events = POLLIN };

		poll(&ended, 1, (int)((end_ns - now) / 1000000) + 1);
		post_reap(p);
	}
	if (p->running)
		msg("warning: --post still runs for %s after %d s and is not stopped", p->running,
		    POST_END_S);
	p->refused += p->n;
	if (p->failed || p->refused)
		msg("warning: %llu --post commands failed, and %llu were skipped",
		    (unsigned long long)p->failed, (unsigned long long)p->refused);
}

void post_free(struct post *p)
{
	for (unsigned int i = 0; i < p->n; i++)
		free(p->waiting[i]);
	p->n = 0;
	finished(p);
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}
