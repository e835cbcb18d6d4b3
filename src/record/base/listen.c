// SPDX-License-Identifier: BSD-2-Clause
#include "listen.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "msg.h"
#include "privileges.h"

static _Noreturn void listen_run(const struct config *cfg, const char *file, int out,
				 const void *sigmask)
{
	char option[4096];

	snprintf(option, sizeof(option), "--listen=%s", cfg->listen);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	privileges_keep(PRIVILEGES_REPORT, -1);
	setpgid(0, 0); /* Ctrl-C must not end the server, which ends when the recording ends */
	sigprocmask(SIG_SETMASK, sigmask, NULL);
	if (dup2(out, STDOUT_FILENO) >= 0)
		execlp(cfg->live_program, cfg->live_program, "export", option, "--", "openmetrics",
		       file, (char *)NULL);
	_exit(127);
}

int listen_start(struct child *c, const struct config *cfg, const char *file, const void *sigmask)
{
	char url[4096];
	int out[2];
	ssize_t n;

	*c = (struct child){ .pid = -1, .pidfd = -1, .go_fd = -1, .err_fd = -1 };
	if (!pipe2(out, O_CLOEXEC)) {
		c->err_fd = out[0];
		fflush(NULL);
		c->pid = fork();
		if (!c->pid)
			listen_run(cfg, file, out[1], sigmask);
		close(out[1]);
	}
	if (c->pid > 0)
		c->pidfd = child_watch(c->pid);
	if (c->pidfd < 0) {
		msg("cannot start %s: %s", cfg->live_program, strerror(errno));
		return -ECHILD;
	}
	/* The server prints its URL when it listens. Otherwise it reports the error and ends. */
	n = read(out[0], url, sizeof(url) - 1);
	if (n > 0 && !cfg->quiet)
		msg("metrics at %.*s", (int)n - 1, url);
	return n > 0 ? 0 : -ECHILD;
}
