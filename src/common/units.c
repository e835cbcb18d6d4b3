// SPDX-License-Identifier: BSD-2-Clause
#include <netcost/units.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define BILLION UNITS_SECOND /* fractions are counted in billionths of a unit */

struct unit {
	const char *name;
	uint64_t of;
};

/* The units of time, the largest first. */
static const struct unit times[] = {
	{ "d", 86400 * UNITS_SECOND },
	{ "h", 3600 * UNITS_SECOND },
	{ "m", 60 * UNITS_SECOND },
	{ "s", UNITS_SECOND },
	{ "ms", 1000000 },
	{ "us", 1000 },
	{ "ns", 1 },
	{ NULL, 0 },
};

static const struct unit sizes[] = {
	{ "T", 1ull << 40 }, { "G", 1ull << 30 }, { "M", UNITS_MIB },
	{ "K", 1ull << 10 }, { NULL, 0 },
};

static const struct unit shares[] = { { "%", UNITS_PERCENT }, { NULL, 0 } };

static const struct {
	const struct unit *unit;
	const char *name, *example;
} kinds[] = {
	[UNITS_TIME] = { times, "time", "500ms, 5m or 1m30s" },
	[UNITS_SIZE] = { sizes, "size", "500K, 64M or 2G" },
	[UNITS_SHARE] = { shares, "percentage", "5% or 0.5" },
};

/* Parses digits with an optional decimal point. Sets the integer part, and the fraction in parts of BILLION. */
static bool units_number(const char **s, uint64_t *whole, uint64_t *part)
{
	uint64_t digit = BILLION;
	const char *begin = *s;

	*whole = *part = 0;
	for (; **s >= '0' && **s <= '9'; ++*s)
		if (__builtin_mul_overflow(*whole, 10, whole) ||
		    __builtin_add_overflow(*whole, (uint64_t)(**s - '0'), whole))
			return false;
	if (**s != '.')
		return *s > begin;
	for (++*s; **s >= '0' && **s <= '9'; ++*s)
		*part += (digit /= 10) * (uint64_t)(**s - '0');
	return *s - begin > 1;
}

/* Returns the size of the unit at *s and advances *s. Returns 0 if there is no unit at *s. */
static uint64_t units_unit(const struct unit *unit, const char **s, uint64_t plain)
{
	size_t len = strcspn(*s, "0123456789.");

	if (!len)
		return plain;
	for (; unit->name; unit++)
		if (strlen(unit->name) == len && !memcmp(unit->name, *s, len)) {
			*s += len;
			return unit->of;
		}
	return 0;
}

bool units_parse(enum units kind, const char *text, uint64_t plain, uint64_t *amount)
{
	uint64_t larger = UINT64_MAX, sum = 0;

	if (!*text)
		return false;
	while (*text) {
		uint64_t whole, part, of;

		if (!units_number(&text, &whole, &part))
			return false;
		of = units_unit(kinds[kind].unit, &text, plain);
		if (!of || of >= larger || __builtin_mul_overflow(whole, of, &whole) ||
		    __builtin_add_overflow(sum, whole, &sum))
			return false;
		part = part * (of / BILLION) + part * (of % BILLION) / BILLION;
		if (__builtin_add_overflow(sum, part, &sum))
			return false;
		larger = of;
	}
	*amount = sum;
	return sum <= INT64_MAX;
}

char *units_text(enum units kind, uint64_t amount, char *dst, size_t size)
{
	const struct unit *unit = kinds[kind].unit;

	while (unit[1].name && (amount < unit->of || amount % unit->of))
		unit++;
	if (amount % unit->of)
		snprintf(dst, size, "%g%s", (double)amount / (double)unit->of, unit->name);
	else
		snprintf(dst, size, "%" PRIu64 "%s", amount / unit->of, unit->name);
	return dst;
}

const char *units_name(enum units kind)
{
	return kinds[kind].name;
}

const char *units_example(enum units kind)
{
	return kinds[kind].example;
}
