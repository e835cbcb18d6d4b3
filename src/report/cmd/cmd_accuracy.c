// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report accuracy: exact times against samples, and what slower samplers would give. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "interval_option.h"
#include "filter_options.h"
#include "report/analysis/accuracy/accuracy.h"
#include "report/base/tell.h"
#include "report/input/input.h"

struct job {
	const struct config *cfg;
	struct intervals intervals;
	struct accuracy_bins bins;
	double precision;
};

static bool print(void *ctx, const struct model *m, const struct part *part)
{
	struct job *job = ctx;
	struct accuracy *a;

	job->intervals.too_many |= !job->bins.tracks;
	if (!intervals_fit(&job->intervals, PART_TITLE(part)))
		return false;
	if (accuracy_make(&a, m, &job->bins, job->precision)) {
		tell(PART_TITLE(part), "out of memory");
		return false;
	}
	if (!strcmp(job->cfg->format, "json"))
		accuracy_json(stdout, a, part);
	else if (!strcmp(job->cfg->format, "csv"))
		accuracy_csv(stdout, a, part);
	else
		accuracy_text(stdout, a, part, job->cfg->all);
	accuracy_free(a);
	return true;
}

/* False: told. */
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
		"netcost-report: --precision: '%s' is no number of percentage points above 0, up "
		"to 100\n",
		text);
	return false;
}

static enum exit_status run(const struct config *cfg)
{
	struct job *job = calloc(1, sizeof(*job));
	struct filter filter;
	struct input_wanted wanted = { .file = cfg->file,
				       .memory = cfg->memory,
				       .select = cfg->part,
				       .rules = cfg->rules,
				       .filter = &filter };
	enum exit_status status = EXIT_USAGE;
	uint64_t every_ns;
	bool ok;

	if (!job) {
		tell(input_name(cfg->file), "out of memory");
		return EXIT_FAILED;
	}
	job->cfg = cfg;
	if (parse_precision(cfg->precision, &job->precision) &&
	    interval_parse(cfg->every, &every_ns) && filter_parse(&filter, cfg)) {
		intervals_init(&job->intervals, every_ns);
		accuracy_bins_init(&job->bins);
		job->intervals.watch = &job->bins.watch;
		wanted.intervals = &job->intervals;
		ok = input_each_model(&wanted, print, job);
		intervals_free(&job->intervals);
		accuracy_bins_free(&job->bins);
		filter_free(&filter);
		status = command_close(stdout, NULL) || !ok ? EXIT_FAILED : EXIT_DONE;
	}
	free(job);
	return status;
}

static const char *const formats[] = { "text", "json", "csv", NULL };

static const struct opt_desc opts[] = {
	OPT_FORMAT(formats),
	OPT_INTERVAL,
	{
		.name = "precision",
		.kind = OPT_STR,
		.arg = "POINTS",
		.offset = offsetof(struct config, precision),
		.help = "which rate is enough to be so near, in percentage points of CPU (1)",
	},
	{
		.name = "all",
		.kind = OPT_FLAG,
		.offset = offsetof(struct config, all),
		.help = "slower samplers of all events and parts, not of the main ones alone",
	},
	OPT_PART,
	OPT_MEMORY,
	OPT_RULES,
	OPT_FILTER,
};

const struct command command_accuracy = {
	.name = "accuracy",
	.help = "exact times against samples; which sampling rate is enough; what each costs",
	.run = run,
	.opts = opts,
	.nopts = sizeof(opts) / sizeof(*opts),
};
