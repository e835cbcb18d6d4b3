/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mark.h: lets the user mark moments while a recording runs: with `netcost-record --mark TEXT` from any terminal,
 * through a socket that every recording listens on, or with SIGUSR1.
 *
 * Any user of the host can reach the socket. The recording accepts only root and the recorder's own user, and rejects
 * other users before it reads any of their data. It limits the rates of marks and callers, so that a flood neither
 * fills the trace nor slows the recording.
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

/* Starts listening. If listening fails, marks_why() returns the reason, and SIGUSR1 still works. */
int marks_new(struct marks **mp);
void marks_free(struct marks *m);	      /* NULL is allowed */
const char *marks_why(const struct marks *m); /* empty if it listens */
/* Sets the file name in the answer to a caller. */
void marks_set_file(struct marks *m, const char *file);

/* Adds m's wakeup descriptor to an epoll set, which must outlive m. Events of the descriptor carry `tag`. */
int marks_poll_add(struct marks *m, int epoll_fd, uint64_t tag);
/* Serves callers. Never blocks. Returns the sink's error if negative. */
int marks_take(struct marks *m, const struct marks_sink *sink);

/* Returns true if one more mark is allowed in this second. If not, counts the refused mark. */
bool marks_allow(struct marks *m);
/* Starts a new second if the last one is over or nearly over. Call it occasionally. */
void marks_refill(struct marks *m, uint64_t now_ns);
/* Describes the marks that were refused. Stores "" if none was. Returns dst. */
char *marks_refused(const struct marks *m, char *dst, size_t size);

/*
 * Sends a mark (--mark) to all recordings of this network namespace or, if pid is not 0, only to the recording of
 * process pid. Prints the result. Returns negative, after printing the reason, if no mark was made.
 */
int mark_send(const char *text, unsigned long pid, bool quiet);

#endif
