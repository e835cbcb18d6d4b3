// SPDX-License-Identifier: BSD-2-Clause
#include "bill_doc.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "report/base/text.h"

static void row(struct doc *d, const struct bill_row *r)
{
	doc_row(d, 0, r->on_the_way && r->runs > 0 ? DOC_ALL : DOC_PROGRAMS);
	doc_string(d, *r->name ? r->name : "(nameless)");
	doc_string(d, r->name);
	doc_string(d, r->kind);
	doc_bool(d, r->on_the_way);
	doc_number(d, r->runs);
	doc_number(d, r->run_ns);
	doc_number(d, r->runs_per_s);
	doc_interval(d, r->ns_per_run, r->ns_ci95);
	doc_interval(d, 100 * r->share, 100 * r->share_ci95);
	doc_number(d, 100 * r->network_share);
	doc_number(d, r->unseen_s);
	doc_string(d, *r->attached ? r->attached : NULL);
	doc_row_end(d);
}

static void table(struct doc *d, const struct bill *b)
{
	static const struct doc_column column[] = {
		{ .title = "program", .kind = DOC_STRING, .width = 17 },
		{ .key = "name",
		  .kind = DOC_STRING,
		  .known = true,
		  .about = "as the kernel lists it; empty: it has none" },
		{ .key = "kind", .title = "type", .kind = DOC_STRING, .width = 16, .known = true },
		{ .key = "on_the_packets_way",
		  .kind = DOC_BOOL,
		  .about = "packets and sockets pass programs of its type" },
		{ .key = "runs_counted" },
		{ .key = "run_ns_counted" },
		{ .key = "runs_per_s", .title = "runs/s", .precision = 1, .width = 11, .spare = 1 },
		{ .key = "ns_per_run",
		  .ci_key = "ns_per_run_ci95",
		  .title = "ns a run",
		  .kind = DOC_INTERVAL,
		  .decimals = 1,
		  .precision = 1,
		  .width = 18,
		  .ci_width = 6,
		  .about =
			  "with half the width of its 95 % interval: of the whole recording; 0: all of it was counted" },
		{ .key = "percent",
		  .ci_key = "percent_ci95",
		  .title = "% of CPU",
		  .kind = DOC_INTERVAL,
		  .decimals = 3,
		  .precision = 6,
		  .width = 16,
		  .about = "likewise" },
		{ .key = "percent_of_network",
		  .title = "% of network",
		  .spare = 2,
		  .decimals = 2,
		  .precision = 4,
		  .width = 12,
		  .about =
			  "null: it is not on the packets' way, or not known, as the load has changed" },
		{ .key = "unseen_s",
		  .precision = 6,
		  .about = "of the time counted: it ended, and what it ran is not known" },
		{ .key = "attached",
		  .title = "attached to",
		  .kind = DOC_STRING,
		  .about = "when it was found; null: not known" },
	};
	const struct doc_table t = { .key = "programs",
				     .title = "BPF programs on the packets' way",
				     .above = true,
				     DOC_COLUMNS_OF(column),
				     .only = b->ran_on_the_way ? DOC_ALL : DOC_PROGRAMS };

	doc_table(d, &t);
	for (size_t i = 0; i < b->n; i++)
		row(d, &b->row[i]);
	doc_table_end(d);
}

/* The dearest of those that are not on the packets' way. */
static const struct bill_row *dearest_elsewhere(const struct bill *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (!b->row[i].on_the_way && b->row[i].runs > 0)
			return &b->row[i];
	return NULL;
}

static void notes(struct doc *d, const struct bill *b, const struct model *m)
{
	const struct bill_row *dearest = dearest_elsewhere(b);
	char network[64] = "";

	if (!isnan(b->network_share))
		snprintf(network, sizeof(network), ", %s %% of the network's",
			 PERCENT(b->network_share, 2));
	if (b->ran_on_the_way)
		doc_note(d, "  all: %s %% of CPU time%s; on all CPUs, in %s of %s s counted",
			 PERCENT(b->on_the_way, 3), network, NUM(b->counted_s, 1), NUM(b->of_s, 1));
	if (dearest)
		doc_note(
			d,
			"  other BPF programs: %zu ran, %s %% of CPU time, most of it %.32s (%.32s), %s %%",
			b->ran_elsewhere, PERCENT(b->elsewhere, 3),
			*dearest->name ? SAFE(dearest->name) : "(nameless)", SAFE(dearest->kind),
			PERCENT(dearest->share, 3));
	if (b->ended)
		doc_note(
			d,
			"  BPF programs that ended while they were counted: %zu; what they ran just before is in no figure",
			b->ended);
	if (m->others_left_out)
		doc_note(d, "  BPF programs that were left out, as there are too many: %" PRIu64,
			 m->others_left_out);
}

int bill_doc(struct doc *d, const struct summary *s)
{
	struct bill b;

	if (bill_make(&b, s))
		return -ENOMEM;
	doc_object(d, "other_programs");
	doc_about(d, "BPF programs that are not the recorder's own; null: not measured");
	doc_field(d, "on_the_packets_way_percent", 100 * b.on_the_way, 6);
	doc_field(d, "percent_of_network", 100 * b.network_share, 4);
	doc_field(d, "elsewhere_percent", 100 * b.elsewhere, 6);
	doc_field(d, "counted_s", b.counted_s, 6);
	doc_field(d, "of_s", b.of_s, 6);
	doc_field_known(d, "left_out", s->m->others_left_out, s->m->records[TRACE_OTHER_STATS]);
	table(d, &b);
	notes(d, &b, s->m);
	doc_object_end(d);
	bill_free(&b);
	return 0;
}
