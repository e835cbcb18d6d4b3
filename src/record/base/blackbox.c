// SPDX-License-Identifier: BSD-2-Clause
#include "blackbox.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <netcost/fd_pass.h>

#include "msg.h"
#include "privileges.h"

#define BLACKBOX_WAIT_MS 60000 /* maximum time that the child may take to write a trace, ms */

static _Noreturn void blackbox_run(const struct config *cfg, int fd)
{
	const uint64_t number[] = { cfg->ring.ns ? cfg->ring.ns : UINT64_MAX, cfg->max_memory,
				    cfg->before_ns, cfg->after_ns, cfg->cooldown_ns };
	char text[sizeof(number) / sizeof(*number)][24];

	for (size_t i = 0; i < sizeof(number) / sizeof(*number); i++)
		snprintf(text[i], sizeof(text[i]), "%" PRIu64, number[i]);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	privileges_keep(PRIVILEGES_REPORT, -1);
	setpgid(0, 0); /* Ctrl-C must not end the child, which ends when the recording ends */
	if (dup2(fd, STDIN_FILENO) >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
		execlp(cfg->live_program, cfg->live_program, "--ring", text[0], text[1], text[2],
		       text[3], text[4], cfg->trigger ? cfg->trigger : "", (char *)NULL);
	_exit(127);
}

int blackbox_start(struct blackbox *b, const struct config *cfg)
{
	char text[BLACKBOX_MOST];
	int fd[2];

	if (!socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd)) {
		b->fd = fd[0];
		fflush(NULL);
		b->child.pid = fork();
		if (!b->child.pid)
			blackbox_run(cfg, fd[1]);
		close(fd[1]);
	}
	if (b->child.pid > 0)
		b->child.pidfd = child_watch(b->child.pid);
	if (b->child.pidfd < 0) {
		msg("cannot start %s: %s", cfg->live_program, strerror(errno));
		return -ECHILD;
	}
	return blackbox_receive(b, text) == BLACKBOX_READY ? 0 : ERR_USAGE;
}

void blackbox_send(const struct blackbox *b, enum blackbox_message what, int fd)
{
	char text = (char)what;

	/* if the child has ended, the next call of blackbox_receive() reports it */
	(void)fd_send(b->fd, &text, 1, fd);
}

int blackbox_receive(const struct blackbox *b, char text[BLACKBOX_MOST])
{
	struct pollfd ready = { .fd = b->fd, .events = POLLIN };
	char what = 0;
	struct iovec iov[] = { { &what, 1 }, { text, BLACKBOX_MOST - 1 } };
	ssize_t n = poll(&ready, 1, BLACKBOX_WAIT_MS) > 0 ? readv(b->fd, iov, 2) : 0;

	text[n > 0 ? n - 1 : 0] = '\0';
	return n > 0 ? what : 0;
}

void blackbox_end(struct blackbox *b)
{
	output_abandon(&b->out);
	if (b->fd >= 0)
		close(b->fd);
	b->fd = -1;
	child_end(&b->child);
}
