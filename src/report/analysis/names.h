/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * names.h: finds the names of processes by pid, from all records of a trace. If one record does not name a process,
 * another record may.
 */
#ifndef NETCOST_REPORT_NAMES_H
#define NETCOST_REPORT_NAMES_H

#include <netcost/idmap.h>

#include "report/model/model.h"

/* Maps each pid to a model_str: the last name of the process, of its first thread, or of any of its threads. */
int names_make(struct idmap *names,
	       const struct model *m); /* Returns 0, or -ENOMEM with nothing to free */

#endif
