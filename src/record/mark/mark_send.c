// SPDX-License-Identifier: BSD-2-Clause
/* Sends marks to recordings: `netcost-record --mark`. */
#include "mark.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <netcost/array.h>

#include "mark_wire.h"
#include "record/base/clock.h"
#include "record/base/msg.h"

#define CALL_NS 2000000000ull  /* time in which all recordings must accept the connection */
#define WAIT_NS 10000000000ull /* time to wait for the answers of all recordings together */
/* time between two attempts to connect to a recording that is busy with other callers */
#define RETRY_NS 10000000ull
#define LISTENS 0x10000u /* __SO_ACCEPTCON, as shown in /proc/net/unix */

enum state {
	CALLING, /* the recording is busy with other callers: retry */
	ASKED,	 /* the request was sent */
	OVER,
};

struct recording {
	unsigned int pid; /* from the socket's name */
	int fd;		  /* open in state ASKED; otherwise -1 */
	enum state state;
};

struct sender {
	unsigned long pid; /* the only process to ask; 0: all recordings */
	bool quiet;
	uint64_t end_ns;
	struct mark_request request;
	size_t size; /* bytes of the request */
	struct recording *rec;
	size_t n, room;
	struct pollfd *poll; /* descriptors of the asked recordings */
	/* Numbers of recordings that were found, of those that accepted the mark, and of untrusted processes. */
	size_t found, marked, strangers;
	unsigned int stranger_pid, stranger_uid; /* the first untrusted process */
};

/* ---- finding recordings ------------------------------------------------------------------ */

static int add(struct sender *s, unsigned int pid)
{
	if (array_reserve(&s->rec, &s->room, s->n + 1, sizeof(*s->rec)))
		return -ENOMEM;
	s->rec[s->n++] = (struct recording){ .pid = pid, .fd = -1 };
	return 0;
}

/*
 * Returns the process id in a recording's socket name. Returns 0 if the name does not end with a process id, because
 * any process can take a similar name.
 */
static unsigned int pid_of(const char *name)
{
	static const char begin[] = "@" MARK_NAME;
	const char *digits = name + sizeof(begin) - 1;
	unsigned long pid;

	if (strncmp(name, begin, sizeof(begin) - 1) || *digits == '0' || strlen(digits) > 10 ||
	    digits[strspn(digits, "0123456789")])
		return 0;
	pid = strtoul(digits, NULL, 10);
	return pid <= INT_MAX ? (unsigned int)pid : 0;
}

static int by_pid(const void *pa, const void *pb)
{
	const struct recording *a = pa, *b = pb;

	return (a->pid > b->pid) - (a->pid < b->pid);
}

/*
 * Removes recordings that are listed twice. If the name of another program's socket contains a line feed, the rest of
 * the name is a new line in /proc/net/unix. This line may list a recording a second time.
 */
static void leave_out_doubles(struct sender *s)
{
	size_t n = 0;

	if (s->n)
		qsort(s->rec, s->n, sizeof(*s->rec), by_pid);
	for (size_t i = 0; i < s->n; i++)
		if (!n || s->rec[i].pid != s->rec[n - 1].pid)
			s->rec[n++] = s->rec[i];
	s->n = n;
}

static int find_all(struct sender *s)
{
	char line[512], name[sizeof(((struct sockaddr_un *)0)->sun_path)];
	FILE *f = fopen("/proc/net/unix", "re");
	unsigned int flags, type;
	int err = 0;

	if (!f) {
		err = -errno;
		msg("cannot search for recordings in /proc/net/unix: %s", strerror(-err));
		return err;
	}
	while (!err && fgets(line, sizeof(line), f))
		if (sscanf(line, "%*s %*s %*s %x %x %*s %*s %107s", &flags, &type, name) == 3 &&
		    type == SOCK_SEQPACKET && flags & LISTENS && pid_of(name))
			err = add(s, pid_of(name));
	fclose(f);
	leave_out_doubles(s);
	return err;
}

