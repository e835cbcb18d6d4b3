// SPDX-License-Identifier: BSD-2-Clause
#include "context_rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>
#include <netcost/reasons.h>

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

/* Compares rows by subject and name, for qsort(). */
static int compare(const struct context_rows *ra, const struct context_row *a,
		   const struct context_rows *rb, const struct context_row *b)
{
	int order = strcmp(context_text(ra, a->subject), context_text(rb, b->subject));

	return order ? order : strcmp(context_text(ra, a->name), context_text(rb, b->name));
}

/* Stores a text and returns its offset. Replaces tabs, which separate numbers in /proc. */
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

void context_unread(struct context_rows *r, const char *subject, const char *name, int err)
{
	char why[32];

	snprintf(why, sizeof(why), reason_error, err);
	context_add(r, subject, name, "", why);
}

void context_refused(struct context_rows *r, const char *subject, const char *name, int err)
{
	err = abs(err);
	if (err != ENOENT && err != EOPNOTSUPP && err != ENODEV && err != ENODATA)
		context_unread(r, subject, name, err);
}

void context_file(struct context_rows *r, const char *subject, const char *name, int dir,
		  const char *path)
{
	char text[CONTEXT_VALUE];
	int err = procfs_text_at(dir, path, text, sizeof(text));

	if (err)
		context_refused(r, subject, name, err);
	else
		context_value(r, subject, name, *text ? text : "none");
}

/* ---- changed settings -------------------------------------------------------------------- */

static int by_name(const void *pa, const void *pb, void *rows)
{
	return compare(rows, pa, rows, pb);
}

static void sort(struct context_rows *r)
{
	if (r->n)
		qsort_r(r->row, r->n, sizeof(*r->row), by_name, r);
}

static void copy_row(struct context_rows *to, const struct context_rows *from,
		     const struct context_row *row)
{
	context_add(to, context_text(from, row->subject), context_text(from, row->name),
		    context_text(from, row->value), context_text(from, row->why));
}

static bool is_same(const struct context_rows *ra, const struct context_row *a,
		    const struct context_rows *rb, const struct context_row *b)
{
	return !strcmp(context_text(ra, a->value), context_text(rb, b->value)) &&
	       !strcmp(context_text(ra, a->why), context_text(rb, b->why));
}

void context_changes(struct context_rows *was, struct context_rows *now, struct context_rows *out)
{
	size_t i = 0, k = 0;

	sort(was);
	sort(now);
	while (i < was->n || k < now->n) {
		const struct context_row *a = &was->row[i], *b = &now->row[k];
		int order = i == was->n ? 1 : k == now->n ? -1 : compare(was, a, now, b);

		if (order < 0)
			context_add(out, context_text(was, a->subject), context_text(was, a->name),
				    "", reason_gone);
		else if (order > 0 || !is_same(was, a, now, b))
			copy_row(out, now, b);
		i += order <= 0;
		k += order >= 0;
	}
}
