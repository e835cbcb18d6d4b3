// SPDX-License-Identifier: BSD-2-Clause
/* A report as text for a terminal. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include <netcost/text_append.h>

#include "doc.h"
#include "escape.h"
#include "text.h"

#define NAME 9		       /* columns of a line's name */
#define INDENT DOC_TEXT_INDENT /* of lines, too */
#define ROW_MAX 1024	       /* bytes */

/* Reports of several parts stand apart. */
static void heading(struct doc *d, const char *text)
{
	if (!d->part->first)
		fputs("\n\n", d->out);
	fprintf(d->out, "%s%s%s\n", PART_TITLE(d->part), *text ? ": " : "", text);
}

static void title(struct doc *d, const char *text)
{
	fprintf(d->out, "\n%s%s", text, *text ? "\n" : "");
}

/* The text may come from a trace. */
static void wrap_safe(FILE *out, int at, int indent, const char *text)
{
	char safe[DOC_LINE];

	text_wrap(out, at, indent, escape_text(safe, sizeof(safe), text));
	fputc('\n', out);
}

static void line(struct doc *d, const char *name, const char *text)
{
	int at = fprintf(d->out, "%*s%-*s ", INDENT, "", NAME, SAFE(name));

	wrap_safe(d->out, at, INDENT + NAME + 1, text);
}

#define OF 20 /* columns */

static void subline(struct doc *d, const char *name, const char *of, const char *text)
{
	int at = INDENT + NAME + 1 + OF + 1;
	int n = fprintf(d->out, "%*s%-*s %s", INDENT, "", NAME, name, of);

	/* a long title has a line of its own */
	fprintf(d->out, n < at ? "%*s" : "\n%*s", n < at ? at - n : at, "");
	wrap_safe(d->out, at, at, text);
}

/* Notes that are indented like rows are wrapped. */
static void note(struct doc *d, const char *text)
{
	int at = (int)strspn(text, " ");

	fprintf(d->out, "%*s", at, "");
	if (at)
		text_wrap(d->out, at, at + INDENT, text + at);
	else
		fputs(text, d->out);
	fputc('\n', d->out);
}

/* ---- tables ------------------------------------------------------------------------------ */

/* A line under construction; blanks at its end are left out. */
struct row {
	char text[ROW_MAX];
	size_t n;
};

__attribute__((format(printf, 2, 3))) static void put(struct row *r, const char *fmt, ...)
{
	size_t room = sizeof(r->text) - r->n;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(r->text + r->n, room, fmt, ap);
	va_end(ap);
	r->n += (size_t)n < room ? (size_t)n : room - 1;
}

static void put_row(FILE *out, struct row *r)
{
	while (r->n && r->text[r->n - 1] == ' ')
		r->n--;
	fprintf(out, "%.*s\n", (int)r->n, r->text);
}

bool doc_text_is_left(const struct doc_column *c)
{
	return c->kind == DOC_STRING || c->kind == DOC_LIST || c->kind == DOC_BOOL;
}

/* The first column begins a row; there are two blanks before a string. */
static void put_cell(struct row *r, const struct doc_column *c, bool first, unsigned int depth,
		     const char *text)
{
	int indent = first ? (int)(INDENT + 2 * depth) : 0;
	int width = (int)c->width - (int)(2 * depth) * first;

	if (first && doc_text_is_left(c))
		put(r, "%*s%-*s", indent, "", width, text);
	else if (first)
		put(r, "%*s%*s", indent, "", width, text);
	else if (doc_text_is_left(c))
		put(r, "  %-*s", width, text);
	else
		put(r, " %*s", width, text);
}

const char *doc_text_title(const struct doc *d, const struct doc_column *c)
{
	return c->brief_title && !d->wide ? c->brief_title : c->title;
}

static void headings(struct doc *d, const char *title)
{
	const struct doc_table *t = d->table;
	struct row r = { .n = 0 };
	bool first = true;

	if (!t->tight)
		fputc('\n', d->out);
	if (t->above)
		fprintf(d->out, "%s\n", title);
	for (size_t i = 0; i < t->ncolumns; i++) {
		const struct doc_column *c = &t->column[i];

		if (!doc_takes(d, i))
			continue;
		if (first && title && !t->above)
			put(&r, "%-*s", INDENT + c->width, title);
		else
			put_cell(&r, c, first, 0, doc_text_title(d, c));
		first = false;
	}
	put_row(d->out, &r);
}

static void table(struct doc *d)
{
	if (!d->table->sections)
		headings(d, d->table->title);
}

const char *doc_text_shown(const struct doc *d, char *buf, size_t size, const struct doc_column *c,
			   const struct doc_cell *cell)
{
	struct doc_column half = *c;
	char ci[DOC_SHOWN_SIZE];

	half.sign = false;
	if (cell->blank)
		return "";
	if (c->kind == DOC_BOOL)
		return cell->is ? "yes" : "no";
	if (c->kind == DOC_LIST)
		return escape_text(buf, size,
				   doc_joined((char[DOC_JOINED_SIZE]){ 0 }, DOC_JOINED_SIZE, cell));
	if (c->kind == DOC_STRING) {
		escape_text(buf, size, cell->s ? cell->s : "");
		if (c->cut && strlen(buf) > c->cut)
			buf[c->cut] = '\0';
		return buf;
	}
	if (c->brief && !d->wide)
		return text_brief(buf, size, c->scale != 0 ? cell->v * c->scale : cell->v,
				  c->decimals);
	doc_shown(buf, size, c, cell->v);
	if (c->kind == DOC_INTERVAL && !isnan(cell->v))
		text_append(buf, size, "", " +- %*s", c->ci_width ? c->ci_width : 5,
			    doc_shown(ci, sizeof(ci), &half, cell->ci));
	return buf;
}

/* Puts the last cell again, in that colour. It is at the end, except for blanks. */
static void put_color(struct row *r, const char *text, int color)
{
	size_t blanks = 0, n = strlen(text);

	while (blanks < r->n && r->text[r->n - 1 - blanks] == ' ')
		blanks++;
	r->n -= n + blanks;
	put(r, "\033[%dm%s\033[0m%*s", color, text, (int)blanks, "");
}

static void row(struct doc *d)
{
	struct row r = { .n = 0 };
	bool first = true;

	for (size_t i = 0; i < d->table->ncolumns; i++) {
		const struct doc_column *c = &d->table->column[i];
		char buf[SAFE_SIZE];

		if (!doc_takes(d, i))
			continue;
		put_cell(&r, c, first, d->depth,
			 doc_text_shown(d, buf, sizeof(buf), c, &d->cell[i]));
		if (d->colors && d->cell[i].color)
			put_color(&r, buf, d->cell[i].color);
		first = false;
	}
	put_row(d->out, &r);
}

const struct doc_renderer doc_text = {
	.is = DOC_TEXT,
	.heading = heading,
	.title = title,
	.line = line,
	.subline = subline,
	.alert = line,
	.note = note,
	.table = table,
	.row = row,
	.section = headings,
};
