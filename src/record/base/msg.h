/* SPDX-License-Identifier: BSD-2-Clause */
/* msg.h: what the program says to people: one line each, on stderr, with its name in front. */
#ifndef NETCOST_MSG_H
#define NETCOST_MSG_H

__attribute__((format(printf, 1, 2))) void msg(const char *fmt, ...);

#endif
