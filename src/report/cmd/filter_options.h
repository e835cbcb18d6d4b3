/* SPDX-License-Identifier: BSD-2-Clause */
/* filter_options.h: the filter that --from, --to, --cpu, --task and --cgroup ask for. */
#ifndef NETCOST_REPORT_FILTER_OPTIONS_H
#define NETCOST_REPORT_FILTER_OPTIONS_H

#include "command.h"
#include "report/model/filter.h"

/* False: reported on stderr; there is nothing to free then. */
bool filter_parse(struct filter *f, const struct config *cfg);

#endif
