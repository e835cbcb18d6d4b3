// SPDX-License-Identifier: BSD-2-Clause
#include "render.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "doc.h"
#include "stats.h"
#include "text.h"

/* ---- JSON and CSV ---------------------------------------------------------------------- */

/* ---- CSV --------------------------------------------------------------------------------- */

/*
 * A spreadsheet executes a cell that begins like a formula, and any user can choose the name of a task. (SAFE() leaves
 * no tab.)
 */
static bool is_formula(const char *s)
{
	return *s && strchr("=+-@", *s);
}

/*
 * Writes a text of a trace in quotes, without a comma after it. A "'" precedes text that a
 * spreadsheet would take for a formula.
 */
static void csv_text(FILE *out, const char *s)
{
	s = SAFE(s);
	fputs(is_formula(s) ? "\"'" : "\"", out);
	for (; *s; s++)
		fprintf(out, *s == '"' ? "\"\"" : "%c", *s);
	fputc('"', out);
}

/* If the file has several parts, writes the name of the part as the first cell, with a comma. */
static void csv_part(FILE *out, const struct part *part)
{
	if (part->alone)
		return;
	csv_text(out, part->name);
	fputc(',', out);
}

const char *csv_part_heading(const struct part *part)
{
	return part->alone ? "" : "part,";
}

/* ---- JSON: levels ------------------------------------------------------------------------ */

static void begin_line(struct json *j)
{
	if (!j->compact)
		fprintf(j->out, "\n%*s", (int)(2 * j->depth), "");
}

/* Writes the path of a value: "cpu_time.tree.0.ns". A path that is too long for the buffer is truncated. */
static void step_into(struct json *j, const char *key)
{
	size_t at = j->depth < JSON_DEPTH ? j->at[j->depth] : 0, room = sizeof(j->path) - at;
	unsigned int *next = &j->next[j->depth < JSON_DEPTH ? j->depth : 0];
	int n;

	if (key)
		n = snprintf(j->path + at, room, "%s%s", at ? "." : "", key);
	else
		n = snprintf(j->path + at, room, "%s%u", at ? "." : "", (*next)++);
	if (j->depth + 1 < JSON_DEPTH)
		j->at[j->depth + 1] = at + ((size_t)n < room ? (size_t)n : room - 1);
}

static void begin_value(struct json *j, const char *key)
{
	if (j->flat) {
		step_into(j, key);
		csv_part(j->out, j->flat);
		fprintf(j->out, "%s,", j->path);
		return;
	}
	if (j->more)
		fputc(',', j->out);
	if (j->depth)
		begin_line(j);
	j->more = true;
	if (key) {
		escape_json(j->out, key, strlen(key));
		fputs(j->compact ? ":" : ": ", j->out);
	}
}

static void end_value(struct json *j)
{
	if (j->flat)
		fputc('\n', j->out);
}

static void open_level(struct json *j, const char *key, char bracket)
{
	if (j->flat && j->depth) {
		step_into(j, key);
	} else if (!j->flat) {
		begin_value(j, key);
		fputc(bracket, j->out);
	}
	j->depth++;
	if (j->depth < JSON_DEPTH)
		j->next[j->depth] = 0;
	j->more = false;
}

static void close_level(struct json *j, char bracket)
{
	j->depth--;
	if (!j->flat) {
		if (j->more)
			begin_line(j);
		fputc(bracket, j->out);
	}
	j->more = true;
}

void json_object(struct json *j, const char *key)
{
	open_level(j, key, '{');
}

void json_object_end(struct json *j)
{
	close_level(j, '}');
}

void json_array(struct json *j, const char *key)
{
	open_level(j, key, '[');
}

void json_array_end(struct json *j)
{
	close_level(j, ']');
}

/* ---- JSON: values ------------------------------------------------------------------------ */

void json_null(struct json *j, const char *key)
{
	begin_value(j, key);
	fputs(j->flat ? "" : "null", j->out);
	end_value(j);
}

void json_constant(struct json *j, const char *text)
{
	begin_value(j, NULL);
	for (; *text; text++)
		fputc(*text == '\'' ? '"' : *text, j->out);
}

