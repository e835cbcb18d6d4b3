/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * session.h: one recording, from its parts to its end. Verbs in the order of calls: prepare finds
 * out what the host allows, attaches it and tests it; then either report_check, or record.
 */
#ifndef NETCOST_SESSION_H
#define NETCOST_SESSION_H

struct config;
struct session;

/* Says what is wrong on stderr and returns negative. */
int session_prepare(struct session **sp, const struct config *cfg);
/* --check: a line an event, a line a source. Negative if the host cannot do all that was asked for. */
int session_report_check(const struct session *s);
/*
 * Records until it is over. Says what is wrong on stderr and returns negative. *status: the exit status of the recorded
 * command, if it ended by itself; otherwise 0.
 */
int session_record(struct session *s, int *status);
void session_free(struct session *s); /* takes NULL */

#endif
