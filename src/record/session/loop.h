/* SPDX-License-Identifier: BSD-2-Clause */
/* loop.h: the event loop of a recording: ticks, frames, signals, the end of the command. */
#ifndef NETCOST_LOOP_H
#define NETCOST_LOOP_H

#include <stdbool.h>

struct loop;
struct session;

/* Blocks the signals that end a recording and creates the command's process, which waits. Reports errors on stderr. */
int loop_new(struct loop **lp, struct session *s);
/* Lets the command start. Reports an error if it cannot, and then it has not run at all. */
int loop_go(struct loop *l);
/* Runs until the recording is over. *why: what ended it. */
int loop_run(struct loop *l, const char **why);
/*
 * Terminates the command if it still runs. ended: the recording is over because the command ended; then the result is its
 * exit status, or 128 + N if signal N killed it. Otherwise the result is 0.
 */
int loop_free(struct loop *l, bool ended);

#endif
