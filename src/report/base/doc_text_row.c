// SPDX-License-Identifier: BSD-2-Clause
/* Headings and rows of a table as lines of text; and tables that fit a width (doc_fitted()). */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/text_append.h>

#include "doc.h"
#include "text.h"

/*
 * The last column may take the remaining width. REST: the width that is reserved for it if its
 * contents are at least that wide. LEAST: its minimum width.
 */
#define REST 26
#define LEAST 10
#define ROW_MAX 2048 /* bytes */
#define LEAST_REST 8 /* minimum width of a last cell that is wrapped */

const char *doc_text_title(const struct doc *d, const struct doc_column *c)
{
	if (c->kind == DOC_BAR)
		return "";
	return c->brief_title && !d->wide ? c->brief_title : c->title;
}

/* A line under construction; trailing blanks are removed. */
struct text_line {
	char text[ROW_MAX];
	size_t n;
	size_t hidden; /* number of bytes that have no width on the terminal */
};

__attribute__((format(printf, 2, 3))) static void put(struct text_line *l, const char *fmt, ...)
{
	size_t room = sizeof(l->text) - l->n;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(l->text + l->n, room, fmt, ap);
	va_end(ap);
	l->n += (size_t)n < room ? (size_t)n : room - 1;
}

/*
 * Prints a line. The bars of a DOC_SPARK range from U+2581 (one eighth of the height) to U+2588
 * (the full height).
 */
static void print_line(const struct doc *d, const struct text_line *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->text[i] < '\1' || l->text[i] > '\10')
			fputc(l->text[i], d->out);
		else if (d->terminal.utf8)
			fprintf(d->out, "\xe2\x96%c", (char)(0x80 + l->text[i]));
		else
			fputc("_-=+*%@#"[l->text[i] - 1], d -> out);
}

static void end_line(struct doc *d, struct text_line *l)
{
	while (l->n && l->text[l->n - 1] == ' ')
		l->n--;
	print_line(d, l);
	fputc('\n', d->out);
}

/* ---- cells ------------------------------------------------------------------------------- */

/* Adds a cell. The first column begins a row; two blanks precede a string. */
static void put_cell(struct text_line *l, const struct doc_column *c, bool first,
		     unsigned int depth, const char *text)
{
	int indent = first ? (int)(DOC_TEXT_INDENT + 2 * depth) : 0;
	int width = (int)c->width - (int)(2 * depth) * first;

	if (first && doc_is_text(c))
		put(l, "%*s%-*s", indent, "", width, text);
	else if (first)
		put(l, "%*s%*s", indent, "", width, text);
	else if (doc_is_text(c))
		put(l, "  %-*s", width, text);
	else
		put(l, " %*s", width, text);
}

/*
 * Colours from COLOR_256 on are COLOR_256 plus an index into a palette of 256 colours. Smaller numbers are colour
 * codes.
 */
#define COLOR_256 256

/* Replaces the last cell by the same text in a colour. Only blanks may follow the cell. */
static void put_color(struct text_line *l, const char *text, int color)
{
	size_t blanks = 0, n = strlen(text), before = l->n;

	while (blanks < l->n && l->text[l->n - 1 - blanks] == ' ')
		blanks++;
	l->n -= n + blanks;
	put(l, color < COLOR_256 ? "\033[%dm%s\033[0m%*s" : "\033[38;5;%dm%s\033[0m%*s",
	    color % COLOR_256, text, (int)blanks, "");
	l->hidden += l->n - before;
}

/* Returns the closest of the 216 colours in a terminal's palette of 256. */
static int color_of_256(const char *rrggbb)
{
	unsigned long rgb = strtoul(rrggbb + 1, NULL, 16);
	int number = 0;

	for (int shift = 16; shift >= 0; shift -= 8)
		number = 6 * number + (int)(((rgb >> shift & 255) * 5 + 127) / 255);
	return number == 215 ? 250 : 16 + number; /* white would be invisible on a light terminal */
}

/*
 * Draws a bar in eighths of a character if the terminal has such characters: U+2588 is a whole one,
 * U+258F one eighth.
 */
