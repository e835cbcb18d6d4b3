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

static void ended(struct doc *d, const struct model *m)
{
	const struct trace_status *st = &m->status;
	char damage[400];

	doc_field_bool(d, "complete", st->ended && !st->damages);
	doc_field_string(d, "cut", st->ended || st->damages ? NULL : or_null(st->what));
	doc_field_string(d, "damaged", or_null(model_damage(m, damage, sizeof(damage))));
	doc_field_uint(d, "frames_missing", st->frames_missing);
	doc_field_string(d, "wrong", or_null(m->note));
}

static void only(struct doc *d, const struct filter *f)
{
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

void doc_trace(struct doc *d, const struct model *m)
{
	doc_field_string(d, "file", d->part->file);
	if (d->part->number)
		doc_field_uint(d, "part", d->part->number);
	else
		doc_field_string(d, "part", NULL);
	ended(d, m);
	only(d, m->filter);
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
