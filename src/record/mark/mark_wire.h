/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mark_wire.h: defines the protocol between `netcost-record --mark` and a recording: one request and one answer between
 * two processes of one host, over a seqpacket socket with an abstract name.
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
	uint64_t at_ns;	 /* time in CLOCK_MONOTONIC of the sender's time namespace, ns */
	uint64_t timens; /* number of the sender's time namespace */
	char text[MARK_TEXT_MAX + 1];
};

enum mark_status {
	MARK_TAKEN,
	MARK_BUSY,    /* too many marks in this second */
	MARK_REFUSED, /* this user may not mark */
	MARK_WRONG,   /* the message is not a request */
};

struct mark_answer {
	char magic[8];
	uint64_t status; /* enum mark_status */
	char file[MARK_FILE_MAX + 1];
};

/* Returns the number of this process's time namespace. Returns 0 if the kernel has no time namespaces. */
uint64_t mark_timens(void);

/*
 * These functions return the size of the message. They return -EINVAL if the text cannot be sent, and -EBADMSG if the n
 * received bytes are not a message.
 */
int mark_request_make(struct mark_request *r, const char *text, uint64_t at_ns);
int mark_request_check(struct mark_request *r, size_t n);
int mark_answer_make(struct mark_answer *a, enum mark_status status, const char *file);
int mark_answer_check(struct mark_answer *a, size_t n);

/*
 * Returns the marked time on the recording's clock. This is the sender's time if both have the same clock and the time
 * is within the recording; otherwise it is the current time.
 */
uint64_t mark_time(const struct mark_request *r, uint64_t timens, uint64_t start_ns,
		   uint64_t now_ns);

#endif
