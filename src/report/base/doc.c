// SPDX-License-Identifier: BSD-2-Clause
#include "doc.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "text.h"

struct doc doc_begin(const struct doc_renderer *r, FILE *out, const struct part *part)
{
	return (struct doc){ .renderer = r, .out = out, .part = part, .json = { .out = out } };
}

void doc_end(struct doc *d)
{
	if (d->renderer->end)
		d->renderer->end(d);
}

bool doc_is_for(const struct doc *d, unsigned int who)
{
	return !who || who & d->renderer->is;
}

bool doc_is_schema(const struct doc *d)
{
	return d->schema || d->tables;
}

/* ---- fields ------------------------------------------------------------------------------ */

void doc_object(struct doc *d, const char *key)
{
	if (d->renderer->object)
		d->renderer->object(d, key);
}

void doc_object_end(struct doc *d)
{
	if (d->renderer->object_end)
		d->renderer->object_end(d);
}

void doc_array(struct doc *d, const char *key)
{
	if (d->renderer->array)
		d->renderer->array(d, key);
}

void doc_array_end(struct doc *d)
{
	if (d->renderer->array_end)
		d->renderer->array_end(d);
}

static void field(struct doc *d, const struct doc_column *c, const struct doc_cell *cell)
{
	if (d->renderer->field)
		d->renderer->field(d, c, cell);
}

void doc_field(struct doc *d, const char *key, double v, int precision)
{
	field(d, &(struct doc_column){ .key = key, .precision = (uint8_t)precision },
	      &(struct doc_cell){ .v = v });
}

void doc_field_uint(struct doc *d, const char *key, uint64_t v)
{
	field(d, &(struct doc_column){ .key = key, .kind = DOC_UINT },
	      &(struct doc_cell){ .u = v });
}

void doc_field_string(struct doc *d, const char *key, const char *s)
{
	field(d, &(struct doc_column){ .key = key, .kind = DOC_STRING },
	      &(struct doc_cell){ .s = s });
}

void doc_field_text(struct doc *d, const char *key, const char *s)
{
	field(d, &(struct doc_column){ .key = key, .kind = DOC_STRING, .known = true },
	      &(struct doc_cell){ .s = s });
}

void doc_field_choice(struct doc *d, const char *key, const char *s, const char *const *choices)
{
	field(d,
	      &(struct doc_column){
		      .key = key, .kind = DOC_STRING, .known = true, .choices = choices },
	      &(struct doc_cell){ .s = s });
}

void doc_field_constant(struct doc *d, const char *key, const char *s)
{
	field(d,
	      &(struct doc_column){
		      .key = key, .kind = DOC_STRING, .known = true, .constant = true },
	      &(struct doc_cell){ .s = s });
}

void doc_field_known(struct doc *d, const char *key, uint64_t v, bool known)
{
	if (doc_or_null(d, key, known))
		doc_field_uint(d, key, v);
}

void doc_field_list(struct doc *d, const char *key, const char *first, uint32_t n)
{
	field(d, &(struct doc_column){ .key = key, .kind = DOC_LIST },
	      &(struct doc_cell){ .s = first, .n = n });
}

void doc_field_uints(struct doc *d, const char *key, const uint32_t *v, uint32_t n)
{
	field(d, &(struct doc_column){ .key = key, .kind = DOC_UINTS },
	      &(struct doc_cell){ .uints = v, .n = n });
}

void doc_field_bool(struct doc *d, const char *key, bool v)
{
	field(d, &(struct doc_column){ .key = key, .kind = DOC_BOOL },
	      &(struct doc_cell){ .is = v });
}

/* ---- the schema -------------------------------------------------------------------------- */

void doc_about(struct doc *d, const char *text)
{
	d->next.about = text;
}

bool doc_optional(struct doc *d, bool there)
{
	d->next.optional = true;
	return there || doc_is_schema(d);
}

bool doc_or_null(struct doc *d, const char *key, bool there)
{
	d->next.null = true;
	if (!there && !doc_is_schema(d))
		doc_field_string(d, key, NULL);
	return there || doc_is_schema(d);
}

/* ---- text --------------------------------------------------------------------------- */

void doc_title(struct doc *d, const char *text)
{
	if (d->renderer->title)
		d->renderer->title(d, text);
}

#define FORMAT(text, fmt)                                                                          \
	do {                                                                                       \
		va_list ap;                                                                        \
		va_start(ap, fmt);                                                                 \
		vsnprintf(text, sizeof(text), fmt, ap);                                            \
		va_end(ap);                                                                        \
	} while (0)

