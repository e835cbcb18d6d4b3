/* SPDX-License-Identifier: BSD-2-Clause */
/* text.h: numbers, times and lines as text. */
#ifndef NETCOST_REPORT_TEXT_H
#define NETCOST_REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <netcost/text_append.h>

/* Writes a number, or "-" for NaN, which means not measured. Returns buf. */
char *text_num(char *buf, size_t size, double v, int decimals);
/* Writes a count: all digits up to 9999, then three digits with k, M and so on. */
char *text_brief(char *buf, size_t size, double v);

/* Units: values in ns and uJ are scaled up to s and J so that few digits remain; a plain number is not scaled. */
enum text_unit { TEXT_PLAIN, TEXT_NS, TEXT_UJ };

/* Writes a measured value and its unit, such as "13.3 us". Returns buf. */
char *text_value(char *buf, size_t size, double v, enum text_unit unit);
/*
 * Writes a measured value and its interval: "13.32 +- 0.08 us". An interval that is smaller than the digits shown is
 * left out. most: largest number of decimals; -1 for any. With `bound`, a value that is not negative and below its
 * half-width is shown as "< BOUND", rounded up. A value above 0 that would be shown as 0 is shown in the same way. A
 * bound is at most `limit`, and an interval that extends beyond `limit` is shown as "> BOUND", rounded down. A share
 * below `limit` is not shown as `limit`.
 */
struct text_measure {
	double v, ci95;
	enum text_unit unit;
	int most;
	double limit; /* largest possible value; 0 for none */
	bool bound;
	bool alone;   /* the half-width is not shown, but limits the digits */
	bool sign;    /* a plus sign precedes positive values */
	int ci_width; /* columns of the half-width */
};
char *text_measured(char *buf, size_t size, const struct text_measure *t);
/* Writes a number and its noun: "1 packet", "2 packets". Returns buf. */
char *text_count(char *buf, size_t size, double n, const char *noun);
/* Writes a measured value, its interval and its unit. Returns buf. */
char *text_within(char *buf, size_t size, double v, double ci95, enum text_unit unit);
/* Writes a number without its interval, rounded to the digits that the interval makes significant. Returns buf. */
char *text_digits(char *buf, size_t size, double v, double ci95);
/* Writes a share as a percentage, with its interval unless `alone`. Returns buf. */
char *text_percent(char *buf, size_t size, double share, double ci95, bool alone);
/* Cuts the half-width off a text of text_measured(). Returns the half-width, or NULL if the text has no half-width. */
char *text_half(char *text);
/* Writes a list of CPUs, such as "0-3,5". */
char *text_cpu_list(char *buf, size_t size, const uint32_t *cpu, size_t n);

/* Writes "2026-07-31 12:00:00 UTC", or "?" for an invalid date. */
char *text_utc(char *buf, size_t size, uint64_t real_ns);
/* Writes a time in the reader's time zone, such as "2026-07-31 14:00:00 CEST". */
char *text_local(char *buf, size_t size, uint64_t real_ns);
/* Writes the time of day in the reader's time zone, such as "14:00:00". */
char *text_clock(char *buf, size_t size, uint64_t real_ns);

/* The macros are for arguments of printf(), because their buffers live as long as the block around them. */
#define TEXT_SIZE 40
#define NUM(v, decimals) text_num((char[TEXT_SIZE]){ 0 }, TEXT_SIZE, v, decimals)
#define PERCENT(v, ci95) text_percent((char[TEXT_SIZE]){ 0 }, TEXT_SIZE, v, ci95, false)
#define SHARE_OF(v, ci95) text_percent((char[TEXT_SIZE]){ 0 }, TEXT_SIZE, v, ci95, true)
#define WITHIN(v, ci95, unit) text_within((char[TEXT_SIZE]){ 0 }, TEXT_SIZE, v, ci95, unit)
#define COUNT(n, noun) text_count((char[TEXT_SIZE + 24]){ 0 }, TEXT_SIZE + 24, (double)(n), noun)
#define DIGITS(v, ci95) text_digits((char[TEXT_SIZE]){ 0 }, TEXT_SIZE, v, ci95)
#define MEASURED(v, unit) text_value((char[TEXT_SIZE]){ 0 }, TEXT_SIZE, v, unit)
#define LOCAL(real_ns) text_local((char[TEXT_SIZE]){ 0 }, TEXT_SIZE, real_ns)
#define UTC(real_ns) text_utc((char[TEXT_SIZE]){ 0 }, TEXT_SIZE, real_ns)

/* Makes a string from the trace safe for a terminal. */
#define SAFE_SIZE 256
#define SAFE(s) escape_text((char[SAFE_SIZE]){ 0 }, SAFE_SIZE, s)

/* ---- escapes: make strings from a trace, which may contain anything, safe to print -- */

/*
 * Writes a JSON string with its quotes. Each byte that is not UTF-8 becomes U+FFFD; control
 * characters are escaped.
 */
void escape_json(FILE *out, const char *s, size_t n);

/*
 * Makes a string safe for terminals and tables of fixed width: bytes that are not printable ASCII
 * become '?'. Returns dst.
 */
char *escape_text(char *dst, size_t size, const char *s);

/*
 * Writes at most n bytes of a string for XML and HTML, as text or in quotes. Markup becomes
 * entities, and bytes that are not printable ASCII become '?'. So a trace can neither insert markup
 * nor change the direction of the surrounding text.
 */
void escape_xml(FILE *out, const char *s, size_t n);

/*
 * Makes a string safe for folded stacks, whose parts are separated by ';' and blanks. Characters that could break a
 * line are replaced by '_', in place.
 */
void escape_folded(char *s);

/* ---- times of a trace in command line syntax ---------------------------------------- */

enum time_anchor {
	TIME_OPEN, /* the start or end of the trace */
	TIME_SINCE_START,
	TIME_BEFORE_END,
	TIME_AT_MARK,
};

struct time_arg {
	enum time_anchor anchor;
	uint64_t ns;
	const char *mark; /* text of the mark */
};

/* Parses "2.5", "2.5s", "500ms", "1m30s", "-10s", "mark:TEXT". Returns false for other texts. */
bool time_arg_parse(const char *text, struct time_arg *t);

/* ---- parts of a file ---------------------------------------------------------------------- */

/* The trace in a file that a report covers, and how errors in it are reported. */

struct part {
	const char *file;
	unsigned int number; /* number of the part, from 1 on; 0 if the file holds one trace */
	char name[256];	     /* name of the host in HEADER; otherwise "part N" */
	bool alone;	     /* the report covers no other part */
	bool first;	     /* the report covers no earlier part */
};

/*
 * Writes a title such as "all.nct: web1 (part 2)". The title is safe for a terminal except for the name of the file.
 * Returns dst.
 */
char *part_title(const struct part *p, char *dst, size_t size);

/* The macro is for arguments of printf(), because its buffer lives as long as the block around it. */
#define PART_TITLE_SIZE 512
#define PART_TITLE(p) part_title(p, (char[PART_TITLE_SIZE]){ 0 }, PART_TITLE_SIZE)

/* Prints "FILE: text" as one line on stderr. Both are made safe for terminals. */
__attribute__((format(printf, 2, 3))) void tell(const char *file, const char *fmt, ...);

#endif
