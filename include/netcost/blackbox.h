/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * blackbox.h: messages between netcost-record --ring and its child, netcost-report --ring, over a seqpacket socket. The
 * recorder writes one piece of the recording after another, each into an unnamed file in memory. The child keeps the
 * most recent pieces, evaluates the triggers, and writes a trace for each trigger that fires. The trace has a mark with
 * the cause.
 */
#ifndef NETCOST_BLACKBOX_H
#define NETCOST_BLACKBOX_H

/* The first byte of a message. */
enum blackbox_message {
	BLACKBOX_PIECE =
		'p', /* recorder: the descriptor of the next piece; the previous piece is complete */
	BLACKBOX_END = 'e',   /* recorder: the last piece is complete */
	BLACKBOX_READY = 'r', /* child: the triggers are valid */
	BLACKBOX_MARK = 'm',  /* child: mark this moment; the text follows */
	BLACKBOX_TURN = 't',  /* child: begin the next piece at the next tick */
	BLACKBOX_OPEN =
		'o', /* child: requests a file; recorder: its descriptor, or none after an error */
	BLACKBOX_DONE = 'd', /* child: the requested file is complete */
	/* child: the requested file is incomplete; the child has reported the error */
	BLACKBOX_FAILED = 'f'
};

#define BLACKBOX_MOST 512 /* maximum size of a message */

#endif
