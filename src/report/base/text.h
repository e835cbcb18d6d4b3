/* SPDX-License-Identifier: BSD-2-Clause */
/* text.h: numbers, times and lines for people. */
#ifndef NETCOST_REPORT_TEXT_H
#define NETCOST_REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A number; "-" for NaN: not measured. Returns buf. */
char *text_num(char *buf, size_t size, double v, int decimals);
/* The same with four digits at most, in k, M and so on from 10000 on. */
char *text_brief(char *buf, size_t size, double v, int decimals);

/* What is scaled to a unit that leaves few digits: ns to s, uJ to J; or a number as it is. */
enum text_unit { TEXT_PLAIN, TEXT_NS, TEXT_UJ };

/*
 * The number of decimals of a measured value: those of its three significant digits, or those up to the second significant digit
 * of its interval where that is fewer. Negative: it is rounded to tens, hundreds and so on. ci95: half-width; 0: none.
 */
int text_decimals(double v, double ci95);
/* A measured value and its unit, such as "13.3 us". Returns buf. */
char *text_value(char *buf, size_t size, double v, enum text_unit unit);
/*
 * The same with its interval: "13.32 +- 0.08 us", without one that is smaller than the digits shown. most: decimals at most; -1: any.
 * A value that is not negative and below its interval is shown as "< BOUND" if bound is set.
 */
struct text_measure {
	double v, ci95;
	enum text_unit unit;
	int most;
	bool bound;
	int ci_width; /* columns of the half-width */
};
char *text_measured(char *buf, size_t size, const struct text_measure *t);
/* A share in percent. */
char *text_percent(char *buf, size_t size, double share, int decimals);
/* "0-3,5" */
char *text_cpu_list(char *buf, size_t size, const uint32_t *cpu, size_t n);

/* "2026-07-31 12:00:00 UTC"; "?" for what is no date. */
char *text_utc(char *buf, size_t size, uint64_t real_ns);
/* The same in the local time of the reader, with its zone: "2026-07-31 14:00:00 CEST". */
char *text_local(char *buf, size_t size, uint64_t real_ns);
/* The time of day of it: "14:00:00". */
char *text_clock(char *buf, size_t size, uint64_t real_ns);

#define TEXT_COLUMNS 100 /* of a line, wherever there is a choice */

/* Writes s word by word from column `at` on, in lines of so many columns; further lines begin at `indent`. */
void text_wrap(FILE *out, int at, int indent, int columns, const char *s);

/* For arguments of printf(): the buffer lives as long as the block around it. */
#define TEXT_SIZE 40
#define NUM(v, decimals) text_num((char[TEXT_SIZE]){ 0 }, TEXT_SIZE, v, decimals)
#define PERCENT(v, decimals) text_percent((char[TEXT_SIZE]){ 0 }, TEXT_SIZE, v, decimals)
#define MEASURED(v, unit) text_value((char[TEXT_SIZE]){ 0 }, TEXT_SIZE, v, unit)
#define LOCAL(real_ns) text_local((char[TEXT_SIZE]){ 0 }, TEXT_SIZE, real_ns)
#define UTC(real_ns) text_utc((char[TEXT_SIZE]){ 0 }, TEXT_SIZE, real_ns)

/* A string out of the trace, safe for a terminal. */
#define SAFE_SIZE 256
#define SAFE(s) escape_text((char[SAFE_SIZE]){ 0 }, SAFE_SIZE, s)

/* ---- escapes: strings out of a trace may hold anything; here they become safe to print --- */

/* A JSON string with its quotes. Each byte that is not UTF-8 becomes U+FFFD; control characters are escaped. */
void escape_json(FILE *out, const char *s, size_t n);

/* For terminals and tables of fixed width: what is not printable ASCII becomes '?'. Returns dst. */
char *escape_text(char *dst, size_t size, const char *s);

/*
 * For XML and HTML, as text or between quotes, at most n bytes: markup becomes entities, what is not printable
 * ASCII '?'. So nothing of a trace is markup, and nothing changes the direction of what stands around it.
 */
void escape_xml(FILE *out, const char *s, size_t n);

/* For folded stacks, where ';' and blanks separate: in place, what could break a line becomes '_'. */
void escape_folded(char *s);

/* ---- moments of a trace, as people write them on a command line -------------------------- */

enum time_anchor {
	TIME_OPEN, /* where the trace begins, or ends */
	TIME_SINCE_START,
	TIME_BEFORE_END,
	TIME_AT_MARK,
};

struct time_arg {
	enum time_anchor anchor;
	uint64_t ns;
	const char *mark; /* its text */
};

/* "2.5", "2.5s", "500ms", "1m30s", "-10s", "mark:TEXT". False: it is none of these. */
bool time_arg_parse(const char *text, struct time_arg *t);

/* ---- parts of a file ---------------------------------------------------------------------- */

/* Which trace of a file a report is about, and how netcost-report reports what went wrong with it. */

struct part {
	const char *file;
	unsigned int number; /* from 1 on; 0: the file holds one trace */
	char name[256];	     /* the host's, as HEADER has it; else "part N" */
	bool alone;	     /* it is the only one that is reported on */
	bool first;	     /* that is reported on */
};

/* "all.nct: web1 (part 2)", safe for a terminal but for the file's own name. Returns dst. */
char *part_title(const struct part *p, char *dst, size_t size);

/* For arguments of printf(): the buffer lives as long as the block around it. */
#define PART_TITLE_SIZE 512
#define PART_TITLE(p) part_title(p, (char[PART_TITLE_SIZE]){ 0 }, PART_TITLE_SIZE)

/* One line on stderr: FILE: text. Both are made safe for terminals. */
__attribute__((format(printf, 2, 3))) void tell(const char *file, const char *fmt, ...);

#endif
