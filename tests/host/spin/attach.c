// SPDX-License-Identifier: BSD-2-Clause
#include "spin.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/if_link.h>

#include "tests/host/spin/spin.skel.h" /* made by bpftool from spin.bpf.c, in build/ */

struct attached {
	struct spin_bpf *skel;
	uint16_t port;
	const char *interface;
	int netns, ifindex;    /* network namespace and index of an interface */
	struct bpf_link *link; /* link of a cgroup or of a tracepoint */
	char root[PATH_MAX - 64],
		cgroup[PATH_MAX]; /* path of the hierarchy, and of our cgroup in it */
};

/* ---- a cgroup of our own ----------------------------------------------------------------- */

/* Moves this process into a cgroup. */
static bool cgroup_join(const char *dir)
{
	char path[PATH_MAX + 16];
	bool joined;
	int fd;

	snprintf(path, sizeof(path), "%s/cgroup.procs", dir);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	joined = fd >= 0 && write(fd, "0", 1) == 1;
	if (fd >= 0)
		close(fd);
	return joined;
}

/* Mounts cgroup2 in a private mount namespace if cgroup2 is not mounted. */
static const char *mount_cgroup2(void)
{
	const char *dir = "/sys/fs/cgroup";

	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", dir, "cgroup2", 0, NULL))
		die("mount cgroup2");
	return dir;
}

static void find_cgroup2(char *dir, size_t size)
{
	FILE *f = setmntent("/proc/self/mounts", "re");
	struct mntent *m;

	dir[0] = '\0';
	while (f && !dir[0] && (m = getmntent(f)))
		if (!strcmp(m->mnt_type, "cgroup2"))
			snprintf(dir, size, "%s", m->mnt_dir);
	if (f)
		endmntent(f);
	if (!dir[0])
		snprintf(dir, size, "%s", mount_cgroup2());
}

/* Removes the cgroup however the process ends, except by SIGKILL. The last moments of the process belong to the root
 * cgroup. */
static void cgroup_leave(int status, void *arg)
{
	struct attached *a = arg;

	(void)status;
	if (!cgroup_join(a->root) || rmdir(a->cgroup))
		perror(a->cgroup);
}

static void cgroup_enter(struct attached *a)
{
	find_cgroup2(a->root, sizeof(a->root));
	snprintf(a->cgroup, sizeof(a->cgroup), "%s/netcost-spin-%d", a->root, getpid());
	if (mkdir(a->cgroup, 0755))
		die(a->cgroup);
	on_exit(cgroup_leave, a);
	if (!cgroup_join(a->cgroup))
		die(a->cgroup);
}

/* ---- hooks ------------------------------------------------------------------------------- */

static void leave_qdisc(int status, void *arg)
{
	struct attached *a = arg;
	LIBBPF_OPTS(bpf_tc_hook, hook, .ifindex = a->ifindex,
		    .attach_point = BPF_TC_INGRESS | BPF_TC_EGRESS);

	(void)status;
	if (!setns(a->netns, CLONE_NEWNET))
		bpf_tc_hook_destroy(&hook);
}

static void leave_xdp(int status, void *arg)
{
	struct attached *a = arg;

	(void)status;
	if (!setns(a->netns, CLONE_NEWNET))
		bpf_xdp_detach(a->ifindex, XDP_FLAGS_SKB_MODE, NULL);
}

/* Opens the current namespace, because at exit the process may be in another one. */
static void enter_interface(struct attached *a, void (*leave)(int status, void *arg))
{
	a->netns = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	a->ifindex = (int)if_nametoindex(a->interface);
	on_exit(leave, a);
}

static int attach_qdisc(struct attached *a, const struct bpf_program *prog,
			enum bpf_tc_attach_point point)
{
	LIBBPF_OPTS(bpf_tc_hook, hook, .attach_point = point);
	LIBBPF_OPTS(bpf_tc_opts, opts, .prog_fd = bpf_program__fd(prog));
	int err;

	enter_interface(a, leave_qdisc);
	hook.ifindex = a->ifindex;
	err = bpf_tc_hook_create(&hook);
	return err ? err : bpf_tc_attach(&hook, &opts);
}

static int attach_tc(struct attached *a, const struct bpf_program *prog)
{
	return attach_qdisc(a, prog, BPF_TC_INGRESS);
}

static int attach_port(struct attached *a, const struct bpf_program *prog)
{
	a->skel->bss->port = htons(a->port);
	return attach_qdisc(a, prog, BPF_TC_INGRESS);
}

static int attach_tc_egress(struct attached *a, const struct bpf_program *prog)
{
	return attach_qdisc(a, prog, BPF_TC_EGRESS);
}