void doc_heading(struct doc *d, const char *fmt, ...)
{
	char text[DOC_LINE];

	FORMAT(text, fmt);
	if (d->renderer->heading)
		d->renderer->heading(d, text);
}

void doc_line(struct doc *d, const char *name, const char *fmt, ...)
{
	char text[DOC_LINE];

	FORMAT(text, fmt);
	if (d->renderer->line)
		d->renderer->line(d, name, text);
}

void doc_subline(struct doc *d, const char *name, const char *of, const char *text)
{
	if (d->renderer->subline)
		d->renderer->subline(d, name, of, text);
}

void doc_alert(struct doc *d, const char *word, const char *fmt, ...)
{
	char text[DOC_LINE];

	FORMAT(text, fmt);
	if (d->renderer->alert)
		d->renderer->alert(d, word, text);
}

void doc_note(struct doc *d, const char *fmt, ...)
{
	char text[DOC_LINE];

	FORMAT(text, fmt);
	if (d->renderer->note)
		d->renderer->note(d, text);
}

/* ---- tables ------------------------------------------------------------------------------ */

void doc_table(struct doc *d, const struct doc_table *t)
{
	assert(t->ncolumns <= DOC_COLUMNS);
	d->table = t;
	if (d->renderer->table && doc_is_for(d, t->only))
		d->renderer->table(d);
}

void doc_table_end(struct doc *d)
{
	if (d->renderer->table_end && doc_is_for(d, d->table->only))
		d->renderer->table_end(d);
	d->table = NULL;
}

void doc_section(struct doc *d, const char *title)
{
	if (d->renderer->section && doc_is_for(d, d->table->only))
		d->renderer->section(d, title);
}

void doc_row(struct doc *d, unsigned int depth, unsigned int only)
{
	d->depth = depth;
	d->ncells = 0;
	d->row_last = only & DOC_LAST;
	d->row_taken = d->renderer->row && doc_is_for(d, only) && doc_is_for(d, d->table->only);
}

void doc_row_end(struct doc *d)
{
	assert(d->ncells == d->table->ncolumns);
	if (d->row_taken)
		d->renderer->row(d);
}

static void add(struct doc *d, struct doc_cell cell)
{
	assert(d->ncells < d->table->ncolumns);
	d->cell[d->ncells++] = cell;
}

void doc_number(struct doc *d, double v)
{
	add(d, (struct doc_cell){ .v = v });
}

void doc_interval_to(struct doc *d, double v, double ci, double limit)
{
	add(d, (struct doc_cell){ .v = v, .ci = isnan(v) ? NAN : ci, .limit = limit });
}

void doc_interval(struct doc *d, double v, double ci)
{
	doc_interval_to(d, v, ci, 0);
}

void doc_string(struct doc *d, const char *s)
{
	add(d, (struct doc_cell){ .s = s });
}

void doc_string_brief(struct doc *d, const char *s, const char *brief)
{
	add(d, (struct doc_cell){ .s = s, .brief = brief });
}

void doc_list(struct doc *d, const char *first, uint32_t n)
{
	add(d, (struct doc_cell){ .s = first, .n = n });
}

void doc_histogram(struct doc *d, const struct histogram *h)
{
	add(d, (struct doc_cell){ .histogram = h });
}

void doc_colored(struct doc *d, const char *s, int color)
{
	add(d, (struct doc_cell){ .s = s, .color = color });
}

void doc_bool(struct doc *d, bool v)
{
	add(d, (struct doc_cell){ .is = v });
}

void doc_spark(struct doc *d, const char *level, const char *color)
{
	doc_string_brief(d, level, color);
}

void doc_bar(struct doc *d, double share, const char *color)
{
	add(d, (struct doc_cell){ .v = share, .s = color });
}

void doc_blank(struct doc *d)
{
	add(d, (struct doc_cell){ .blank = true, .v = NAN, .ci = NAN });
}

void doc_blanks(struct doc *d, size_t n)
{
	while (n--)
		doc_blank(d);
}

static const char *string_at(const struct doc_column *c, const void *at)
{
	const char *s = c->value == DOC_OF_CHARS ? at : *(const char *const *)at;

	if (s && !*s)
		return c->empty ? c->empty : c->known ? s : NULL;
	return s;
}

static struct doc_cell cell_at(const struct doc_column *c, const char *row)
{
	const void *at = row + c->at, *ci_at = row + c->ci_at;
	double times = c->times != 0 ? c->times : 1;
	struct doc_cell cell = { .v = NAN, .ci = NAN, .s = c->color ? *c->color : NULL };

