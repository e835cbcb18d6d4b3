/* SPDX-License-Identifier: BSD-2-Clause */
/* view_doc.h: views (analysis/view.h) as tables. */
#ifndef NETCOST_REPORT_VIEW_DOC_H
#define NETCOST_REPORT_VIEW_DOC_H

#include "report/analysis/view.h"
#include "report/base/doc.h"

/* A view and its rows; times: by piece of time, of these intervals; NULL: of all the time. */
struct view_shown {
	const struct view *view;
	const struct view_order *order;
	const struct view_rows *rows;
	const struct view_times *times;
	const struct intervals *intervals;
	const struct model *m;
};

/* The table alone. */
void view_table(struct doc *d, const struct view_shown *s);
/* As an object of its own. */
void view_doc(struct doc *d, const struct view_shown *s);

#endif
