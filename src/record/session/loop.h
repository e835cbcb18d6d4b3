/* SPDX-License-Identifier: BSD-2-Clause */
/* loop.h: runs the event loop of a recording: ticks, frames, signals, and the end of the command. */
#ifndef NETCOST_LOOP_H
#define NETCOST_LOOP_H

#include <stdbool.h>

struct loop;
struct session;

/* Blocks the signals that end a recording, and creates the command's process, which waits. Prints errors on stderr. */
int loop_new(struct loop **lp, struct session *s);
/* Lets the command start. If it cannot start, prints an error; the command has then not run at all. */
int loop_go(struct loop *l);
/* Runs until the recording ends. *why is the reason for the end. */
int loop_run(struct loop *l, const char **why);
/*
 * Terminates the command if it still runs. ended: set if the recording ended because the command ended. In that case,
 * returns the command's exit status, or 128 + N if signal N killed the command. Otherwise returns 0.
 */
int loop_free(struct loop *l, bool ended);

#endif
