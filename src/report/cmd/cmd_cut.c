// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report cut: a part of the time, as a trace of its own. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "copy_files.h"
#include "filter_options.h"
#include "report/base/tell.h"
#include "report/input/seekable.h"
#include "report/rewrite/cut.h"

struct task {
	struct cut_source source;
	struct cut_plan plan;
	struct cut *cut;
	char range[80], done[160];
};

/* Which part of the file is named; 0: none, and that was told. */
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
	struct task *t = ctx;
	uint64_t ticks = cut_ticks(t->cut);

	snprintf(t->done, sizeof(t->done), "%s: %" PRIu64 " tick%s, %" PRIu64 " samples", t->range,
		 ticks, ticks == 1 ? "" : "s", result->samples);
	return t->done;
}

static int edit(void *ctx, struct trace_record *rec)
{
	struct task *t = ctx;

	return cut_edit(t->cut, rec);
}

/* The reader of the input is made anew, for what is needed of it. */
static bool write_part(struct task *t, struct input *in, const char *out, bool quiet)
{
	const struct copy_options options = {
		.edit = edit, .ctx = t, .memory = in->memory, .done = done
	};
	int err;

	trace_reader_free(in->reader);
	in->reader = NULL;
	err = cut_reader(&in->reader, &t->source, t->plan.begin_ns, t->plan.end_ns);
	if (err) {
		tell(in->name, "cannot be read again: %s", strerror(-err));
		return false;
	}
	in->number = t->source.part - 1;
	cut_plan_text(&t->plan, t->range, sizeof(t->range));
	return copy_opened(in, out, &options, quiet);
}

static bool cut(struct task *t, struct input *in, const struct time_arg *from,
		const struct time_arg *to, const struct config *cfg)
{
	int err;

	t->source.fd = in->fd;
	t->source.part = cfg->part ? find_part(in, cfg->part) : 1;
	t->source.chosen = cfg->part;
	if (!t->source.part)
		return false;
	err = cut_plan_make(&t->plan, &t->source, from, to);
	if (!err)
		t->cut = cut_new(&t->plan);
	if (err == -ENOMEM || (!err && !t->cut))
		tell(in->name, "out of memory");
	else if (err)
		tell(in->name, "nothing to cut: %s", t->plan.why);
	return t->cut && write_part(t, in, cfg->operand[1], cfg->quiet);
}

/* ---- command ----------------------------------------------------------------------------- */

static enum exit_status run(const struct config *cfg)
{
	struct filter filter;
	struct task t = { 0 };
	struct input in;
	bool ok = false;

	if (!filter_parse(&filter, cfg))
		return EXIT_USAGE;
	if (!input_open(&in, cfg->operand[0], cfg->memory))
		return EXIT_FAILED;
	if (!input_is_output(cfg->operand[0], "trace", cfg->operand[1]) && input_make_seekable(&in))
		ok = cut(&t, &in, &filter.from, &filter.to, cfg);
	cut_free(t.cut);
	cut_plan_free(&t.plan);
	input_close(&in);
	return ok ? EXIT_DONE : EXIT_FAILED;
}

static const struct opt_desc opts[] = {
	{ .name = "from",
	  .kind = OPT_STR,
	  .arg = "TIME",
	  .offset = offsetof(struct config, from),
	  .help = "where the part begins: 2.5, 500ms, 1m30s since the start, -10s before the end, or "
		  "mark:TEXT (the start)" },
	{ .name = "to",
	  .kind = OPT_STR,
	  .arg = "TIME",
	  .offset = offsetof(struct config, to),
	  .help = "where it ends (the end)" },
	OPT_PART,
	OPT_MEMORY,
	{ .name = "quiet",
	  .short_name = 'q',
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct config, quiet),
	  .help = "do not say what was cut out" },
};

const struct command command_cut = {
	.name = "cut",
	.help = "a part of the time, from tick to tick, as a trace of its own",
	.run = run,
	.opts = opts,
	.nopts = sizeof(opts) / sizeof(*opts),
	.operands = "IN OUT",
	.min = 2,
	.max = 2,
};
