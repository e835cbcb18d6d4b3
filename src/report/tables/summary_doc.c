// SPDX-License-Identifier: BSD-2-Clause
#include "summary_doc.h"

#include "cost_tables.h"
#include "inside_doc.h"
#include "model_json.h"
#include "split_doc.h"
#include "summary_text.h"
#include "traffic.h"

/* What is not a table yet. */
static void text_end(struct doc *d, const struct summary *s)
{
	text_procstat(d->out, s);
	text_recording(d, s);
	text_not_measured(d->out, s);
}

static void json_end_of(struct doc *d, const struct summary *s)
{
	json_quality(d, s);
	cost_json(&d->json, s->m);
	json_weaknesses(&d->json, s);
	json_moments(&d->json, s);
	json_probes(&d->json, s->m);
	json_sources(&d->json, s->m);
}

int summary_doc(struct doc *d, const struct summary *s, const struct summary_shown *o)
{
	int err;

	doc_object(d, NULL);
	if (doc_is_for(d, DOC_TEXT))
		text_heading(d->out, s);
	if (doc_is_for(d, DOC_JSON))
		json_recording(&d->json, s);
	doc_object(d, "cpu_time");
	split_tree(d, s);
	err = doc_is_for(d, DOC_JSON) ? split_cpus(d, s, true) : 0;
	doc_object_end(d);
	split_leaves(d, s);
	inside_categories(d, s, o->all);
	inside_leaves(d, s);
	inside_rx(d, s);
	if (!err && o->other)
		err = inside_other(d, s);
	if (!err && doc_is_for(d, DOC_TEXT))
		err = split_cpus(d, s, o->all_cpus);
	traffic_costs(d, s);
	traffic_calls(d, s);
	traffic_interfaces(d, s);
	traffic_energy(d, s);
	if (doc_is_for(d, DOC_TEXT))
		text_end(d, s);
	if (doc_is_for(d, DOC_JSON))
		json_end_of(d, s);
	doc_object_end(d);
	return err;
}
