// SPDX-License-Identifier: BSD-2-Clause
/*
 * Interface counters of every network namespace in sight: the recorder's own, those that processes live
 * in, and those that `ip netns` keeps under /run/netns. An interface is identified by namespace and name.
 */
#include "source.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <netcost/trace.h>

#include "procfs.h"

#define OWN_NETNS "/proc/self/ns/net"
#define OWN_NET                                                                                    \
	"/proc/thread-self/net" /* of the namespace that the thread is in when it is looked up in */
#define NAMED_NETNS "/run/netns"
#define PATH_LEN 128
#define RESCAN_S 5 /* new namespaces are looked for this often, in processes begun since then */
#define RESCAN_ALL_S 60 /* and in all of them: an old one can make itself a new namespace, too */
#define NAME_LEN 16	/* IFNAMSIZ */

struct netns {
	ino_t inode;
	bool named;
	char path[PATH_LEN]; /* of a namespace file of it; empty: lost */
};

struct device {
	uint32_t netns; /* index + 1 */
	char name[NAME_LEN];
};

struct netdev {
	struct netns *ns;
	uint32_t nns;
	struct device *dev;
	uint32_t ndev;
	time_t scanned, scanned_all; /* 0: not yet */
	bool lost;		     /* a namespace: look where else it is */
	long highest_pid;
	int own_fd;	     /* net/dev of our own, which nothing but our end can take away */
	int own_ns, net_dir; /* our own namespace, and OWN_NET; -1 */

	char *text;
	size_t text_size;

	/* this tick's columns */
	uint64_t *id, *value[8];
	size_t n, size;
};

/* The columns of net/dev that are kept, by the keys of NETDEV_STATS. */
static const struct {
	uint8_t key;
	unsigned int word;
} columns[8] = {
	{ TRACE_NETDEV_STATS_RX_PACKETS, 1 }, { TRACE_NETDEV_STATS_RX_BYTES, 0 },
	{ TRACE_NETDEV_STATS_RX_ERRORS, 2 },  { TRACE_NETDEV_STATS_RX_DROPPED, 3 },
	{ TRACE_NETDEV_STATS_TX_PACKETS, 9 }, { TRACE_NETDEV_STATS_TX_BYTES, 8 },
	{ TRACE_NETDEV_STATS_TX_ERRORS, 10 }, { TRACE_NETDEV_STATS_TX_DROPPED, 11 },
};

/* ---- namespaces -------------------------------------------------------------------------- */

static struct netns *find_ns(const struct netdev *n, ino_t inode)
{
	for (uint32_t i = 0; i < n->nns; i++)
		if (n->ns[i].inode == inode)
			return &n->ns[i];
	return NULL;
}

/*
 * Notes where a namespace can be found: best by its name, which outlives its processes. One that was lost
 * is found again.
 */
static int note_ns(struct netdev *n, ino_t inode, const char *path, bool named)
{
	struct netns *ns = find_ns(n, inode);

	if (ns && ns->path[0] && (ns->named || !named))
		return 0;
	if (!ns) {
		ns = realloc(n->ns, (n->nns + 1) * sizeof(*ns));
		if (!ns)
			return -ENOMEM;
		n->ns = ns;
		ns = &n->ns[n->nns++];
		ns->inode = inode;
	}
	ns->named = named;
	snprintf(ns->path, sizeof(ns->path), "%s", path);
	return 0;
}

static bool is_open(ino_t inode, int fd)
{
	struct stat st;

	return !fstat(fd, &st) && st.st_ino == inode;
}

static bool is_at(ino_t inode, const char *path)
{
	struct stat st;

	return !stat(path, &st) && st.st_ino == inode;
}

/*
 * after: processes with lower ids were there last time. Looking at a process's namespace costs some 20 us;
 * ids that begin anew from below are met with when all are scanned.
 */
static int scan_dir(struct netdev *n, const char *dirname, const char *suffix, bool named,
		    long after)
{
	DIR *dir = opendir(dirname);
	struct dirent *d;
	int err = 0;

	while (dir && !err && (d = readdir(dir))) {
		char path[PATH_LEN];
		struct stat st;

		if (named ? d->d_name[0] == '.' : !isdigit((unsigned char)d->d_name[0]))
			continue;
		if (!named && atol(d->d_name) <= after)
			continue;
		if (!named && atol(d->d_name) > n->highest_pid)
			n->highest_pid = atol(d->d_name);
		if (snprintf(path, sizeof(path), "%s/%s%s", dirname, d->d_name, suffix) >=
		    (int)sizeof(path))
			continue;
		if (!stat(path, &st))
			err = note_ns(n, st.st_ino, path, named);
	}
	if (dir)
		closedir(dir);
	return err;
}

