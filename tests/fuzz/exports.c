// SPDX-License-Identifier: BSD-2-Clause
#include "tests/fuzz/exports.h"

#include <errno.h>
#include <unistd.h>

#include "report/export/export.h"
#include "tests/fuzz/demand.h"

static FILE *open_one(void *ctx, size_t number)
{
	(void)number;
	return ctx;
}

static bool close_one(void *ctx, FILE *out, size_t number, bool ok)
{
	(void)ctx;
	(void)out;
	(void)number;
	DEMAND(ok, "no memory");
	return true;
}

static int see(void *ctx, const struct model *m, const struct trace_record *rec)
{
	return intervals_see(ctx, m, rec);
}

static struct trace_reader *reader_on(int fd, bool recover)
{
	struct trace_reader *r;

	lseek(fd, 0, SEEK_SET);
	DEMAND(!trace_reader_new(&r, fd), "no reader");
	trace_reader_set_recover(r, recover);
	return r;
}

static void write_one(const struct export_format *format, struct exporter *e, const struct model *m,
		      const struct intervals *iv, FILE *out)
{
	static const struct part part = {
		.file = "in", .number = 1, .name = "part 1", .first = true
	};
	const struct export_source from = { .m = m, .part = &part, .iv = iv };
	const struct export_target to = { .ctx = out, .open = open_one, .close = close_one };

	if (format->pieces && !iv->n)
		return;
	DEMAND(format->write(e, &from, &to) != -ENOMEM, "nothing is written");
}

void fuzz_exports(int fd, FILE *out, const struct classifier *classifier, const uint8_t *options)
{
	const struct export_format *format = export_format[(options[3] >> 6) % EXPORT_FORMATS];
	bool recover = options[0] & 16, every = options[5] & 16;
	struct exporter *e = exporter_make(format);
	struct model *m = model_new(format->keep | format->keep_top, classifier);
	struct trace_reader *r = reader_on(fd, recover);
	struct intervals iv;

	e->wanted = (struct export_wanted){ .top = options[5] >> 5,
					    .per_cpu = options[5] & 16,
					    .idle = options[5] & 32,
					    .every = every,
					    .quiet = true };
	intervals_init(&iv, every ? 1ull << 28 : 0);
	iv.second = &e->watch;
	DEMAND(intervals_find(&iv, r), "no intervals");
	trace_reader_free(r);
	r = reader_on(fd, recover);
	model_set_see(m, see, &iv);
	if (!model_read(m, r) && (iv.n || !every))
		write_one(format, e, m, &iv, out);
	model_free(m);
	trace_reader_free(r);
	intervals_free(&iv);
	exporter_free(e);
}
