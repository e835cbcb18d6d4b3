/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session.h: makes one recording, from its preparation to its end. The functions are in the order of their calls.
 * session_prepare() finds out what the host allows, attaches the probes and tests them. Then either
 * session_report_check() or session_record() is called.
 */
#ifndef NETCOST_SESSION_H
#define NETCOST_SESSION_H

struct config;
struct session;

/* Prepares a recording. Prints errors on stderr and returns negative. */
int session_prepare(struct session **sp, const struct config *cfg);
/* Prints a line per event and per source (--check). Returns negative if the host lacks something that was requested. */
int session_report_check(struct session *s);
/*
 * Records until the duration ends, the command exits or a signal comes. Prints errors on stderr and returns negative.
 * *status is the exit status of the recorded command if it ended by itself, otherwise 0.
 */
int session_record(struct session *s, int *status);
void session_free(struct session *s); /* NULL is allowed */

#endif