void json_bool(struct json *j, const char *key, bool v)
{
	begin_value(j, key);
	fputs(v ? "true" : "false", j->out);
	end_value(j);
}

void json_uint(struct json *j, const char *key, uint64_t v)
{
	begin_value(j, key);
	fprintf(j->out, "%" PRIu64, v);
	end_value(j);
}

void json_int(struct json *j, const char *key, int64_t v)
{
	begin_value(j, key);
	fprintf(j->out, "%" PRId64, v);
	end_value(j);
}

void number_write(FILE *out, double v, int decimals)
{
	char text[32];

	snprintf(text, sizeof(text), "%.15g", v);
	if (decimals != NUMBER_ALL_DIGITS)
		fprintf(out, "%.*f", decimals, v);
	else
		fprintf(out, strtod(text, NULL) != v ? "%.17g" : "%.15g", v);
}

void json_num(struct json *j, const char *key, double v, int decimals)
{
	if (!isfinite(v)) {
		json_null(j, key);
		return;
	}
	begin_value(j, key);
	number_write(j->out, v, decimals);
	end_value(j);
}

void json_strn(struct json *j, const char *key, const char *s, size_t n)
{
	char cell[SAFE_SIZE];

	begin_value(j, key);
	if (j->flat) {
		snprintf(cell, sizeof(cell), "%.*s", (int)n, s);
		csv_text(j->out, cell);
	} else {
		escape_json(j->out, s, n);
	}
	end_value(j);
}

void json_str(struct json *j, const char *key, const char *s)
{
	json_strn(j, key, s, strlen(s));
}

void json_end(struct json *j)
{
	if (!j->flat)
		fputc('\n', j->out);
	j->more = false;
}

struct json json_flat(FILE *out, const struct part *part)
{
	if (part->first)
		fprintf(out, "%skey,value\n", csv_part_heading(part));
	return (struct json){ .out = out, .flat = part };
}

/* ---- a report as JSON -------------------------------------------------------------------- */

static void object(struct doc *d, const char *key)
{
	json_object(&d->json, key);
}

static void object_end(struct doc *d)
{
	json_object_end(&d->json);
}

static void array(struct doc *d, const char *key)
{
	json_array(&d->json, key);
}

static void array_end(struct doc *d)
{
	json_array_end(&d->json);
}

static void list(struct doc *d, const char *key, const struct doc_cell *cell)
{
	const char *s = cell->s;

	json_array(&d->json, key);
	for (uint32_t i = 0; i < cell->n; i++, s += strlen(s) + 1)
		json_str(&d->json, NULL, s);
	json_array_end(&d->json);
}

static void uints(struct json *j, const char *key, const struct doc_cell *cell)
{
	json_array(j, key);
	for (uint32_t i = 0; i < cell->n; i++)
		json_uint(j, NULL, cell->uints[i]);
	json_array_end(j);
}

static void histogram(struct json *j, const char *key, const struct histogram *h)
{
	bool compact = j->compact;

	json_array(j, key);
	j->compact = true;
	for (unsigned int i = 0; i < HISTOGRAM_BINS; i++) {
		if (!h->bin[i])
			continue;
		json_array(j, NULL);
		json_num(j, NULL, histogram_middle(i), 1);
		json_uint(j, NULL, h->bin[i]);
		json_array_end(j);
	}
	json_array_end(j);
	j->compact = compact;
}

static void value(struct doc *d, const char *key, const struct doc_column *c,
		  const struct doc_cell *cell)
{
	if (cell->blank || (c->kind == DOC_STRING && !cell->s))
		json_null(&d->json, key);
	else if (c->kind == DOC_STRING)
		json_str(&d->json, key, cell->s);
	else if (c->kind == DOC_UINT)
		json_uint(&d->json, key, cell->u);
	else if (c->kind == DOC_LIST)
		list(d, key, cell);
	else if (c->kind == DOC_UINTS)
		uints(&d->json, key, cell);
	else if (c->kind == DOC_HISTOGRAM)
		histogram(&d->json, key, cell->histogram);
	else if (c->kind == DOC_BOOL)
		json_bool(&d->json, key, cell->is);
	else
		json_num(&d->json, key, cell->v, c->precision);
}

