// SPDX-License-Identifier: BSD-2-Clause
#include "privileges.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "syscall_filter.h"

/* ---- capabilities ------------------------------------------------------------------------ */

#define RECORDER PRIVILEGES_RECORDER
#define FILES PRIVILEGES_FILES
#define ADMIN PRIVILEGES_ADMIN
#define STARTER PRIVILEGES_STARTER

/* The capabilities, and their descriptions. keep: the processes that keep the capability after the start. */
static const struct privileges_row {
	int cap;
	unsigned int keep;
	const char *name, *what;
} privileges_table[] = {
	{ CAP_BPF, RECORDER, "CAP_BPF", "exact times, packet latency and paths" },
	{ CAP_PERFMON, RECORDER, "CAP_PERFMON", "samples, and everything that needs CAP_BPF" },
	{ CAP_SYSLOG, RECORDER, "CAP_SYSLOG",
	  "function names, if kernel.kptr_restrict is at most 1" },
	{ CAP_SYS_ADMIN, ADMIN, "CAP_SYS_ADMIN",
	  "interfaces of unused namespaces; cost of BPF programs" },
	{ CAP_SYS_PTRACE, RECORDER | STARTER, "CAP_SYS_PTRACE",
	  "network namespaces of other users' processes; --user-stacks" },
	{ CAP_CHECKPOINT_RESTORE, PRIVILEGES_STACKS, "CAP_CHECKPOINT_RESTORE",
	  "deleted files that processes execute, for --user-stacks" },
	{ CAP_DAC_READ_SEARCH, RECORDER | ADMIN, "CAP_DAC_READ_SEARCH",
	  "paths of older cgroups; names of containers; energy (RAPL)" },
	{ CAP_NET_ADMIN, RECORDER, "CAP_NET_ADMIN", "settings of the firewall; --certify" },
	{ CAP_KILL, PRIVILEGES_COMMAND | STARTER, "CAP_KILL",
	  "ending a COMMAND that runs as another user" },
	{ CAP_DAC_OVERRIDE, FILES | PRIVILEGES_REPORT | STARTER, "CAP_DAC_OVERRIDE",
	  "files in folders of other users" },
	{ CAP_FOWNER, FILES | STARTER, "CAP_FOWNER", "renaming and removing files of other users" },
	{ CAP_CHOWN, FILES, "CAP_CHOWN", "giving files to the user who called sudo" },
	{ CAP_NET_BIND_SERVICE, PRIVILEGES_REPORT, "CAP_NET_BIND_SERVICE",
	  "--listen on a port below 1024" },
	{ CAP_SETUID, 0, "CAP_SETUID", "--user" },
	{ CAP_SETGID, 0, "CAP_SETGID", "--user" },
	{ CAP_IPC_LOCK, 0, "CAP_IPC_LOCK", "more memory for samples than `ulimit -l` allows" },
};

#define NPRIVILEGES (sizeof(privileges_table) / sizeof(privileges_table[0]))

/* The processes, and their names in the table. */
static const struct {
	unsigned int who;
	const char *name, *what;
} privileges_processes[] = {
	{ RECORDER | PRIVILEGES_COMMAND | PRIVILEGES_STACKS, "recorder", "the recorder itself" },
	{ ADMIN, "admin",
	  "the process that makes the few calls for which Linux demands CAP_SYS_ADMIN" },
	{ FILES, "files", "with --rotate: the process that creates and removes the files" },
	{ PRIVILEGES_REPORT, "report", "with --live, --listen and --ring: netcost-report" },
};

#define NPROCESSES (sizeof(privileges_processes) / sizeof(privileges_processes[0]))

static uint64_t kept(unsigned int who)
{
	uint64_t caps = 0;

	for (size_t i = 0; i < NPRIVILEGES; i++)
		if (privileges_table[i].keep & who)
			caps |= UINT64_C(1) << privileges_table[i].cap;
	return caps;
}

/*
 * Reduces the permitted capabilities to `caps`. The effective set becomes the permitted part of `effective`. The
 * inheritable and ambient sets become empty.
 */
static void limit_capabilities(uint64_t caps, uint64_t effective)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct set[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (syscall(SYS_capget, &head, set))
		return;
	for (unsigned int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		set[i].permitted &= (uint32_t)(caps >> 32 * i);
		set[i].effective = set[i].permitted & (uint32_t)(effective >> 32 * i);
		set[i].inheritable = 0;
	}
	syscall(SYS_capset, &head, set);
}

bool privileges_has(int cap)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct set[_LINUX_CAPABILITY_U32S_3] = { 0 };

	return !syscall(SYS_capget, &head, set) &&
	       set[CAP_TO_INDEX(cap)].effective & CAP_TO_MASK((unsigned int)cap);
}

/* ---- folders ----------------------------------------------------------------------------- */

