// SPDX-License-Identifier: BSD-2-Clause
#include "tables.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/base/text.h"

/* The columns, which the view defines: times, attributes, the number of rows in a sum, values. */
struct columns {
	struct doc_column column[DOC_COLUMNS];
	char title[STORE_VALUES][64];
	size_t n;
};

static void add(struct columns *c, struct doc_column column)
{
	if (c->n < DOC_COLUMNS)
		c->column[c->n++] = column;
}

static void add_value(struct columns *c, const struct trace_key_desc *k, size_t i)
{
	bool ns = k->unit && !strcmp(k->unit, "ns");
	char *unit;

	snprintf(c->title[i], sizeof(c->title[i]), "%s", k->name);
	for (char *p = c->title[i]; *p; p++)
		*p = *p == '_' ? ' ' : *p;
	if (ns && (unit = strrchr(c->title[i], ' '))) /* the values have units */
		*unit = '\0';
	add(c, (struct doc_column){ .key = k->name,
				    .title = c->title[i],
				    .brief_title = c->title[i],
				    .unit = ns ? TEXT_NS : TEXT_PLAIN,
				    .width = 12,
				    .brief = true,
				    .whole = true,
				    .spare = i ? (uint8_t)(i < 250 ? i : 250) : 0,
				    .about = *k->doc ? k->doc : NULL });
}

static void add_attribute(struct columns *c, const struct view_attribute *a)
{
	add(c, (struct doc_column){ .key = a->name,
				    .title = a->name,
				    .kind = a->number ? DOC_NUMBER : DOC_STRING,
				    .width = a->number ? 8 : 20,
				    .cut = 48,
				    .optional = true,
				    .about = a->about && *a->about ? a->about : NULL });
}

/* all: adds all columns that a request can choose, for the schema */
static void make_columns(struct columns *c, const struct view_shown *s, bool all)
{
	const struct view *v = s->view;

	c->n = 0;
	if (s->times || all) {
		add(c,
		    (struct doc_column){
			    .key = "begin_s",
			    .title = "from s",
			    .precision = 6,
			    .decimals = 3,
			    .fixed = true,
			    .width = 10,
			    .optional = true,
			    .about =
				    "start of the interval, in seconds since the recording began" });
		add(c, (struct doc_column){ .key = "end_s",
					    .title = "to s",
					    .precision = 6,
					    .decimals = 3,
					    .fixed = true,
					    .optional = true,
					    .width = 10 });
	}
	for (size_t i = 0; i < (all ? v->nattributes : s->order->nby); i++)
		add_attribute(c, &v->attribute[all ? i : s->order->by[i]]);
	add(c,
	    (struct doc_column){
		    .key = "others",
		    .known = true,
		    .about =
			    "number of hidden rows that this row sums up; 0: the row is not a sum" });
	for (size_t i = 0; i < v->nvalues; i++)
		add_value(c, v->value[i], i);
}

static void word(struct doc *d, const struct view_attribute *a, const struct view_word *w)
{
	if (a->number)
		doc_number(d, w->n == TRACE_NIL ? NAN : (double)w->n);
	else
		doc_string(d, w->s && *w->s ? w->s : NULL);
}

/* Adds the words of a row. others: the text for the row that sums up the hidden rows. */
static void words(struct doc *d, const struct view_shown *s, const struct view_row *r,
		  const char *others)
{
	for (size_t i = 0; i < s->order->nby; i++) {
		const struct view_attribute *a = &s->view->attribute[s->order->by[i]];

		if (r->others && !i && !a->number && doc_is_for(d, DOC_PEOPLE))
			doc_string(d, others);
		else
			word(d, a, &r->by[i]);
	}
}

static void rows(struct doc *d, const struct view_shown *s, const struct view_rows *r,
		 const struct interval *piece)
{
	char others[48];

	for (size_t i = 0; i < r->n; i++) {
		doc_row(d, 0, DOC_ALL);
		if (s->times) {
			doc_number(d, model_seconds(s->m, piece ? piece->begin_ns : TRACE_NIL));
			doc_number(d, model_seconds(s->m, piece ? piece->end_ns : TRACE_NIL));
		}
		snprintf(others, sizeof(others), "%s", COUNT(r->row[i].others, "other"));
		words(d, s, &r->row[i], others);
		doc_number(d, (double)r->row[i].others);
		for (size_t k = 0; k < s->view->nvalues; k++)
			doc_number(d, r->row[i].value[k]);
		doc_row_end(d);
	}
}

static void all_rows(struct doc *d, const void *ctx)
{
	const struct view_shown *s = ctx;

	if (s->rows)
		rows(d, s, s->rows, NULL);
	for (size_t i = 0; s->times && i < s->times->n; i++)
		rows(d, s, &s->times->piece[i], &s->intervals->row[i]);
}

static void notes(struct doc *d, const struct view_rows *r)
{
	doc_about(
		d,
		"number of times that a counter decreased; the increase since the previous reading is not included in any row");
	doc_field_uint(d, "fell", r->fell);
	doc_about(d,
		  "number of readings that are in no row, because the number of rows is limited");
	doc_field_uint(d, "left_out", r->left_out);
	if (r->fell)
		doc_note(d,
			 "  counters decreased %" PRIu64
			 " times; the increase since the previous reading is in no row",
			 r->fell);
	if (r->left_out)
		doc_note(d,
			 "  %" PRIu64
			 " readings are in no row, because the number of rows is limited",
			 r->left_out);
}

void view_table(struct doc *d, const struct view_shown *s)
{
	const struct view_rows none = { .n = 0 };
	const struct doc_rows all = { .add = all_rows, .ctx = s };
	struct doc_table t = { .key = "rows",
			       .title = s->view->use ? s->view->use->title : s->view->about,
			       .above = true,
			       .tight = true };
	struct columns columns;

	make_columns(&columns, s, doc_is_schema(d));
	t.column = columns.column;
	t.ncolumns = columns.n;
	doc_fitted(d, &t, &all);
	notes(d, s->rows		 ? s->rows :
		 s->times && s->times->n ? &s->times->piece[s->times->n - 1] :
					   &none);
}

void view_doc(struct doc *d, const struct view_shown *s)
{
	doc_object(d, NULL);
	doc_heading(d, "%s", "");
	doc_trace(d, s->m);
	doc_field_constant(d, "view", s->view->name);
	view_table(d, s);
	if (s->view->type == TRACE_PEERS) {
		doc_about(
			d,
			"time in which messages were counted; less than counted_of_s: only in windows");
		doc_field(d, "counted_s", s->m->followed.on_ns * 1e-9, 9);
		doc_field(d, "counted_of_s", s->m->followed.all_ns * 1e-9, 9);
		followed_note(d, s->m, true);
	}
	doc_object_end(d);
}
