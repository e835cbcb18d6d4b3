// SPDX-License-Identifier: BSD-2-Clause
#include "settings_doc.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model_doc.h"

/* NULL: there is no value, for that reason. */
static const char *value(const struct model *m, model_str value, model_str why)
{
	return why ? NULL : model_string(m, value);
}

/* What stands for it where a value is shown. */
static const char *shown(const struct model *m, model_str v, model_str why)
{
	return why ? model_string(m, why) : model_string(m, v);
}

char *setting_text(char *dst, size_t size, const struct model *m, const struct model_setting *s)
{
	const char *last = shown(m, s->value, s->why);

	if (model_setting_changed(m, s))
		snprintf(dst, size, "%s, then %s", shown(m, s->first, s->first_why), last);
	else
		snprintf(dst, size, "%s", last);
	return dst;
}

static void row(struct doc *d, const struct model *m, const struct model_setting *s)
{
	char text[SETTING_TEXT];

	doc_row(d, 0, DOC_ALL);
	doc_string(d, model_string(m, s->subject));
	doc_string(d, model_string(m, s->name));
	doc_string(d, setting_text(text, sizeof(text), m, s));
	doc_string(d, value(m, s->first, s->first_why));
	doc_string(d, value(m, s->value, s->why));
	doc_bool(d, model_setting_changed(m, s));
	doc_string(d, s->why ? model_string(m, s->why) : NULL);
	doc_row_end(d);
}

void settings_table(struct doc *d, const struct model *m)
{
	static const struct doc_column column[] = {
		{ .key = "subject",
		  .title = "of",
		  .kind = DOC_STRING,
		  .width = 24,
		  .known = true,
		  .about = "such as net.core, cpu, interface eth0" },
		{ .key = "name",
		  .title = "setting",
		  .kind = DOC_STRING,
		  .width = 28,
		  .known = true },
		{ .title = "value", .kind = DOC_STRING },
		{ .key = "first",
		  .kind = DOC_STRING,
		  .about = "when the recording began; null: not known" },
		{ .key = "value",
		  .kind = DOC_STRING,
		  .about = "when it ended; null: not known, or not there any more" },
		{ .key = "changed", .kind = DOC_BOOL, .about = "while it was recorded" },
		{ .key = "why", .kind = DOC_STRING, .about = "why value is null" },
	};
	const struct doc_table table = { .key = "settings",
					 .about = "of the host, in the order of the trace",
					 .caption = "How the host was set",
					 DOC_COLUMNS_OF(column),
					 .only = m->nsettings ? DOC_ALL : DOC_PROGRAMS };

	doc_table(d, &table);
	for (size_t i = 0; i < m->nsettings; i++)
		row(d, m, &m->setting[i]);
	doc_table_end(d);
}

static size_t changed(const struct model *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->nsettings; i++)
		n += model_setting_changed(m, &m->setting[i]);
	return n;
}

/* Recordings of before there were settings in them have no such line. */
void settings_count(struct doc *d, const struct model *m)
{
	if (!doc_optional(d, m->nsettings))
		return;
	doc_line(d, "context",
		 "%zu settings of the host, %zu changed while recording; --context shows them",
		 m->nsettings, changed(m));
	doc_field_uint(d, "host_settings", m->nsettings);
}

void settings_doc(struct doc *d, const struct model *m)
{
	doc_object(d, NULL);
	doc_heading(d, "%s", "");
	doc_part(d, d->part);
	doc_ended(d, m);
	doc_problems(d, m);
	if (!m->nsettings)
		doc_note(d, "The trace does not say how the host was set.");
	settings_table(d, m);
	doc_object_end(d);
}
