/* SPDX-License-Identifier: BSD-2-Clause */
/* tell.h: the one way in which netcost-report says what went wrong. */
#ifndef NETCOST_REPORT_TELL_H
#define NETCOST_REPORT_TELL_H

/* One line on stderr: FILE: what. Neither can do anything to a terminal. */
__attribute__((format(printf, 2, 3))) void tell(const char *file, const char *fmt, ...);

#endif
