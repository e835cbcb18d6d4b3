/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mark_wire.h: the protocol between `netcost-record --mark` and a recording, over a seqpacket
 * socket with an abstract name: one request, one answer, between two processes of one host.
 */
#ifndef NETCOST_MARK_WIRE_H
#define NETCOST_MARK_WIRE_H

#include <stddef.h>
#include <stdint.h>

#define MARK_NAME "netcost-record/" /* followed by the recorder's process id */
#define MARK_TEXT_MAX 4095
#define MARK_FILE_MAX 4095

struct mark_request {
	char magic[8];
	uint64_t at_ns;	 /* CLOCK_MONOTONIC of the sender's time namespace */
	uint64_t timens; /* that namespace's number */
	char text[MARK_TEXT_MAX + 1];
};

enum mark_status {
	MARK_TAKEN,
	MARK_BUSY,    /* too many at a time */
	MARK_REFUSED, /* not for this user */
	MARK_WRONG,   /* not a request */
};

struct mark_answer {
	char magic[8];
	uint64_t status; /* enum mark_status */
	char file[MARK_FILE_MAX + 1];
};

/* Number of this process's time namespace; 0: the kernel has none. */
uint64_t mark_timens(void);

/*
 * All of these return the size of the message; negative: -EINVAL if the text cannot be sent,
 * -EBADMSG if the n received bytes are not a message.
 */
int mark_request_make(struct mark_request *r, const char *text, uint64_t at_ns);
int mark_request_check(struct mark_request *r, size_t n);
int mark_answer_make(struct mark_answer *a, enum mark_status status, const char *file);
int mark_answer_check(struct mark_answer *a, size_t n);

/*
 * Returns the marked moment on our clock: the sender's time, if its clock is ours and the time is
 * within our recording; otherwise now.
 */
uint64_t mark_time(const struct mark_request *r, uint64_t timens, uint64_t start_ns,
		   uint64_t now_ns);

#endif
