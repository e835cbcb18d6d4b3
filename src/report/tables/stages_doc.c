// SPDX-License-Identifier: BSD-2-Clause
#include "stages_doc.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_doc.h"
#include "stages_columns.h"
#include "report/base/doc.h"
#include "report/base/text.h"

/* What rows are of. */
struct shown {
	const struct model *m;
	const struct model_stages *s;
	const struct stages_step **step; /* in order */
};

/* ---- from stage to stage ----------------------------------------------------------------- */

static const struct doc_column columns[] = { STAGES_STEP };

/* step: NULL: the whole of it. */
static void row(struct doc *d, const struct model_stages *s, enum stages_path path,
		const struct stages_step *step)
{
	doc_row(d, 0, DOC_ALL);
	stages_cells(d, path, step, &s->all, s->all.whole[path].ns);
	doc_row_end(d);
}

static void step_rows(struct doc *d, const void *ctx)
{
	const struct shown *shown = ctx;
	const struct model_stages *s = shown->s;
	size_t i = 0;

	for (unsigned int p = 0; p < STAGES_PATH_COUNT; p++) {
		if (!s->finished[p])
			continue;
		doc_section(d, stages_path_titles[p]);
		for (; i < s->all.nsteps && shown->step[i]->path == p; i++)
			row(d, s, p, shown->step[i]);
		row(d, s, p, NULL);
	}
}

static int steps(struct doc *d, const struct model_stages *s)
{
	const struct shown shown = { .s = s, .step = stages_in_order(&s->all) };
	const struct doc_table table = { .key = "rows",
					 .caption = "From stage to stage",
					 .sections = true,
					 .above = true,
					 DOC_COLUMNS_OF(columns),
					 .only = s->all.nsteps ? DOC_ALL : DOC_PROGRAMS };

	if (!shown.step)
		return -ENOMEM;
	doc_fitted(d, &table, &(struct doc_rows){ .add = step_rows, .ctx = &shown });
	free(shown.step);
	return 0;
}

/* ---- in netfilter ------------------------------------------------------------------------ */

static const struct doc_column rule_columns[] = {
	{ .key = "stage",
	  .title = "us until the next stage from",
	  .kind = DOC_STRING,
	  .width = 28,
	  .known = true,
	  .choices = stages_keys },
	{ .key = "hook",
	  .title = "hook",
	  .kind = DOC_STRING,
	  .width = 18,
	  .about = "netfilter's family and hook; null: there were too many" },
	{ .key = "table", .title = "table", .kind = DOC_STRING, .width = 16 },
	{ .key = "packets", .title = "packets", .width = 10, .known = true },
	STAGES_QUANTILES,
};

static void rule_row(struct doc *d, const struct model *m, const struct stages_rule *rule)
{
	const char *hook = model_string(m, rule->hook), *table = model_string(m, rule->table);
	struct dist_summary r;

	dist_summarize(&r, &rule->times);
	doc_row(d, 0, DOC_ALL);
	doc_string(d, stages_keys[rule->stage]);
	doc_string(d, *hook ? hook : NULL);
	doc_string(d, *table ? table : doc_is_for(d, DOC_PEOPLE) ? "" : NULL);
	doc_number(d, r.count);
	stages_quantiles(d, &r, rule->times.ns);
	doc_row_end(d);
}

static void rule_rows(struct doc *d, const void *ctx)
{
	const struct shown *shown = ctx;

	for (size_t i = 0; i < shown->s->nrules; i++)
		if (shown->s->rule[i].times.bucket)
			rule_row(d, shown->m, &shown->s->rule[i]);
}

static void rules(struct doc *d, const struct model *m, const struct model_stages *s)
{
	const struct shown shown = { .m = m, .s = s };
	const struct doc_table table = { .key = "rules",
					 .caption = "In netfilter, by hook and table",
					 DOC_COLUMNS_OF(rule_columns),
					 .only = s->nrules ? DOC_ALL : DOC_PROGRAMS,
					 .about = "of packets that came to their end" };

	doc_fitted(d, &table, &(struct doc_rows){ .add = rule_rows, .ctx = &shown });
}

