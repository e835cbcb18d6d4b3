/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * html.h: pieces of an HTML page. All text, from traces or not, passes html_text(), so that it stays text, whatever
 * is in it.
 */
#ifndef NETCOST_REPORT_HTML_H
#define NETCOST_REPORT_HTML_H

#include <stdbool.h>
#include <stdio.h>

void html_text(FILE *out, const char *s);
__attribute__((format(printf, 2, 3))) void html_printf(FILE *out, const char *fmt, ...);

/* A paragraph; class: NULL, or one of page.css. */
__attribute__((format(printf, 3, 4))) void html_paragraph(FILE *out, const char *class,
							  const char *fmt, ...);

/* A list of names and what they stand for. class as above. */
void html_list(FILE *out, const char *class);
__attribute__((format(printf, 3, 4))) void html_item(FILE *out, const char *name, const char *fmt,
						     ...);
void html_list_end(FILE *out);

/* An item of a legend: a little square of that colour, and text. */
__attribute__((format(printf, 3, 4))) void html_legend(FILE *out, const char *color,
						       const char *fmt, ...);

#endif