	switch (c->value) {
	case DOC_OF_NOTHING:
		cell.blank = true;
		break;
	case DOC_OF_NUMBER:
		cell.v = times * *(const double *)at;
		if (c->kind == DOC_INTERVAL && !isnan(cell.v))
			cell.ci = times * *(const double *)ci_at;
		break;
	case DOC_OF_UINT:
		if (*(const uint64_t *)at != UINT64_MAX)
			cell.v = times * (double)*(const uint64_t *)at;
		break;
	case DOC_OF_STRING:
	case DOC_OF_CHARS:
		cell.s = string_at(c, at);
		break;
	case DOC_OF_CHOICE:
		cell.s = c->choices[*(const unsigned int *)at];
		break;
	case DOC_OF_BOOL:
		cell.is = *(const bool *)at;
		break;
	}
	return cell;
}

static void put_row(struct doc *d, const void *row, bool sum)
{
	for (size_t i = 0; i < d->table->ncolumns; i++) {
		if (sum && d->table->column[i].single)
			doc_blank(d);
		else
			add(d, cell_at(&d->table->column[i], row));
	}
	doc_row_end(d);
}

void doc_put_row(struct doc *d, unsigned int depth, unsigned int only, const void *row)
{
	doc_row(d, depth, only);
	put_row(d, row, false);
}

void doc_put_sum(struct doc *d, const void *row)
{
	doc_row(d, 0, DOC_PEOPLE | DOC_LAST);
	put_row(d, row, true);
}

/* ---- for renderers ----------------------------------------------------------------------- */

bool doc_takes(const struct doc *d, size_t i)
{
	const struct doc_column *c = &d->table->column[i];
	bool people = d->renderer->is & DOC_PEOPLE;

	if (c->kind == DOC_BAR)
		return d->renderer->is == DOC_HTML || (c->width && d->renderer->is == DOC_TEXT &&
						       d->terminal.bars && doc_is_for(d, c->only));
	return doc_is_for(d, c->only) && (people ? c->title : c->key);
}

bool doc_is_text(const struct doc_column *c)
{
	return c->kind == DOC_STRING || c->kind == DOC_LIST || c->kind == DOC_BOOL ||
	       c->kind == DOC_SPARK;
}

size_t doc_only_column(const struct doc *d)
{
	size_t only = 0, n = 0;

	for (size_t i = 1; d->table->keyed && i < d->table->ncolumns; i++)
		if (doc_takes(d, i)) {
			only = i;
			n++;
		}
	return n == 1 && d->table->column[only].kind != DOC_INTERVAL ? only : 0;
}

bool doc_is_measured(const struct doc_column *c)
{
	return c->kind == DOC_INTERVAL ||
	       (c->kind == DOC_NUMBER && !c->fixed && (c->unit || c->decimals));
}

char *doc_shown(char *buf, size_t size, const struct doc_column *c, double v)
{
	double shown = c->scale != 0 ? v * c->scale : v;

	if (!c->sign || isnan(shown))
		return text_num(buf, size, shown, c->decimals);
	/* A value that rounds to 0 gets no minus sign. */
	snprintf(buf, size, "%+.*f", c->decimals,
		 fabs(shown) < 0.5 * pow(10, -c->decimals) ? 0 : shown);
	return buf;
}

char *doc_measured(char *buf, size_t size, const struct doc_column *c, const struct doc_cell *cell,
		   int ci_width)
{
	double scale = c->scale != 0 ? c->scale : 1;
	bool interval = c->kind == DOC_INTERVAL;

	return text_measured(
		buf, size,
		&(struct text_measure){ .v = cell->v * scale,
					.ci95 = interval || cell->v != 0 ? cell->ci * scale : 0,
					.unit = c->unit,
					.most = c->unit ? -1 : c->decimals,
					.limit = cell->limit * scale,
					.bound = !c->sign && (interval || cell->v != 0),
					.alone = !interval,
					.sign = c->sign,
					.ci_width = interval ? ci_width : 0 });
}

char *doc_joined(char *dst, size_t size, const struct doc_cell *cell)
{
	const char *s = cell->s;
	size_t n = 0;

	*dst = '\0';
	for (uint32_t i = 0; i < cell->n && n < size; i++, s += strlen(s) + 1)
		n += (size_t)snprintf(dst + n, size - n, "%s%s", i ? ", " : "", s);
	return dst;
}