/* ---- asking recordings ------------------------------------------------------------------- */

/* Connects to a recording. Never blocks. Returns -EAGAIN if the recording is busy with other callers. */
static int call(unsigned int pid)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int n = snprintf(addr.sun_path + 1, sizeof(addr.sun_path) - 1, MARK_NAME "%u", pid);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), err;

	if (fd < 0)
		return -errno;
	if (!connect(fd, (struct sockaddr *)&addr,
		     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n)))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

/* Returns true if a process runs the same program as this one. */
static bool is_recorder(unsigned int pid)
{
	struct stat own, other;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%u/exe", pid);
	return !stat("/proc/self/exe", &own) && !stat(path, &other) && own.st_dev == other.st_dev &&
	       own.st_ino == other.st_ino;
}

/*
 * Returns true if the text of a mark may be sent to the process that listens under a recording's name. The process must
 * belong to root or to the caller's own user. Root also sends marks to recorders of other users, and to the process
 * that --pid names.
 */
static bool is_trusted(struct sender *s, const struct recording *r, int fd)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len))
		return false;
	if (peer.uid == 0 || peer.uid == geteuid() ||
	    (geteuid() == 0 && (unsigned int)peer.pid == r->pid && (s->pid || is_recorder(r->pid))))
		return true;
	if (!s->strangers++) {
		s->stranger_pid = r->pid;
		s->stranger_uid = peer.uid;
	}
	return false;
}

static void begin(struct sender *s, struct recording *r)
{
	int fd = call(r->pid);

	if (fd == -EAGAIN)
		return;
	r->state = OVER;
	if (fd < 0) {
		if (fd != -ECONNREFUSED) /* ECONNREFUSED: the recording has just ended */
			msg("cannot connect to netcost-record %u: %s", r->pid, strerror(-fd));
		return;
	}
	s->found++;
	if (!is_trusted(s, r, fd)) {
		close(fd);
		return;
	}
	/* if sending fails, no answer comes, as if the recording had not answered */
	send(fd, &s->request, s->size, MSG_DONTWAIT | MSG_NOSIGNAL);
	r->fd = fd;
	r->state = ASKED;
}

/*
 * Receives the answer. A recording that closes the socket before it has read the request resets the connection. The
 * recording's answer can be read after the reset.
 */
static ssize_t receive(int fd, struct mark_answer *a)
{
	ssize_t n = recv(fd, a, sizeof(*a), MSG_DONTWAIT);

	return n < 0 && errno == ECONNRESET ? recv(fd, a, sizeof(*a), MSG_DONTWAIT) : n;
}

static void hear(struct sender *s, struct recording *r)
{
	static const char *const failed[] = {
		[MARK_BUSY] = "is busy: the number of marks per second is limited; try again",
		[MARK_REFUSED] = "accepts marks from its own user and from root only",
		[MARK_WRONG] = "does not understand the request, because its version differs",
	};
	struct mark_answer a;
	ssize_t n = receive(r->fd, &a);
	bool answered = n > 0 && mark_answer_check(&a, (size_t)n) > 0;

	close(r->fd);
	r->fd = -1;
	r->state = OVER;
	if (!answered) {
		msg("netcost-record %u ended without an answer", r->pid);
	} else if (a.status != MARK_TAKEN) {
		msg("netcost-record %u %s", r->pid, failed[a.status]);
	} else {
		s->marked++;
		if (!s->quiet)
			printf("marked in netcost-record %u (%s)\n", r->pid, a.file);
	}
}

