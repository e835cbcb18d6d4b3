/* SPDX-License-Identifier: BSD-2-Clause */
/* interval_option.h: what commands that print a row for each piece of time have in common. */
#ifndef NETCOST_REPORT_INTERVAL_OPTION_H
#define NETCOST_REPORT_INTERVAL_OPTION_H

#include "command.h"
#include "report/analysis/intervals.h"

#define OPT_INTERVAL(options)                                                                      \
	{                                                                                          \
		.name = "every", .kind = OPT_STR, .arg = "TIME",                                   \
		.offset = offsetof(options, every),                                                \
		.help = "a row for each 1s, 500ms …, as near as ticks allow (each tick)"         \
	}

/* NULL: each tick, 0. False: told. */
bool interval_parse(const char *text, uint64_t *every_ns);
void intervals_tell_too_many(const char *title);
/* False: told: there are no rows to print, or too many. */
bool intervals_fit(const struct intervals *iv, const char *title);

#endif
