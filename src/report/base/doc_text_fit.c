// SPDX-License-Identifier: BSD-2-Clause
/* Tables that fit: a terminal, where they are kept until their end (doc_text.h); or a number of columns (doc_fitted()). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>
#include <netcost/text_append.h>

#include "doc_text.h"
#include "text.h"

#define LEAST_NAME 12 /* a name is not cut shorter; nor what is wrapped */
#define LEAST_REST 20
#define LEAST_NUMBER 6
#define TITLE 64
#define LEFT_TITLES 256
/* A last column that takes what is left is left so much room, if it needs it, and has so much in any case. */
#define REST 26
#define LEAST 10

/* ---- what is left out -------------------------------------------------------------------- */

/* Columns of a table that are left out, as there is no room: their titles, by what they would have shown. */
struct left_out {
	char missing[LEFT_TITLES], zero[LEFT_TITLES], no_room[LEFT_TITLES];
};

/* Is it in text, and no bar? */
static bool left_out_may_be(const struct doc_column *c)
{
	return c->title && c->kind != DOC_BAR && (!c->only || c->only & DOC_TEXT);
}

/* Leaves it out. titles: a list of struct left_out. */
static void left_out_add(const struct doc *d, struct doc_column *c, char titles[LEFT_TITLES])
{
	text_append(titles, LEFT_TITLES, ", ", "%s", doc_text_title(d, c));
	c->title = NULL;
}

/* Of those that may be left out the ones with the highest rank. False: there are none. */
static bool left_out_add_rank(struct left_out *l, const struct doc *d, struct doc_column *column,
			      size_t n)
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

