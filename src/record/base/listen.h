/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * listen.h: runs `netcost-report export openmetrics --listen` for --listen. This server exports the trace while the
 * recorder writes it.
 */
#ifndef NETCOST_LISTEN_H
#define NETCOST_LISTEN_H

#include "child.h"
#include "config.h"

/*
 * Starts the server for this file, and returns when the server listens. The server ends with child_end(), or when the
 * recorder dies. sigmask: signal mask for the server. If the server does not listen, reports this and returns -errno.
 */
int listen_start(struct child *c, const struct config *cfg, const char *file, const void *sigmask);

#endif
