/* SPDX-License-Identifier: BSD-2-Clause */
/* tell.h: how netcost-report reports what went wrong. */
#ifndef NETCOST_REPORT_TELL_H
#define NETCOST_REPORT_TELL_H

/* One line on stderr: FILE: text. Both are made safe for terminals. */
__attribute__((format(printf, 2, 3))) void tell(const char *file, const char *fmt, ...);

#endif
