// SPDX-License-Identifier: BSD-2-Clause
/* The summary as text: the order of its parts. */
#include "summary_text.h"

#include "traffic.h"

bool summary_text(FILE *out, const struct summary *s, const struct summary_text_options *o)
{
	struct doc d = doc_begin(&doc_text, out, s->part);

	text_heading(out, s);
	text_split(out, s);
	text_inside(out, s, o->all);
	text_rx(out, s);
	if (o->other && !text_other(out, s))
		return false;
	text_cpus(out, s, o->all_cpus);
	traffic_costs(&d, s);
	traffic_calls(&d, s);
	traffic_interfaces(&d, s);
	traffic_energy(&d, s);
	text_procstat(out, s);
	text_recording(out, s);
	text_not_measured(out, s);
	return true;
}
