/* SPDX-License-Identifier: BSD-2-Clause */
/* fate_doc.h: what became of received packets, in tables: of a recording, and of two. */
#ifndef NETCOST_REPORT_FATE_DOC_H
#define NETCOST_REPORT_FATE_DOC_H

#include <stddef.h>

#include <netcost/fates.h>

#include "report/base/text.h"

struct doc;

#define FATE_TITLE "RX softirq and threaded NAPI: whose"

extern const char
	*const fate_keys[]; /* for programs, in the order of enum netcost_fate; NULL-terminated */

/* For people; what: why dropped, or where forwarded to; "": not known, or not of those. Returns dst. */
const char *fate_text(char *dst, size_t size, enum netcost_fate fate, const char *what);
#define FATE_TEXT (SAFE_SIZE + 64)

/* For programs: two columns, and their cells. */
#define FATE_COLUMN                                                                                \
	{                                                                                          \
		.key = "fate", .kind = DOC_STRING, .known = true, .choices = fate_keys             \
	}
#define FATE_WHAT_COLUMN                                                                           \
	{                                                                                          \
		.key = "what", .kind = DOC_STRING,                                                 \
		.about =                                                                           \
			"why dropped, or the interface that they were forwarded to; null: not of " \
			"those"                                                                    \
	}
void fate_cells(struct doc *d, enum netcost_fate fate, const char *what);

#endif
