/* SPDX-License-Identifier: BSD-2-Clause */
/* loop.h: when things happen while recording: ticks, frames, signals, the command's end. */
#ifndef NETCOST_LOOP_H
#define NETCOST_LOOP_H

#include <stdbool.h>

struct loop;
struct session;

/*
 * Blocks the signals that end a recording and makes the command's process, which waits. Says what is
 * wrong on stderr.
 */
int loop_new(struct loop **lp, struct session *s);
/* Lets the command begin. Says why it cannot, and then it has not run at all. */
int loop_go(struct loop *l);
/* Runs until it is over. *why: what ended it. */
int loop_run(struct loop *l, const char **why);
/*
 * Ends the command if it still runs. ended: the recording is over because the command ended; then the result is its exit
 * status, 128 + N if signal N killed it. Otherwise the result is 0.
 */
int loop_free(struct loop *l, bool ended);

#endif
