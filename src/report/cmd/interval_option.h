/* SPDX-License-Identifier: BSD-2-Clause */
/* interval_option.h: for commands that print a row for each piece of time. */
#ifndef NETCOST_REPORT_INTERVAL_OPTION_H
#define NETCOST_REPORT_INTERVAL_OPTION_H

#include "command.h"
#include "report/analysis/intervals.h"

#define OPT_INTERVAL(type)                                                                         \
	OPT_TEXT(type, every, "every", "TIME",                                                     \
		 "a row for each 1s, 500ms ..., as near as ticks allow (each tick)")

/* text NULL: each tick; *every_ns is 0 then. False: wrong; reported. */
bool interval_parse(const char *text, uint64_t *every_ns);
void intervals_tell_too_many(const char *title);
/* False: there are no rows to print, or too many; reported. */
bool intervals_fit(const struct intervals *iv, const char *title);

#endif
