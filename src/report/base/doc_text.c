// SPDX-License-Identifier: BSD-2-Clause
/* A report as text, for a terminal or a file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <netcost/text_append.h>

#include "doc_text.h"
#include "text.h"

#define NAME 9		       /* columns of a line's name */
#define INDENT DOC_TEXT_INDENT /* of lines, too */

/* ---- what stdout is ---------------------------------------------------------------------- */

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

/* As setlocale() would find it, which would change how numbers are written, too. */
static bool has_utf8(void)
{
	const char *names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	size_t i = 0;

	while (i < 2 && !is_set(names[i]))
		i++;
	return is_set(names[i]) &&
	       (strcasestr(getenv(names[i]), "utf-8") || strcasestr(getenv(names[i]), "utf8"));
}

static unsigned int terminal_columns(void)
{
	struct winsize size = { 0 };

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return USUAL_COLUMNS;
	return size.ws_col > LEAST_COLUMNS ? size.ws_col : LEAST_COLUMNS;
}

struct terminal terminal_of_stdout(const char *colors)
{
	bool is = isatty(STDOUT_FILENO), always = colors && !strcmp(colors, "always");
	bool never = colors && !strcmp(colors, "never");

	return (struct terminal){
		.columns = is ? terminal_columns() : 0,
		.colors = always || (is && !never && has_colors()),
		.bars = is || always,
		.utf8 = has_utf8(),
	};
}

/* ---- lines of a report ------------------------------------------------------------------- */

/* That lines are wrapped at. */
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

/* Reports of several parts stand apart. */
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

/* The text may come from a trace. */
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

#define OF 20 /* columns */

static void subline(struct doc *d, const char *name, const char *of, const char *text)
{
	int at = INDENT + NAME + 1 + OF + 1;
	int n = fprintf(d->out, "%*s%-*s %s", INDENT, "", NAME, name, of);

	/* a long title has a line of its own */
	fprintf(d->out, n < at ? "%*s" : "\n%*s", n < at ? at - n : at, "");
	wrap_safe(d, at, at, text);
}

/* Notes that are indented like rows are wrapped; on a terminal all are. */
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

/* For a terminal a table is kept until its end. */
static void table(struct doc *d)
{
	if (d->terminal.columns && !d->wide)
		d->fit = text_fit_new();
	if (!d->fit && !d->table->sections)
		text_row_headings(d, d->table->title);
}

/* Where there is no memory to keep more rows, those that were kept are printed, and the others as they come. */
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
		r.brief[i] = cell->brief;
		if (c->kind != DOC_BAR) {
			r.text[i] = doc_text_shown(d, buf[i], sizeof(buf[i]), c, cell);
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
