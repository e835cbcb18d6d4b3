// SPDX-License-Identifier: BSD-2-Clause
/* netcost-report prices: what one more packet, byte, call or wake-up costs. */
#include <errno.h>
#include <stdlib.h>

#include "models.h"
#include "report.h"
#include "report/analysis/prices.h"
#include "report/tables/prices_doc.h"

static int build(struct doc *d, const struct report_part *part)
{
	struct prices *p = calloc(1, sizeof(*p));
	int err = p ? prices_make(p, part->intervals, part->m) : -ENOMEM;

	if (!err)
		prices_doc(d, p, part->m);
	free(p);
	return err;
}

static const struct report report = { .build = build,
				      .csv = "rows",
				      .keep = MODEL_PROCESSES,
				      .intervals = true };

static const struct opt_desc opts[] = {
	OPT_FORMAT(struct report_options, report_formats),
	OPT_COLOR,
	OPT_WIDE("text as wide as that gets, where the terminal is narrower"),
	OPT_INTERVAL(struct report_options),
	OPT_PART,
	OPT_RULES,
	OPT_FILTER,
	OPT_OWN_COST,
	OPT_MEMORY,
};

const struct command command_prices = {
	.name = "prices",
	.help = "what one more packet, byte, call and wake-up costs, by regression over the ticks",
	.report = &report,
	COMMAND_OPTIONS(struct report_options, opts),
};
