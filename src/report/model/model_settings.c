// SPDX-License-Identifier: BSD-2-Clause
/* How the host was set. A setting that comes again has changed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "model_impl.h"

static int keep_row(struct model *m, struct trace_column *subject, struct trace_column *name,
		    struct trace_column *value, struct trace_column *why, struct model_setting *s)
{
	const struct {
		struct trace_column *column;
		model_str *to;
	} texts[] = { { subject, &s->subject }, { name, &s->name }, { value, &s->value } };
	const char *text;
	uint32_t len;
	int err = 0;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts) && !err; i++)
		err = trace_column_str(texts[i].column, &text, &len) ?
			      model_keep(m, text, len, texts[i].to) :
			      -EBADMSG;
	if (err)
		return err;
	return trace_column_str(why, &text, &len) ? model_keep_reason(m, text, len, &s->why) :
						    -EBADMSG;
}

int model_context(struct model *m, const struct trace_record *rec)
{
	struct trace_column subject = trace_record_column(rec, TRACE_CONTEXT_SUBJECT);
	struct trace_column name = trace_record_column(rec, TRACE_CONTEXT_NAME);
	struct trace_column value = trace_record_column(rec, TRACE_CONTEXT_VALUE);
	struct trace_column why = trace_record_column(rec, TRACE_CONTEXT_WHY);
	int err;

	if (name.n != subject.n || value.n != subject.n || why.n != subject.n)
		return model_damaged(m, "columns of CONTEXT have different lengths");
	err = array_reserve(&m->setting, &m->cap.setting, m->nsettings + subject.n,
			    sizeof(*m->setting));
	while (subject.n && !err) {
		struct model_setting *s = &m->setting[m->nsettings];

		*s = (struct model_setting){ .place = m->nsettings };
		err = keep_row(m, &subject, &name, &value, &why, s);
		s->first = s->value;
		s->first_why = s->why;
		m->nsettings += !err;
	}
	return err;
}

/* ---- the last, and the first ------------------------------------------------------------- */

int model_setting_compare(const struct model *ma, const struct model_setting *a,
			  const struct model *mb, const struct model_setting *b)
{
	int order = strcmp(model_string(ma, a->subject), model_string(mb, b->subject));

	return order ? order : strcmp(model_string(ma, a->name), model_string(mb, b->name));
}

static int by_name(const void *pa, const void *pb, void *m)
{
	const struct model_setting *a = pa, *b = pb;
	int order = model_setting_compare(m, a, m, b);

	return order ? order : (a->place > b->place) - (a->place < b->place);
}

static int by_place(const void *pa, const void *pb)
{
	const struct model_setting *a = pa, *b = pb;

	return (a->place > b->place) - (a->place < b->place);
}

static bool differ(const struct model *m, model_str a, model_str b)
{
	return strcmp(model_string(m, a), model_string(m, b)) != 0;
}

/* When all have been read: one of each, at the place of its first. */
void model_join_settings(struct model *m)
{
	size_t n = 0;

	if (!m->nsettings)
		return;
	qsort_r(m->setting, m->nsettings, sizeof(*m->setting), by_name, m);
	for (size_t i = 1; i < m->nsettings; i++) {
		const struct model_setting *next = &m->setting[i];
		struct model_setting *s = &m->setting[n];

		if (model_setting_compare(m, s, m, next)) {
			m->setting[++n] = *next;
			continue;
		}
		s->value = next->value;
		s->why = next->why;
	}
	m->nsettings = n + 1;
	qsort(m->setting, m->nsettings, sizeof(*m->setting), by_place);
}

bool model_setting_changed(const struct model *m, const struct model_setting *s)
{
	return differ(m, s->first, s->value) || differ(m, s->first_why, s->why);
}

bool model_setting_known(const struct model *m, const struct model_setting *s)
{
	return (!s->why || !strcmp(model_string(m, s->why), "gone")) && !s->first_why;
}
