/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * blackbox.h: the child process of --ring, which keeps the last pieces of the recording in memory and writes a trace of
 * these pieces for each cause: see netcost/blackbox.h.
 */
#ifndef NETCOST_RECORD_BLACKBOX_H
#define NETCOST_RECORD_BLACKBOX_H

#include <netcost/blackbox.h>

#include "child.h"
#include "config.h"
#include "output.h"
#include "series.h"

struct blackbox {
	struct child child;
	int fd; /* socket of the child; -1: there is no black box */
	/* the trace that the child is writing; after that, the name of this trace */
	struct output out;
	struct series_name name;
};

#define BLACKBOX_NONE                                                                              \
	{                                                                                          \
		.child = { .pid = -1, .pidfd = -1, .go_fd = -1, .err_fd = -1 }, .fd = -1,          \
		.out = OUTPUT_NONE                                                                 \
	}

/*
 * Starts the child. Reports errors; returns ERR_USAGE if the child ends at once, which it does if --trigger is invalid.
 */
int blackbox_start(struct blackbox *b, const struct config *cfg);
/* Sends a message with a descriptor, or without one if fd is -1. */
void blackbox_send(const struct blackbox *b, enum blackbox_message what, int fd);
/* Waits for a message and stores its text. Returns its first byte, or 0 if the child has ended. */
int blackbox_receive(const struct blackbox *b, char text[BLACKBOX_MOST]);
void blackbox_end(struct blackbox *b);

#endif
