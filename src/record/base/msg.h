/* SPDX-License-Identifier: BSD-2-Clause */
/* msg.h: messages for people: one line each, on stderr, after the program's name. */
#ifndef NETCOST_MSG_H
#define NETCOST_MSG_H

#include <errno.h>

__attribute__((format(printf, 1, 2))) void msg(const char *fmt, ...);

/* Reports the sentences of reasons (reasons.h), or another text as it is; then what follows from them. */
void msg_reasons(const char *why, const char *after);

/* Returned by functions for a wrong command line; the kernel's -EINVAL is not the user's fault. No system call fails so. */
#define ERR_USAGE (-EDOM)

#endif
