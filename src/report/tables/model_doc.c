// SPDX-License-Identifier: BSD-2-Clause
#include "model_doc.h"

#include <string.h>

#include "report/model/filter.h"

void doc_model_string(struct doc *d, const char *key, const struct model *m, model_str s)
{
	doc_field_string(d, key, s ? model_string(m, s) : NULL);
}

void doc_model_strings(struct doc *d, const char *key, const struct model *m,
		       struct model_strs list)
{
	const char *p = model_string(m, list.first);

	doc_array(d, key);
	for (uint32_t i = 0; i < list.n; i++, p += strlen(p) + 1)
		doc_field_string(d, NULL, p);
	doc_array_end(d);
}

static const char *or_null(const char *text)
{
	return *text ? text : NULL;
}

void doc_ended(struct doc *d, const struct model *m)
{
	const struct trace_status *st = &m->status;
	char damage[400];

	doc_field_bool(d, "complete", st->ended && !st->damages);
	doc_field_string(d, "cut", st->ended || st->damages ? NULL : or_null(st->what));
	doc_field_string(d, "damaged", or_null(model_damage(m, damage, sizeof(damage))));
	doc_field_uint(d, "frames_missing", st->frames_missing);
	doc_field_string(d, "wrong", or_null(m->note));
}

void doc_only(struct doc *d, const struct model *m)
{
	const struct filter *f = m->filter;

	if (!filter_has_cpus(f) && !filter_has_tasks(f)) {
		doc_field_string(d, "only", NULL);
		return;
	}
	doc_object(d, "only");
	doc_field_string(d, "cpus", f->cpu_list);
	doc_field_string(d, "tasks", f->tasks);
	doc_field_string(d, "cgroup", f->cgroup);
	doc_object_end(d);
}

void doc_part(struct doc *d, const struct part *part)
{
	doc_field_string(d, "file", part->file);
	if (part->number)
		doc_field_uint(d, "part", part->number);
	else
		doc_field_string(d, "part", NULL);
}

void doc_trace(struct doc *d, const struct model *m)
{
	doc_part(d, d->part);
	doc_ended(d, m);
	doc_only(d, m);
}

void doc_marks(struct doc *d, const struct model *m, size_t n)
{
	static const struct doc_column column[] = {
		{ .key = "s", .precision = 6 },
		{ .key = "text", .kind = DOC_STRING },
	};
	const struct doc_table table = {
		.key = "marks", .column = column, .ncolumns = 2, .only = DOC_PROGRAMS
	};

	doc_table(d, &table);
	for (size_t i = 0; i < m->nmoments && i < n; i++) {
		doc_row(d, 0, DOC_PROGRAMS);
		doc_number(d, model_seconds(m, m->moment[i].at_ns));
		doc_string(d, model_string(m, m->moment[i].text));
		doc_row_end(d);
	}
	doc_table_end(d);
}

void doc_filter(struct doc *d, const struct model *m)
{
	const struct filter *f = m->filter;

	if (filter_has_cpus(f))
		doc_line(d, "only", "CPUs %s", f->cpu_list);
	if (filter_has_tasks(f))
		doc_line(d, "only", "samples of%s%s%s%s%s", f->tasks ? " the tasks " : "",
			 f->tasks ? f->tasks : "", f->tasks && f->cgroup ? " in" : "",
			 f->cgroup ? " the cgroup " : "", f->cgroup ? f->cgroup : "");
}
