/* SPDX-License-Identifier: BSD-2-Clause */
/* units.h: reads and writes amounts with units: times, sizes, percentages. */
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
	UNITS_TIME,  /* times such as "500ms", "1m30s", "1.5h", "1d" */
	UNITS_SIZE,  /* sizes such as "64K", "1.5G"; each unit is 1024 times the next smaller one */
	UNITS_SHARE, /* percentages such as "5%", "0.3%" */
};

/*
 * Parses an amount: numbers with units, the largest unit first. If `plain` is not 0, the last number may lack a unit.
 * The unit of that number is then `plain`. Fractions of the smallest unit are dropped. Returns false if the text is not
 * an amount, or if the amount is above INT64_MAX.
 */
bool units_parse(enum units kind, const char *text, uint64_t plain, uint64_t *amount);
/* Writes an amount in the largest unit that gives a whole number, such as "90s". Returns dst. */
char *units_text(enum units kind, uint64_t amount, char *dst, size_t size);
/* Returns the name of a kind of amount, and sets an example: "time", "500ms or 1m30s". */
const char *units_name(enum units kind);
const char *units_example(enum units kind);

#endif
