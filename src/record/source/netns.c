// SPDX-License-Identifier: BSD-2-Clause
#include "netns.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <netcost/array.h>

#include "record/base/procfs.h"
#include "record/kernel/admin.h"

#define OWN_DEV "/proc/self/net/dev"
#define NAMED_NETNS ADMIN_NAMED_NETNS
#define PATH_LEN 128

#define SECOND_NS 1000000000ull
/* interval of scanning new processes for new namespaces */
#define RESCAN_NS (5 * SECOND_NS)
/* interval of scanning all processes, because an old process can create a namespace, too */
#define RESCAN_ALL_NS (120 * SECOND_NS)

/*
 * Maximum interval of ticks for which net/dev files stay open. An open net/dev keeps a namespace and its interfaces
 * alive after its container has ended. The kernel takes some time for the cleanup anyway. So with short ticks the files
 * stay open, which saves opening all of them at each tick.
 */
#define KEEP_NS (SECOND_NS + SECOND_NS / 4)
#define KEEP_MAX 256

struct netns {
	ino_t inode;
	uint64_t cookie; /* 0: unknown */
	bool named;
	struct timespec made; /* creation time of the inode, if named */
	char path[PATH_LEN];  /* path of a file of the namespace; empty: lost */
	int fd;		      /* descriptor of net/dev; -1: not open */
};

struct netns_list {
	/* namespaces; the first is the recorder's own, which exists as long as the recorder */
	struct netns *ns;
	size_t size;
	uint32_t n;
	/* times of the last call of netns_look() and of the last scans; 0: none yet */
	uint64_t looked_ns, scanned_ns, scanned_all_ns;
	bool lost; /* a namespace was lost, so another path to it must be found */
	bool keep;
	/* number of open files, without that of the own namespace, and the limit of this number */
	unsigned int nopen, most;
	long newest_pid; /* newest process id at the last scan */
	long nprocesses; /* number of processes in the last listing */
	int loadavg;	 /* descriptor of the file with the newest pid; -1: not usable */
	struct admin *admin;
};

/* ---- paths of namespaces ----------------------------------------------------------------- */

/*
 * Returns true if a file leads to this namespace. Inode numbers are soon reused, but not while a process is in the
 * namespace. If both files are named, their inodes must also have the same creation time.
 */
static bool is_it(const struct netns *ns, const struct stat *st, bool named)
{
	return st->st_ino == ns->inode &&
	       (!named || !ns->named ||
		(st->st_ctim.tv_sec == ns->made.tv_sec && st->st_ctim.tv_nsec == ns->made.tv_nsec));
}

static bool is_there(const struct netns *ns)
{
	struct stat st;

	return !stat(ns->path, &st) && is_it(ns, &st, ns->named);
}

static void close_ns(struct netns_list *l, struct netns *ns)
{
	if (ns->fd < 0)
		return;
	close(ns->fd);
	ns->fd = -1;
	l->nopen--;
}

/* Forgets a namespace that no longer exists and whose inode number was reused. */
static void forget_ns(struct netns_list *l, struct netns *ns)
{
	close_ns(l, ns);
	ns->inode = 0;
	ns->path[0] = '\0';
}

static struct netns *find_ns(struct netns_list *l, const struct stat *st, bool named)
{
	for (uint32_t i = 0; i < l->n; i++) {
		struct netns *ns = &l->ns[i];

		if (is_it(ns, st, named))
			return ns;
		if (st->st_ino == ns->inode)
			forget_ns(l, ns);
	}
	return NULL;
}

static uint64_t cookie_of(const struct netns_list *l, const char *dir, const char *file)
{
	char path[PATH_LEN];
	uint64_t cookie;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	cookie = admin_netns_cookie(l->admin, fd);
	close(fd);
	return cookie;
}

/*
 * Stores a path to a namespace, preferably a path by name, which outlives the processes in the namespace. Also restores
 * a lost namespace, unless the cookie shows that another namespace now has the inode number.
 */
