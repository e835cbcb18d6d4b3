// SPDX-License-Identifier: BSD-2-Clause
#include "latency_only.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/nsfs.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netcost/trace.h>

#include "record/source/netns.h"
#include "path_points.h"
#include "record/base/procfs.h"
#include "record/kernel/cgroup_hierarchy.h"

#define NAMED_NETNS "/run/netns"

/* State of the parser. The interface is looked up in the namespace, even if the interface is given first. */
struct parsing {
	struct latency_only *o;
	/* path of a file of the namespace; "": only the namespace's number is known, or no namespace was given */
	char netns[PATH_MAX];
	char *why;
	size_t size;
};

#define WRONG(p, ...) (snprintf((p)->why, (p)->size, __VA_ARGS__), -EINVAL)

/* Parses a number from 1 to most. Returns 0 if the text is not such a number. */
static uint64_t number_of(const char *text, uint64_t most)
{
	const char *end = text;
	uint64_t v;

	return *text != ' ' && strlen(text) < 16 && procfs_number(&end, 10, &v) && !*end &&
			       v <= most ?
		       v :
		       0;
}

/* ---- keys -------------------------------------------------------------------------------- */

static int set_interface(struct parsing *p, const char *value)
{
	if (strlen(value) >= IF_NAMESIZE)
		return WRONG(
			p, "--latency-only: interface=%.64s: the name is too long for an interface",
			value);
	snprintf(p->o->interface, sizeof(p->o->interface), "%s", value);
	return 0;
}

