// SPDX-License-Identifier: BSD-2-Clause
#include "tests/verified.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "report/spec/spec.h"

/* State of the checks, tick by tick. */
struct ticks {
	struct sums *sums;
	char why[200]; /* the first that is wrong; empty: none */
};

static bool ends_tick(const struct trace_record *rec)
{
	return rec->type == TRACE_TICK || rec->type == TRACE_FRAME || rec->type == TRACE_END;
}

static void end_tick(struct ticks *t)
{
	if (!sums_end(t->sums) && !*t->why)
		snprintf(t->why, sizeof(t->why), "%s", sums_what(t->sums));
}

static int read_part(struct trace_reader *r, struct hints *h, struct check *c, struct ticks *t)
{
	struct trace_record rec;
	int err = c && t->sums ? 0 : -ENOMEM;

	while (!err && (err = trace_reader_next(r, &rec)) > 0) {
		if (ends_tick(&rec))
			end_tick(t);
		hints_record(h, &rec);
		err = check_record(c, &rec, trace_reader_status(r));
		sums_record(t->sums, &rec);
	}
	if (t->sums)
		end_tick(t);
	return err;
}

/* A part, or its valid portion. */
static bool verified_part(struct trace_reader *r, struct hints *h, char *why, size_t size)
{
	const struct trace_status *st = trace_reader_status(r);
	struct ticks t = { sums_new(), "" };
	struct check *c = check_new();
	int err = read_part(r, h, c, &t);

	if (*t.why)
		snprintf(why, size, "%s", t.why);
	else if (st->problem)
		snprintf(why, size, "%s", st->what);
	else if (err)
		snprintf(why, size, "%d: %s", err, err == -EBADMSG ? check_what(c) : "");
	else if (h->wrong_index || (h->wrong_defines && !st->unknown_types))
		snprintf(why, size, "wrong INDEX");
	check_free(c);
	sums_free(t.sums);
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