static void field(struct doc *d, const struct doc_column *c, const struct doc_cell *cell)
{
	value(d, c->key, c, cell);
}

/* ---- its tables -------------------------------------------------------------------------- */

static void table(struct doc *d)
{
	if (d->table->keyed)
		json_object(&d->json, d->table->key);
	else
		json_array(&d->json, d->table->key);
}

static void table_end(struct doc *d)
{
	if (d->table->keyed)
		json_object_end(&d->json);
	else
		json_array_end(&d->json);
}

/* Returns the length of the common prefix of two keys, up to a dot that both have. */
static size_t common(const char *a, const char *b)
{
	size_t n = 0;

	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '.')
			n = i + 1;
	return n;
}

/*
 * Closes the objects that contain only the previous key, and opens the objects that contain only
 * this key.
 */
static void nest(struct doc *d, const char *before, const char *key)
{
	size_t n = common(before, key);
	const char *dot;
	char name[64];

	for (dot = strchr(before + n, '.'); dot; dot = strchr(dot + 1, '.'))
		json_object_end(&d->json);
	for (key += n; (dot = strchr(key, '.')); key = dot + 1) {
		snprintf(name, sizeof(name), "%.*s", (int)(dot - key), key);
		json_object(&d->json, name);
	}
}

/* Returns the last name of a key with dots, or of a path. */
static const char *last_key(const char *key)
{
	const char *dot = strrchr(key, '.');

	return dot ? dot + 1 : key;
}

static void row(struct doc *d)
{
	const struct doc_table *t = d->table;
	size_t only = doc_only_column(d);
	const char *before = "";

	if (only) {
		value(d, d->cell[0].s, &t->column[only], &d->cell[only]);
		return;
	}
	json_object(&d->json, t->keyed ? d->cell[0].s : NULL);
	for (size_t i = t->keyed; i < t->ncolumns; i++) {
		const struct doc_column *c = &t->column[i];

		if (!doc_takes(d, i))
			continue;
		nest(d, before, c->key);
		before = c->key;
		value(d, last_key(c->key), c, &d->cell[i]);
		if (c->kind == DOC_INTERVAL)
			json_num(&d->json, last_key(c->ci_key), d->cell[i].ci, c->precision);
	}
	nest(d, before, "");
	json_object_end(&d->json);
}

static void end(struct doc *d)
{
	json_end(&d->json);
}

const struct doc_renderer doc_json = {
	.is = DOC_JSON,
	.object = object,
	.object_end = object_end,
	.array = array,
	.array_end = array_end,
	.field = field,
	.table = table,
	.row = row,
	.table_end = table_end,
	.end = end,
};

struct doc doc_begin_flat(FILE *out, const struct part *part)
{
	struct doc d = doc_begin(&doc_json, out, part);

	d.json = json_flat(out, part);
	return d;
}

/* ---- one table of a report as CSV -------------------------------------------------------- */

/* Several parts are one table, whose headings precede the first part. */

/*
 * Updates only json.path, which has the keys of the objects, arrays and tables around an item, because flat JSON prints
 * no brackets.
 */
static void enter(struct doc *d, const char *key)
{
	d->json.flat = d->part;
	json_object(&d->json, key);
}

static void leave(struct doc *d)
{
	json_object_end(&d->json);
}

static void csv_begin_table(struct doc *d)
{
	const char *comma = "";

	enter(d, d->table->key);
	d->csv_on = !strcmp(d->json.path, d->csv_table);
	d->csv_seen |= d->csv_on;
	if (!d->csv_on || !d->part->first)
		return;
	fputs(csv_part_heading(d->part), d->out);
	for (size_t i = 0; i < d->table->ncolumns; i++) {
		const struct doc_column *c = &d->table->column[i];

		if (!doc_takes(d, i))
			continue;
		fprintf(d->out, "%s%s", comma, c->key);
		if (c->kind == DOC_INTERVAL)
			fprintf(d->out, ",%s", c->ci_key);
		comma = ",";
	}
	fputc('\n', d->out);
}

