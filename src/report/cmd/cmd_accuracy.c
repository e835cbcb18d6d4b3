// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report accuracy: exact times against samples, and what slower samplers would give. */
#include <errno.h>
#include <stdlib.h>

#include "models.h"
#include "report.h"
#include "report/base/part.h"
#include "report/input/input.h"
#include "report/tables/accuracy_doc.h"

struct accuracy_options {
	struct report_options report;
	const char *precision;
	bool all;
};

struct job {
	bool all;
	double precision;
	struct accuracy_bins bins;
};

static int build(struct doc *d, const struct report_part *p)
{
	const struct job *job = p->ctx;
	struct accuracy *a;

	if (doc_is_schema(d))
		return accuracy_describe(d, p->m);
	if (!job->bins.tracks) {
		intervals_tell_too_many(PART_TITLE(p->part));
		return -ECANCELED;
	}
	if (accuracy_make(&a, p->m, &job->bins, job->precision))
		return -ENOMEM;
	accuracy_doc(d, a, job->all);
	accuracy_free(a);
	return 0;
}

/* False: reported. */
static bool parse_precision(const char *text, double *points)
{
	char *end;

	*points = 1;
	if (!text)
		return true;
	*points = strtod(text, &end);
	if (end != text && !*end && *points > 0 && *points <= 100)
		return true;
	fprintf(stderr,
		"netcost-report: --precision: '%s' is not a number of percentage points above 0, up "
		"to 100\n",
		text);
	return false;
}

static enum exit_status run(const struct config *cfg)
{
	const struct accuracy_options *o = (const struct accuracy_options *)cfg;
	struct job *job = calloc(1, sizeof(*job));
	enum exit_status status = EXIT_USAGE;

	if (!job) {
		tell(input_name(cfg->file), "out of memory");
		return EXIT_FAILED;
	}
	job->all = o->all;
	if (parse_precision(o->precision, &job->precision)) {
		const struct report report = { .build = build,
					       .csv = "rates",
					       .intervals = true,
					       .watch = &job->bins.watch,
					       .window_ticks = true,
					       .ctx = job };

		accuracy_bins_init(&job->bins);
		status = report_run(&report, cfg);
		accuracy_bins_free(&job->bins);
	}
	free(job);
	return status;
}

static const struct opt_desc opts[] = {
	OPT_FORMAT,
	OPT_COLOR,
	OPT_WIDE("text as wide as that gets, where the terminal is narrower"),
	OPT_INTERVAL(struct report_options),
	OPT_TEXT(struct accuracy_options, precision, "precision", "POINTS",
		 "find the rate that is accurate to this many percentage points of CPU (1)"),
	OPT_SWITCH(struct accuracy_options, all, "all",
		   "show slower samplers for all events and parts, not only the main ones"),
	OPT_PART,
	OPT_MEMORY,
	OPT_RULES,
	OPT_FILTER,
};

const struct command command_accuracy = {
	.name = "accuracy",
	.help = "exact times against samples, and which sampling rate is enough",
	.run = run,
	.describe = accuracy_describe,
	COMMAND_OPTIONS(struct accuracy_options, opts),
};