/* "  not measured: a, b; no room for: c (--wide shows all)"; "": nothing was left out. */
static char *left_out_text(char *buf, size_t size, const struct left_out *l)
{
	const struct {
		const char *why, *titles;
	} list[] = { { "not measured", l->missing },
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

/* ---- a table that is kept ---------------------------------------------------------------- */

struct kept_cell {
	char *text, *brief; /* brief NULL: there is none */
	int color;
	double share;
	const char *bar_color;
};

struct kept {
	char *title, *note; /* of a section, below a row; both NULL: a row */
	unsigned int depth;
	struct kept_cell *cell;
};

struct text_fit {
	struct kept *row;
	size_t n, room;
	size_t ncolumns;

	/* while it is printed */
	struct doc_table table;
	struct doc_column column[DOC_COLUMNS];
	size_t longest[DOC_COLUMNS], cells[DOC_COLUMNS]; /* cells: without headings */
	char title[DOC_COLUMNS][TITLE];			 /* that were cut */
	size_t blanks[DOC_COLUMNS]; /* INTERVAL: so many are not needed in any row */
	size_t first, deepest; /* the first column that is shown, and its deepest indentation */
	bool brief;
	struct left_out left;
};

struct text_fit *text_fit_new(void)
{
	return calloc(1, sizeof(struct text_fit));
}

/* ---- keeping ----------------------------------------------------------------------------- */

static void free_cells(struct text_fit *f, struct kept *k)
{
	for (size_t i = 0; k->cell && i < f->ncolumns; i++) {
		free(k->cell[i].text);
		free(k->cell[i].brief);
	}
	free(k->cell);
	free(k->title);
	free(k->note);
}

void text_fit_free(struct text_fit *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->n; i++)
		free_cells(f, &f->row[i]);
	free(f->row);
	free(f);
}

static bool keep_cells(struct text_fit *f, struct kept *k, const struct text_row *r)
{
	bool ok = true;

	k->depth = r->depth;
	k->cell = calloc(f->ncolumns, sizeof(*k->cell));
	for (size_t i = 0; k->cell && i < f->ncolumns; i++) {
		struct kept_cell *c = &k->cell[i];

		c->color = r->color[i];
		c->share = r->share[i];
		c->bar_color = r->bar_color[i];
		c->text = strdup(r->text[i] ? r->text[i] : "");
		c->brief = r->brief[i] ? strdup(r->brief[i]) : NULL;
		ok = ok && c->text && (c->brief || !r->brief[i]);
	}
	return k->cell && ok;
}

static bool keep(struct text_fit *f, struct kept *k, bool ok)
{
	ok = ok && !array_reserve(&f->row, &f->room, f->n + 1, sizeof(*f->row));
	if (ok)
		f->row[f->n++] = *k;
	else
		free_cells(f, k);
	return ok;
}

bool text_fit_row(struct text_fit *f, const struct doc *d, const struct text_row *r)
{
	struct kept k = { 0 };

	f->ncolumns = d->table->ncolumns;
	return keep(f, &k, keep_cells(f, &k, r));
}

bool text_fit_section(struct text_fit *f, const char *title)
{
	struct kept k = { .title = strdup(title) };

	return keep(f, &k, k.title);
}

bool text_fit_note(struct text_fit *f, const char *text)
{
	struct kept k = { .note = strdup(text) };

	return keep(f, &k, k.note);
}

/* ---- how wide it is ---------------------------------------------------------------------- */

static const char *text_of(const struct text_fit *f, const struct kept *k, size_t i)
{
	return f->brief && k->cell[i].brief ? k->cell[i].brief : k->cell[i].text;
}

static size_t at_least(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Of an interval, those between the sign and the half-width that only stand for digits. */
static size_t blanks_of(const char *text)
{
	const char *sign = strstr(text, "+- ");
	size_t n = sign ? strspn(sign + 2, " ") : 0;

	return !sign ? SIZE_MAX : n ? n - 1 : 0;
}

static void look_for_blanks(struct text_fit *f)
{
	for (size_t i = 0; i < f->ncolumns; i++) {
		size_t least = SIZE_MAX;

		for (size_t k = 0; k < f->n; k++)
			if (f->row[k].cell && blanks_of(text_of(f, &f->row[k], i)) < least)
				least = blanks_of(text_of(f, &f->row[k], i));
		f->blanks[i] =
			f->table.column[i].kind == DOC_INTERVAL && least != SIZE_MAX ? least : 0;
	}
}

static size_t length(const struct text_fit *f, const struct kept *k, size_t i)
{
	const char *text = text_of(f, k, i);

	return strlen(text) - (blanks_of(text) == SIZE_MAX ? 0 : f->blanks[i]);
}

/* A title that stands in the first column is not indented as rows are. */
static size_t title_length(const char *title)
{
	size_t n = strlen(title);

	return n > DOC_TEXT_INDENT ? n - DOC_TEXT_INDENT : 0;
}

static size_t heading_length(const struct doc *d, size_t i, bool first)
{
	const struct doc_table *t = d->table;

	if (first && !t->above && t->title)
		return title_length(t->title);
	return strlen(doc_text_title(d, &t->column[i]));
}

static void look_at_column(struct text_fit *f, const struct doc *d, size_t i, bool first)
{
	size_t n = heading_length(d, i, first);

	f->cells[i] = 0;
	for (size_t k = 0; k < f->n; k++) {
		const struct kept *row = &f->row[k];
		size_t indent = first ? 2 * (size_t)row->depth : 0;

		f->deepest = at_least(f->deepest, indent);
		if (row->cell)
			f->cells[i] = at_least(f->cells[i], length(f, row, i) + indent);
		else if (row->title && first && !d->table->above)
			n = at_least(n, title_length(row->title));
	}
	f->longest[i] = at_least(n, f->cells[i]);
}

static void look(struct text_fit *f, const struct doc *d)
{
	for (size_t i = 0; i < d->table->ncolumns; i++)
		if (doc_takes(d, i))
			look_at_column(f, d, i, i == f->first);
}

/* Of the columns as they are; one without a width is the last, and as wide as what it shows, or wrapped. */
static size_t width(const struct text_fit *f, const struct doc *d, bool wraps)
{
	size_t sum = DOC_TEXT_INDENT;
	bool first = true;

	for (size_t i = 0; i < f->table.ncolumns; i++) {
		const struct doc_column *c = &f->table.column[i];
		size_t n = c->width && f->brief ? c->width : at_least(c->width, f->longest[i]);

		if (!doc_takes(d, i))
			continue;
		if (wraps && !c->width && n > LEAST_REST)
			n = at_least(LEAST_REST, strlen(doc_text_title(d, c)));
		sum += n + (first ? 0 : doc_is_text(c) ? 2 : 1);
		first = false;
	}
	return sum;
}

/* ---- making it fit ----------------------------------------------------------------------- */

static bool is_too_wide(const struct text_fit *f, const struct doc *d)
{
	return width(f, d, true) > d->terminal.columns;
}

static void narrow(struct text_fit *f, const struct doc *d)
{
	for (size_t i = 0; i < f->table.ncolumns; i++) {
		struct doc_column *c = &f->column[i];

		if (doc_takes(d, i) && c->kind != DOC_BAR && c->width)
			c->width = (uint8_t)(f->longest[i] < UINT8_MAX ? f->longest[i] : UINT8_MAX);
	}
}

/* Of those that may be left out the ones that show nothing; where there could be names nothing is said of it. */
static void leave_out_empty(struct text_fit *f, const struct doc *d)
{
	for (size_t i = 0; i < f->table.ncolumns; i++) {
		bool left = doc_is_text(&f->column[i]), zero = false, something = false;

		if (!doc_takes(d, i) || !f->column[i].spare)
			continue;
		for (size_t k = 0; k < f->n; k++) {
			const char *text = f->row[k].cell ? text_of(f, &f->row[k], i) : "";

			zero |= strchr(text, '0') != NULL;
			something |= left ? *text != '\0' : strpbrk(text, "123456789") != NULL;
		}
		if (!something && left)
			f->column[i].title = NULL;
		else if (!something && zero)
			left_out_add(d, &f->column[i], f->left.zero);
		else if (!something)
			left_out_add(d, &f->column[i], f->left.missing);
	}
}

static void leave_out_bars(struct text_fit *f)
{
	for (size_t i = 0; i < f->table.ncolumns; i++)
		if (f->column[i].kind == DOC_BAR)
			f->column[i].only = DOC_HTML;
}

/* A name gives way, or the heading above numbers. */
static bool can_be_cut(const struct text_fit *f, const struct doc *d, size_t i, bool name)
{
	const struct doc_column *c = &f->column[i];
	size_t indent = i == f->first ? f->deepest : 0;

	if (!doc_takes(d, i) || c->kind == DOC_BAR || doc_is_text(c) != name)
		return false;
	return c->width > (name ? LEAST_NAME + indent : at_least(LEAST_NUMBER, f->cells[i]));
}

/* The widest gives way, column by column: names first. */
static bool cut(struct text_fit *f, const struct doc *d)
{
	size_t n = f->table.ncolumns, widest = n;

	for (int name = 1; name >= 0 && widest == n; name--)
		for (size_t i = 0; i < n; i++)
			if (can_be_cut(f, d, i, name) &&
			    (widest == n || f->column[i].width > f->column[widest].width))
				widest = i;
	if (widest == n)
		return false;
	f->column[widest].width--;
	return true;
}

/* What is longer ends with a dot. */
static char *cut_to(char *dst, size_t size, const char *text, size_t n)
{
	snprintf(dst, size, "%s", text);
	if (strlen(dst) > n && n)
		snprintf(dst + n - 1, size - n + 1, ".");
	return dst;
}

static void cut_titles(struct text_fit *f, const struct doc *d)
{
	for (size_t i = 0; i < f->table.ncolumns; i++) {
		struct doc_column *c = &f->column[i];

		if (!doc_takes(d, i) || c->kind == DOC_BAR || !c->width)
			continue;
		c->title = cut_to(f->title[i], TITLE, doc_text_title(d, c), c->width);
		c->brief_title = NULL;
	}
}

/* What is left is for bars, up to twice the width that they ask for. */
static void widen_bars(struct text_fit *f, const struct doc *d)
{
	size_t used = width(f, d, false), columns = d->terminal.columns;

	for (size_t i = 0; i < f->table.ncolumns; i++) {
		struct doc_column *c = &f->column[i];
		size_t room = used < columns ? columns - used : 0;

		if (c->kind == DOC_BAR && doc_takes(d, i))
			c->width = (uint8_t)(c->width + (room < c->width ? room : c->width));
	}
}

static void fit(struct text_fit *f, struct doc *d)
{
	while (f->first + 1 < f->table.ncolumns && !doc_takes(d, f->first))
		f->first++;
	look(f, d);
	if (!is_too_wide(f, d)) {
		widen_bars(f, d);
		return;
	}
	f->brief = true;
	look_for_blanks(f);
	look(f, d);
	narrow(f, d);
	if (is_too_wide(f, d))
		leave_out_empty(f, d);
	while (is_too_wide(f, d) && left_out_add_rank(&f->left, d, f->column, f->table.ncolumns))
		;
	if (is_too_wide(f, d))
		leave_out_bars(f);
	while (is_too_wide(f, d) && cut(f, d))
		;
	cut_titles(f, d);
}

/* ---- printing ---------------------------------------------------------------------------- */

/* A name that is longer than its column ends with a dot; an interval is without the blanks that no row needs. */
static const char *fitted(char *buf, size_t size, const struct doc_column *c, const char *text,
			  size_t indent, size_t blanks)
{
	size_t room = c->width > indent ? c->width - indent : 1;
	const char *sign = strstr(text, "+- ");

	if (blanks && sign) {
		snprintf(buf, size, "%.*s%s", (int)(sign - text) + 2, text, sign + 2 + blanks);
		return buf;
	}
	if (!c->width || !doc_is_text(c) || strlen(text) <= room || room >= size)
		return text;
	return cut_to(buf, size, text, room);
}

static void print_row(const struct text_fit *f, struct doc *d, const struct kept *k)
{
	char buf[DOC_COLUMNS][UINT8_MAX + 1];
	struct text_row r = { .depth = k->depth };
	bool first = true;

	for (size_t i = 0; i < f->ncolumns; i++) {
		if (!doc_takes(d, i))
			continue;
		r.text[i] = text_of(f, k, i);
		if (f->brief)
			r.text[i] = fitted(buf[i], sizeof(buf[i]), &f->column[i], r.text[i],
					   first ? 2 * (size_t)k->depth : 0, f->blanks[i]);
		r.color[i] = k->cell[i].color;
		r.share[i] = k->cell[i].share;
		r.bar_color[i] = k->cell[i].bar_color;
		first = false;
	}
	text_row_put(d, &r);
}

/* A title that is in the first column is as wide as that. */
static void print_headings(const struct text_fit *f, struct doc *d, const char *title)
{
	char text[256];

	if (title && f->brief && !f->table.above)
		title = cut_to(text, sizeof(text), title,
			       DOC_TEXT_INDENT + (size_t)f->column[f->first].width);
	text_row_headings(d, title);
}

void text_fit_print(struct text_fit *f, struct doc *d, text_note_fn *note)
{
	const struct doc_table *table = d->table;
	char text[1024];

	f->table = *table;
	memcpy(f->column, table->column, table->ncolumns * sizeof(*table->column));
	f->table.column = f->column;
	d->table = &f->table;
	fit(f, d);
	if (!table->sections)
		print_headings(f, d, table->title);
	for (size_t i = 0; i < f->n; i++)
		if (f->row[i].title)
			print_headings(f, d, f->row[i].title);
		else if (f->row[i].note)
			note(d, f->row[i].note);
		else
			print_row(f, d, &f->row[i]);
	if (*left_out_text(text, sizeof(text), &f->left))
		note(d, text);
	d->table = table;
}

/* ---- a table whose rows are made twice --------------------------------------------------- */

/* What a column shows in any row, in rising order. */
enum said { SAID_MISSING, SAID_ZERO, SAID_SOMETHING };

struct doc_survey {
	enum said said[DOC_COLUMNS];
	size_t longest[DOC_COLUMNS];
};

struct fitted {
	struct doc_column column[DOC_COLUMNS];
	struct doc_table table; /* of these columns */
	size_t room;  /* of a last column whose width is 0: it is cut there; SIZE_MAX: not fitted */
	size_t width; /* of all; 0: not fitted */
	struct left_out left;
};

/* ---- what rows show ---------------------------------------------------------------------- */

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

static const struct doc_renderer surveyor = { .is = DOC_TEXT, .row = survey_row };

static void survey(struct doc_survey *s, const struct doc *d, const struct doc_table *t,
		   const struct doc_rows *rows)
{
	struct doc looks = { .renderer = &surveyor, .part = d->part, .survey = s };

	doc_table(&looks, t);
	rows->add(&looks, rows->ctx);
	doc_table_end(&looks);
}

/* ---- its columns ------------------------------------------------------------------------- */

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

/* The last column takes what is left. */
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

static void make_fitted(struct fitted *f, const struct doc *d, const struct doc_table *t,
			const struct doc_rows *rows)
{
	size_t columns = d->terminal.columns ? d->terminal.columns : TEXT_COLUMNS;
	struct doc_survey s = { 0 };

	*f = (struct fitted){ .table = *t, .room = SIZE_MAX };
	memcpy(f->column, t->column, t->ncolumns * sizeof(*t->column));
	f->table.column = f->column;
	if (d->renderer->is != DOC_TEXT || d->wide || !doc_is_for(d, t->only))
		return;
	survey(&s, d, t, rows);
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
	if (*left_out_text(text, sizeof(text), &f.left))
		doc_note(d, "%s", text);
}
