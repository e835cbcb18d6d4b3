/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mark.h: moments that the user marks while a recording runs: `netcost-record --mark TEXT`, from any
 * terminal, through a socket that every recording listens on; SIGUSR1.
 *
 * Anybody on the host can reach the socket. Only root and the recorder's own user are listened to; others
 * are sent away before anything that they send is read. So few marks and callers a second are accepted
 * that a flood neither fills the trace nor slows the recording.
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
	uint64_t start_ns; /* of the recording */
	int (*mark)(void *ctx, uint64_t at_ns, const char *text);
};

/* Begins to listen. Where that is not possible, marks_why() says why, and SIGUSR1 still marks. */
int marks_new(struct marks **mp);
void marks_free(struct marks *m);	      /* takes NULL */
const char *marks_why(const struct marks *m); /* empty: it listens */
/* The file that is named in the answer to a caller. */
void marks_set_file(struct marks *m, const char *file);

/* Adds what wakes the loop to an epoll set, which stays open as long as m; events carry `tag`. */
int marks_poll_add(struct marks *m, int epoll_fd, uint64_t tag);
/* Serves who calls. Never waits. Negative: the sink's error. */
int marks_take(struct marks *m, const struct marks_sink *sink);

/* One more mark, in this second? False: too many, which is counted. */
bool marks_allow(struct marks *m);
/* Call it now and then: begins a new second if the last one is over, or nearly. */
void marks_refill(struct marks *m, uint64_t now_ns);
/* What was not taken, in words; empty: nothing. Returns dst. */
char *marks_refused(const struct marks *m, char *dst, size_t size);

/*
 * --mark: asks all recordings of this network namespace, or that of one process (pid, 0: all). Says what
 * came of it. Negative: no mark was made, which was said.
 */
int mark_send(const char *text, unsigned long pid, bool quiet);

#endif
