// SPDX-License-Identifier: BSD-2-Clause
#include "doc_fit.h"

#include <math.h>
#include <string.h>

#include "text.h"

/* A last column that takes what is left is left so much room, if it needs it, and has so much in any case. */
#define REST 26
#define LEAST 10

/* What a column shows in any row, in rising order. */
enum said { SAID_MISSING, SAID_ZERO, SAID_SOMETHING };

struct doc_survey {
	enum said said[DOC_COLUMNS];
	size_t longest[DOC_COLUMNS];
};

/* ---- what rows show ---------------------------------------------------------------------- */

static enum said said(const struct doc_column *c, const struct doc_cell *cell, const char *text)
{
	if (cell->blank || !*text)
		return SAID_MISSING;
	if (doc_text_is_left(c))
		return SAID_SOMETHING;
	if (isnan(cell->v))
		return SAID_MISSING;
	return strpbrk(text, "123456789") ? SAID_SOMETHING : SAID_ZERO;
}

static void survey_row(struct doc *d)
{
	struct doc_survey *s = d->survey;

	for (size_t i = 0; i < d->table->ncolumns; i++) {
		const struct doc_column *c = &d->table->column[i];
		char buf[SAFE_SIZE];
		const char *text;
		enum said what;

		if (!doc_takes(d, i))
			continue;
		text = doc_text_shown(d, buf, sizeof(buf), c, &d->cell[i]);
		what = said(c, &d->cell[i], text);
		if (what > s->said[i])
			s->said[i] = what;
		if (strlen(text) > s->longest[i])
			s->longest[i] = strlen(text);
	}
}

static const struct doc_renderer surveyor = { .is = DOC_TEXT, .row = survey_row };

static void look(struct doc_survey *s, const struct doc *d, const struct doc_table *t,
		 doc_rows_fn *rows, const void *ctx)
{
	struct doc looks = { .renderer = &surveyor, .part = d->part, .survey = s };

	doc_table(&looks, t);
	rows(&looks, ctx);
	doc_table_end(&looks);
}

/* ---- what is left out -------------------------------------------------------------------- */

static size_t width_of(const struct doc_fit *f)
{
	size_t width = DOC_TEXT_INDENT;
	bool first = true;

	for (size_t i = 0; i < f->table.ncolumns; i++) {
		const struct doc_column *c = &f->column[i];

		if (!doc_left_may_be(c))
			continue;
		if (!first)
			width += doc_text_is_left(c) ? 2 : 1;
		width += c->width;
		first = false;
	}
	return width;
}

static size_t needs(const struct doc *d, const struct doc_column *c, size_t longest)
{
	size_t title = strlen(doc_text_title(d, c));

	return longest > title ? longest : title;
}

static void set_width(struct doc_fit *f, const struct doc *d, const struct doc_survey *s, size_t i)
{
	struct doc_column *c = &f->column[i];
	size_t width;

	if (!doc_left_may_be(c))
		return;
	width = needs(d, c, s->longest[i]);
	if (c->spare && s->said[i] == SAID_MISSING)
		doc_left_add(d, c, f->left.missing);
	else if (c->spare && s->said[i] == SAID_ZERO)
		doc_left_add(d, c, f->left.zero);
	else if (c->width || width < REST)
		c->width = (uint8_t)(width < UINT8_MAX ? width : UINT8_MAX);
	else
		c->width = REST;
}

/* The last column takes what is left. */
static void set_rest(struct doc_fit *f, const struct doc_table *t, size_t columns)
{
	size_t last = t->ncolumns;

	while (last && !doc_left_may_be(&f->column[last - 1]))
		last--;
	if (!last || t->column[last - 1].width)
		return;
	f->width -= f->column[last - 1].width;
	f->room = f->width + LEAST < columns ? columns - f->width : LEAST;
	f->column[last - 1].width = 0;
	f->column[last - 1].cut = (uint8_t)f->room;
}

void doc_fit(struct doc_fit *f, const struct doc *d, const struct doc_table *t, doc_rows_fn *rows,
	     const void *ctx)
{
	size_t columns = d->terminal.columns ? d->terminal.columns : TEXT_COLUMNS;
	struct doc_survey s = { 0 };

	*f = (struct doc_fit){ .table = *t, .room = SIZE_MAX };
	memcpy(f->column, t->column, t->ncolumns * sizeof(*t->column));
	f->table.column = f->column;
	if (d->renderer->is != DOC_TEXT || d->wide || !doc_is_for(d, t->only))
		return;
	look(&s, d, t, rows, ctx);
	for (size_t i = 0; i < t->ncolumns; i++)
		set_width(f, d, &s, i);
	while (width_of(f) > columns && doc_left_add_rank(&f->left, d, f->column, t->ncolumns))
		;
	f->width = width_of(f);
	set_rest(f, t, columns);
}

void doc_fit_note(struct doc *d, const struct doc_fit *f)
{
	char text[1024];

	if (*doc_left_text(text, sizeof(text), &f->left))
		doc_note(d, "%s", text);
}
