// SPDX-License-Identifier: BSD-2-Clause
#include "context.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <netcost/array.h>
#include <netcost/reasons.h>
#include <netcost/trace.h>

#include "context_rows.h"
#include "record/base/clock.h"
#include "source.h"

/* The readers of settings. Interfaces come last: if there are too many interfaces, the excess ones are omitted. */
static context_read_fn *const readers[] = {
	context_sysctls, context_firewall, context_programs, context_host, context_links,
};

struct context {
	struct context_rows told; /* settings that the trace has already */
	uint64_t told_ns;
};

int context_new(struct context **cp, struct admin *admin)
{
	*cp = calloc(1, sizeof(**cp));
	if (*cp)
		(*cp)->told.admin = admin;
	return *cp ? 0 : -ENOMEM;
}

void context_free(struct context *c)
{
	if (!c)
		return;
	context_rows_free(&c->told);
	free(c);
}

/* ---- writing ----------------------------------------------------------------------------- */

/* The columns of the record. Each has the offset of a text in a row. */
static const struct {
	unsigned int key;
	size_t text;
} columns[] = {
	{ TRACE_CONTEXT_SUBJECT, offsetof(struct context_row, subject) },
	{ TRACE_CONTEXT_NAME, offsetof(struct context_row, name) },
	{ TRACE_CONTEXT_VALUE, offsetof(struct context_row, value) },
	{ TRACE_CONTEXT_WHY, offsetof(struct context_row, why) },
};

static int write_rows(const struct context_rows *r, uint64_t at_ns, struct trace_writer *w)
{
	const char **text = NULL;

	if (!r->n)
		return 0;
	if (array_resize(&text, r->n, sizeof(*text)))
		return -ENOMEM;
	trace_writer_begin(w, TRACE_CONTEXT);
	trace_writer_uint(w, TRACE_CONTEXT_AT_NS, at_ns);
	for (size_t c = 0; c < sizeof(columns) / sizeof(*columns); c++) {
		for (size_t i = 0; i < r->n; i++) {
			const char *place = (const char *)&r->row[i] + columns[c].text;

			text[i] = context_text(r, *(const uint32_t *)place);
		}
		trace_writer_strs(w, columns[c].key, text, r->n);
	}
	free(text);
	return trace_writer_end(w);
}

static int write_source(uint64_t left_out, struct trace_writer *w)
{
	char why[SOURCE_WHY] = "";

	if (left_out)
		snprintf(why, sizeof(why), reason_settings_left, (unsigned long long)left_out);
	return source_put(w, "context", "measured", reason_context_via, why);
}

static int write_first(const struct context_rows *now, uint64_t at_ns, struct trace_writer *w)
{
	int err = write_source(now->left_out, w);

	return err ? err : write_rows(now, at_ns, w);
}

static int write_changes(struct context *c, struct context_rows *now, uint64_t at_ns,
			 struct trace_writer *w)
{
	struct context_rows changed = { 0 };
	int err;

	context_changes(&c->told, now, &changed);
	err = changed.no_memory ? -ENOMEM : write_rows(&changed, at_ns, w);
	context_rows_free(&changed);
	return err;
}

int context_write(struct context *c, struct trace_writer *w)
{
	struct context_rows now = { .admin = c->told.admin };
	uint64_t at_ns = now_ns();
	int err;

	for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); i++)
		readers[i](&now);
	if (now.no_memory)
		err = -ENOMEM;
	else if (!c->told.n)
		err = write_first(&now, at_ns, w);
	else
		err = write_changes(c, &now, at_ns, w);
	context_rows_free(&c->told);
	c->told = now;
	c->told_ns = at_ns;
	return err;
}

int context_again(const struct context *c, struct trace_writer *w)
{
	return write_first(&c->told, c->told_ns, w);
}
