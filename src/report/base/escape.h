/* SPDX-License-Identifier: BSD-2-Clause */
/* escape.h: strings out of a trace may hold anything; here they become safe to print. */
#ifndef NETCOST_REPORT_ESCAPE_H
#define NETCOST_REPORT_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* A JSON string with its quotes. Each byte that is not UTF-8 becomes U+FFFD. */
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

#endif
