// SPDX-License-Identifier: BSD-2-Clause
#include "context_rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>

#include "record/base/procfs.h"

void context_rows_free(struct context_rows *r)
{
	free(r->row);
	free(r->text);
	*r = (struct context_rows){ 0 };
}

const char *context_text(const struct context_rows *r, uint32_t offset)
{
	return offset ? r->text + offset : "";
}

int context_compare(const struct context_rows *ra, const struct context_row *a,
		    const struct context_rows *rb, const struct context_row *b)
{
	int order = strcmp(context_text(ra, a->subject), context_text(rb, b->subject));

	return order ? order : strcmp(context_text(ra, a->name), context_text(rb, b->name));
}

/* /proc separates numbers by tabs. */
static uint32_t keep(struct context_rows *r, const char *text)
{
	size_t n = strnlen(text, CONTEXT_VALUE), at = r->text_n ? r->text_n : 1;

	if (!n || r->no_memory)
		return 0;
	if (array_reserve(&r->text, &r->text_size, at + n + 1, 1)) {
		r->no_memory = true;
		return 0;
	}
	for (size_t i = 0; i < n; i++)
		r->text[at + i] = text[i] == '\t' ? ' ' : text[i];
	r->text[at + n] = '\0';
	r->text_n = at + n + 1;
	return (uint32_t)at;
}

void context_add(struct context_rows *r, const char *subject, const char *name, const char *value,
		 const char *why)
{
	const struct context_row *last;
	struct context_row row;

	if (r->n == CONTEXT_ROWS) {
		r->left_out++;
		return;
	}
	if (array_reserve(&r->row, &r->size, r->n + 1, sizeof(*r->row))) {
		r->no_memory = true;
		return;
	}
	last = r->n ? &r->row[r->n - 1] : NULL;
	row.subject = last && !strcmp(context_text(r, last->subject), subject) ? last->subject :
										 keep(r, subject);
	row.name = keep(r, name);
	row.value = keep(r, value);
	row.why = keep(r, why);
	r->row[r->n++] = row;
}

void context_value(struct context_rows *r, const char *subject, const char *name, const char *value)
{
	context_add(r, subject, name, value, "");
}

void context_number(struct context_rows *r, const char *subject, const char *name, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	context_value(r, subject, name, text);
}

void context_refused(struct context_rows *r, const char *subject, const char *name, int err)
{
	err = abs(err);
	if (err != ENOENT && err != EOPNOTSUPP && err != ENODEV && err != ENODATA)
		context_add(r, subject, name, "", strerror(err));
}

void context_file(struct context_rows *r, const char *subject, const char *name, const char *path)
{
	char text[CONTEXT_VALUE];
	int err = procfs_text(path, text, sizeof(text));

	if (err)
		context_refused(r, subject, name, err);
	else
		context_value(r, subject, name, *text ? text : "none");
}