/* ---- what is not in them ----------------------------------------------------------------- */

static const char *const unfinished_why[NETCOST_STAGE_COUNT] = {
	[NETCOST_STAGE_ENTRY] =
		"GRO has merged them into others, or they were on their way at the end",
	[NETCOST_STAGE_RECEIVE] = "freed unseen by their protocol, or on their way at the end",
	[NETCOST_STAGE_TCP] =
		"used by TCP out of order or merged unseen, or on their way at the end",
	[NETCOST_STAGE_SOCKET] = "in a socket at the end, or read while others read, too",
};

static const char *why_unfinished(unsigned int stage)
{
	return unfinished_why[stage] ? unfinished_why[stage] :
				       "on their way at the end, or gone unseen";
}

static void unfinished(struct doc *d, const struct model_stages *s)
{
	static const struct doc_column column[] = {
		{ .key = "last", .kind = DOC_STRING, .known = true, .choices = stages_keys },
		{ .key = "packets", .known = true },
		{ .key = "why", .kind = DOC_STRING, .known = true },
	};
	static const struct doc_table table = {
		.key = "unfinished",
		DOC_COLUMNS_OF(column),
		.only = DOC_PROGRAMS,
		.about = "packets without an end, by their last stage"
	};

	doc_table(d, &table);
	for (unsigned int i = 0; i < NETCOST_STAGE_COUNT; i++) {
		if (!s->unfinished[i])
			continue;
		doc_row(d, 0, DOC_PROGRAMS);
		doc_string(d, stages_keys[i]);
		doc_number(d, (double)s->unfinished[i]);
		doc_string(d, why_unfinished(i));
		doc_row_end(d);
	}
	doc_table_end(d);
	for (unsigned int i = 0; i < NETCOST_STAGE_COUNT; i++)
		if (s->unfinished[i])
			doc_note(d, "  not finished: %s packets after %s: %s",
				 NUM((double)s->unfinished[i], 0), stages_keys[i],
				 why_unfinished(i));
}

static void reasons(struct doc *d, const struct model *m, const struct model_stages *s)
{
	static const struct doc_column column[] = {
		{ .key = "reason", .kind = DOC_STRING, .about = "null: not known" },
		{ .key = "packets", .known = true },
	};
	static const struct doc_table table = { .key = "dropped",
						DOC_COLUMNS_OF(column),
						.only = DOC_PROGRAMS };

	doc_table(d, &table);
	for (size_t i = 0; i < s->nreasons; i++) {
		const char *name = model_string(m, s->reason[i].name);

		doc_row(d, 0, DOC_PROGRAMS);
		doc_string(d, *name ? name : NULL);
		doc_number(d, (double)s->reason[i].packets);
		doc_row_end(d);
	}
	doc_table_end(d);
	for (size_t i = 0; i < s->nreasons; i++) {
		const char *name = model_string(m, s->reason[i].name);

		doc_note(d, "  dropped: %s packets: %s", NUM((double)s->reason[i].packets, 0),
			 *name ? SAFE(name) : "the reason is not known");
	}
}

/* ---- how, and how many ------------------------------------------------------------------- */

static void points(struct doc *d, const struct model *m)
{
	static const struct doc_column column[] = {
		{ .key = "stage", .kind = DOC_STRING, .known = true, .choices = stages_keys },
		{ .key = "what", .kind = DOC_STRING, .known = true },
		PROBE_COLUMNS,
	};
	static const struct doc_table table = { .key = "stages",
						DOC_COLUMNS_OF(column),
						.only = DOC_PROGRAMS };

	doc_table(d, &table);
	for (unsigned int i = 0; i < NETCOST_STAGE_COUNT; i++) {
		const struct model_probe *p = model_find_probe(m, NETCOST_OF_STAGE, i);

		if (!p)
			continue;
		doc_row(d, 0, DOC_PROGRAMS);
		doc_string(d, stages_keys[i]);
		doc_string(d, stages_what[i]);
		probe_cells(d, m, p);
		doc_row_end(d);
	}
	doc_table_end(d);
	for (unsigned int i = 0; i < NETCOST_STAGE_COUNT; i++)
		probe_note(d, m, NETCOST_OF_STAGE, i, stages_keys[i]);
}

