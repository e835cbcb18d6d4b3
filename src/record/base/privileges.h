/* SPDX-License-Identifier: BSD-2-Clause */
/* privileges.h: determines which rights each process of the recorder keeps after the start, and drops the others. */
#ifndef NETCOST_PRIVILEGES_H
#define NETCOST_PRIVILEGES_H

#include <stdbool.h>

/* Processes of the recorder, and what they still do. The values are bits. */
enum privileges {
	PRIVILEGES_NONE = 0, /* starts the commands of --post, which get all rights again */
	PRIVILEGES_RECORDER = 1,
	PRIVILEGES_COMMAND = 2,	  /* with PRIVILEGES_RECORDER: it ends a command */
	PRIVILEGES_CERTIFY = 4,	  /* with PRIVILEGES_RECORDER: it makes a certificate at the end */
	PRIVILEGES_HOST_ROOT = 8, /* with PRIVILEGES_RECORDER: it reads below another root */
	PRIVILEGES_FILES = 16,	  /* the process that creates files for --rotate */
	PRIVILEGES_REPORT = 32,	  /* netcost-report, for --live, --listen and --ring */
	PRIVILEGES_ADMIN = 64,	  /* the process of kernel/admin.h */
	PRIVILEGES_STARTER = 256, /* starts recorders (--ab); see privileges_keep_for_recorders() */
	PRIVILEGES_STACKS = 128,  /* with PRIVILEGES_RECORDER: it reads stacks of user space */
};

/*
 * Gives up all capabilities that the process does not need. Unless who is PRIVILEGES_NONE, it cannot gain new ones by
 * running a program, either. The recorder, PRIVILEGES_FILES and PRIVILEGES_ADMIN also get a filter of system calls, and
 * PRIVILEGES_FILES can change only the directory `dir`. Restrictions that the kernel does not support are skipped.
 */
void privileges_keep(unsigned int who, int dir);

/*
 * Gives up all capabilities that neither this process nor the recorders that it forks need. Only those that this
 * process needs itself stay effective. A recorder calls privileges_use_all() first.
 */
void privileges_keep_for_recorders(void);
void privileges_use_all(void);

/* Returns whether a capability is effective in this thread. */
bool privileges_has(int cap);

/* Prints what the processes keep, for --print-privileges. */
void privileges_print(void);

/*
 * Becomes a user, with all the user's groups, in a process that will run a command. Returns 0 or -errno; -ENOENT if
 * there is no such user.
 */
int privileges_become(const char *user);

#endif
