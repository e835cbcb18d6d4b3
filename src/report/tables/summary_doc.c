// SPDX-License-Identifier: BSD-2-Clause
#include "summary_doc.h"

#include "energy_doc.h"
#include "certificate_doc.h"
#include "cost_doc.h"
#include "drops_doc.h"
#include "inside_doc.h"
#include "per_doc.h"
#include "probes_doc.h"
#include "recording_doc.h"
#include "split_doc.h"
#include "traffic.h"

/* "cpu_time" includes the split of each CPU; people see that after the categories. */
static int cpu_time(struct doc *d, const struct summary *s)
{
	int err = 0;

	doc_object(d, "cpu_time");
	split_tree(d, s);
	if (doc_is_for(d, DOC_JSON))
		err = split_cpus(d, s, true);
	doc_object_end(d);
	return err;
}

static void recording(struct doc *d, const struct summary *s)
{
	recording_procstat(d, s);
	certificate_doc(d, s->m);
	recording_quality(d, s);
	if (doc_is_for(d, DOC_PROGRAMS))
		cost_doc(d, s->m);
	if (s->m->records[TRACE_EXACT] || doc_is_for(d, DOC_PROGRAMS))
		probes_doc(d, s->m);
	sources_doc(d, s->m);
	recording_caveats(d, s);
}

int summary_doc(struct doc *d, const struct summary *s, const struct summary_shown *o)
{
	int err;

	doc_object(d, NULL);
	recording_heading(d, s);
	err = cpu_time(d, s);
	split_leaves(d, s);
	inside_categories(d, s, o->all);
	inside_leaves(d, s);
	inside_rx(d, s);
	if (!err && doc_optional(d, o->other))
		err = inside_other(d, s);
	if (!err && doc_is_for(d, DOC_TEXT))
		err = split_cpus(d, s, o->all_cpus);
	traffic_costs(d, s);
	traffic_calls(d, s);
	traffic_interfaces(d, s);
	softirqs_doc(d, s);
	interrupts_doc(d, s);
	if (!err)
		err = drops_doc(d, s);
	if (!err)
		err = bill_doc(d, s);
	energy_doc(d, s);
	if (doc_optional(d, per_is_wanted(s)))
		per_doc(d, s);
	recording(d, s);
	doc_object_end(d);
	return err;
}