static void put_bar(struct text_line *l, const struct terminal *t, unsigned int width, double share)
{
	unsigned int per = t->utf8 ? 8 : 1;
	double known = isnan(share) ? 0 : fmin(fmax(share, 0), 1);
	unsigned int n = (unsigned int)lround(known * width * per), columns = 0;
	size_t before = l->n;

	for (; n >= per; n -= per, columns++)
		put(l, "%s", t->utf8 ? "\xe2\x96\x88" : "#");
	if (n) {
		put(l, "\xe2\x96%c", (char)(0x90 - n));
		columns++;
	}
	l->hidden += l->n - before - columns;
	put(l, "%*s", (int)(width - columns), "");
}

static void put_bar_cell(struct text_line *l, const struct doc *d, const struct text_row *r,
			 size_t i)
{
	bool colors = d->terminal.colors && r->bar_color[i] && r->share[i] > 0;
	size_t before = l->n;

	put(l, " ");
	if (colors) {
		before = l->n;
		put(l, "\033[38;5;%dm", color_of_256(r->bar_color[i]));
		l->hidden += l->n - before;
	}
	put_bar(l, &d->terminal, d->table->column[i].width, r->share[i]);
	if (colors) {
		put(l, "\033[0m");
		l->hidden += 4;
	}
}

/* ---- lines ------------------------------------------------------------------------------- */

static void put_title(struct doc *d, struct text_line *l, const char *title)
{
	bool first = true;

	for (size_t i = 0; i < d->table->ncolumns; i++) {
		const struct doc_column *c = &d->table->column[i];

		if (!doc_takes(d, i))
			continue;
		if (c->kind == DOC_BAR)
			put(l, " %*s", c->width, "");
		else if (first && title && !d->table->above)
			put(l, "%-*s", DOC_TEXT_INDENT + c->width, title);
		else
			put_cell(l, c, first, 0, doc_text_title(d, c));
		first = false;
	}
}

void text_row_title(const struct doc *d, const char *text)
{
	bool colors = d->terminal.colors && *text;

	fputs(colors ? "\033[1m" : "", d->out);
	if (d->terminal.columns)
		text_wrap(d->out, 0, DOC_TEXT_INDENT, (int)d->terminal.columns, text);
	else
		fputs(text, d->out);
	fputs(colors ? "\033[0m" : "", d->out);
	if (*text)
		fputc('\n', d->out);
}

void text_row_headings(struct doc *d, const char *title)
{
	const char *bold = d->terminal.colors ? "\033[1m" : "";
	const char *end = d->terminal.colors ? "\033[0m" : "";
	const struct doc_table *t = d->table;
	struct text_line l = { .n = 0 };

	if (!t->tight)
		fputc('\n', d->out);
	if (t->above)
		text_row_title(d, title);
	put(&l, "%s", bold);
	put_title(d, &l, title);
	while (l.n && l.text[l.n - 1] == ' ')
		l.n--;
	put(&l, "%s", end);
	end_line(d, &l);
}

/* Returns the last visible column of the table. */
static size_t last_of(const struct doc *d)
{
	size_t last = d->table->ncolumns;

	while (last && !doc_takes(d, last - 1))
		last--;
	return last ? last - 1 : 0;
}

static bool has_long_word(const char *text, size_t room)
{
	while (*text) {
		size_t n = strcspn(text, " ");

		if (n > room)
			return true;
		text += n;
		text += strspn(text, " ");
	}
	return false;
}

static bool is_wrapped(const struct doc *d, const struct text_line *l, const char *text)
{
	size_t at = l->n - l->hidden + 2;

	return d->terminal.columns && !d->wide && at + strlen(text) > d->terminal.columns &&
	       at + LEAST_REST <= d->terminal.columns;
}

/* Wraps a last cell that is longer than the line, or truncates it if wrapping does not help. */
static void put_rest(struct doc *d, struct text_line *l, const char *text)
{
	int at = (int)(l->n - l->hidden) + 2;
	int room = (int)d->terminal.columns - at;

	print_line(d, l);
	fputs("  ", d->out);
	if (has_long_word(text, (size_t)room))
		fprintf(d->out, "%.*s.", room - 1, text);
	else
		text_wrap(d->out, at, at, (int)d->terminal.columns, text);
	fputc('\n', d->out);
}