/* Waits until a recording answers, or until it is time to retry a busy recording. */
static void wait_for_one(struct sender *s, uint64_t now, bool calling)
{
	uint64_t left = s->end_ns - now;
	nfds_t n = 0;

	if (calling && left > RETRY_NS)
		left = RETRY_NS;
	for (size_t i = 0; i < s->n; i++)
		if (s->rec[i].state == ASKED)
			s->poll[n++] = (struct pollfd){ .fd = s->rec[i].fd, .events = POLLIN };
	if (poll(s->poll, n, (int)(left / 1000000) + 1) <= 0)
		return;
	n = 0;
	for (size_t i = 0; i < s->n; i++)
		if (s->rec[i].state == ASKED && s->poll[n++].revents)
			hear(s, &s->rec[i]);
}

/* Asks all recordings at once, so that a recording that hangs, or accepts no callers, does not delay the others. */
static void ask_all(struct sender *s)
{
	uint64_t now = now_ns(), call_end_ns = now + CALL_NS;

	for (;; now = now_ns()) {
		size_t calling = 0, asked = 0;
		bool call = now < call_end_ns;

		for (size_t i = 0; i < s->n; i++) {
			if (call && s->rec[i].state == CALLING)
				begin(s, &s->rec[i]);
			calling += call && s->rec[i].state == CALLING;
			asked += s->rec[i].state == ASKED;
		}
		if (calling + asked == 0 || now >= s->end_ns)
			return;
		wait_for_one(s, now, calling);
	}
}

/* ---- printing the result ----------------------------------------------------------------- */

/*
 * Prints one line about all recordings that did not accept the connection, because another program may create many such
 * sockets.
 */
static void tell_silent(struct sender *s)
{
	const struct recording *first = NULL;
	char more[64] = "";
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (s->rec[i].state == CALLING && !n++)
			first = &s->rec[i];
		if (s->rec[i].state != ASKED)
			continue;
		msg("netcost-record %u does not answer; the mark may still reach its trace",
		    s->rec[i].pid);
		close(s->rec[i].fd);
	}
	s->found += n;
	if (n > 1)
		snprintf(more, sizeof(more), "; nor do %zu more", n - 1);
	if (n)
		msg("netcost-record %u does not answer: it is busy with other callers%s",
		    first->pid, more);
}

static void tell_strangers(const struct sender *s)
{
	char more[64] = "";

	if (s->strangers > 1)
		snprintf(more, sizeof(more), "; %zu more belong to other users", s->strangers - 1);
	if (s->strangers && geteuid() == 0)
		msg("netcost-record %u belongs to user %u; use --pid=%u to mark its recording%s",
		    s->stranger_pid, s->stranger_uid, s->stranger_pid, more);
	else if (s->strangers)
		msg("netcost-record %u belongs to user %u; only that user and root can mark its recording%s",
		    s->stranger_pid, s->stranger_uid, more);
}

static void tell_none(const struct sender *s)
{
	if (s->pid)
		msg("process %lu is not a netcost-record in this network namespace", s->pid);
	else
		msg("no recording is running in this network namespace; start one with netcost-record");
}

int mark_send(const char *text, unsigned long pid, bool quiet)
{
	uint64_t now = now_ns(); /* read before anything that takes time */
	struct sender s = { .pid = pid, .quiet = quiet, .end_ns = now + WAIT_NS };
	int n = mark_request_make(&s.request, text, now), err;

	if (n < 0) {
		msg("--mark: give a text of 1 to %d bytes in UTF-8", MARK_TEXT_MAX);
		return n;
	}
	s.size = (size_t)n;
	err = pid ? add(&s, (unsigned int)pid) : find_all(&s);
	s.poll = err ? NULL : calloc(s.n + 1, sizeof(*s.poll));
	if (s.poll) {
		ask_all(&s);
		tell_silent(&s);
		tell_strangers(&s);
		if (!s.found)
			tell_none(&s);
	}
	if (err == -ENOMEM || (!err && !s.poll)) {
		err = -ENOMEM;
		msg("out of memory");
	}
	free(s.poll);
	free(s.rec);
	return err ? err : s.marked ? 0 : -ESRCH;
}
