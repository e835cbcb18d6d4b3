// SPDX-License-Identifier: BSD-2-Clause
/*
 * A report as text, for a terminal or a file. A table for a terminal is kept until its end, when
 * its width is known. If it is wider than the terminal, columns shrink to their contents, brief
 * texts replace long ones, optional columns are left out, and names are truncated.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netcost/array.h>
#include <netcost/text_append.h>

#include "doc.h"
#include "outfile.h"
#include "text.h"

#define NAME 9		       /* width of a line's name */
#define INDENT DOC_TEXT_INDENT /* columns before a row or a line */

#define LEAST_NAME 12 /* the shortest width of truncated names and of wrapped text */
#define LEAST_REST 20
#define LEAST_NUMBER 6
#define TITLE 64

/* ---- a table that is kept ---------------------------------------------------------------- */

struct kept_cell {
	char *text, *brief; /* brief: NULL if there is no short text */
	int color;
	double share;
	const char *bar_color;
};

struct kept {
	/* title of a section, note below a row; both are NULL if this is a row */
	char *title, *note;
	unsigned int depth;
	struct kept_cell *cell;
};

struct text_fit {
	struct kept *row;
	size_t n, room;
	size_t ncolumns;

	/* valid while it is printed */
	struct doc_table table;
	struct doc_column column[DOC_COLUMNS];
	/* widths of the longest text, with and without headings */
	size_t longest[DOC_COLUMNS], cells[DOC_COLUMNS];
	char title[DOC_COLUMNS][TITLE]; /* titles that were truncated */
	/* INTERVAL: number of blanks that are unnecessary in every row */
	size_t blanks[DOC_COLUMNS];
	/* index of the first visible column, and its deepest indentation */
	size_t first, deepest;
	bool brief;
	struct left_out left;
};

static struct text_fit *text_fit_new(void)
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

static void text_fit_free(struct text_fit *f)
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

static bool text_fit_row(struct text_fit *f, const struct doc *d, const struct text_row *r)
{
	struct kept k = { 0 };

	f->ncolumns = d->table->ncolumns;
	return keep(f, &k, keep_cells(f, &k, r));
}

static bool text_fit_section(struct text_fit *f, const char *title)
{
	struct kept k = { .title = strdup(title) };

	return keep(f, &k, k.title);
}

static bool text_fit_note(struct text_fit *f, const char *text)
{
	struct kept k = { .note = strdup(text) };

	return keep(f, &k, k.note);
}

/* ---- width of the kept table -------------------------------------------------------------- */

static const char *text_of(const struct text_fit *f, const struct kept *k, size_t i)
{
	return f->brief && k->cell[i].brief ? k->cell[i].brief : k->cell[i].text;
}

static size_t at_least(size_t a, size_t b)
{
	return a > b ? a : b;
}

/*
 * Returns how many of the blanks between the sign and the half-width of an interval are padding for
 * longer numbers.
 */
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

/*
 * Returns the width that a title needs in the first column, where titles are not indented as rows
 * are.
 */
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

/*
 * Returns the total width of the columns. Only the last column may have no width of its own. In that case, it is as
 * wide as its contents, or it is wrapped.
 */
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

/* ---- fitting the table to the width of the terminal --------------------------------------- */

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

/* Leaves out optional columns that are empty. Empty columns of names are not mentioned. */
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

/* True if the column can be narrower, by truncating its names or the heading above its numbers. */
static bool can_be_cut(const struct text_fit *f, const struct doc *d, size_t i, bool name)
{
	const struct doc_column *c = &f->column[i];
	size_t indent = i == f->first ? f->deepest : 0;

	if (!doc_takes(d, i) || c->kind == DOC_BAR || doc_is_text(c) != name)
		return false;
	return c->width > (name ? LEAST_NAME + indent : at_least(LEAST_NUMBER, f->cells[i]));
}

/* Narrows the widest column by one, names first. */
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

