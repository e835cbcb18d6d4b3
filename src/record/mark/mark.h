/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mark.h: moments that the user marks while a recording runs: `netcost-record --mark TEXT`, from
 * any terminal, through a socket that every recording listens on; or SIGUSR1.
 *
 * Any user of the host can reach the socket. Only root and the recorder's own user are accepted;
 * others are rejected before any of their data is read. The rates of marks and callers are limited,
 * so that a flood neither fills the trace nor slows the recording.
 */
#ifndef NETCOST_MARK_H
#define NETCOST_MARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MARKS_A_SECOND 100

struct marks;

struct marks_sink {
	void *ctx;
	uint64_t start_ns; /* start of the recording */
	int (*mark)(void *ctx, uint64_t at_ns, const char *text);
};

/* Starts listening. If that is not possible, marks_why() has the reason, and SIGUSR1 still works. */
int marks_new(struct marks **mp);
void marks_free(struct marks *m);	      /* NULL is allowed */
const char *marks_why(const struct marks *m); /* empty: it listens */
/* Sets the file name in the answer to a caller. */
void marks_set_file(struct marks *m, const char *file);

/* Adds the descriptor that wakes the loop to an epoll set, which must outlive m; events carry `tag`. */
int marks_poll_add(struct marks *m, int epoll_fd, uint64_t tag);
/* Serves callers. Never blocks. Negative: the sink's error. */
int marks_take(struct marks *m, const struct marks_sink *sink);

/* Requests one more mark in this second. False: too many, which is counted. */
bool marks_allow(struct marks *m);
/* Call it occasionally: starts a new second if the last one is over, or nearly. */
void marks_refill(struct marks *m, uint64_t now_ns);
/* Describes the marks that were refused; empty: none. Returns dst. */
char *marks_refused(const struct marks *m, char *dst, size_t size);

/*
 * --mark: asks all recordings of this network namespace, or that of one process (pid, 0: all).
 * Reports the result. Negative: no mark was made, which is reported.
 */
int mark_send(const char *text, unsigned long pid, bool quiet);

#endif
