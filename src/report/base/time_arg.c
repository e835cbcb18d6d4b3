// SPDX-License-Identifier: BSD-2-Clause
#include "time_arg.h"

#include <string.h>

#define NS 1000000000ull

static const struct unit {
	const char *name;
	uint64_t ns;
} units[] = {
	{ "h", 3600 * NS }, { "m", 60 * NS }, { "s", NS },
	{ "ms", 1000000 },  { "us", 1000 },   { "ns", 1 },
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

/* The unit at *s, which is moved after it; without one: seconds. */
static const struct unit *parse_unit(const char **s)
{
	size_t len = 0;

	while (is_letter((*s)[len]))
		len++;
	for (const struct unit *u = units; u < units + sizeof(units) / sizeof(*units); u++) {
		bool seconds = !len && u->ns == NS;

		if (!seconds && (strlen(u->name) != len || strncmp(u->name, *s, len)))
			continue;
		*s += len;
		return u;
	}
	return NULL;
}

/* Digits with or without a point in them: whole, and what is after the point in parts of NS. */
static bool parse_number(const char **s, uint64_t *whole, uint64_t *part)
{
	uint64_t digit = NS;
	const char *begin = *s;

	*whole = *part = 0;
	for (; is_digit(**s); ++*s)
		if (__builtin_mul_overflow(*whole, 10, whole) ||
		    __builtin_add_overflow(*whole, (uint64_t)(**s - '0'), whole))
			return false;
	if (**s != '.')
		return *s > begin;
	for (++*s; is_digit(**s); ++*s)
		*part += (digit /= 10) * (uint64_t)(**s - '0');
	return *s - begin > 1;
}

/* Parts of a duration, from the largest unit on: "1m30s". */
static bool parse_duration(const char *s, uint64_t *ns)
{
	uint64_t larger = UINT64_MAX;

	for (*ns = 0; *s;) {
		uint64_t whole, part;
		const struct unit *u;

		if (!parse_number(&s, &whole, &part) || !(u = parse_unit(&s)) || u->ns >= larger ||
		    __builtin_mul_overflow(whole, u->ns, &whole) ||
		    __builtin_add_overflow(*ns, whole, ns))
			return false;
		part = u->ns >= NS ? part * (u->ns / NS) : part / (NS / u->ns);
		if (__builtin_add_overflow(*ns, part, ns))
			return false;
		larger = u->ns;
	}
	return *ns <= INT64_MAX;
}

bool time_arg_parse(const char *text, struct time_arg *t)
{
	*t = (struct time_arg){ .anchor = TIME_SINCE_START };
	if (!strncmp(text, "mark:", 5)) {
		t->anchor = TIME_AT_MARK;
		t->mark = text + 5;
		return *t->mark;
	}
	if (*text == '-') {
		t->anchor = TIME_BEFORE_END;
		text++;
	}
	return *text && parse_duration(text, &t->ns);
}
