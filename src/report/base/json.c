// SPDX-License-Identifier: BSD-2-Clause
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "csv.h"
#include "escape.h"
#include "text.h"

/* ---- levels ------------------------------------------------------------------------------ */

static void line(struct json *j)
{
	if (!j->compact)
		fprintf(j->out, "\n%*s", (int)(2 * j->depth), "");
}

/* Where a value stands: "cpu_time.tree.0.ns". What is too deep for the buffer ends early. */
static void step_into(struct json *j, const char *key)
{
	size_t at = j->depth < JSON_DEPTH ? j->at[j->depth] : 0, room = sizeof(j->path) - at;
	unsigned int *next = &j->next[j->depth < JSON_DEPTH ? j->depth : 0];
	int n;

	if (key)
		n = snprintf(j->path + at, room, "%s%s", at ? "." : "", key);
	else
		n = snprintf(j->path + at, room, "%s%u", at ? "." : "", (*next)++);
	if (j->depth + 1 < JSON_DEPTH)
		j->at[j->depth + 1] = at + ((size_t)n < room ? (size_t)n : room - 1);
}

static void begin(struct json *j, const char *key)
{
	if (j->flat) {
		step_into(j, key);
		csv_part(j->out, j->flat);
		fprintf(j->out, "%s,", j->path);
		return;
	}
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

static void end(struct json *j)
{
	if (j->flat)
		fputc('\n', j->out);
}

static void open_level(struct json *j, const char *key, char bracket)
{
	if (j->flat && j->depth) {
		step_into(j, key);
	} else if (!j->flat) {
		begin(j, key);
		fputc(bracket, j->out);
	}
	j->depth++;
	if (j->depth < JSON_DEPTH)
		j->next[j->depth] = 0;
	j->more = false;
}

static void close_level(struct json *j, char bracket)
{
	j->depth--;
	if (!j->flat) {
		if (j->more)
			line(j);
		fputc(bracket, j->out);
	}
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

/* ---- values ------------------------------------------------------------------------------ */

void json_null(struct json *j, const char *key)
{
	begin(j, key);
	fputs(j->flat ? "" : "null", j->out);
	end(j);
}

void json_constant(struct json *j, const char *text)
{
	begin(j, NULL);
	for (; *text; text++)
		fputc(*text == '\'' ? '"' : *text, j->out);
}

void json_bool(struct json *j, const char *key, bool v)
{
	begin(j, key);
	fputs(v ? "true" : "false", j->out);
	end(j);
}

void json_uint(struct json *j, const char *key, uint64_t v)
{
	begin(j, key);
	fprintf(j->out, "%" PRIu64, v);
	end(j);
}

void json_int(struct json *j, const char *key, int64_t v)
{
	begin(j, key);
	fprintf(j->out, "%" PRId64, v);
	end(j);
}

void json_num(struct json *j, const char *key, double v, int decimals)
{
	if (!isfinite(v)) {
		json_null(j, key);
		return;
	}
	begin(j, key);
	fprintf(j->out, "%.*f", decimals, v);
	end(j);
}

void json_strn(struct json *j, const char *key, const char *s, size_t n)
{
	char cell[SAFE_SIZE];

	begin(j, key);
	if (j->flat) {
		snprintf(cell, sizeof(cell), "%.*s", (int)n, s);
		csv_text(j->out, cell);
	} else {
		escape_json(j->out, s, n);
	}
	end(j);
}

void json_str(struct json *j, const char *key, const char *s)
{
	json_strn(j, key, s, strlen(s));
}

void json_end(struct json *j)
{
	if (!j->flat)
		fputc('\n', j->out);
	j->more = false;
}

struct json json_flat(FILE *out, const struct part *part)
{
	if (part->first)
		fprintf(out, "%skey,value\n", csv_part_heading(part));
	return (struct json){ .out = out, .flat = part };
}
