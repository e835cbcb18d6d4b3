// SPDX-License-Identifier: BSD-2-Clause
/* Receives the marks in a recording. */
#include "mark.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <netcost/reasons.h>

#include "mark_wire.h"
#include "record/base/clock.h"

/*
 * Maximum number of connections that have sent no request yet. When another caller connects, the connection that has
 * been silent longest is closed.
 */
#define CALLERS 4
#define CALLS_A_SECOND 200
/*
 * length of a second for the limits, ns; a little less than a second, because frames are written a little more often
 * than once a second
 */
#define SECOND_NS 800000000ull

struct marks {
	int fd, epoll_fd;
	uint64_t tag, timens;
	int caller[CALLERS]; /* descriptors of the connections; -1: none */
	/* index of the oldest connection, which follows the index of the newest connection */
	unsigned int oldest;

	uint64_t second_ns;	   /* start of the current second */
	unsigned int taken, calls; /* marks and callers in the current second */
	bool deaf;		   /* the socket is not watched for the rest of this second */
	uint64_t busy, strangers, wrong;

	char why[128];
	char file[MARK_FILE_MAX + 1];
};

/* ---- the socket -------------------------------------------------------------------------- */

static int listen_on_name(struct marks *m)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int n = snprintf(addr.sun_path + 1, sizeof(addr.sun_path) - 1, MARK_NAME "%d",
			 (int)getpid());
	socklen_t len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);

	m->fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (m->fd < 0 || bind(m->fd, (struct sockaddr *)&addr, len) || listen(m->fd, CALLERS * 4))
		return -errno;
	return 0;
}

int marks_new(struct marks **mp)
{
	struct marks *m = calloc(1, sizeof(*m));
	int err;

	*mp = m;
	if (!m)
		return -ENOMEM;
	m->timens = mark_timens();
	m->epoll_fd = -1;
	for (int i = 0; i < CALLERS; i++)
		m->caller[i] = -1;
	err = listen_on_name(m);
	if (!err)
		return 0;
	snprintf(m->why, sizeof(m->why), reason_marks_deaf, -err);
	if (m->fd >= 0)
		close(m->fd);
	m->fd = -1;
	return 0;
}

static void hang_up(struct marks *m, int i)
{
	if (m->caller[i] >= 0)
		close(m->caller[i]);
	m->caller[i] = -1;
}

void marks_free(struct marks *m)
{
	if (!m)
		return;
	for (int i = 0; i < CALLERS; i++)
		hang_up(m, i);
	if (m->fd >= 0)
		close(m->fd);
	free(m);
}

const char *marks_why(const struct marks *m)
{
	return m->why;
}

void marks_set_file(struct marks *m, const char *file)
{
	char path[PATH_MAX];

	if (!strcmp(file, "-"))
		file = "stdout";
	else if (realpath(file, path))
		file = path;
	snprintf(m->file, sizeof(m->file), "%s", file);
}

int marks_poll_add(struct marks *m, int epoll_fd, uint64_t tag)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.u64 = tag };

	m->epoll_fd = epoll_fd;
	m->tag = tag;
	return m->fd < 0 || !epoll_ctl(epoll_fd, EPOLL_CTL_ADD, m->fd, &ev) ? 0 : -errno;
}

static void set_deaf(struct marks *m, bool deaf)
{
	struct epoll_event ev = { .events = deaf ? 0 : EPOLLIN, .data.u64 = m->tag };

	if (m->deaf != deaf && !epoll_ctl(m->epoll_fd, EPOLL_CTL_MOD, m->fd, &ev))
		m->deaf = deaf;
}

/* ---- callers ----------------------------------------------------------------------------- */

static void answer(const struct marks *m, int fd, enum mark_status status)
{
	struct mark_answer a;
	int n = mark_answer_make(&a, status, status == MARK_TAKEN ? m->file : "");

	/* the answer is lost if the caller does not wait for it */
	send(fd, &a, (size_t)n, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/*
 * Returns true if the caller may mark this recording. The kernel reports the caller's user id, so it cannot be forged.
 */
static bool may_mark(int fd)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) &&
	       (peer.uid == 0 || peer.uid == geteuid());
}

