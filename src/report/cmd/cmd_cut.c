// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report cut: a part of the time, as a trace of its own. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "copy_files.h"
#include "models.h"
#include "report/base/tell.h"
#include "report/input/seekable.h"
#include "report/rewrite/cut.h"

struct cut_options {
	struct trace_options trace;
	bool quiet;
};

struct cut_job {
	struct cut_source source;
	struct cut_plan plan;
	struct cut *cut;
	char range[80], done[160];
};

/* Which part of the file is named; 0: none, and that was reported. */
static unsigned int find_part(struct input *in, const char *select)
{
	struct trace_record header;
	int err;

	trace_reader_set_recover(in->reader, true);
	while ((err = input_next(in, &header)) > 0)
		if (input_is_selected(in, select))
			return in->number;
	if (err < 0)
		input_ended(in, err, NULL);
	else
		tell(in->name, "has no part '%s'; info lists its %u", select, in->number);
	return 0;
}

/* ---- cutting ----------------------------------------------------------------------------- */

static const char *done(void *ctx, const struct sound_result *result)
{
	struct cut_job *t = ctx;
	uint64_t ticks = cut_ticks(t->cut);

	snprintf(t->done, sizeof(t->done), "%s: %" PRIu64 " tick%s, %" PRIu64 " samples", t->range,
		 ticks, ticks == 1 ? "" : "s", result->samples);
	return t->done;
}

static int edit(void *ctx, struct trace_record *rec)
{
	struct cut_job *t = ctx;

	return cut_edit(t->cut, rec);
}

/* Makes a new reader of the input, for the part of it that is needed. */
static bool write_part(struct cut_job *t, struct input *in, const char *out, bool quiet)
{
	const struct copy_options options = {
		.edit = edit, .ctx = t, .memory = in->memory, .done = done
	};
	double begin_s, end_s;
	int err;

	trace_reader_free(in->reader);
	in->reader = NULL;
	err = cut_reader(&in->reader, &t->source, t->plan.begin_ns, t->plan.end_ns);
	if (err) {
		tell(in->name, "cannot be read again: %s", strerror(-err));
		return false;
	}
	in->number = t->source.part - 1;
	cut_plan_range(&t->plan, &begin_s, &end_s);
	snprintf(t->range, sizeof(t->range), "%.3f s to %.3f s", begin_s, end_s);
	return copy_opened(in, out, &options, quiet);
}

static bool cut(struct cut_job *t, struct input *in, const struct time_arg *from,
		const struct time_arg *to, const struct cut_options *o)
{
	const char *part = o->trace.part;
	int err;

	t->source.fd = in->fd;
	t->source.part = part ? find_part(in, part) : 1;
	t->source.chosen = part;
	if (!t->source.part)
		return false;
	err = cut_plan_make(&t->plan, &t->source, from, to);
	if (!err)
		t->cut = cut_new(&t->plan);
	if (err == -ENOMEM || (!err && !t->cut))
		tell(in->name, "out of memory");
	else if (err)
		tell(in->name, "nothing to cut: %s", t->plan.why);
	return t->cut && write_part(t, in, o->trace.common.operand[1], o->quiet);
}

/* ---- command ----------------------------------------------------------------------------- */

static enum exit_status run(const struct config *cfg)
{
	const struct cut_options *o = (const struct cut_options *)cfg;
	struct filter filter;
	struct cut_job t = { 0 };
	struct input in;
	bool ok = false;

	if (!filter_parse(&filter, &o->trace))
		return EXIT_USAGE;
	if (!input_open(&in, cfg->operand[0], cfg->memory))
		return EXIT_FAILED;
	if (!input_is_output(cfg->operand[0], "trace", cfg->operand[1]) && input_make_seekable(&in))
		ok = cut(&t, &in, &filter.from, &filter.to, o);
	cut_free(t.cut);
	cut_plan_free(&t.plan);
	input_close(&in);
	return ok ? EXIT_DONE : EXIT_FAILED;
}

static const struct opt_desc opts[] = {
	OPT_TEXT(struct trace_options, from, "from", "TIME",
		 "where the cut begins: 2.5, 500ms, 1m30s since the start, -10s before the end, or "
		 "mark:TEXT (the start)"),
	OPT_TEXT(struct trace_options, to, "to", "TIME", "where it ends (the end)"),
	OPT_PART,
	OPT_MEMORY,
	OPT_QUIET(struct cut_options, "do not report what was cut out"),
};

const struct command command_cut = {
	.name = "cut",
	.help = "part of the time, from tick to tick, as a new trace",
	.run = run,
	COMMAND_OPTIONS(struct cut_options, opts),
	.operands = "IN OUT",
	.min = 2,
	.max = 2,
};
