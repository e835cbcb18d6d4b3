/* SPDX-License-Identifier: BSD-2-Clause */
/* plot_gnuplot.h: runs gnuplot. */
#ifndef NETCOST_REPORT_PLOT_GNUPLOT_H
#define NETCOST_REPORT_PLOT_GNUPLOT_H

#include <stdio.h>

/*
 * What gnuplot writes to its stdout when it runs that script, from its beginning; to be closed. NULL: why
 * says what is wrong and what to do, in a line.
 */
FILE *gnuplot_run(FILE *script, char *why, size_t size);

#endif