static int note_ns(struct netns_list *l, const struct stat *st, const char *dir, const char *file,
		   bool named)
{
	struct netns *ns = find_ns(l, st, named);
	uint64_t cookie;

	if (ns && (ns == l->ns || (ns->path[0] && (ns->named || !named))))
		return 0;
	cookie = cookie_of(l, dir, file);
	if (ns && ns->cookie && cookie && cookie != ns->cookie) {
		forget_ns(l, ns);
		ns = NULL;
	}
	if (!ns) {
		if (array_reserve(&l->ns, &l->size, l->n + (size_t)1, sizeof(*ns)))
			return -ENOMEM;
		ns = &l->ns[l->n++];
		ns->inode = st->st_ino;
		ns->cookie = cookie;
		ns->fd = -1;
	}
	ns->named = named;
	ns->made = st->st_ctim;
	if (snprintf(ns->path, sizeof(ns->path), "%s/%s", dir, file) >= (int)sizeof(ns->path))
		ns->path[0] = '\0';
	return 0;
}

/* ---- scanning ---------------------------------------------------------------------------- */

/* Checks whether the namespace of a process is new. The check takes about 20 us. */
static int scan_process(struct netns_list *l, int proc, long pid)
{
	char file[32];
	struct stat st;

	snprintf(file, sizeof(file), "%ld/ns/net", pid);
	return fstatat(proc, file, &st, 0) ? 0 : note_ns(l, &st, "/proc", file, false);
}

/* Scans a listing of processes. after: skip processes with ids up to this number, because the last scan saw them. */
static int scan_listed(struct netns_list *l, DIR *dir, long after)
{
	struct dirent *d;
	int err = 0;

	l->nprocesses = 0;
	while (!err && (d = readdir(dir))) {
		long pid = isdigit((unsigned char)d->d_name[0]) ? atol(d->d_name) : 0;

		l->nprocesses += pid > 0;
		if (pid <= after)
			continue;
		if (l->loadavg < 0 && pid > l->newest_pid)
			l->newest_pid = pid;
		err = scan_process(l, dirfd(dir), pid);
	}
	return err;
}

/* Returns the id of the process or thread created last. */
static long newest_pid(const struct netns_list *l)
{
	char text[128], *word;
	ssize_t n = l->loadavg < 0 ? -1 : pread(l->loadavg, text, sizeof(text) - 1, 0);

	if (n <= 0)
		return -1;
	text[n] = '\0';
	word = strrchr(text, ' ');
	return word ? atol(word) : -1;
}

static int scan_processes(struct netns_list *l, bool all)
{
	long after = all ? 0 : l->newest_pid, newest = newest_pid(l);
	DIR *dir;
	int err = 0;

	if (newest >= 0)
		l->newest_pid = newest;
	if (newest >= 0 && newest < after)
		after = 0; /* process ids have wrapped around */
	if (after && newest == after)
		return 0;
	dir = opendir("/proc");
	/* trying an id costs less than listing a process, even if the id does not exist */
	if (dir && after && newest >= 0 && newest - after <= l->nprocesses)
		for (long pid = after + 1; pid <= newest && !err; pid++)
			err = scan_process(l, dirfd(dir), pid);
	else if (dir)
		err = scan_listed(l, dir, after);
	if (dir)
		closedir(dir);
	return err;
}

static int scan_named(struct netns_list *l)
{
	DIR *dir = opendir(NAMED_NETNS);
	struct dirent *d;
	struct stat st;
	int err = 0;

	while (dir && !err && (d = readdir(dir)))
		if (d->d_name[0] != '.' && !fstatat(dirfd(dir), d->d_name, &st, 0))
			err = note_ns(l, &st, NAMED_NETNS, d->d_name, true);
	if (dir)
		closedir(dir);
	return err;
}

