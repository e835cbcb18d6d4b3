// SPDX-License-Identifier: BSD-2-Clause
#include "post.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "clock.h"
#include "msg.h"

#define VARIABLE "NETCOST_FILE"

extern char **environ;

int post_init(struct post *p, const char *command)
{
	*p = (struct post){ .command = command, .epoll_fd = -1, .pidfd = -1 };
	if (!command)
		return 0;
	p->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	return p->epoll_fd < 0 ? -errno : 0;
}

/* ---- one command ------------------------------------------------------------------------- */

/*
 * Builds the recorder's environment plus the variable with the file. Returns NULL if memory ran out. `variable` must
 * outlive the environment.
 */
static char **environment(char *variable)
{
	size_t n = 0, kept = 0;
	char **env;

	while (environ && environ[n])
		n++;
	env = malloc((n + 2) * sizeof(*env));
	for (size_t i = 0; env && i < n; i++)
		if (strncmp(environ[i], VARIABLE "=", sizeof(VARIABLE)))
			env[kept++] = environ[i];
	if (!env)
		return NULL;
	env[kept++] = variable;
	env[kept] = NULL;
	return env;
}

/*
 * Starts the command in its own process group, because Ctrl-C is meant for the recording. The signals that the recorder
 * has blocked are not blocked in the command.
 */
static int spawn(struct post *p, char **env)
{
	char *argv[] = { "sh", "-c", (char *)(uintptr_t)p->command, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, ignored;
	int err;

	sigemptyset(&none);
	sigemptyset(&ignored);
	sigaddset(&ignored, SIGPIPE);
	sigaddset(&ignored, SIGXFSZ);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &ignored);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
						POSIX_SPAWN_SETPGROUP);
	err = posix_spawn(&p->pid, "/bin/sh", &files, &attr, argv, env);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	if (err)
		p->pid = 0;
	return -err;
}

static int start(struct post *p)
{
	struct epoll_event ev = { .events = EPOLLIN };
	char *variable, **env = NULL;
	int err = -ENOMEM;

	if (asprintf(&variable, VARIABLE "=%s", p->running) < 0)
		return err;
	env = environment(variable);
	if (env)
		err = spawn(p, env);
	free(env);
	free(variable);
	if (err)
		return err;
	p->pidfd = child_watch(p->pid);
	if (p->pidfd < 0 || epoll_ctl(p->epoll_fd, EPOLL_CTL_ADD, p->pidfd, &ev))
		return -errno;
	return 0;
}

static void finished(struct post *p)
{
	if (p->pidfd >= 0)
		close(p->pidfd);
	p->pidfd = -1;
	p->pid = 0;
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

static void say_failed(const struct post *p, int status)
{
	if (WIFSIGNALED(status))
		msg("warning: --post was ended by signal %d for %s", WTERMSIG(status), p->running);
	else
		msg("warning: --post ended with status %d for %s", WEXITSTATUS(status), p->running);
}

void post_reap(struct post *p)
{
	int status;

	if (p->pid <= 0 || waitpid(p->pid, &status, WNOHANG) != p->pid)
		return;
	p->done++;
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		p->failed++;
		say_failed(p, status);
	}
	finished(p);
	begin_next(p);
}

void post_end(struct post *p)
{
	uint64_t end_ns = now_ns() + POST_END_S * 1000000000ull, now;

	while (p->running && (now = now_ns()) < end_ns) {
		struct pollfd ended = { .fd = p->pidfd, .events = POLLIN };

		poll(&ended, 1, (int)((end_ns - now) / 1000000) + 1);
		post_reap(p);
	}
	if (p->running)
		msg("warning: --post still runs for %s, after %d s; it is left running", p->running,
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
	if (p->epoll_fd >= 0)
		close(p->epoll_fd);
	p->epoll_fd = -1;
}
