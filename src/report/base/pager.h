/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pager.h: text that is longer than the terminal goes through a pager, as with git: $NETCOST_PAGER, else $PAGER, else less -FRX; ""
 * and "cat" are none.
 */
#ifndef NETCOST_REPORT_PAGER_H
#define NETCOST_REPORT_PAGER_H

/* Keeps what is written to stdout until pager_end(), if that is a terminal. It may be called again. */
void pager_begin(void);
/* Shows what was kept. After it nothing may be written. */
void pager_end(void);
/* The descriptor of stdout, or of the terminal that it was. */
int pager_stdout(void);

#endif
