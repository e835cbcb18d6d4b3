/* SPDX-License-Identifier: BSD-2-Clause */
/* models.h: traces as models, selected by the options that these commands have in common. */
#ifndef NETCOST_REPORT_MODELS_H
#define NETCOST_REPORT_MODELS_H

#include "command.h"
#include "report/input/input.h"
#include "report/model/filter.h"

/* The filter that --from, --to, --cpu, --task and --cgroup ask for. False: reported; there is nothing to free then. */
bool filter_parse(struct filter *f, const struct trace_options *o);

/*
 * Calls fn with the model of each part of the file that is asked for. keep: enum model_keep; intervals: to fill, or NULL.
 * EXIT_USAGE: the options are wrong, and that was reported.
 */
enum exit_status models_each(const struct trace_options *o, const char *file, unsigned int keep,
			     struct intervals *intervals, input_model_fn *fn, void *ctx);

/* For commands that show one trace: is this part the first one? Counts parts in *seen; reports that there are more. */
bool models_is_first(unsigned int *seen, const struct part *part, const char *verb);

#endif