void text_row_put(struct doc *d, const struct text_row *r)
{
	size_t last = last_of(d);
	struct text_line l = { .n = 0 };
	bool first = true;

	for (size_t i = 0; i < d->table->ncolumns; i++) {
		const struct doc_column *c = &d->table->column[i];

		if (!doc_takes(d, i))
			continue;
		if (i == last && !first && doc_is_text(c) && is_wrapped(d, &l, r->text[i])) {
			put_rest(d, &l, r->text[i]);
			return;
		}
		if (c->kind == DOC_BAR)
			put_bar_cell(&l, d, r, i);
		else
			put_cell(&l, c, first, r->depth, r->text[i]);
		if (d->terminal.colors && r->color[i])
			put_color(&l, r->text[i], r->color[i]);
		if (d->terminal.colors && c->kind == DOC_SPARK)
			put_color(&l, r->text[i], COLOR_256 + color_of_256(r->bar_color[i]));
		first = false;
	}
	end_line(d, &l);
}

/* ---- a cell ------------------------------------------------------------------------------ */

const char *doc_text_shown(const struct doc *d, char *buf, size_t size, const struct doc_column *c,
			   const struct doc_cell *cell)
{
	if (cell->blank)
		return "";
	if (c->kind == DOC_BOOL)
		return cell->is ? "yes" : "no";
	if (c->kind == DOC_LIST)
		return escape_text(buf, size,
				   doc_joined((char[DOC_JOINED_SIZE]){ 0 }, DOC_JOINED_SIZE, cell));
	if (c->kind == DOC_SPARK)
		return cell->s;
	if (c->kind == DOC_STRING) {
		escape_text(buf, size, cell->s ? cell->s : "");
		if (c->cut && strlen(buf) > c->cut)
			buf[c->cut] = '\0';
		return buf;
	}
	if (doc_is_measured(c))
		return doc_measured(buf, size, c, cell, c->ci_width ? c->ci_width : 5);
	if (c->brief && !d->wide)
		return text_brief(buf, size, cell->v);
	return doc_shown(buf, size, c, cell->v);
}

/* ---- columns left out --------------------------------------------------------------- */

/* True if the column is shown in text and is not a bar. */
static bool left_out_may_be(const struct doc_column *c)
{
	return c->title && c->kind != DOC_BAR && (!c->only || c->only & DOC_TEXT);
}

void left_out_add(const struct doc *d, struct doc_column *c, char titles[LEFT_TITLES])
{
	text_append(titles, LEFT_TITLES, ", ", "%s", doc_text_title(d, c));
	c->title = NULL;
}

bool left_out_add_rank(struct left_out *l, const struct doc *d, struct doc_column *column, size_t n)
{
	uint8_t rank = 0;

	for (size_t i = 0; i < n; i++)
		if (left_out_may_be(&column[i]) && column[i].spare > rank)
			rank = column[i].spare;
	for (size_t i = 0; rank && i < n; i++)
		if (left_out_may_be(&column[i]) && column[i].spare == rank)
			left_out_add(d, &column[i], l->no_room);
	return rank;
}

char *left_out_text(char *buf, size_t size, const struct left_out *l)
{
	const struct {
		const char *why, *titles;
	} list[] = { { "no values", l->missing },
		     { "0 in all rows", l->zero },
		     { "no room for", l->no_room } };

	*buf = '\0';
	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		if (*list[i].titles)
			text_append(buf, size, "; ", "%s%s: %s", *buf ? "" : "  ", list[i].why,
				    list[i].titles);
	if (*buf)
		text_append(buf, size, "", " (--wide shows all)");
	return buf;
}

/* ---- fitted tables: each row is formatted twice, to measure and to print ------------- */

/* Contents of a column over all rows; a larger value overrides a smaller one. */
enum said { SAID_MISSING, SAID_ZERO, SAID_SOMETHING };

struct doc_survey {
	enum said said[DOC_COLUMNS];
	size_t longest[DOC_COLUMNS];
};

struct fitted {
	struct doc_column column[DOC_COLUMNS];
	struct doc_table table; /* the table with the columns that are left */
	/*
	 * width at which a last column whose own width is 0 is truncated; SIZE_MAX if the table is
	 * not fitted
	 */
	size_t room;
	size_t width; /* width of all columns; 0 if the table is not fitted */
	struct left_out left;
};

/* ---- contents of rows --------------------------------------------------------------- */

