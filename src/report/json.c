// SPDX-License-Identifier: BSD-2-Clause
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "escape.h"

static void line(struct json *j)
{
	if (!j->compact)
		fprintf(j->out, "\n%*s", (int)(2 * j->depth), "");
}

static void begin(struct json *j, const char *key)
{
	if (j->more)
		fputc(',', j->out);
	if (j->depth)
		line(j);
	j->more = true;
	if (key) {
		escape_json(j->out, key, strlen(key));
		fputs(j->compact ? ":" : ": ", j->out);
	}
}

static void open_level(struct json *j, const char *key, char bracket)
{
	begin(j, key);
	fputc(bracket, j->out);
	j->depth++;
	j->more = false;
}

static void close_level(struct json *j, char bracket)
{
	j->depth--;
	if (j->more)
		line(j);
	fputc(bracket, j->out);
	j->more = true;
}

void json_object(struct json *j, const char *key)
{
	open_level(j, key, '{');
}

void json_object_end(struct json *j)
{
	close_level(j, '}');
}

void json_array(struct json *j, const char *key)
{
	open_level(j, key, '[');
}

void json_array_end(struct json *j)
{
	close_level(j, ']');
}

void json_null(struct json *j, const char *key)
{
	begin(j, key);
	fputs("null", j->out);
}

void json_bool(struct json *j, const char *key, bool v)
{
	begin(j, key);
	fputs(v ? "true" : "false", j->out);
}

void json_uint(struct json *j, const char *key, uint64_t v)
{
	begin(j, key);
	fprintf(j->out, "%" PRIu64, v);
}

void json_int(struct json *j, const char *key, int64_t v)
{
	begin(j, key);
	fprintf(j->out, "%" PRId64, v);
}

void json_num(struct json *j, const char *key, double v, int decimals)
{
	if (!isfinite(v)) {
		json_null(j, key);
		return;
	}
	begin(j, key);
	fprintf(j->out, "%.*f", decimals, v);
}

void json_strn(struct json *j, const char *key, const char *s, size_t n)
{
	begin(j, key);
	escape_json(j->out, s, n);
}

void json_str(struct json *j, const char *key, const char *s)
{
	json_strn(j, key, s, strlen(s));
}

void json_end(struct json *j)
{
	fputc('\n', j->out);
	j->more = false;
}
