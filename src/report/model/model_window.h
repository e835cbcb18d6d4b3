/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model_window.h: the way from the reader to a model that is about a part of the time. The model gets the records of
 * a trace that was cut to that part.
 */
#ifndef NETCOST_REPORT_MODEL_WINDOW_H
#define NETCOST_REPORT_MODEL_WINDOW_H

#include "model.h"
#include "report/rewrite/rewrite.h"

struct model_window;

/* take: gives the model a record of the window. NULL: no memory. */
struct model_window *model_window_new(const struct cut_plan *plan, struct model *m,
				      int (*take)(struct model *m, const struct trace_record *rec));
void model_window_free(struct model_window *w); /* takes NULL */

int model_window_feed(struct model_window *w, const struct trace_record *rec);
int model_window_read(struct model_window *w, struct trace_reader *r);

#endif
