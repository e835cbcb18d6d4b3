/* SPDX-License-Identifier: BSD-2-Clause */
/* loop.h: what happens when while recording: ticks, frames, signals, the command's end. */
#ifndef NETCOST_LOOP_H
#define NETCOST_LOOP_H

struct config;
struct loop;
struct marks;
struct sampler;

/* Each returns 0, or a negative errno that ends the recording. */
struct loop_hooks {
	void *ctx;
	int (*ring)(void *ctx);	   /* samples are waiting */
	int (*tick)(void *ctx);	   /* counters are due */
	int (*flush)(void *ctx);   /* a frame is due */
	int (*clock)(void *ctx);   /* the clocks are due */
	int (*count)(void *ctx);   /* what the programs do is counted from here on … */
	int (*uncount)(void *ctx); /* … to here; it is when the loop begins */
	int (*mark)(void *ctx);	   /* the user marks this moment: SIGUSR1 */
	int (*call)(void *ctx);	   /* somebody wants to mark one: --mark */
	void (*progress)(void *ctx, double seconds);
};

/*
 * Blocks the signals that end a recording and makes the command's process, which waits. Says what is
 * wrong on stderr.
 */
int loop_new(struct loop **lp, const struct config *cfg, struct sampler *sampler,
	     struct marks *marks);
/* Lets the command begin and runs until it is over. *why: what ended it. */
int loop_run(struct loop *l, const struct loop_hooks *hooks, const char **why);
/* Ends the command if it still runs. */
void loop_free(struct loop *l);

#endif
