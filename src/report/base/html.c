// SPDX-License-Identifier: BSD-2-Clause
#include "html.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>

#include "escape.h"
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

void html_heading(FILE *out, const char *text)
{
	fputs("<h3>", out);
	html_text(out, text);
	fputs("</h3>\n", out);
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

/* ---- tables ------------------------------------------------------------------------------ */

void html_table(FILE *out, const char *caption, const struct html_column *c, size_t n)
{
	fputs("<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"", out);
	html_text(out, caption);
	fputs("\"><table>\n<caption>", out);
	html_text(out, caption);
	fputs("</caption>\n<thead><tr>", out);
	for (size_t i = 0; i < n; i++) {
		if (!c[i].title) {
			fputs("<td class=\"bar\"></td>", out);
			continue;
		}
		fprintf(out, "<th scope=\"col\"%s>", c[i].text ? " class=\"t\"" : "");
		html_text(out, c[i].title);
		fputs("</th>", out);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
}

void html_table_end(FILE *out)
{
	fputs("</tbody></table></div>\n", out);
}

void html_row(FILE *out, unsigned int depth, const char *heading)
{
	fprintf(out, "<tr><th scope=\"row\" class=\"d%u\">", depth);
	html_text(out, heading);
	fputs("</th>", out);
}

void html_row_end(FILE *out)
{
	fputs("</tr>\n", out);
}

void html_cell(FILE *out, const char *number)
{
	fputs("<td>", out);
	html_text(out, number);
	fputs("</td>", out);
}

void html_cell_text(FILE *out, const char *s)
{
	fputs("<td class=\"t\">", out);
	html_text(out, s);
	fputs("</td>", out);
}

void html_cell_interval(FILE *out, const char *number, const char *ci)
{
	fprintf(out, "<td>%s <small>± %s</small></td>", number, ci);
}

void html_cell_bar(FILE *out, double share, const char *color)
{
	double percent = isnan(share) ? 0 : 100 * fmin(fmax(share, 0), 1);

	fprintf(out,
		"<td class=\"bar\"><svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
		"aria-hidden=\"true\"><rect width=\"%.2f\" height=\"10\" fill=\"%s\"/></svg></td>",
		percent, color);
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