static void csv_number(struct doc *d, double v, int precision)
{
	if (isfinite(v))
		number_write(d->out, v, precision);
}

/* Returns true if CSV can contain the text without quotes. */
static bool is_word(const char *s)
{
	return *s &&
	       !s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")];
}

static void csv_cell(struct doc *d, const struct doc_column *c, const struct doc_cell *cell)
{
	if (cell->blank)
		return;
	if (c->kind == DOC_STRING && cell->s && is_word(cell->s))
		fputs(cell->s, d->out);
	else if (c->kind == DOC_STRING && cell->s)
		csv_text(d->out, cell->s);
	else if (c->kind == DOC_LIST)
		csv_text(d->out, doc_joined((char[DOC_JOINED_SIZE]){ 0 }, DOC_JOINED_SIZE, cell));
	else if (c->kind == DOC_BOOL)
		fputs(cell->is ? "true" : "false", d->out);
	else if (c->kind != DOC_STRING)
		csv_number(d, cell->v, c->precision);
}

static void csv_row(struct doc *d)
{
	const char *comma = "";

	if (!d->csv_on)
		return;
	csv_part(d->out, d->part);
	for (size_t i = 0; i < d->table->ncolumns; i++) {
		const struct doc_column *c = &d->table->column[i];

		if (!doc_takes(d, i))
			continue;
		fputs(comma, d->out);
		csv_cell(d, c, &d->cell[i]);
		if (c->kind == DOC_INTERVAL) {
			fputc(',', d->out);
			csv_number(d, d->cell[i].ci, c->precision);
		}
		comma = ",";
	}
	fputc('\n', d->out);
}

static void csv_end_table(struct doc *d)
{
	d->csv_on = false;
	leave(d);
}

const struct doc_renderer doc_csv = {
	.is = DOC_CSV,
	.object = enter,
	.object_end = leave,
	.array = enter,
	.array_end = leave,
	.table = csv_begin_table,
	.row = csv_row,
	.table_end = csv_end_table,
};

struct doc doc_begin_csv(FILE *out, const struct part *part, const char *table)
{
	struct doc d = doc_begin(&doc_csv, out, part);

	d.csv_table = table;
	return d;
}

/* ---- names of the tables ----------------------------------------------------------------- */

static void list_table(struct doc *d)
{
	struct doc_tables *t = d->tables;

	enter(d, d->table->key);
	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->path[i], d->json.path))
			return;
	assert(t->n < DOC_TABLES);
	snprintf(t->path[t->n++], JSON_PATH, "%s", d->json.path);
}

static const struct doc_renderer doc_csv_tables = {
	.is = DOC_CSV,
	.object = enter,
	.object_end = leave,
	.array = enter,
	.array_end = leave,
	.table = list_table,
	.table_end = leave,
};

struct doc doc_begin_tables(const struct part *part, struct doc_tables *t)
{
	struct doc d = doc_begin(&doc_csv_tables, NULL, part);

	t->n = 0;
	d.tables = t;
	return d;
}

const char *doc_tables_find(const struct doc_tables *t, const char *name)
{
	const char *found = NULL;
	bool several = false;

	for (size_t i = 0; i < t->n; i++) {
		if (!strcmp(t->path[i], name))
			return t->path[i];
		if (strcmp(last_key(t->path[i]), name) != 0)
			continue;
		several |= found != NULL;
		found = t->path[i];
	}
	return several ? NULL : found;
}

void doc_tables_print(const struct doc_tables *t, FILE *out)
{
	for (size_t i = 0; i < t->n; i++) {
		const char *key = last_key(t->path[i]);

		fprintf(out, "%s%s", i ? ", " : "",
			doc_tables_find(t, key) == t->path[i] ? key : t->path[i]);
	}
}

/* ---- HTML ------------------------------------------------------------------------------ */

/* Parts of an HTML page, and a report as a page. */