/* Returns the version of Landlock, 0 if the kernel has none. */
static int landlock_version(void)
{
	long version =
		syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

	return version < 0 ? 0 : (int)version;
}

/* Allows files to be created, written, renamed and removed in one directory, and nothing anywhere else. */
static void limit_to_folder(int dir)
{
	/* version 1 of Landlock has 13 rights, version 2 adds REFER, version 3 adds TRUNCATE */
	int version = landlock_version(), rights = version > 2 ? 15 : version + 12;
	struct landlock_ruleset_attr all = { .handled_access_fs = (1u << rights) - 1 };
	struct landlock_path_beneath_attr folder = {
		.allowed_access = (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG |
				   LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REFER) &
				  all.handled_access_fs,
		.parent_fd = dir,
	};
	int fd = version ? (int)syscall(SYS_landlock_create_ruleset, &all,
					sizeof(all.handled_access_fs), 0) :
			   -1;

	if (fd < 0)
		return;
	if (!syscall(SYS_landlock_add_rule, fd, LANDLOCK_RULE_PATH_BENEATH, &folder, 0))
		syscall(SYS_landlock_restrict_self, fd, 0);
	close(fd);
}

/* ---- all --------------------------------------------------------------------------------- */

void privileges_keep(unsigned int who, int dir)
{
	uint64_t caps = kept(who);

	/* the kernel accepts CAP_SYS_ADMIN in place of CAP_BPF and CAP_PERFMON */
	if (who & RECORDER && !(privileges_has(CAP_BPF) && privileges_has(CAP_PERFMON)))
		caps |= UINT64_C(1) << CAP_SYS_ADMIN;
	for (int cap = 0; who && cap < 64; cap++)
		if (!(caps >> cap & 1))
			prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
	limit_capabilities(caps, caps);
	if (who)
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (who & FILES)
		limit_to_folder(dir);
	if (who & (RECORDER | FILES | ADMIN))
		syscall_filter_load(who);
}

/* CAP_SETUID and CAP_SETGID were needed to start COMMAND, which runs already. Recorders need the other capabilities. */
void privileges_keep_for_recorders(void)
{
	uint64_t caps = 0, own = kept(STARTER);

	for (size_t i = 0; i < NPRIVILEGES; i++)
		if (privileges_table[i].cap != CAP_SETUID && privileges_table[i].cap != CAP_SETGID)
			caps |= UINT64_C(1) << privileges_table[i].cap;
	limit_capabilities(caps, own);
}

void privileges_use_all(void)
{
	limit_capabilities(UINT64_MAX, UINT64_MAX);
}

static void print_row(const struct privileges_row *row)
{
	char names[64] = "-";
	size_t len = 0;

	for (size_t i = 0; i < NPROCESSES; i++)
		if (row->keep & privileges_processes[i].who)
			len += (size_t)snprintf(names + len, sizeof(names) - len, "%s%s",
						len ? ", " : "", privileges_processes[i].name);
	printf("%-22s  %-15s  %s\n", row->name, names, row->what);
}

void privileges_print(void)
{
	char folder[64] = "not restricted, because this kernel has no Landlock";

	printf("%-22s  %-15s  %s\n", "capability", "kept by", "for");
	for (size_t i = 0; i < NPRIVILEGES; i++)
		print_row(&privileges_table[i]);
	puts("\nAll other capabilities are dropped when the recording has begun; these are kept until its end by");
	for (size_t i = 0; i < NPROCESSES; i++)
		printf("  %-9s %s\n", privileges_processes[i].name, privileges_processes[i].what);
	puts("These processes cannot gain capabilities (NoNewPrivs). The commands of --post, and COMMAND\nwithout --user, have the capabilities of the user who starts the recording.\nWith --ab, the process that starts the recorders passes these capabilities on to them, and uses\nCAP_SYS_PTRACE, CAP_KILL, CAP_DAC_OVERRIDE and CAP_FOWNER itself.\n");
	if (landlock_version())
		snprintf(folder, sizeof(folder),
			 "only the folder of FILE can be changed (Landlock %d)",
			 landlock_version());
	printf("system calls of recorder, admin and files: %s\nwritable folders: %s\n",
	       syscall_filter_text(), folder);
}

int privileges_become(const char *user)
{
	const struct passwd *p;

	errno = 0;
	p = getpwnam(user);
	if (!p)
		return errno ? -errno : -ENOENT;
	if (getuid() == p->pw_uid && geteuid() == p->pw_uid)
		return 0;
	if (initgroups(p->pw_name, p->pw_gid) || setgid(p->pw_gid) || setuid(p->pw_uid))
		return -errno;
	setenv("USER", p->pw_name, 1);
	setenv("LOGNAME", p->pw_name, 1);
	setenv("HOME", p->pw_dir, 1);
	return 0;
}
