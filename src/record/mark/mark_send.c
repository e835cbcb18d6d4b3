// SPDX-License-Identifier: BSD-2-Clause
/* The caller's side: `netcost-record --mark`. */
#include "mark.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "mark_wire.h"
#include "record/base/clock.h"
#include "record/base/msg.h"

#define WAIT_NS 2000000000ull /* for all recordings together */
#define WAIT_LEAST_US 100000  /* for each, so that one that hangs takes nothing from the others */
#define MAX_RECORDINGS 64
#define LISTENS 0x10000u /* __SO_ACCEPTCON, as /proc/net/unix shows it */

struct recording {
	int fd;
	int pid;
	unsigned int uid;
};

struct sender {
	uint64_t end_ns;
	unsigned long pid; /* the only one wanted; 0: all */
	struct recording rec[MAX_RECORDINGS];
	size_t n;
};

/* ---- finding them ------------------------------------------------------------------------ */

static struct timeval time_left(const struct sender *s)
{
	uint64_t now = now_ns(), us = now < s->end_ns ? (s->end_ns - now) / 1000 : 0;

	us = us > WAIT_LEAST_US ? us : WAIT_LEAST_US;
	return (struct timeval){ .tv_sec = (time_t)(us / 1000000),
				 .tv_usec = (suseconds_t)(us % 1000000) };
}

/* name: as /proc/net/unix shows it, '@' and all. Waits where too many others call. */
static int call(const struct sender *s, const char *name)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct timeval left = time_left(s);
	size_t n = strlen(name);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	memcpy(addr.sun_path, name, n);
	addr.sun_path[0] = '\0';
	if (fd < 0)
		return -errno;
	if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &left, sizeof(left)) ||
	    connect(fd, (struct sockaddr *)&addr,
		    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n))) {
		int err = -errno;

		close(fd);
		return err;
	}
	return fd;
}

/*
 * Anybody can take such a name. What is marked is told to root and to the own user, and to others only if they
 * were named.
 */
static bool is_trusted(const struct sender *s, const struct recording *r)
{
	if (r->uid == 0 || r->uid == geteuid() || (s->pid && geteuid() == 0))
		return true;
	if (geteuid() == 0)
		msg("netcost-record %d is of user %u: --pid=%d marks there", r->pid, r->uid,
		    r->pid);
	else
		msg("netcost-record %d is of user %u: only that user and root mark there", r->pid,
		    r->uid);
	return false;
}

static void add(struct sender *s, const char *name)
{
	struct recording r = { .fd = call(s, name) };
	struct ucred peer;
	socklen_t len = sizeof(peer);

	if (r.fd < 0) {
		if (r.fd != -ECONNREFUSED) /* it ended just now */
			msg("%s does not answer: %s", name + 1, strerror(-r.fd));
		return;
	}
	if (!getsockopt(r.fd, SOL_SOCKET, SO_PEERCRED, &peer, &len)) {
		r.pid = peer.pid;
		r.uid = peer.uid;
		if ((!s->pid || s->pid == (unsigned long)peer.pid) && is_trusted(s, &r)) {
			s->rec[s->n++] = r;
			return;
		}
	}
	close(r.fd);
}

static int find_all(struct sender *s)
{
	char line[512], name[sizeof(((struct sockaddr_un *)0)->sun_path)];
	FILE *f = fopen("/proc/net/unix", "re");
	unsigned int flags, type;

	if (!f)
		return -errno;
	while (s->n < MAX_RECORDINGS && fgets(line, sizeof(line), f))
		if (sscanf(line, "%*s %*s %*s %x %x %*s %*s %107s", &flags, &type, name) == 3 &&
		    type == SOCK_SEQPACKET && flags & LISTENS &&
		    !strncmp(name, "@" MARK_NAME, strlen("@" MARK_NAME)))
			add(s, name);
	fclose(f);
	return 0;
}

/* ---- asking ------------------------------------------------------------------------------ */

/* A recording that closes before it has read resets the connection; its answer comes behind that. */
static ssize_t receive(int fd, struct mark_answer *a)
{
	ssize_t n = recv(fd, a, sizeof(*a), MSG_DONTWAIT);

	return n < 0 && errno == ECONNRESET ? recv(fd, a, sizeof(*a), MSG_DONTWAIT) : n;
}

/* The answer's status; negative: -ETIMEDOUT, -EPIPE if there will be none. */
static int wait_answer(const struct sender *s, int fd, struct mark_answer *a)
{
	struct timeval left = time_left(s);
	struct pollfd p = { .fd = fd, .events = POLLIN };
	ssize_t n;

	if (!poll(&p, 1, (int)(left.tv_sec * 1000 + left.tv_usec / 1000)))
		return -ETIMEDOUT;
	n = receive(fd, a);
	return n > 0 && mark_answer_check(a, (size_t)n) > 0 ? (int)a->status : -EPIPE;
}

static bool tell(const struct recording *r, int status, const struct mark_answer *a, bool quiet)
{
	static const char *const failed[] = {
		[MARK_BUSY] = "is busy, it takes some marks a second only; try again",
		[MARK_REFUSED] = "takes marks of its own user and of root only",
		[MARK_WRONG] = "does not understand; it is of another version",
	};

	if (status == MARK_TAKEN && !quiet)
		printf("marked in netcost-record %d (%s)\n", r->pid, a->file);
	else if (status == -ETIMEDOUT)
		msg("netcost-record %d does not answer; the mark may come into its trace later",
		    r->pid);
	else if (status < 0)
		msg("netcost-record %d ended without an answer", r->pid);
	else if (status != MARK_TAKEN)
		msg("netcost-record %d %s", r->pid, failed[status]);
	return status == MARK_TAKEN;
}

static int ask_all(struct sender *s, const struct mark_request *r, size_t n, bool quiet)
{
	struct mark_answer a;
	int marked = 0;

	for (size_t i = 0; i < s->n; i++) /* what fails here gives no answer below */
		send(s->rec[i].fd, r, n, MSG_DONTWAIT | MSG_NOSIGNAL);
	for (size_t i = 0; i < s->n; i++) {
		marked += tell(&s->rec[i], wait_answer(s, s->rec[i].fd, &a), &a, quiet);
		close(s->rec[i].fd);
	}
	return marked ? 0 : -ESRCH;
}

int mark_send(const char *text, unsigned long pid, bool quiet)
{
	uint64_t now = now_ns(); /* before all that takes time */
	struct sender s = { .pid = pid, .end_ns = now + WAIT_NS };
	struct mark_request r;
	int n = mark_request_make(&r, text, now), err;

	if (n < 0) {
		msg("--mark: give a text of 1 to %d bytes in UTF-8", MARK_TEXT_MAX);
		return n;
	}
	err = find_all(&s);
	if (err) {
		msg("cannot look for recordings in /proc/net/unix: %s", strerror(-err));
		return err;
	}
	if (s.n)
		return ask_all(&s, &r, (size_t)n, quiet);
	if (pid)
		msg("no recording of process %lu runs on this host (in this network namespace)",
		    pid);
	else
		msg("no recording to mark runs on this host (in this network namespace); start one with "
		    "netcost-record");
	return -ESRCH;
}
