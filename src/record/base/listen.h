/* SPDX-License-Identifier: BSD-2-Clause */
/* listen.h: with --listen, `netcost-report export openmetrics --listen`, which serves the trace that we write. */
#ifndef NETCOST_LISTEN_H
#define NETCOST_LISTEN_H

#include "child.h"
#include "config.h"

/*
 * Starts it for this file, and returns when it listens; it ends with child_end(), or when we die.
 * sigmask: for the program. Returns a negative errno if it does not listen; reported.
 */
int listen_start(struct child *c, const struct config *cfg, const char *file, const void *sigmask);

#endif
