/* SPDX-License-Identifier: BSD-2-Clause */
/* privileges.h: which rights each process of the recorder keeps after the start, and gives up the others. */
#ifndef NETCOST_PRIVILEGES_H
#define NETCOST_PRIVILEGES_H

#include <stddef.h>

/* Processes of the recorder, and what they still do. The values are bits. */
enum privileges {
	PRIVILEGES_NONE = 0, /* starts the commands of --post, which have all rights again */
	PRIVILEGES_RECORDER = 1,
	PRIVILEGES_COMMAND = 2,	  /* with PRIVILEGES_RECORDER: it ends a command */
	PRIVILEGES_CERTIFY = 4,	  /* with PRIVILEGES_RECORDER: it makes a certificate at the end */
	PRIVILEGES_HOST_ROOT = 8, /* with PRIVILEGES_RECORDER: it reads below another root */
	PRIVILEGES_FILES = 16,	  /* the process that creates files for --rotate */
	PRIVILEGES_REPORT = 32,	  /* netcost-report, for --live, --listen and --ring */
};

/*
 * Gives up all capabilities that the process does not need. Unless it needs none, it cannot get new ones from programs
 * that it runs, either. The recorder and PRIVILEGES_FILES also get a filter of system calls, and the latter can change
 * only the directory `dir`. What the kernel does not offer is left out.
 */
void privileges_keep(unsigned int who, int dir);

/* Prints what the processes keep, for --print-privileges. */
void privileges_print(void);

/*
 * Becomes a user, with all the user's groups, in a process that will run a command. Returns 0 or -errno; -ENOENT if
 * there is no such user.
 */
int privileges_become(const char *user);

#endif