static int scan_namespaces(struct netdev *n)
{
	struct timespec ts;
	struct stat st;
	bool all;
	int err = 0;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	/* Where processes come and go all the time, a scan for each would be most of our work. */
	all = !n->scanned || ts.tv_sec - n->scanned_all >= (n->lost ? RESCAN_S : RESCAN_ALL_S);
	if (!all && ts.tv_sec - n->scanned < RESCAN_S)
		return 0;
	n->scanned = ts.tv_sec;
	if (all) {
		n->scanned_all = ts.tv_sec;
		n->lost = false;
	}
	if (!stat(OWN_NETNS, &st)) /* first: its number is 1 */
		err = note_ns(n, st.st_ino, OWN_NETNS, false);
	if (!err)
		err = scan_dir(n, "/proc", "/ns/net", false, all ? 0 : n->highest_pid);
	return err ? err : scan_dir(n, NAMED_NETNS, "", true, 0);
}

/* net/dev of a namespace without processes can only be opened from inside (CAP_SYS_ADMIN). */
static int open_inside(const struct netdev *n, ino_t inode, const char *path)
{
	int ns = n->own_ns < 0 ? -1 : open(path, O_RDONLY | O_CLOEXEC), fd = -1;

	if (ns >= 0 && is_open(inode, ns) && !setns(ns, CLONE_NEWNET)) {
		fd = openat(n->net_dir, "dev", O_RDONLY | O_CLOEXEC);
		if (setns(n->own_ns, CLONE_NEWNET))
			abort(); /* never go on in a namespace that is not ours */
	}
	if (ns >= 0)
		close(ns);
	return fd;
}

/*
 * Opened anew at each tick: an open net/dev would keep a namespace, and the interfaces in it, alive after
 * its container is gone. -1: not there any more, or not ours to see.
 */
static int open_ns(struct netdev *n, struct netns *ns)
{
	char dev[PATH_LEN + 16];
	int fd = -1;

	if (ns->path[0] && ns->named) {
		fd = open_inside(n, ns->inode, ns->path);
	} else if (ns->path[0] && is_at(ns->inode, ns->path)) {
		snprintf(dev, sizeof(dev), "%.*s/net/dev",
			 (int)(strlen(ns->path) - strlen("/ns/net")), ns->path);
		fd = open(dev, O_RDONLY | O_CLOEXEC);
	}
	if (fd < 0 && ns->path[0]) {
		ns->path[0] = '\0'; /* its process ended: look whether another is in it */
		n->lost = true;
	}
	return fd;
}

/* ---- interfaces -------------------------------------------------------------------------- */

/* The driver of the device under an interface of our own namespace: sysfs shows no other. */
static void driver_of(const struct device *d, char *dst, size_t size)
{
	char path[128], target[256];
	ssize_t len;

	dst[0] = '\0';
	snprintf(path, sizeof(path), "/sys/class/net/%s/device/driver", d->name);
	len = d->netns == 1 ? readlink(path, target, sizeof(target) - 1) : -1;
	if (len <= 0)
		return;
	target[len] = '\0';
	snprintf(dst, size, "%.63s", strrchr(target, '/') ? strrchr(target, '/') + 1 : target);
}

static int define_device(struct netdev *n, struct trace_writer *w, uint32_t id)
{
	const struct device *d = &n->dev[id - 1];
	char driver[64];

	driver_of(d, driver, sizeof(driver));
	trace_writer_begin(w, TRACE_NETDEV, driver[0] ? 4 : 3);
	trace_writer_uint(w, TRACE_NETDEV_ID, id);
	trace_writer_str(w, TRACE_NETDEV_NAME, d->name);
	trace_writer_uint(w, TRACE_NETDEV_NETNS, d->netns);
	if (driver[0])
		trace_writer_str(w, TRACE_NETDEV_DRIVER, driver);
	return trace_writer_end(w);
}

