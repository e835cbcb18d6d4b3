/* SPDX-License-Identifier: BSD-2-Clause */
/* units.h: amounts with units in text: times, sizes, percentages. */
#ifndef NETCOST_UNITS_H
#define NETCOST_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNITS_SECOND 1000000000ull /* times are in ns */
#define UNITS_MS 1000000ull
#define UNITS_PERCENT 10000ull /* percentages are in millionths */
#define UNITS_MIB (1ull << 20) /* sizes are in bytes */

enum units {
	UNITS_TIME,  /* "500ms", "1m30s", "1.5h", "1d" */
	UNITS_SIZE,  /* "64K", "1.5G": 1024 of the unit below */
	UNITS_SHARE, /* "5%", "0.3%" */
};

/*
 * Parses numbers with units, the largest unit first. The last number may lack a unit if `plain`, its unit then, is not
 * 0. Fractions of the smallest unit are dropped. False: the text is not an amount, or it is above INT64_MAX.
 */
bool units_parse(enum units kind, const char *text, uint64_t plain, uint64_t *amount);
/* Writes "90s": in the largest unit that gives a whole number. Returns dst. */
char *units_text(enum units kind, uint64_t amount, char *dst, size_t size);
/* Returns the name of such an amount, and an example: "time", "500ms or 1m30s". */
const char *units_name(enum units kind);
const char *units_example(enum units kind);

#endif
