/* SPDX-License-Identifier: BSD-2-Clause */
/* privileges.h: determines which rights each process of the recorder keeps after the start, and drops the others. */
#ifndef NETCOST_PRIVILEGES_H
#define NETCOST_PRIVILEGES_H

#include <stdbool.h>

/*
 * Bits for the recorder's processes and, together with PRIVILEGES_RECORDER, for operations that the recorder performs
 * later.
 */
enum privileges {
	/* the process that starts the commands of --post; the commands regain all rights */
	PRIVILEGES_NONE = 0,
	PRIVILEGES_RECORDER = 1,
	PRIVILEGES_COMMAND = 2, /* the recorder ends a command */
	/* the recorder makes a certificate at the end */
	PRIVILEGES_CERTIFY = 4,
	/* the recorder reads files below --host-root */
	PRIVILEGES_HOST_ROOT = 8,
	PRIVILEGES_FILES = 16,	  /* the process that creates files for --rotate */
	PRIVILEGES_REPORT = 32,	  /* netcost-report, for --live, --listen and --ring */
	PRIVILEGES_ADMIN = 64,	  /* the process of kernel/admin.h */
	PRIVILEGES_STARTER = 256, /* starts recorders (--ab); see privileges_keep_for_recorders() */
	/* the recorder reads user-space stacks */
	PRIVILEGES_STACKS = 128,
};

/*
 * Gives up all capabilities that the process does not need. Unless `who` is PRIVILEGES_NONE, the process cannot gain
 * capabilities by running a program. The recorder, PRIVILEGES_FILES and PRIVILEGES_ADMIN also get a filter of system
 * calls, and PRIVILEGES_FILES can change only the directory `dir`. Restrictions that the kernel does not support are
 * skipped.
 */
void privileges_keep(unsigned int who, int dir);

/*
 * Gives up all capabilities that neither this process nor the recorders that it forks need. Only the capabilities that
 * this process itself needs stay effective. A recorder calls privileges_use_all() first.
 */
void privileges_keep_for_recorders(void);
void privileges_use_all(void);

/* Returns true if a capability is effective in this thread. */
bool privileges_has(int cap);

/* Prints the rights that each process keeps, for --print-privileges. */
void privileges_print(void);

/*
 * Becomes a user, with all the user's groups, in a process that will run a command. Returns 0 or -errno; -ENOENT if
 * there is no such user.
 */
int privileges_become(const char *user);

#endif
