// SPDX-License-Identifier: BSD-2-Clause
#include "tests/verified.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "report/spec/check.h"
#include "report/spec/check_hints.h"

/* A part, or what of it is good. */
static bool verified_part(struct trace_reader *r, struct hints *h, char *why, size_t size)
{
	const struct trace_status *st = trace_reader_status(r);
	struct check *c = check_new();
	struct trace_record rec;
	int err = c ? 0 : -ENOMEM;

	while (!err && (err = trace_reader_next(r, &rec)) > 0) {
		hints_record(h, &rec);
		err = check_record(c, &rec, st);
	}
	if (st->problem)
		snprintf(why, size, "%s", st->what);
	else if (err)
		snprintf(why, size, "%d: %s", err, err == -EBADMSG ? check_what(c) : "");
	else if (!h->magic || h->wrong_index || (h->wrong_defines && !st->unknown_types))
		snprintf(why, size, "%s", h->magic ? "wrong INDEX" : "no magic");
	check_free(c);
	return !*why;
}

bool verified(int fd, char *why, size_t size)
{
	struct hints h = { 0 };
	struct trace_watch watch = hints_watch;
	struct trace_reader *r = NULL;
	bool ok;

	watch.ctx = &h;
	lseek(fd, 0, SEEK_SET);
	snprintf(why, size, "no memory");
	if (trace_reader_new(&r, fd))
		return false;
	trace_reader_watch(r, &watch);
	*why = '\0';
	do
		ok = verified_part(r, &h, why, size);
	while (ok && trace_reader_part(r) > 0);
	if (ok && h.wrong_table)
		snprintf(why, size, "wrong seek table");
	trace_reader_free(r);
	return ok && !h.wrong_table;
}
