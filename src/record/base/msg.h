/* SPDX-License-Identifier: BSD-2-Clause */
/* msg.h: messages to the user. Each message is one line on stderr, after the program's name. */
#ifndef NETCOST_MSG_H
#define NETCOST_MSG_H

#include <errno.h>

__attribute__((format(printf, 1, 2))) void msg(const char *fmt, ...);

/*
 * Prints the sentences of reasons (reasons.h), or other text unchanged, and then `after`, which states the consequence.
 */
void msg_reasons(const char *why, const char *after);

/*
 * Error number for a wrong command line. -EINVAL is not used, because it may come from the kernel and is then not the
 * user's fault. No system call returns EDOM.
 */
#define ERR_USAGE (-EDOM)

#endif
