// SPDX-License-Identifier: BSD-2-Clause
#include "interval_option.h"

#include "report/base/tell.h"
#include "report/base/time_arg.h"

bool interval_parse(const char *text, uint64_t *every_ns)
{
	struct time_arg t = { .anchor = TIME_SINCE_START };
	bool ok = !text || (time_arg_parse(text, &t) && t.anchor == TIME_SINCE_START && t.ns);

	*every_ns = t.ns;
	if (!ok)
		fprintf(stderr,
			"netcost-report: --every: '%s' is not a time such as 1s, 500ms, 1m30s\n",
			text);
	return ok;
}

void intervals_tell_too_many(const char *title)
{
	tell(title, "has too many ticks for a row each; ask for longer rows with --every");
}

bool intervals_fit(const struct intervals *iv, const char *title)
{
	if (iv->too_many)
		intervals_tell_too_many(title);
	else if (!iv->n)
		tell(title, "has fewer than two ticks: there is nothing to make rows of");
	else
		return true;
	return false;
}