#define LINE 2048 /* bytes: longer text is truncated */

#define PLUS_MINUS " +- " /* for the project's own texts, which can only contain ASCII */

void html_text(FILE *out, const char *s)
{
	const char *at;

	for (; (at = strstr(s, PLUS_MINUS)); s = at + strlen(PLUS_MINUS)) {
		escape_xml(out, s, (size_t)(at - s));
		fputs(" \u00b1 ", out);
	}
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

/* Begins a list of names and their meanings. class: NULL, or a class of page.css. */
static void html_list(FILE *out, const char *class)
{
	fprintf(out, "<dl class=\"%s\">\n", class);
}

__attribute__((format(printf, 3, 4))) static void html_item(FILE *out, const char *name,
							    const char *fmt, ...)
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

static void html_list_end(FILE *out)
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

/* Closes the open list. Consecutive lines are one list. */
static void close_list(struct doc *d)
{
	if (d->in_list)
		html_list_end(d->out);
	d->in_list = false;
}

static void html_title(struct doc *d, const char *text)
{
	close_list(d);
	if (!*text)
		return;
	fputs("<h3>", d->out);
	html_text(d->out, text);
	fputs("</h3>\n", d->out);
}

static void html_line(struct doc *d, const char *name, const char *text)
{
	if (!d->in_list)
		html_list(d->out, "facts");
	d->in_list = true;
	html_item(d->out, name, "%s", text);
}

static void html_subline(struct doc *d, const char *name, const char *of, const char *text)
{
	char both[128];

	snprintf(both, sizeof(both), "%s%s%s", name, *name ? ", " : "", of);
	html_line(d, both, text);
}

static void html_note(struct doc *d, const char *text)
{
	close_list(d);
	html_paragraph(d->out, "note", "%s", text + strspn(text, " "));
}

static void html_alert(struct doc *d, const char *word, const char *text)
{
	close_list(d);
	html_paragraph(d->out, "alert bad", "%s: %s.", word, text);
}

/* ---- its tables -------------------------------------------------------------------------- */

/* Begins a table inside a box that scrolls if the page is too narrow. */
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

static void html_table(struct doc *d)
{
	d->in_table = !d->table->sections;
	if (d->in_table)
		begin(d, d->table->caption ? d->table->caption : d->table->title);
}

static void html_table_end(struct doc *d)
{
	if (d->in_table)
		fputs("</tbody></table></div>\n", d->out);
}

static void html_section(struct doc *d, const char *title)
{
	html_table_end(d);
	begin(d, title);
	d->in_table = true;
}

/* ---- their rows -------------------------------------------------------------------------- */

/* Draws a bar whose length is proportional to the share. */
static void bar(FILE *out, double share, const char *color)
{
	double percent = isnan(share) ? 0 : 100 * fmin(fmax(share, 0), 1);

	fprintf(out,
		"<svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
		"aria-hidden=\"true\"><rect width=\"%.2f\" height=\"10\" fill=\"%s\"/></svg>",
		percent, color);
}

/* "16.1 <small>± 0.2</small>" */
static void measured(FILE *out, const struct doc_column *c, const struct doc_cell *cell)
{
	char text[2 * DOC_SHOWN_SIZE], *half;

	doc_measured(text, sizeof(text), c, cell, 0);
	half = text_half(text);
	html_text(out, text);
	if (half)
		fprintf(out, " <small>± %s</small>", half);
}

/* Writes the content of a cell without the tags around it. */
static void content(FILE *out, const struct doc_column *c, const struct doc_cell *cell)
{
	char v[DOC_SHOWN_SIZE], list[DOC_JOINED_SIZE];

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
	else if (doc_is_measured(c))
		measured(out, c, cell);
	else
		html_text(out, doc_shown(v, sizeof(v), c, cell->v));
}

static void html_row(struct doc *d)
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
	.title = html_title,
	.line = html_line,
	.subline = html_subline,
	.alert = html_alert,
	.note = html_note,
	.table = html_table,
	.row = html_row,
	.section = html_section,
	.table_end = html_table_end,
	.end = close_list,
};
