/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * names.h: names of processes by pid, from all that a trace says: a process that one record does not
 * name may have a name in another.
 */
#ifndef NETCOST_REPORT_NAMES_H
#define NETCOST_REPORT_NAMES_H

#include <netcost/idmap.h>

#include "report/model/model.h"

/* Maps pids to model_str: the last name of the process, of its first thread, or of any thread. */
int names_make(struct idmap *names, const struct model *m); /* -ENOMEM: nothing to free */

#endif
