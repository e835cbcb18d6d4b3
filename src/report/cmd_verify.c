// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report verify: whether traces keep to SPEC.md, container and content. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "check_hints.h"
#include "command.h"
#include "escape.h"
#include "input.h"
#include "text.h"

__attribute__((format(printf, 2, 3))) static void say(const char *name, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	printf("%s: %s\n", SAFE(name), SAFE(text));
}

/* The magic is the first thing in a file: without it that is the first offence. */
static enum exit_status judge(const struct input *in, const struct check *c, const struct hints *h,
			      int err)
{
	const struct trace_status *st = trace_reader_status(in->reader);

	if (!h->magic && st->frames)
		say(in->name, "damaged at byte 0: the file does not begin with the magic");
	else if (st->problem)
		say(in->name, "%s", st->what);
	else if (err == -EBADMSG)
		say(in->name, "damaged at byte %" PRIu64 ": %s", h->offset, check_what(c));
	else if (err)
		say(in->name, "%s", strerror(-err));
	else
		return EXIT_DONE;
	return !err && h->magic && st->problem == TRACE_CUT ? EXIT_CUT : EXIT_FAILED;
}

static void warn(const struct input *in, const struct check *c, const struct hints *h)
{
	uint64_t odd;
	const char *oddity = check_oddity(c, &odd);

	if (odd)
		say(in->name, "warning: %" PRIu64 " counters were reset, the first: %s", odd,
		    oddity);
	if (h->wrong_index)
		say(in->name, "warning: INDEX does not list the frames as they are");
	if (h->wrong_table)
		say(in->name, "warning: the seek table does not list the frames as they are");
}

static enum exit_status verify(struct input *in, struct check *c, const struct config *cfg)
{
	struct hints h = { 0 };
	struct trace_watch watch = hints_watch;
	struct trace_record rec;
	enum exit_status status;
	int err;

	watch.ctx = &h;
	trace_reader_watch(in->reader, &watch);
	while ((err = trace_reader_next(in->reader, &rec)) > 0) {
		hints_record(&h, &rec);
		err = check_record(c, &rec, trace_reader_status(in->reader));
		if (err)
			break;
	}
	status = judge(in, c, &h, err);
	if (status != EXIT_FAILED)
		warn(in, c, &h);
	if (!status && !cfg->quiet)
		say(in->name, "ok");
	return status;
}

static enum exit_status run_file(const char *file, const struct config *cfg)
{
	struct check *c = check_new();
	enum exit_status status = EXIT_FAILED;
	struct input in;

	if (!c) {
		input_tell(file, "out of memory");
	} else if (input_open(&in, file)) {
		status = verify(&in, c, cfg);
		input_close(&in);
	}
	check_free(c);
	return status;
}

/* The worst of all files: failed, then cut, then done. */
static enum exit_status run(const struct config *cfg)
{
	enum exit_status worst = EXIT_DONE;

	for (size_t i = 0; i < cfg->noperands; i++) {
		enum exit_status status = run_file(cfg->operand[i], cfg);

		if (worst != EXIT_FAILED && status)
			worst = status;
	}
	return command_close(stdout, NULL) ? EXIT_FAILED : worst;
}

static const struct opt_desc opts[] = {
	{ .name = "quiet",
	  .short_name = 'q',
	  .kind = OPT_FLAG,
	  .offset = offsetof(struct config, quiet),
	  .help = "say nothing of files that are all right" },
};

const struct command command_verify = {
	.name = "verify",
	.help = "whether traces keep to the format; exit status 3: cut, 1: broken",
	.run = run,
	.opts = opts,
	.nopts = sizeof(opts) / sizeof(*opts),
	.operands = "FILE...",
	.min = 1,
};