/* Parses a namespace: "self", an inode number, a name in `ip netns`, or a path. */
static int set_netns(struct parsing *p, const char *value)
{
	uint64_t inode = number_of(value, UINT32_MAX);
	int fd, type;

	if (inode) {
		p->o->netns = inode;
		return 0;
	}
	if (!strcmp(value, "self"))
		value = OWN_NETNS;
	snprintf(p->netns, sizeof(p->netns), "%s%s", strchr(value, '/') ? "" : NAMED_NETNS "/",
		 value);
	fd = open(p->netns, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return WRONG(p, "--latency-only: netns=%.128s: %s", value, strerror(errno));
	type = ioctl(fd, NS_GET_NSTYPE);
	close(fd);
	p->o->netns = procfs_inode(p->netns);
	return type == CLONE_NEWNET ?
		       0 :
		       WRONG(p, "--latency-only: netns=%.128s: not a network namespace", value);
}

/*
 * Parses a cgroup: its path in the hierarchy, as reports show it, or the path of its folder, including the mount point.
 */
static int set_cgroup(struct parsing *p, const char *value)
{
	char mount[PATH_MAX], path[2 * PATH_MAX];
	struct stat st;
	size_t len;

	if (!cgroup_hierarchy_mount(CGROUPS_V2, mount, sizeof(mount)))
		return WRONG(p, "--latency-only: cgroup=: this host does not use cgroup v2");
	len = strlen(mount);
	if (!strncmp(value, mount, len) && (value[len] == '/' || !value[len]))
		value += len;
	snprintf(path, sizeof(path), "%s/%s", mount, value);
	if (stat(path, &st) || !S_ISDIR(st.st_mode))
		return WRONG(p, "--latency-only: cgroup=%.128s: the folder %.256s does not exist",
			     value, path);
	snprintf(p->o->cgroup, sizeof(p->o->cgroup), "%s%s", *value == '/' ? "" : "/", value);
	p->o->cgroup_id = st.st_ino;
	return 0;
}

static int set_pid(struct parsing *p, const char *value)
{
	char path[64];

	p->o->pid = (uint32_t)number_of(value, INT_MAX);
	if (!p->o->pid)
		return WRONG(p, "--latency-only: pid=%.64s: give the number of a process", value);
	if (!procfs_initial_pids())
		return WRONG(
			p,
			"--latency-only: pid= needs process ids of the host, which differ in this pid namespace; record outside the container");
	snprintf(path, sizeof(path), "/proc/%u", p->o->pid);
	return access(path, F_OK) ?
		       WRONG(p, "--latency-only: pid=%u: there is no such process", p->o->pid) :
		       0;
}

static int set_queue(struct parsing *p, const char *value)
{
	p->o->queue = (uint32_t)number_of(value, UINT32_MAX);
	return p->o->queue ?
		       0 :
		       WRONG(p, "--latency-only: queue=%.64s: give a number of packets, at least 1",
			     value);
}

static const struct {
	const char *name;
	int (*set)(struct parsing *p, const char *value);
} keys[] = {
	{ "interface", set_interface }, { "netns", set_netns },
	{ "cgroup", set_cgroup },	{ "pid", set_pid },
	{ "queue", set_queue },
};

#define KEYS (sizeof(keys) / sizeof(keys[0]))

/* ---- the interface's number -------------------------------------------------------------- */

/*
 * Looks up the interface in another namespace. Returns -errno if the namespace cannot be entered. The thread is in its
 * own namespace again on return.
 */
static int look_inside(struct parsing *p, int own, int other)
{
	int err = 0;

	if (own < 0 || other < 0 || setns(other, CLONE_NEWNET))
		return -errno;
	p->o->ifindex = if_nametoindex(p->o->interface);
	if (!p->o->ifindex)
		err = -errno;
	if (setns(own, CLONE_NEWNET))
		abort(); /* never continue in a foreign namespace */
	return err;
}

static int find_inside(struct parsing *p)
{
	int own = open(OWN_NETNS, O_RDONLY | O_CLOEXEC);
	int other = open(p->netns, O_RDONLY | O_CLOEXEC);
	int err = look_inside(p, own, other);

	if (own >= 0)
		close(own);
	if (other >= 0)
		close(other);
	return err;
}

static int find_interface(struct parsing *p)
{
	struct latency_only *o = p->o;
	uint64_t own = procfs_inode(OWN_NETNS);
	int err = 0;

	if (!o->netns)
		o->netns = own;
	if (o->netns != own && !*p->netns)
		return WRONG(p,
			     "--latency-only: interface=%s: give its network namespace by name or "
			     "path, not by number",
			     o->interface);
	if (o->netns == own && !(o->ifindex = if_nametoindex(o->interface)))
		err = -errno;
	else if (o->netns != own)
		err = find_inside(p);
	return err ? WRONG(p, "--latency-only: interface=%s: %s", o->interface, strerror(-err)) : 0;
}

/* ---- all keys ---------------------------------------------------------------------------- */

static int set_key(struct parsing *p, char *item)
{
	char *value = strchr(item, '=');

	if (value)
		*value++ = '\0';
	for (size_t i = 0; value && *value && i < KEYS; i++)
		if (!strcmp(keys[i].name, item))
			return keys[i].set(p, value);
	return WRONG(
		p,
		"--latency-only: '%.64s': give interface=NAME, netns=self, NAME, PATH or INODE, "
		"cgroup=PATH, pid=PID or queue=PACKETS, or several with commas",
		item);
}

int latency_only_parse(struct latency_only *o, const char *text, char *why, size_t size)
{
	struct parsing p = { .o = o, .why = why, .size = size };
	char *copy = strdup(text), *rest = copy, *item;
	int err = copy ? 0 : -ENOMEM;

	memset(o, 0, sizeof(*o));
	o->asked = true;
	while (!err && (item = strsep(&rest, ",")))
		err = set_key(&p, item);
	free(copy);
	return !err && *o->interface ? find_interface(&p) : err;
}

unsigned int latency_only_asks(const struct latency_only *o)
{
	return (o->ifindex ? LATENCY_KNOWS_INTERFACE : 0u) |
	       (o->cgroup_id ? LATENCY_KNOWS_CGROUP : 0u) | (o->queue ? LATENCY_KNOWS_QUEUE : 0u) |
	       (o->pid ? LATENCY_KNOWS_PROCESS : 0u);
}

/* ---- writing to the trace ---------------------------------------------------------------- */

int latency_only_write(const struct latency_only *o, struct trace_writer *w)
{
	if (!o->asked)
		return 0;
	trace_writer_begin(w, TRACE_LATENCY_ONLY);
	if (o->ifindex)
		trace_writer_str(w, TRACE_LATENCY_ONLY_NETDEV, o->interface);
	if (o->netns)
		trace_writer_uint(w, TRACE_LATENCY_ONLY_NETNS, o->netns);
	if (o->ifindex)
		trace_writer_uint(w, TRACE_LATENCY_ONLY_IFINDEX, o->ifindex);
	if (o->cgroup_id) {
		trace_writer_str(w, TRACE_LATENCY_ONLY_CGROUP, o->cgroup);
		trace_writer_uint(w, TRACE_LATENCY_ONLY_CGROUP_ID, o->cgroup_id);
	}
	if (o->pid)
		trace_writer_uint(w, TRACE_LATENCY_ONLY_PID, o->pid);
	if (o->queue)
		trace_writer_uint(w, TRACE_LATENCY_ONLY_QUEUE, o->queue);
	return trace_writer_end(w);
}
