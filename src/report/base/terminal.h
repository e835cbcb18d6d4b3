/* SPDX-License-Identifier: BSD-2-Clause */
/* terminal.h: what text is written for: a terminal, and what that can show; or a file. */
#ifndef NETCOST_REPORT_TERMINAL_H
#define NETCOST_REPORT_TERMINAL_H

#include <stdbool.h>

/* Zeroed: a file. */
struct terminal {
	unsigned int columns; /* that text is to fit; 0: there is no such limit */
	bool colors;
	bool bars;
	bool utf8; /* bars may be of what is not ASCII */
};

extern const char *const terminal_colors[]; /* auto, always, never; the last one NULL */

/* What stdout is. colors: of terminal_colors; NULL: auto. "always" takes it for a terminal, whatever it is. */
struct terminal terminal_of_stdout(const char *colors);

#endif
