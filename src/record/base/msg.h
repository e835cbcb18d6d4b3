/* SPDX-License-Identifier: BSD-2-Clause */
/* msg.h: messages to the user: one line each on stderr, after the program's name. */
#ifndef NETCOST_MSG_H
#define NETCOST_MSG_H

#include <errno.h>

__attribute__((format(printf, 1, 2))) void msg(const char *fmt, ...);

/*
 * Reports the sentences of reasons (reasons.h), or other text unchanged, followed by `after`, which
 * states the consequence.
 */
void msg_reasons(const char *why, const char *after);

/*
 * Returned for a wrong command line; the kernel's -EINVAL is not the user's fault. No system call returns this errno.
 */
#define ERR_USAGE (-EDOM)

#endif
