// SPDX-License-Identifier: BSD-2-Clause
#include "tests/verified.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "report/spec/check.h"
#include "report/spec/check_hints.h"
#include "report/spec/exact_sums.h"
#include "report/spec/fate_sums.h"

/* What is judged tick by tick. */
struct sums {
	struct exact_sums *exact;
	struct fate_sums *fates;
	char why[200]; /* the first that is wrong; empty: none */
};

static bool ends_tick(const struct trace_record *rec)
{
	return rec->type == TRACE_TICK || rec->type == TRACE_FRAME || rec->type == TRACE_END;
}

static void end_tick(struct sums *s)
{
	bool exact = exact_sums_end(s->exact), fates = fate_sums_end(s->fates);

	if (!*s->why && !exact)
		snprintf(s->why, sizeof(s->why), "%s", exact_sums_what(s->exact));
	else if (!*s->why && !fates)
		snprintf(s->why, sizeof(s->why), "%s", fate_sums_what(s->fates));
}

static int read_part(struct trace_reader *r, struct hints *h, struct check *c, struct sums *s)
{
	struct trace_record rec;
	int err = c && s->exact && s->fates ? 0 : -ENOMEM;

	while (!err && (err = trace_reader_next(r, &rec)) > 0) {
		if (ends_tick(&rec))
			end_tick(s);
		hints_record(h, &rec);
		err = check_record(c, &rec, trace_reader_status(r));
		exact_sums_record(s->exact, &rec);
		fate_sums_record(s->fates, &rec);
	}
	if (s->exact && s->fates)
		end_tick(s);
	return err;
}

/* A part, or what of it is good. */
static bool verified_part(struct trace_reader *r, struct hints *h, char *why, size_t size)
{
	const struct trace_status *st = trace_reader_status(r);
	struct sums s = { exact_sums_new(), fate_sums_new(), "" };
	struct check *c = check_new();
	int err = read_part(r, h, c, &s);

	if (*s.why)
		snprintf(why, size, "%s", s.why);
	else if (st->problem)
		snprintf(why, size, "%s", st->what);
	else if (err)
		snprintf(why, size, "%d: %s", err, err == -EBADMSG ? check_what(c) : "");
	else if (!h->magic || h->wrong_index || (h->wrong_defines && !st->unknown_types))
		snprintf(why, size, "%s", h->magic ? "wrong INDEX" : "no magic");
	check_free(c);
	exact_sums_free(s.exact);
	fate_sums_free(s.fates);
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
