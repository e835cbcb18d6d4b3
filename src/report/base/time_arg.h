/* SPDX-License-Identifier: BSD-2-Clause */
/* time_arg.h: moments of a trace, as people write them on a command line. */
#ifndef NETCOST_REPORT_TIME_ARG_H
#define NETCOST_REPORT_TIME_ARG_H

#include <stdbool.h>
#include <stdint.h>

enum time_anchor {
	TIME_OPEN, /* where the trace begins, or ends */
	TIME_SINCE_START,
	TIME_BEFORE_END,
	TIME_AT_MARK,
};

struct time_arg {
	enum time_anchor anchor;
	uint64_t ns;
	const char *mark; /* its text */
};

/* "2.5", "2.5s", "500ms", "1m30s", "-10s", "mark:TEXT". False: it is none of these. */
bool time_arg_parse(const char *text, struct time_arg *t);

#endif