/* Truncates a text that is longer than n bytes. A truncated text ends with a dot. */
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

/* Gives the remaining width to bars, up to twice their width. */
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

/*
 * Makes a cell fit its column. A name that is too long is truncated and ends with a dot. An interval loses the blanks
 * that no row of the column needs.
 */
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

/* Prints the headings. A title in the first column is truncated to the width of that column. */
static void print_headings(const struct text_fit *f, struct doc *d, const char *title)
{
	char text[256];

	if (title && f->brief && !f->table.above)
		title = cut_to(text, sizeof(text), title,
			       DOC_TEXT_INDENT + (size_t)f->column[f->first].width);
	text_row_headings(d, title);
}

static void text_fit_print(struct text_fit *f, struct doc *d,
			   void (*note)(struct doc *d, const char *text))
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

/* ---- properties of stdout ----------------------------------------------------------- */

#define USUAL_COLUMNS 80
#define LEAST_COLUMNS 40

const char *const terminal_colors[] = { "auto", "always", "never", NULL };

static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

/* https://no-color.org */
static bool has_colors(void)
{
	const char *term = getenv("TERM");

	return term && *term && strcmp(term, "dumb") && !is_set("NO_COLOR");
}

/* Returns true if setlocale() would select UTF-8. Calling setlocale() would change the format of numbers. */
static bool has_utf8(void)
{
	const char *names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	size_t i = 0;

	while (i < 2 && !is_set(names[i]))
		i++;
	return is_set(names[i]) &&
	       (strcasestr(getenv(names[i]), "utf-8") || strcasestr(getenv(names[i]), "utf8"));
}

/* Returns the width of the terminal; 0 if the width of text is unlimited. */
static unsigned int terminal_columns(void)
{
	unsigned int n = text_columns(pager_stdout());

	if (!n)
		return isatty(pager_stdout()) ? USUAL_COLUMNS : 0;
	return n > LEAST_COLUMNS ? n : LEAST_COLUMNS;
}

static const struct terminal *terminal_assumed;

void terminal_assume(const struct terminal *t)
{
	terminal_assumed = t;
}

struct terminal terminal_of_stdout(const char *colors)
{
	bool is = isatty(pager_stdout()), always = colors && !strcmp(colors, "always");
	bool never = colors && !strcmp(colors, "never");

	if (terminal_assumed)
		return *terminal_assumed;
	return (struct terminal){
		.columns = terminal_columns(),
		.colors = always || (is && !never && has_colors()),
		.bars = is || always,
		.utf8 = (is || always) && has_utf8(),
	};
}

/* ---- lines of a report ------------------------------------------------------------------- */

/* Returns the width at which lines are wrapped. */
static int columns(const struct doc *d)
{
	unsigned int n = d->terminal.columns;

	return n && n < TEXT_COLUMNS ? (int)n : TEXT_COLUMNS;
}

static const char *style(const struct doc *d, const char *codes)
{
	return d->terminal.colors ? codes : "";
}

#define BOLD(d) style(d, "\033[1m")
#define BAD(d) style(d, "\033[1;31m")
#define PLAIN(d) style(d, "\033[0m")

/* Prints the heading of a report, after an empty line between the reports of several parts. */
static void heading(struct doc *d, const char *text)
{
	int at;

	if (!d->part->first)
		fputs("\n\n", d->out);
	fputs(BOLD(d), d->out);
	at = fprintf(d->out, "%s%s", PART_TITLE(d->part), *text ? ": " : "");
	fputs(PLAIN(d), d->out);
	if (d->terminal.columns)
		text_wrap(d->out, at, INDENT, columns(d), text);
	else
		fputs(text, d->out);
	fputc('\n', d->out);
}

static void title(struct doc *d, const char *text)
{
	fputc('\n', d->out);
	text_row_title(d, text);
}