static int attach_xdp(struct attached *a, const struct bpf_program *prog)
{
	enter_interface(a, leave_xdp);
	return bpf_xdp_attach(a->ifindex, bpf_program__fd(prog), XDP_FLAGS_SKB_MODE, NULL);
}

static int cgroup_open(struct attached *a)
{
	int fd;

	cgroup_enter(a);
	fd = open(a->cgroup, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Attaches the program without a link, as `bpftool cgroup attach` does: the program stays until the cgroup is
 * removed. */
static int attach_cgroup_only(struct attached *a, const struct bpf_program *prog)
{
	int fd = cgroup_open(a), err;

	if (fd < 0)
		return fd;
	err = bpf_prog_attach(bpf_program__fd(prog), fd, BPF_CGROUP_INET_EGRESS, 0) ? -errno : 0;
	close(fd);
	return err;
}

static int attach_traced(struct attached *a, const struct bpf_program *prog)
{
	a->skel->bss->process = (__u32)getpid();
	a->link = bpf_program__attach(prog);
	return a->link ? 0 : -errno;
}

static int attach_switched(struct attached *a, const struct bpf_program *prog)
{
	a->link = bpf_program__attach(prog);
	return a->link ? 0 : -errno;
}

static int attach_cgroup(struct attached *a, const struct bpf_program *prog)
{
	int fd = cgroup_open(a);

	if (fd < 0)
		return fd;
	a->link = bpf_program__attach_cgroup(prog, fd);
	close(fd);
	return a->link ? 0 : -errno;
}

static const struct hook {
	const char *name, *program;
	int (*attach)(struct attached *a, const struct bpf_program *prog);
	bool in_sender; /* attached to the sender's interface, not to the receiver's */
} hooks[] = {
	{ "tc", "spin_tc", attach_tc, false },
	{ "tc-port", "spin_port", attach_port, false },
	{ "tc-egress", "spin_tc", attach_tc_egress, true },
	{ "xdp", "spin_xdp", attach_xdp, false },
	{ "sendmsg", "spin_sendmsg", attach_cgroup, false },
	{ "egress", "spin_egress", attach_cgroup, false },
	{ "egress-only", "spin_egress", attach_cgroup_only, false },
	{ "recvmsg", "spin_recvmsg", attach_cgroup, false },
	{ "traced", "spin_traced", attach_traced, false },
	{ "switched", "spin_switched", attach_switched, false },
	{ "woken", "spin_woken", attach_switched, false },
	{ "rx", "spin_rx", attach_switched, false },
	{ "none", NULL, NULL, false },
};

static const struct hook *find_hook(const char *name)
{
	for (size_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++)
		if (!strcmp(hooks[i].name, name))
			return &hooks[i];
	return NULL;
}

struct attached *attach(const char *name, uint16_t port, const char *interface, const char *sender,
			const char *receiver)
{
	const struct hook *hook = find_hook(name);
	struct attached *a = calloc(1, sizeof(*a));
	struct bpf_program *prog;
	int err;

	if (!hook || !a)
		return NULL;
	if (!hook->program)
		return a;
	a->port = port;
	enter_netns(hook->in_sender ? sender : receiver);
	a->interface = interface ? interface : load_is_local(receiver) ? "lo" : "eth0";
	a->skel = spin_bpf__open();
	if (!a->skel)
		die("open");
	bpf_object__for_each_program (prog, a->skel->obj)
		bpf_program__set_autoload(prog, !strcmp(bpf_program__name(prog), hook->program));
	err = spin_bpf__load(a->skel);
	if (!err)
		err = hook->attach(a,
				   bpf_object__find_program_by_name(a->skel->obj, hook->program));
	if (err) {
		errno = -err;
		die(name);
	}
	return a;
}

void spin_for(struct attached *a, uint64_t ns)
{
	if (a->skel)
		*(volatile __u64 *)&a->skel->bss->spin_ns = ns;
}

void spin_at(struct attached *a, pid_t task)
{
	if (a->skel)
		*(volatile __u32 *)&a->skel->bss->process = (__u32)task;
}

void spin_for_bytes(struct attached *a, uint64_t byte_ps)
{
	if (a->skel)
		*(volatile __u64 *)&a->skel->bss->byte_ps = byte_ps;
}

struct spun spun_so_far(const struct attached *a)
{
	const volatile struct spin_bpf__bss *b;

	if (!a->skel)
		return (struct spun){ 0 };
	b = a->skel->bss;
	return (struct spun){ b->runs, b->bytes, b->spun_ns, b->longest_ns };
}