int netns_look(struct netns_list *l, uint64_t now)
{
	bool all;
	int err;

	l->keep = l->looked_ns && now - l->looked_ns <= KEEP_NS;
	l->looked_ns = now;
	/*
	 * if processes start and end all the time, scans for each new process would take most of the recorder's CPU
	 * time
	 */
	all = !l->scanned_ns || now - l->scanned_all_ns >= (l->lost ? RESCAN_NS : RESCAN_ALL_NS);
	if (!all && now - l->scanned_ns < RESCAN_NS)
		return 0;
	l->scanned_ns = now;
	if (all) {
		l->scanned_all_ns = now;
		l->lost = false;
	}
	err = scan_processes(l, all);
	return err ? err : scan_named(l);
}

/* ---- opening ----------------------------------------------------------------------------- */

/* Opens net/dev from inside a namespace (CAP_SYS_ADMIN). There is no other way if the namespace has no processes. */
static int open_inside(const struct netns_list *l, const struct netns *at)
{
	struct stat st;
	int fd = admin_netdev(l->admin, at->path + sizeof(NAMED_NETNS), &st);

	if (fd < 0 || is_it(at, &st, true))
		return fd;
	close(fd);
	return -1;
}

static int open_ns(const struct netns_list *l, const struct netns *ns)
{
	char dev[PATH_LEN + 16];

	if (ns->named)
		return open_inside(l, ns);
	if (!is_there(ns))
		return -1;
	snprintf(dev, sizeof(dev), "%.*s/net/dev", (int)(strlen(ns->path) - strlen("/ns/net")),
		 ns->path);
	return open(dev, O_RDONLY | O_CLOEXEC);
}

int netns_open(struct netns_list *l, uint32_t i)
{
	struct netns *ns = &l->ns[i];

	if (!i || !ns->path[0] || (ns->fd >= 0 && is_there(ns)))
		return ns->fd;
	close_ns(l, ns);
	ns->fd = open_ns(l, ns);
	if (ns->fd >= 0) {
		l->nopen++;
	} else {
		ns->path[0] = '\0'; /* the process ended: find another process in the namespace */
		l->lost = true;
	}
	return ns->fd;
}

void netns_done(struct netns_list *l, uint32_t i)
{
	if (i && (!l->keep || l->nopen > l->most))
		close_ns(l, &l->ns[i]);
}

uint32_t netns_count(const struct netns_list *l)
{
	return l->n;
}

/* ---- creation and release ---------------------------------------------------------------- */

/*
 * Opens /proc/loadavg. The file has ids of the recorder's own pid namespace. It is usable only if /proc belongs to the
 * same namespace.
 */
static int open_loadavg(void)
{
	uint64_t own = procfs_inode("/proc/self/ns/pid");

	if (!own || own != procfs_inode("/proc/1/ns/pid"))
		return -1;
	return open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
}

/* Returns the maximum number of open files: a quarter of the descriptor limit, because other code needs the rest. */
static unsigned int most_kept(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur / 4 > KEEP_MAX)
		return KEEP_MAX;
	return (unsigned int)limit.rlim_cur / 4;
}

static int add_own(struct netns_list *l)
{
	l->ns = calloc(1, sizeof(*l->ns));
	l->size = 1;
	if (!l->ns)
		return -ENOMEM;
	l->n = 1;
	l->ns->inode = procfs_inode(OWN_NETNS);
	l->ns->fd = open(OWN_DEV, O_RDONLY | O_CLOEXEC);
	return 0;
}

int netns_new(struct netns_list **lp, struct admin *admin)
{
	struct netns_list *l = calloc(1, sizeof(*l));
	int err;

	*lp = NULL;
	if (!l)
		return -ENOMEM;
	l->most = most_kept();
	l->loadavg = open_loadavg();
	l->admin = admin;
	err = add_own(l);
	if (err)
		netns_free(l);
	else
		*lp = l;
	return err;
}

void netns_free(struct netns_list *l)
{
	if (!l)
		return;
	for (uint32_t i = 0; i < l->n; i++)
		if (l->ns[i].fd >= 0)
			close(l->ns[i].fd);
	if (l->loadavg >= 0)
		close(l->loadavg);
	free(l->ns);
	free(l);
}