/* Wraps a text that may come from a trace. */
static void wrap_safe(const struct doc *d, int at, int indent, const char *text)
{
	char safe[DOC_LINE];

	text_wrap(d->out, at, indent, columns(d), escape_text(safe, sizeof(safe), text));
	fputc('\n', d->out);
}

static void line(struct doc *d, const char *name, const char *text)
{
	int at = fprintf(d->out, "%*s%-*s ", INDENT, "", NAME, SAFE(name));

	wrap_safe(d, at, INDENT + NAME + 1, text);
}

static void alert(struct doc *d, const char *word, const char *text)
{
	int at = INDENT;

	fprintf(d->out, "%*s%s", INDENT, "", BAD(d));
	at += fprintf(d->out, "%-*s", NAME, SAFE(word));
	at += fprintf(d->out, "%s ", PLAIN(d)) - (int)strlen(PLAIN(d));
	wrap_safe(d, at, INDENT + NAME + 1, text);
}

#define OF 20 /* width of the name of a line's part */

static void subline(struct doc *d, const char *name, const char *of, const char *text)
{
	int at = INDENT + NAME + 1 + OF + 1;
	int n = fprintf(d->out, "%*s%-*s %s", INDENT, "", NAME, name, of);

	/* a long title has a line of its own */
	fprintf(d->out, n < at ? "%*s" : "\n%*s", n < at ? at - n : at, "");
	wrap_safe(d, at, at, text);
}

/* Prints a note. Indented notes are wrapped everywhere, other notes only on a terminal. */
static void note(struct doc *d, const char *text)
{
	int at = (int)strspn(text, " ");

	if (d->fit && text_fit_note(d->fit, text))
		return;
	fprintf(d->out, "%*s", at, "");
	if (at || d->terminal.columns)
		text_wrap(d->out, at, at + INDENT, columns(d), text + at);
	else
		fputs(text, d->out);
	fputc('\n', d->out);
}

/* ---- tables ------------------------------------------------------------------------------ */

/* Begins a table. A table for a terminal is kept until it ends. */
static void table(struct doc *d)
{
	if (d->terminal.columns && !d->wide)
		d->fit = text_fit_new();
	if (!d->fit && !d->table->sections)
		text_row_headings(d, d->table->title);
}

/* Prints the kept rows if there is no memory for more. Further rows are printed immediately. */
static void print_kept(struct doc *d)
{
	struct text_fit *fit = d->fit;

	d->fit = NULL;
	if (fit)
		text_fit_print(fit, d, note);
	text_fit_free(fit);
}

static void section(struct doc *d, const char *title)
{
	if (d->fit && text_fit_section(d->fit, title))
		return;
	print_kept(d);
	text_row_headings(d, title);
}

static void row(struct doc *d)
{
	char buf[DOC_COLUMNS][SAFE_SIZE];
	struct text_row r = { .depth = d->depth };

	for (size_t i = 0; i < d->table->ncolumns; i++) {
		const struct doc_column *c = &d->table->column[i];
		const struct doc_cell *cell = &d->cell[i];

		if (!doc_takes(d, i))
			continue;
		r.color[i] = cell->color;
		r.brief[i] = c->kind == DOC_SPARK ? NULL : cell->brief;
		if (c->kind != DOC_BAR) {
			r.text[i] = doc_text_shown(d, buf[i], sizeof(buf[i]), c, cell);
			r.bar_color[i] = cell->brief; /* the colour of a DOC_SPARK */
			continue;
		}
		r.text[i] = "";
		r.share[i] = cell->v;
		r.bar_color[i] = cell->s;
	}
	if (d->fit && text_fit_row(d->fit, d, &r))
		return;
	print_kept(d);
	text_row_put(d, &r);
}

const struct doc_renderer doc_text = {
	.is = DOC_TEXT,
	.heading = heading,
	.title = title,
	.line = line,
	.subline = subline,
	.alert = alert,
	.note = note,
	.table = table,
	.row = row,
	.section = section,
	.table_end = print_kept,
};
