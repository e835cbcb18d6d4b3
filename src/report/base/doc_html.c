// SPDX-License-Identifier: BSD-2-Clause
/* A report as a piece of an HTML page. */
#include <math.h>
#include <string.h>

#include "doc.h"
#include "html.h"

/* Lines that follow each other are one list. */
static void close_list(struct doc *d)
{
	if (d->in_list)
		html_list_end(d->out);
	d->in_list = false;
}

static void title(struct doc *d, const char *text)
{
	close_list(d);
	if (*text)
		html_heading(d->out, text);
}

static void line(struct doc *d, const char *name, const char *text)
{
	if (!d->in_list)
		html_list(d->out, "facts");
	d->in_list = true;
	html_item(d->out, name, "%s", text);
}

static void subline(struct doc *d, const char *name, const char *of, const char *text)
{
	char both[128];

	snprintf(both, sizeof(both), "%s%s%s", name, *name ? ", " : "", of);
	line(d, both, text);
}

static void note(struct doc *d, const char *text)
{
	close_list(d);
	html_paragraph(d->out, "note", "%s", text + strspn(text, " "));
}

static void alert(struct doc *d, const char *word, const char *text)
{
	close_list(d);
	html_paragraph(d->out, "alert bad", "%s: %s.", word, text);
}

/* ---- tables ------------------------------------------------------------------------------ */

static void begin(struct doc *d, const char *caption)
{
	const struct doc_table *t = d->table;
	struct html_column column[DOC_COLUMNS];
	size_t n = 0;

	close_list(d);
	caption += strspn(caption, " ");
	for (size_t i = 0; i < t->ncolumns; i++) {
		const struct doc_column *c = &t->column[i];

		if (doc_takes(d, i))
			column[n++] = (struct html_column){
				.title = c->kind == DOC_BAR ? NULL : c->title,
				.text = c->kind == DOC_STRING || c->kind == DOC_LIST,
			};
	}
	html_table(d->out, caption, column, n);
}

static void table(struct doc *d)
{
	d->in_table = !d->table->sections;
	if (d->in_table)
		begin(d, d->table->caption ? d->table->caption : d->table->title);
}

static void section(struct doc *d, const char *title)
{
	if (d->in_table)
		html_table_end(d->out);
	begin(d, title);
	d->in_table = true;
}

static void cell(struct doc *d, const struct doc_column *c, const struct doc_cell *cell)
{
	char v[DOC_SHOWN_SIZE], ci[DOC_SHOWN_SIZE];
	struct doc_column half = *c;

	half.sign = false;
	if (c->kind == DOC_BAR)
		html_cell_bar(d->out, cell->v, cell->s);
	else if (cell->blank)
		html_cell(d->out, "");
	else if (c->kind == DOC_LIST)
		html_cell_text(d->out,
			       doc_joined((char[DOC_JOINED_SIZE]){ 0 }, DOC_JOINED_SIZE, cell));
	else if (c->kind == DOC_BOOL)
		html_cell_text(d->out, cell->is ? "yes" : "no");
	else if (c->kind == DOC_STRING)
		html_cell_text(d->out, cell->s ? cell->s : "");
	else if (c->kind == DOC_INTERVAL && !isnan(cell->v))
		html_cell_interval(d->out, doc_shown(v, sizeof(v), c, cell->v),
				   doc_shown(ci, sizeof(ci), &half, cell->ci));
	else
		html_cell(d->out, doc_shown(v, sizeof(v), c, cell->v));
}

/* The first cell is the row's heading, but for one with an interval. */
static void heading(struct doc *d, const struct doc_column *c, const struct doc_cell *cell)
{
	char v[DOC_SHOWN_SIZE];

	if (c->kind == DOC_STRING)
		html_row(d->out, d->depth, cell->s ? cell->s : "");
	else
		html_row(d->out, d->depth, doc_shown(v, sizeof(v), c, cell->v));
}

static void row(struct doc *d)
{
	bool first = true;

	for (size_t i = 0; i < d->table->ncolumns; i++) {
		const struct doc_column *c = &d->table->column[i];
		bool is_heading = first && (c->kind == DOC_STRING || c->kind == DOC_NUMBER);

		if (!doc_takes(d, i))
			continue;
		if (first && !is_heading)
			fputs("<tr>", d->out);
		if (is_heading)
			heading(d, c, &d->cell[i]);
		else
			cell(d, c, &d->cell[i]);
		first = false;
	}
	html_row_end(d->out);
}

static void table_end(struct doc *d)
{
	if (d->in_table)
		html_table_end(d->out);
}

const struct doc_renderer doc_html = {
	.is = DOC_HTML,
	.title = title,
	.line = line,
	.subline = subline,
	.alert = alert,
	.note = note,
	.table = table,
	.row = row,
	.section = section,
	.table_end = table_end,
	.end = close_list,
};
