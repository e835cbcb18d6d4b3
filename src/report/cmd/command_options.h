/* SPDX-License-Identifier: BSD-2-Clause */
/* command_options.h: the options of each command. */
#ifndef NETCOST_REPORT_COMMAND_OPTIONS_H
#define NETCOST_REPORT_COMMAND_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <netcost/options.h>

/* The commands in the order of --help. The first is the default. */
enum command_id {
	SUMMARY,
	TOP,
	WHO,
	TIMELINE,
	LATENCY,
	PATH,
	LIVE,
	DIFF,
	HTML,
	FLAMEGRAPH,
	FOLDED,
	PLOT,
	EXPORT,
	COUNTS,
	SQL,
	INFO,
	VERIFY,
	CUT,
	MERGE,
	SCRUB,
	RECOVER,
	DUMP,
	BUGREPORT,
	ACCURACY,
	RULES,
	SCHEMA,
	COMMANDS
};

#define OPTIONS_MOST 32 /* largest number of options of a command */

/* Fills the list of the options of a command. Returns their number. */
size_t command_options(enum command_id command, struct opt_desc opts[OPTIONS_MOST]);

/* Returns true if some command has the option and takes its value from the next argument. */
bool option_takes_next(const char *arg);

#endif
