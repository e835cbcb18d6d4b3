/* SPDX-License-Identifier: BSD-2-Clause */
/* msg.h: messages for people: one line each, on stderr, after the program's name. */
#ifndef NETCOST_MSG_H
#define NETCOST_MSG_H

__attribute__((format(printf, 1, 2))) void msg(const char *fmt, ...);

#endif