static enum said said(const struct doc_column *c, const struct doc_cell *cell, const char *text)
{
	if (cell->blank || !*text)
		return SAID_MISSING;
	if (doc_is_text(c))
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

static void survey(struct doc_survey *s, const struct doc *d, const struct doc_table *t,
		   const struct doc_rows *rows)
{
	const struct doc_renderer surveyor = { .is = d->renderer->is, .row = survey_row };
	struct doc looks = { .renderer = &surveyor, .part = d->part, .survey = s };

	doc_table(&looks, t);
	rows->add(&looks, rows->ctx);
	doc_table_end(&looks);
}

/* ---- columns ------------------------------------------------------------------------ */

static size_t width_of(const struct fitted *f)
{
	size_t width = DOC_TEXT_INDENT;
	bool first = true;

	for (size_t i = 0; i < f->table.ncolumns; i++) {
		const struct doc_column *c = &f->column[i];

		if (!left_out_may_be(c))
			continue;
		if (!first)
			width += doc_is_text(c) ? 2 : 1;
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

static void set_width(struct fitted *f, const struct doc *d, const struct doc_survey *s, size_t i)
{
	struct doc_column *c = &f->column[i];
	size_t width;

	if (!left_out_may_be(c))
		return;
	width = needs(d, c, s->longest[i]);
	if (c->spare && s->said[i] == SAID_MISSING)
		left_out_add(d, c, f->left.missing);
	else if (c->spare && s->said[i] == SAID_ZERO)
		left_out_add(d, c, f->left.zero);
	else if (c->width || width < REST)
		c->width = (uint8_t)(width < UINT8_MAX ? width : UINT8_MAX);
	else
		c->width = REST;
}

/* Gives the remaining width to the last column. */
static void set_rest(struct fitted *f, const struct doc_table *t, size_t columns)
{
	size_t last = t->ncolumns;

	while (last && !left_out_may_be(&f->column[last - 1]))
		last--;
	if (!last || t->column[last - 1].width)
		return;
	f->width -= f->column[last - 1].width;
	f->room = f->width + LEAST < columns ? columns - f->width : LEAST;
	f->column[last - 1].width = 0;
	f->column[last - 1].cut = (uint8_t)f->room;
}

/* Leaves out the optional columns without values. A page has room for all others. */
static void drop_missing(struct fitted *f, const struct doc *d, const struct doc_survey *s)
{
	for (size_t i = 0; i < f->table.ncolumns; i++) {
		struct doc_column *c = &f->column[i];

		if (c->spare && c->title && doc_is_for(d, c->only) && s->said[i] == SAID_MISSING)
			left_out_add(d, c, f->left.missing);
	}
}

static void make_fitted(struct fitted *f, const struct doc *d, const struct doc_table *t,
			const struct doc_rows *rows)
{
	size_t columns = d->terminal.columns ? d->terminal.columns : TEXT_COLUMNS;
	struct doc_survey s = { 0 };

	*f = (struct fitted){ .table = *t, .room = SIZE_MAX };
	memcpy(f->column, t->column, t->ncolumns * sizeof(*t->column));
	f->table.column = f->column;
	if (!(d->renderer->is & DOC_PEOPLE) || d->wide || !doc_is_for(d, t->only))
		return;
	survey(&s, d, t, rows);
	if (d->renderer->is == DOC_HTML) {
		drop_missing(f, d, &s);
		return;
	}
	for (size_t i = 0; i < t->ncolumns; i++)
		set_width(f, d, &s, i);
	while (width_of(f) > columns && left_out_add_rank(&f->left, d, f->column, t->ncolumns))
		;
	f->width = width_of(f);
	set_rest(f, t, columns);
}

void doc_fitted(struct doc *d, const struct doc_table *t, const struct doc_rows *rows)
{
	char text[1024];
	struct fitted f;

	make_fitted(&f, d, t, rows);
	if (rows->name_size && f.room < *rows->name_size)
		*rows->name_size = f.room + 1;
	doc_table(d, &f.table);
	rows->add(d, rows->ctx);
	doc_table_end(d);
	if (rows->below)
		rows->below(d, rows->ctx);
	if (d->renderer->is == DOC_HTML && *f.left.missing)
		doc_note(d, "  no values: %s", f.left.missing);
	else if (*left_out_text(text, sizeof(text), &f.left))
		doc_note(d, "%s", text);
}
