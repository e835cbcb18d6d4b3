// SPDX-License-Identifier: BSD-2-Clause
/* counts: what records of a type count, as a table that follows from the registry (analysis/view.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "report/analysis/view.h"
#include "report/base/text.h"
#include "report/tables/info_doc.h"
#include "report/tables/view_doc.h"

#define ROWS 20 /* unless --rows says otherwise */

static bool exists(const struct report *r)
{
	struct view v;

	return view_make(&v, r->by);
}

static int build(struct doc *d, const struct report_part *p)
{
	const struct options *o = p->options;
	bool by_time = o->every_ns && !doc_is_schema(d);
	struct view_order order = { .rows = o->rows };
	struct view_rows rows = { .n = 0 };
	struct view v;
	char err[1024];
	int failed = 0;

	if (!view_make(&v, o->by) ||
	    !view_order_parse(&order, &v, o->by_names, o->sort_name, err, sizeof(err)))
		return -ENOMEM; /* counts_run() has checked what was given */
	if (by_time && p->collected->view_times.no_memory)
		return -ENOMEM;
	if (!by_time)
		failed = view_rows_make(&rows, &v, &order, p->m, model_answer(p->m, v.type), false);
	if (failed)
		return failed;
	view_doc(d, &(struct view_shown){ .view = &v,
					  .order = &order,
					  .rows = by_time ? NULL : &rows,
					  .times = by_time ? &p->collected->view_times : NULL,
					  .intervals = p->intervals,
					  .m = p->m });
	view_rows_free(&rows);
	return 0;
}

static const char *lacks(const struct model *m, const struct options *o, char *buf)
{
	const struct trace_type_desc *desc = trace_type_desc(o->by);

	if (m->records[desc->type])
		return NULL;
	snprintf(buf, LACKS_SIZE, "has no records of %s", desc->name);
	return buf;
}

#define KEEP (MODEL_PROCESSES | MODEL_CGROUPS)
#define VIEW(NAME, name_)                                                                          \
	{ "counts-" name_, .build = build,     .lacks_for = lacks, .csv = "rows",                  \
	  .keep = KEEP,	   .by = TRACE_##NAME, .exists = exists,   .collect = COLLECT_VIEW },
#define OF_COUNTER VIEW
#define OF_SINCE VIEW
#define OF_MOMENT(NAME, name_)
#define OF_WHOLE(NAME, name_)

const struct report counts_reports[] = {
#define X(id, NAME, name, of, doc) OF_##of(NAME, name)
	TRACE_TYPES(X)
#undef X
		{ 0 },
};

void counts_list(FILE *out)
{
	struct view v;

	fputs("Tables, each with what its rows can be of:\n", out);
	for (unsigned int type = 1; type < TRACE_TYPES_MAX; type++) {
		if (!view_make(&v, type))
			continue;
		fprintf(out, "  %-14s ", v.name);
		for (size_t i = 0; i < v.nattributes; i++)
			fprintf(out, "%s%s", i ? ", " : "", v.attribute[i].name);
		fprintf(out, "\n                   %s\n", v.about);
	}
}

enum exit_status counts_run(const struct options *given)
{
	struct options o = *given;
	struct view_order order = { 0 };
	const struct report *r = counts_reports;
	struct view v;
	char err[1024];

	o.by = view_find(o.operand[0]);
	if (!o.by) {
		fprintf(stderr,
			"netcost-report: counts: there is no table '%s': see counts --help\n",
			o.operand[0]);
		return EXIT_USAGE;
	}
	if (view_make(&v, o.by) &&
	    !view_order_parse(&order, &v, o.by_names, o.sort_name, err, sizeof(err))) {
		fprintf(stderr, "netcost-report: counts: %s\n", err);
		return EXIT_USAGE;
	}
	o.rows = o.rows ? o.rows : ROWS;
	o.ask = (const uint8_t[]){ (uint8_t)o.by, 0 };
	while (r->by != o.by)
		r++;
	return report_run(r, &o);
}
