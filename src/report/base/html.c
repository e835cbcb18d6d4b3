// SPDX-License-Identifier: BSD-2-Clause
#include "html.h"

#include <stdarg.h>
#include <stdint.h>

#include "escape.h"

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