static int free_place(struct marks *m)
{
	for (int i = 0; i < CALLERS; i++)
		if (m->caller[i] < 0)
			return i;
	hang_up(m, (int)m->oldest);
	return (int)m->oldest;
}

/* Stores a new connection. Returns its index, or -1 if the caller was rejected. */
static int let_in(struct marks *m, int fd)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.u64 = m->tag };
	int i;

	if (!may_mark(fd)) {
		m->strangers++;
		answer(m, fd, MARK_REFUSED);
		close(fd);
		return -1;
	}
	i = free_place(m);
	m->caller[i] = fd;
	m->oldest = (unsigned int)(i + 1) % CALLERS;
	if (!epoll_ctl(m->epoll_fd, EPOLL_CTL_ADD, fd, &ev))
		return i;
	hang_up(m, i);
	return -1;
}

static int take_request(struct marks *m, int fd, struct mark_request *r, size_t n,
			const struct marks_sink *sink)
{
	int err = 0;

	if (mark_request_check(r, n) < 0) {
		m->wrong++;
		answer(m, fd, MARK_WRONG);
	} else if (!marks_allow(m)) {
		answer(m, fd, MARK_BUSY);
	} else {
		err = sink->mark(sink->ctx, mark_time(r, m->timens, sink->start_ns, now_ns()),
				 r->text);
		if (!err)
			answer(m, fd, MARK_TAKEN);
	}
	return err;
}

static int hear(struct marks *m, int i, const struct marks_sink *sink)
{
	struct mark_request r;
	/* with MSG_TRUNC recv() returns the full length even if the request is too long */
	ssize_t n = recv(m->caller[i], &r, sizeof(r), MSG_DONTWAIT | MSG_TRUNC);
	int err = 0;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n > 0)
		err = take_request(m, m->caller[i], &r, (size_t)n, sink);
	hang_up(m, i);
	return err;
}

int marks_take(struct marks *m, const struct marks_sink *sink)
{
	int err = 0;

	for (; m->calls < CALLS_A_SECOND && !err; m->calls++) {
		int fd = accept4(m->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), i;

		if (fd < 0)
			break;
		i = let_in(m, fd);
		/* most callers have already sent their request, so their connection ends before the next is accepted */
		if (i >= 0)
			err = hear(m, i, sink);
	}
	for (int i = 0; i < CALLERS && !err; i++)
		if (m->caller[i] >= 0)
			err = hear(m, i, sink);
	set_deaf(m, m->calls == CALLS_A_SECOND);
	return err;
}

/* ---- limits ------------------------------------------------------------------------------ */

bool marks_allow(struct marks *m)
{
	bool room = m->taken < MARKS_A_SECOND;

	m->taken += room;
	m->busy += !room;
	return room;
}

void marks_refill(struct marks *m, uint64_t now_ns)
{
	if (now_ns - m->second_ns < SECOND_NS)
		return;
	m->second_ns = now_ns;
	m->taken = m->calls = 0;
	set_deaf(m, false);
}

char *marks_refused(const struct marks *m, char *dst, size_t size)
{
	const struct {
		uint64_t n;
		const char *what;
	} reasons[] = {
		{ m->busy, reason_too_many },
		{ m->strangers, reason_stranger },
		{ m->wrong, reason_no_request },
	};
	size_t len = 0;

	dst[0] = '\0';
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]) && len < size; i++) {
		char one[64];

		if (!reasons[i].n)
			continue;
		snprintf(one, sizeof(one), reason_marks_refused, (unsigned long long)reasons[i].n,
			 reasons[i].what);
		len += (size_t)snprintf(dst + len, size - len, "%s%s", len ? " " : "", one);
	}
	return dst;
}
