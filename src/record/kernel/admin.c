// SPDX-License-Identifier: BSD-2-Clause
#include "admin.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include <netcost/fd_pass.h>

#include "bpf_info.h"
#include "preemption.h"
#include "record/base/clock.h"
#include "record/base/helper.h"
#include "record/base/privileges.h"

enum admin_what {
	ADMIN_STATS,
	ADMIN_PREEMPTION,
	ADMIN_NETDEV,
	ADMIN_COOKIE,
	ADMIN_PROGRAMS,
	ADMIN_LINKS
};

struct admin_request {
	enum admin_what what;
	uint32_t after, most;
	char name[NAME_MAX + 1];
};

struct admin_answer {
	int result;
	uint64_t cpu_ns; /* of the helper process */
	union {
		struct stat ns;
		uint64_t cookie;
		struct bpf_program_info program[ADMIN_MOST];
		struct bpf_link_about link[ADMIN_MOST];
	};
};

struct admin {
	int socket;
	uint64_t cpu_ns;
};

/* ---- the work ---------------------------------------------------------------------------- */

/* Enters a namespace. Returns a descriptor of the namespace to return to, or -errno. */
static int admin_enter(int ns)
{
	int own = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), err;

	if (own >= 0 && !setns(ns, CLONE_NEWNET))
		return own;
	err = -errno;
	if (own >= 0)
		close(own);
	return err;
}

static void admin_leave(int own)
{
	if (setns(own, CLONE_NEWNET))
		abort(); /* never continue in a foreign namespace */
	close(own);
}

static int admin_do_netdev(const char *name, struct stat *st)
{
	/* this folder shows the network namespace in which the thread is when a path below it is looked up */
	int net = open("/proc/thread-self/net", O_PATH | O_DIRECTORY | O_CLOEXEC);
	char path[sizeof(ADMIN_NAMED_NETNS) + NAME_MAX + 2];
	int own, ns, fd = -EINVAL;

	snprintf(path, sizeof(path), ADMIN_NAMED_NETNS "/%s", name);
	ns = net < 0 || strchr(name, '/') ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	if (ns >= 0 && !fstat(ns, st) && (own = admin_enter(ns)) >= 0) {
		fd = openat(net, "dev", O_RDONLY | O_CLOEXEC);
		fd = fd < 0 ? -errno : fd;
		admin_leave(own);
	}
	if (ns >= 0)
		close(ns);
	if (net >= 0)
		close(net);
	return fd;
}

static uint64_t admin_do_cookie(int ns)
{
	int own = admin_enter(ns), fd;
	socklen_t size = sizeof(uint64_t);
	uint64_t cookie = 0;

	if (own < 0)
		return 0;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &size))
		cookie = 0;
	if (fd >= 0)
		close(fd);
	admin_leave(own);
	return cookie;
}

static int admin_do_programs(uint32_t id, struct bpf_program_info *info, size_t most)
{
	size_t n = 0;
	int err = 0;

	/* a program whose information cannot be read has just ended */
	while (n < most && !(err = bpf_program_next(id, &id)))
		n += !bpf_program_info(id, &info[n]);
	return n || err == -ENOENT ? (int)n : err;
}

static int admin_do_links(uint32_t id, struct bpf_link_about *about, size_t most)
{
	size_t n = 0;

	while (n < most && !bpf_link_get_next_id(id, &id))
		n += !bpf_link_read(id, &about[n]);
	return (int)n;
}

/*
 * Answers a request. Returns the number of bytes of the answer. given: the descriptor of the request, or -1. *fd is a
 * new descriptor or -1.
 */
static size_t admin_do(const struct admin_request *r, int given, struct admin_answer *a, int *fd)
{
	size_t most = r->most < ADMIN_MOST ? r->most : ADMIN_MOST, data = 0;

	*fd = -1;
	a->result = -EINVAL;
	if (r->what == ADMIN_PROGRAMS) {
		a->result = admin_do_programs(r->after, a->program, most);
		data = (size_t)(a->result > 0 ? a->result : 0) * sizeof(*a->program);
	} else if (r->what == ADMIN_LINKS) {
		a->result = admin_do_links(r->after, a->link, most);
		data = (size_t)a->result * sizeof(*a->link);
	} else if (r->what == ADMIN_COOKIE) {
		a->cookie = admin_do_cookie(given);
		a->result = 0;
		data = sizeof(a->cookie);
	} else {
		if (r->what == ADMIN_STATS && (*fd = bpf_enable_stats(BPF_STATS_RUN_TIME)) < 0)
			*fd = -errno;
		else if (r->what == ADMIN_PREEMPTION)
			*fd = preemption_open();
		else if (r->what == ADMIN_NETDEV)
			*fd = admin_do_netdev(r->name, &a->ns);
		a->result = *fd;
		data = sizeof(a->ns);
	}
	return offsetof(struct admin_answer, ns) + data;
}

