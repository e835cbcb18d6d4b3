/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session.h: one recording, from its preparation to its end, with functions in the order of calls: prepare finds out
 * what the host allows, attaches the probes and tests them; then either report_check or record.
 */
#ifndef NETCOST_SESSION_H
#define NETCOST_SESSION_H

struct config;
struct session;

/* Reports errors on stderr and returns negative. */
int session_prepare(struct session **sp, const struct config *cfg);
/* --check: prints a line per event and per source. Negative if the host cannot do all that was requested. */
int session_report_check(const struct session *s);
/*
 * Records until the recording is over. Reports errors on stderr and returns negative. *status: the exit status of the
 * recorded command if it ended by itself; otherwise 0.
 */
int session_record(struct session *s, int *status);
void session_free(struct session *s); /* NULL is allowed */

#endif
