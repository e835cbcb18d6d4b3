/* SPDX-License-Identifier: BSD-2-Clause */
/* processes_doc.h: tables of processes, and of what they are grouped by: what they did, and what they pay for. */
#ifndef NETCOST_REPORT_PROCESSES_DOC_H
#define NETCOST_REPORT_PROCESSES_DOC_H

#include <netcost/fates.h>

#include "report/analysis/processes_shares.h"
#include "report/base/doc.h"
#include "report/base/text.h"

extern const char *const processes_by_names[];	 /* in the order of enum processes_by */
extern const char *const processes_sort_names[]; /* … processes_sort */

/* -ENOMEM. */
int processes_doc(struct doc *d, const struct processes *p, enum processes_sort sort);
/* Only the table; explained: with what it is compared with, what was not measured, and where energy went. */
void processes_table(struct doc *d, const struct processes *p, bool explained);
/*
 * Who pays for received packets, if that was recorded: the n for which most was received. fates: and what became of all of
 * them. -ENOMEM.
 */
int processes_owners(struct doc *d, const struct model *m, enum processes_by by, size_t n,
		     bool fates);

/* ---- names for people: no byte in them does harm anywhere. All of them return dst -------------- */

/* Enough for processes_name() of any row. */
#define PROCESSES_NAME (2 * SAFE_SIZE + 64)
/* A row of a table. */
const char *processes_name(char *dst, size_t size, const struct processes *p,
			   const struct processes_row *r);
/* Where there is little room: "nginx 200", "[ksoftirqd/0] 7", the end of a cgroup's path, the container in it. */
char *process_title(char *dst, size_t size, const struct processes *p,
		    const struct processes_row *r);
/* "user 1000", by its id, "" where that is not known; kernel: instead all threads of the kernel. */
void process_user_title(char *dst, size_t size, const char *id, bool kernel);
/* The end of a path, which says more than its beginning. */
char *process_path(char *dst, size_t size, const char *path);

/* ---- what became of received packets: of a recording, and of two -------------------------------- */

#define FATE_TITLE "RX softirq and threaded NAPI: whose"

/* For programs, in the order of enum netcost_fate; NULL-terminated. */
extern const char *const fate_keys[];
/* For people; what: why dropped, or where forwarded to; "": not known, or not of those. Returns dst. */
const char *fate_text(char *dst, size_t size, enum netcost_fate fate, const char *what);
#define FATE_TEXT (SAFE_SIZE + 64)

/* Members of two columns for programs. */
#define FATE_COLUMN .key = "fate", .kind = DOC_STRING, .known = true, .choices = fate_keys
#define FATE_WHAT_COLUMN                                                                           \
	.key = "what", .kind = DOC_STRING,                                                         \
	.about = "why dropped, or the interface that they were forwarded to; null: not of those"

/* ---- for processes_doc.c: tables of rows --------------------------------------------------------- */

void processes_rows(struct doc *d, const struct processes *p, const struct processes_energy *e);
/* Who pays for received packets. */
void processes_payers(struct doc *d, const struct processes *p, const struct owners *o);

#endif