/* ---- the helper -------------------------------------------------------------------------- */

static void admin_serve(int socket, const void *arg)
{
	struct admin_request r;
	int given, fd;

	(void)arg;
	privileges_keep(PRIVILEGES_ADMIN, -1);
	while (fd_receive(socket, &r, sizeof(r), &given) == sizeof(r)) {
		struct admin_answer a = { 0 };
		size_t size;

		/* a recorder that an attacker has taken over may send anything */
		r.name[NAME_MAX] = '\0';
		size = admin_do(&r, given, &a, &fd);
		if (given >= 0)
			close(given);
		a.cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
		fd_send(socket, &a, size, fd);
		if (fd >= 0)
			close(fd);
	}
}

int admin_start(struct admin **ap)
{
	struct admin *a;
	int err = 0;

	*ap = NULL;
	if (!privileges_has(CAP_SYS_ADMIN))
		return 0;
	a = calloc(1, sizeof(*a));
	if (!a)
		return -ENOMEM;
	a->socket = helper_start(admin_serve, NULL);
	if (a->socket < 0) {
		err = a->socket;
		free(a);
	} else {
		*ap = a;
	}
	return err;
}

void admin_end(struct admin *a)
{
	if (a)
		close(a->socket);
	free(a);
}

uint64_t admin_cpu_ns(const struct admin *a)
{
	return a ? a->cpu_ns : 0;
}

/* ---- calls ------------------------------------------------------------------------------- */

/* Returns the new descriptor if there is one, otherwise the result of the answer. Returns -errno on failure. */
static int admin_ask(struct admin *a, const struct admin_request *r, int given,
		     struct admin_answer *answer)
{
	ssize_t n = offsetof(struct admin_answer, ns);
	int fd;

	if (!a && !privileges_has(CAP_SYS_ADMIN))
		/* do not make the call: the system call filter would refuse and report it */
		return -EPERM;
	if (!a) {
		admin_do(r, given, answer, &fd);
		return answer->result;
	}
	if (fd_send(a->socket, r, sizeof(*r), given) != sizeof(*r) ||
	    fd_receive(a->socket, answer, sizeof(*answer), &fd) < n)
		return -EPIPE;
	a->cpu_ns = answer->cpu_ns;
	return fd >= 0 ? fd : answer->result;
}

int admin_stats(struct admin *a)
{
	struct admin_answer answer;

	return admin_ask(a, &(struct admin_request){ .what = ADMIN_STATS }, -1, &answer);
}

int admin_preemption(struct admin *a)
{
	struct admin_answer answer;

	return admin_ask(a, &(struct admin_request){ .what = ADMIN_PREEMPTION }, -1, &answer);
}

int admin_netdev(struct admin *a, const char *name, struct stat *st)
{
	struct admin_request r = { .what = ADMIN_NETDEV };
	struct admin_answer answer;
	int fd;

	if (strlen(name) > NAME_MAX)
		return -ENAMETOOLONG;
	strcpy(r.name, name);
	fd = admin_ask(a, &r, -1, &answer);
	if (fd >= 0)
		*st = answer.ns;
	return fd;
}

uint64_t admin_netns_cookie(struct admin *a, int ns)
{
	struct admin_answer answer;

	return admin_ask(a, &(struct admin_request){ .what = ADMIN_COOKIE }, ns, &answer) ?
		       0 :
		       answer.cookie;
}

/* Reads rows of `each` bytes. */
static int admin_list(struct admin *a, enum admin_what what, uint32_t after, size_t most, void *to,
		      size_t each)
{
	struct admin_request r = { what, after, (uint32_t)most, "" };
	struct admin_answer answer;
	int n = admin_ask(a, &r, -1, &answer);

	if (n > 0)
		memcpy(to, answer.program, (size_t)n * each);
	return n;
}

int admin_programs(struct admin *a, uint32_t after, struct bpf_program_info *info, size_t most)
{
	return admin_list(a, ADMIN_PROGRAMS, after, most, info, sizeof(*info));
}

int admin_links(struct admin *a, uint32_t after, struct bpf_link_about *about, size_t most)
{
	return admin_list(a, ADMIN_LINKS, after, most, about, sizeof(*about));
}
