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

/* Calls fn with the model of no trace, for what is known of a report without one. EXIT_FAILED: no memory; reported. */
enum exit_status models_empty(enum exit_status (*fn)(void *ctx, const struct model *empty),
			      void *ctx);

/* For commands that show one trace: is this part the first one? Counts parts in *seen; reports that there are more. */
bool models_is_first(unsigned int *seen, const struct part *part, const char *verb);

/* ---- pieces of time ---------------------------------------------------------------------- */

#define OPT_INTERVAL(type)                                                                         \
	OPT_TEXT(type, every, "every", "TIME",                                                     \
		 "a row for each 1s, 500ms ..., as near as ticks allow (each tick)")

/* text NULL: each tick; *every_ns is 0 then. False: wrong; reported. */
bool interval_parse(const char *text, uint64_t *every_ns);
void intervals_tell_too_many(const char *title);
/* False: there are no rows to print, or too many; reported. */
bool intervals_fit(const struct intervals *iv, const char *title);

#endif
