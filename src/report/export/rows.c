// SPDX-License-Identifier: BSD-2-Clause
#include "rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <netcost/trace.h>

#include "clean.h"
#include "report/base/text.h"

const struct table_column table_key[TABLE_KEYS] = {
	{ "recording", NULL, TABLE_TEXT, true,
	  "32 hex digits: its start in ns, and a hash of what the trace says of its host" },
	{ "host", NULL, TABLE_TEXT, true,
	  "as the trace has it, or as it was given; '': not known" },
	{ "start", NULL, TABLE_TIME, true, "when the recording began" },
};

/* ---- values ------------------------------------------------------------------------------ */

#define GROWS 3 /* times: a byte may become a U+FFFD */

/* Whatever stands in a trace, and however long it is: none of it is cut off. */
static void write_text(struct rows *r, const char *s)
{
	char usual[GROWS * TRACE_MAX_STR + 1], *longer = NULL;
	size_t size = GROWS * strlen(s) + 1;

	if (size > sizeof(usual)) {
		longer = malloc(size);
		r->no_memory |= !longer;
		s = longer ? s : "";
	}
	s = clean_utf8(longer ? longer : usual, longer ? size : sizeof(usual), s);
	escape_json(r->out, s, strlen(s));
	free(longer);
}

static void write_time(FILE *out, uint64_t real_ns)
{
	time_t t = (time_t)(real_ns / 1000000000);
	struct tm tm;
	char text[64] = "";

	if (gmtime_r(&t, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
	fprintf(out, "\"%s\"", text);
}

/* ---- cells ------------------------------------------------------------------------------- */

static void write_name(struct rows *r, const struct table_column *c)
{
	fprintf(r->out, "%c\"%s\":", c == table_key ? '{' : ',', c->name);
}

/* Whether a cell of that kind, with a value or without, can be the next one; then its name is written. */
static bool takes(struct rows *r, enum table_kind kind, bool null)
{
	const struct table_column *c = &r->table->column[r->at];

	if (r->at >= r->table->ncolumns || c->kind != kind || (null && c->known)) {
		r->wrong = true;
		return false;
	}
	r->at++;
	write_name(r, c);
	if (null)
		fputs("null", r->out);
	return !null;
}

void rows_begin(struct rows *r)
{
	write_name(r, &table_key[0]);
	write_text(r, r->key->recording);
	write_name(r, &table_key[1]);
	write_text(r, r->key->host);
	write_name(r, &table_key[2]);
	write_time(r->out, r->key->start_ns);
	r->at = 0;
}

void rows_end(struct rows *r)
{
	fputs("}\n", r->out);
	r->wrong |= r->at != r->table->ncolumns;
	r->n++;
}

void rows_text(struct rows *r, const char *s)
{
	if (takes(r, TABLE_TEXT, !s))
		write_text(r, s);
}

void rows_text_known(struct rows *r, const char *s)
{
	rows_text(r, *s ? s : NULL);
}

void rows_time(struct rows *r, uint64_t real_ns, bool known)
{
	if (takes(r, TABLE_TIME, !known))
		write_time(r->out, real_ns);
}

void rows_uint(struct rows *r, uint64_t v)
{
	bool known = r->at < r->table->ncolumns && r->table->column[r->at].known;

	if (takes(r, TABLE_UINT, v == UINT64_MAX && !known))
		fprintf(r->out, "%" PRIu64, v);
}

/* As many digits as tell it apart from others. */
void rows_number(struct rows *r, double v)
{
	char text[32];

	if (!takes(r, TABLE_NUMBER, !isfinite(v)))
		return;
	snprintf(text, sizeof(text), "%.15g", v);
	if (strtod(text, NULL) != v)
		snprintf(text, sizeof(text), "%.17g", v);
	fputs(text, r->out);
}
