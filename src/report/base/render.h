/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * render.h: JSON, CSV and HTML, written front to back. NaN means not measured: null in JSON, an
 * empty cell in CSV.
 *
 * JSON can also be written as CSV: a row for each value, with its keys ("cpu_time.tree.0.ns"). key
 * is NULL for elements of an array. Each text of an HTML page, whether it comes from a trace or
 * not, is written by html_text(), so that it cannot become markup.
 */
#ifndef NETCOST_REPORT_RENDER_H
#define NETCOST_REPORT_RENDER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "text.h"

/* ---- CSV: cells of a row; an empty cell was not measured ---------------------------- */

/* Returns the heading of the cell with the name of the part, if the file has several parts. */
const char *csv_part_heading(const struct part *part);

/* ---- JSON -------------------------------------------------------------------------------- */

#define JSON_DEPTH 16
#define JSON_PATH 256

struct json {
	FILE *out;
	bool compact;		 /* everything is on one line */
	const struct part *flat; /* the part, if JSON is written as CSV; NULL for JSON */
	unsigned int depth;
	bool more; /* this level already has an element */
	/*
	 * flat JSON: the current keys, the length of each level's prefix, the index of the next
	 * element of each level
	 */
	char path[JSON_PATH];
	size_t at[JSON_DEPTH];
	unsigned int next[JSON_DEPTH];
};

/*
 * Begins JSON that is written as CSV. The headings are written before the first part. The part must outlive the writer.
 */
struct json json_flat(FILE *out, const struct part *part);

void json_object(struct json *j, const char *key);
void json_object_end(struct json *j);
void json_array(struct json *j, const char *key);
void json_array_end(struct json *j);
void json_null(struct json *j, const char *key);
void json_bool(struct json *j, const char *key, bool v);
void json_uint(struct json *j, const char *key, uint64_t v);
void json_int(struct json *j, const char *key, int64_t v);
void json_num(struct json *j, const char *key, double v, int decimals);
#define NUMBER_ALL_DIGITS UINT8_MAX /* for `decimals`: all digits that identify the number */
void number_write(FILE *out, double v, int decimals);
void json_str(struct json *j, const char *key, const char *s);
void json_strn(struct json *j, const char *key, const char *s, size_t n);
/* Writes constant members or elements. text: compact JSON with ' in place of ". */
void json_constant(struct json *j, const char *text);
/* Ends the JSON with a newline after the outermost object. */
void json_end(struct json *j);

/* ---- HTML --------------------------------------------------------------------------------- */

void html_text(FILE *out, const char *s);
__attribute__((format(printf, 2, 3))) void html_printf(FILE *out, const char *fmt, ...);

/* Writes a paragraph. class: NULL, or a class of page.css. */
__attribute__((format(printf, 3, 4))) void html_paragraph(FILE *out, const char *class,
							  const char *fmt, ...);

/* Writes an item of a legend: a small square of a colour, then text. */
__attribute__((format(printf, 3, 4))) void html_legend(FILE *out, const char *color,
						       const char *fmt, ...);

#endif