static bool all_add_up(const struct model_stages *s)
{
	for (unsigned int p = 0; p < STAGES_PATH_COUNT; p++)
		if (!stages_add_up(&s->all, p) || (s->nkeys && !stages_keys_add_up(s, p)))
			return false;
	return true;
}

static void counts(struct doc *d, const struct model_stages *s)
{
	doc_field_known(d, "every", s->every, s->counted);
	doc_field_known(d, "packets", s->packets, s->counted);
	doc_field_known(d, "full", s->full, s->counted);
	doc_field_known(d, "evicted", s->evicted, s->counted);
	doc_field_uint(d, "events", s->events);
	doc_field_uint(d, "begun", s->begun);
	doc_field(d, "finished", stages_finished(s), 0);
	doc_field(d, "not_finished", stages_unfinished(s), 0);
	doc_field_uint(d, "impossible", s->impossible);
	doc_field_uint(d, "too_long", s->too_long);
	doc_about(
		d,
		"events of packets that began before the recording, or in a part that is not here");
	doc_field_uint(d, "before", s->before);
	doc_about(d, "of each path the steps' times sum to its packets'");
	doc_field_bool(d, "adds_up", all_add_up(s));
	if (s->counted)
		doc_note(d, "One packet in %s was followed: %s of %s; %s of them to their end.",
			 NUM((double)s->every, 0), NUM((double)s->begun, 0),
			 NUM((double)s->packets, 0), NUM(stages_finished(s), 0));
	if (s->full)
		doc_note(d,
			 "  lost: of %s packets, as there was no room for what happened to them: "
			 "follow one in more",
			 NUM((double)s->full, 0));
	if (s->evicted)
		doc_note(d, "  lost: %s packets, as others needed their place",
			 NUM((double)s->evicted, 0));
	if (s->before)
		doc_note(d, "  %s events are of packets whose begin is not here",
			 NUM((double)s->before, 0));
	if (s->too_long)
		doc_note(d, "  left out: %s packets with too many stages",
			 NUM((double)s->too_long, 0));
	if (s->impossible)
		doc_alert(d, "stages",
			  "%s packets have stages in an order that cannot be: these are left out",
			  NUM((double)s->impossible, 0));
	if (!all_add_up(s))
		doc_alert(d, "stages", "the times of steps do not sum to those of whole ways");
}

static void not_at_all(struct doc *d, const struct model *m)
{
	for (size_t i = 0; i < m->nsources; i++)
		if (!strcmp(model_string(m, m->source[i].name), "stages")) {
			doc_note(d, "Packets' ways could not be followed: %s",
				 SAFE(model_string(m, m->source[i].why)));
			return;
		}
	doc_note(d, "Packets' ways were not followed: netcost-record --stages does that.");
}

static const struct model_stages none = { .counted = false };

void stages_rest(struct doc *d, const struct model *m)
{
	const struct model_stages *s = m->stages ? m->stages : &none;

	counts(d, s);
	unfinished(d, s);
	reasons(d, m, s);
	points(d, m);
	if (!m->stages)
		not_at_all(d, m);
}

int stages_table(struct doc *d, const struct model *m)
{
	const struct model_stages *s = m->stages ? m->stages : &none;
	int err = steps(d, s);

	rules(d, m, s);
	stages_rest(d, m);
	return err;
}

int stages_doc(struct doc *d, const struct model *m)
{
	int err;

	doc_object(d, NULL);
	doc_heading(d, "packets' ways through the host");
	doc_trace(d, m);
	err = stages_table(d, m);
	doc_object_end(d);
	return err;
}
