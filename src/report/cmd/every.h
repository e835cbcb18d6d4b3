/* SPDX-License-Identifier: BSD-2-Clause */
/* every.h: what commands that print a row for each piece of time have in common. */
#ifndef NETCOST_REPORT_EVERY_H
#define NETCOST_REPORT_EVERY_H

#include "command.h"
#include "report/analysis/intervals.h"

#define OPT_EVERY                                                                                  \
	{                                                                                          \
		.name = "every", .kind = OPT_STR, .arg = "TIME",                                   \
		.offset = offsetof(struct config, every),                                          \
		.help = "a row for each 1s, 500ms …, as near as ticks allow (each tick)"         \
	}

/* NULL: each tick, 0. False: told. */
bool every_parse(const char *text, uint64_t *every_ns);
/* False: told: there are no rows to print, or too many. */
bool every_fits(const struct intervals *iv, const char *title);

#endif
