// SPDX-License-Identifier: BSD-2-Clause
/* Pieces of an HTML page, and a report as one. */
#include "render.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "doc.h"
#include "text.h"

#define LINE 2048 /* bytes: what is longer is cut */

void html_text(FILE *out, const char *s)
{
	escape_xml(out, s, SIZE_MAX);
}

static void put(FILE *out, const char *fmt, va_list ap)
{
	char line[LINE];

	vsnprintf(line, sizeof(line), fmt, ap);
	html_text(out, line);
}

void html_printf(FILE *out, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put(out, fmt, ap);
	va_end(ap);
}

void html_paragraph(FILE *out, const char *class, const char *fmt, ...)
{
	va_list ap;

	if (class)
		fprintf(out, "<p class=\"%s\">", class);
	else
		fputs("<p>", out);
	va_start(ap, fmt);
	put(out, fmt, ap);
	va_end(ap);
	fputs("</p>\n", out);
}

/* ---- lists ------------------------------------------------------------------------------- */

void html_list(FILE *out, const char *class)
{
	fprintf(out, "<dl class=\"%s\">\n", class);
}

void html_item(FILE *out, const char *name, const char *fmt, ...)
{
	va_list ap;

	fputs("<div><dt>", out);
	html_text(out, name);
	fputs("</dt><dd>", out);
	va_start(ap, fmt);
	put(out, fmt, ap);
	va_end(ap);
	fputs("</dd></div>\n", out);
}

void html_list_end(FILE *out)
{
	fputs("</dl>\n", out);
}

void html_legend(FILE *out, const char *color, const char *fmt, ...)
{
	va_list ap;

	fprintf(out,
		"<li><svg class=\"chip\" viewBox=\"0 0 1 1\" aria-hidden=\"true\">"
		"<rect width=\"1\" height=\"1\" fill=\"%s\"/></svg>",
		color);
	va_start(ap, fmt);
	put(out, fmt, ap);
	va_end(ap);
	fputs("</li>\n", out);
}

/* ---- a report ---------------------------------------------------------------------------- */

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
	if (!*text)
		return;
	fputs("<h3>", d->out);
	html_text(d->out, text);
	fputs("</h3>\n", d->out);
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

/* ---- its tables -------------------------------------------------------------------------- */

/* In a box that scrolls if it is too narrow. */
static void begin(struct doc *d, const char *caption)
{
	const struct doc_table *t = d->table;

	close_list(d);
	caption += strspn(caption, " ");
	fputs("<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"", d->out);
	html_text(d->out, caption);
	fprintf(d->out, "\"><table%s>\n<caption>", t->sortable ? " class=\"sortable\"" : "");
	html_text(d->out, caption);
	fputs("</caption>\n<thead><tr>", d->out);
	for (size_t i = 0; i < t->ncolumns; i++) {
		const struct doc_column *c = &t->column[i];

		if (!doc_takes(d, i))
			continue;
		if (c->kind == DOC_BAR) {
			fputs("<td class=\"bar\"></td>", d->out);
			continue;
		}
		fprintf(d->out, "<th scope=\"col\"%s>", doc_is_text(c) ? " class=\"t\"" : "");
		html_text(d->out, c->title);
		fputs("</th>", d->out);
	}
	fputs("</tr></thead>\n<tbody>\n", d->out);
}

static void table(struct doc *d)
{
	d->in_table = !d->table->sections;
	if (d->in_table)
		begin(d, d->table->caption ? d->table->caption : d->table->title);
}

static void table_end(struct doc *d)
{
	if (d->in_table)
		fputs("</tbody></table></div>\n", d->out);
}

static void section(struct doc *d, const char *title)
{
	table_end(d);
	begin(d, title);
	d->in_table = true;
}

/* ---- their rows -------------------------------------------------------------------------- */

/* As long as the share is of the whole. */
static void bar(FILE *out, double share, const char *color)
{
	double percent = isnan(share) ? 0 : 100 * fmin(fmax(share, 0), 1);

	fprintf(out,
		"<svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
		"aria-hidden=\"true\"><rect width=\"%.2f\" height=\"10\" fill=\"%s\"/></svg>",
		percent, color);
}

/* The content, without the tags around it. */
static void content(FILE *out, const struct doc_column *c, const struct doc_cell *cell)
{
	char v[DOC_SHOWN_SIZE], ci[DOC_SHOWN_SIZE], list[DOC_JOINED_SIZE];
	struct doc_column half = *c;

	half.sign = false;
	if (cell->blank)
		return;
	if (c->kind == DOC_BAR)
		bar(out, cell->v, cell->s);
	else if (c->kind == DOC_LIST)
		html_text(out, doc_joined(list, sizeof(list), cell));
	else if (c->kind == DOC_BOOL)
		html_text(out, cell->is ? "yes" : "no");
	else if (c->kind == DOC_STRING)
		html_text(out, cell->s ? cell->s : "");
	else
		html_text(out, doc_shown(v, sizeof(v), c, cell->v));
	if (c->kind == DOC_INTERVAL && !isnan(cell->v) && cell->ci != 0) /* 0: counted */
		fprintf(out, " <small>± %s</small>", doc_shown(ci, sizeof(ci), &half, cell->ci));
}

static void row(struct doc *d)
{
	bool first = true;

	fputs(d->table->sortable && d->row_last ? "<tr class=\"last\">" : "<tr>", d->out);
	for (size_t i = 0; i < d->table->ncolumns; i++) {
		const struct doc_column *c = &d->table->column[i];
		/* the first cell is the heading of the row, unless it has an interval */
		bool heading = first && (c->kind == DOC_STRING || c->kind == DOC_NUMBER);

		if (!doc_takes(d, i))
			continue;
		first = false;
		if (heading)
			fprintf(d->out, "<th scope=\"row\" class=\"d%u\">", d->depth);
		else if (c->kind == DOC_BAR)
			fputs("<td class=\"bar\">", d->out);
		else
			fputs(doc_is_text(c) && !d->cell[i].blank ? "<td class=\"t\">" : "<td>",
			      d->out);
		content(d->out, c, &d->cell[i]);
		fputs(heading ? "</th>" : "</td>", d->out);
	}
	fputs("</tr>\n", d->out);
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