/* The id of an interface, defined in the trace when it is new. Negative: an error. */
static int64_t device_id(struct netdev *n, struct trace_writer *w, uint32_t netns, const char *name)
{
	struct device *dev;
	int err;

	for (uint32_t i = 0; i < n->ndev; i++)
		if (n->dev[i].netns == netns && !strcmp(n->dev[i].name, name))
			return i + 1;
	dev = realloc(n->dev, (n->ndev + 1) * sizeof(*dev));
	if (!dev)
		return -ENOMEM;
	n->dev = dev;
	dev[n->ndev].netns = netns;
	snprintf(dev[n->ndev].name, NAME_LEN, "%s", name);
	err = define_device(n, w, ++n->ndev);
	if (err)
		return err;
	return n->ndev;
}

static int reserve(struct netdev *n)
{
	size_t size = n->size ? 2 * n->size : 16;
	uint64_t *p = realloc(n->id, size * sizeof(*p));

	if (!p)
		return -ENOMEM;
	n->id = p;
	for (int c = 0; c < 8; c++) {
		p = realloc(n->value[c], size * sizeof(*p));
		if (!p)
			return -ENOMEM;
		n->value[c] = p;
	}
	n->size = size;
	return 0;
}

/* "  eth0: 1 2 3 …" */
static int add_line(struct netdev *n, struct trace_writer *w, uint32_t netns, char *line)
{
	char *colon = strrchr(line, ':'), *name = line + strspn(line, " "), *p;
	uint64_t word[16];
	int64_t id;
	int words = 0;

	if (!colon)
		return 0; /* one of the two heading lines */
	*colon = '\0';
	for (p = colon + 1; words < 16; words++) {
		char *end;

		word[words] = strtoull(p, &end, 10);
		if (end == p)
			break;
		p = end;
	}
	if (words < 16)
		return 0;
	id = device_id(n, w, netns, name);
	if (id < 0)
		return (int)id;
	if (n->n == n->size && reserve(n))
		return -ENOMEM;
	n->id[n->n] = (uint64_t)id;
	for (int c = 0; c < 8; c++)
		n->value[c][n->n] = word[columns[c].word];
	n->n++;
	return 0;
}

static int read_ns(struct netdev *n, struct trace_writer *w, uint32_t i)
{
	bool own = !i && n->own_fd >= 0;
	int fd = own ? n->own_fd : open_ns(n, &n->ns[i]), err = 0;
	char *line, *next;
	ssize_t len;

	if (fd < 0)
		return 0;
	len = procfs_reread(fd, &n->text, &n->text_size);
	if (!own)
		close(fd);
	if (len < 0)
		return 0;
	for (line = n->text; *line && !err; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		err = add_line(n, w, i + 1, line);
	}
	return err;
}

static int netdev_tick(void *ctx, struct trace_writer *w)
{
	struct netdev *n = ctx;
	int err = scan_namespaces(n);

	n->n = 0;
	for (uint32_t i = 0; i < n->nns && !err; i++)
		err = read_ns(n, w, i);
	if (err)
		return err;
	trace_writer_begin(w, TRACE_NETDEV_STATS, 9);
	trace_writer_uints(w, TRACE_NETDEV_STATS_ID, n->id, n->n);
	for (int c = 0; c < 8; c++)
		trace_writer_uints(w, columns[c].key, n->value[c], n->n);
	return trace_writer_end(w);
}

static void netdev_close(void *ctx)
{
	struct netdev *n = ctx;

	if (n->own_fd >= 0)
		close(n->own_fd);
	if (n->own_ns >= 0)
		close(n->own_ns);
	if (n->net_dir >= 0)
		close(n->net_dir);
	free(n->ns);
	free(n->dev);
	free(n->text);
	free(n->id);
	for (int c = 0; c < 8; c++)
		free(n->value[c]);
	free(n);
}

static int netdev_open(void **ctx, const struct cpuset *cpus, struct source_status *st)
{
	struct netdev *n = calloc(1, sizeof(*n));

	(void)cpus;
	*ctx = n;
	st->via = "/proc/*/net/dev";
	st->state = "measured";
	if (!n)
		return -ENOMEM;
	n->own_fd = open("/proc/self/net/dev", O_RDONLY | O_CLOEXEC);
	n->own_ns = open(OWN_NETNS, O_RDONLY | O_CLOEXEC);
	n->net_dir = open(OWN_NET, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return 0;
}

const struct source_desc netdev_source = { "netdev", netdev_open, netdev_tick, netdev_close };
