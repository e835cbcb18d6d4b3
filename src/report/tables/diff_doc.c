// SPDX-License-Identifier: BSD-2-Clause
#include "tables.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/text_append.h>

#include "report/analysis/latency.h"
#include "report/model/model_stages.h"
#include "report/base/text.h"

/* ---- the largest change, in one sentence ------------------------------------------------- */

/*
 * Appends ", 22.3 % more (spread 3.9)", or nothing if the earlier value is 0. If the earlier value is so uncertain that
 * the percentage is below its spread, appends the change itself: that is what the test found.
 */
static void add_relative(char *dst, size_t size, const struct diff_change *c)
{
	if (diff_is_vague(c))
		text_append(dst, size, "", ", %s %s (spread %s)", DIGITS(fabs(c->change), c->ci95),
			    diff_verdict[c->verdict].text, DIGITS(c->ci95, c->ci95));
	else if (!isnan(c->relative))
		text_append(dst, size, "", ", %s %% %s (spread %s)",
			    DIGITS(fabs(100 * c->relative), 100 * c->relative_ci95),
			    diff_verdict[c->verdict].text,
			    DIGITS(100 * c->relative_ci95, 100 * c->relative_ci95));
}

static void say_cost(struct doc *d, const struct diff *diff, const char *what, const char *title,
		     const struct diff_change *c, const char *inside)
{
	const struct diff_per_desc *per = &diff_per[diff->per];
	char relative[80] = "";

	add_relative(relative, sizeof(relative), c);
	doc_note(d, "Largest change: %s%s%s: from %s to %s %s%s.", what, SAFE(title), relative,
		 WITHIN(c->side[DIFF_BEFORE].value, c->side[DIFF_BEFORE].ci95, TEXT_PLAIN),
		 WITHIN(c->side[DIFF_AFTER].value, c->side[DIFF_AFTER].ci95, TEXT_PLAIN), per->of,
		 inside);
}

enum rank { RANK_NONE, RANK_CATEGORY, RANK_KERNEL, RANK_NETWORK, RANK_LEAF };

/*
 * Returns the importance of a change. Idle time changes because other times change, and these are
 * more specific. The recorder's own cost is not a cost of the load.
 */
static enum rank rank_of(const struct diff_row *r)
{
	const struct leaf_node *n = leaf_node;

	if (!diff_row_is_apart(r))
		return RANK_NONE;
	if (r->group != DIFF_MAIN)
		return RANK_CATEGORY;
	while (strcmp(n->key, r->name))
		n++;
	if (n->leaves == LEAF_BIT(IDLE) || n->leaves == LEAF_BIT(OWN))
		return RANK_NONE;
	if (n->leaves == LEAF_KERNEL)
		return RANK_KERNEL;
	return n->leaves == LEAF_NETWORK ? RANK_NETWORK : RANK_LEAF;
}

static bool is_larger(const struct diff_row *r, const struct diff_row *than)
{
	return !than || fabs(r->m[0].change) > fabs(than->m[0].change);
}

/*
 * Returns the row with the largest change, or NULL if nothing has changed. A leaf other than idle
 * is preferred to a sum of leaves, and a sum of leaves to a category.
 */
static const struct diff_row *largest_cost(const struct diff_table *t)
{
	const struct diff_row *largest = NULL;
	enum rank best = RANK_NONE;

	for (size_t i = 0; i < t->n; i++) {
		enum rank rank = rank_of(&t->row[i]);

		if (rank == RANK_NONE || rank < best)
			continue;
		if (rank > best || is_larger(&t->row[i], largest))
			largest = &t->row[i];
		best = rank;
	}
	return largest;
}

/*
 * Returns the category inside the leaf that has the largest significant change in the same direction as the leaf, or
 * NULL.
 */
static const struct diff_row *largest_inside(const struct diff_table *t,
					     const struct diff_row *leaf)
{
	const struct diff_row *largest = NULL;

	for (size_t i = 0; i < t->n; i++) {
		const struct diff_row *r = &t->row[i];

		if (r->of && !strcmp(r->of, leaf->name) && r->m[0].verdict == leaf->m[0].verdict &&
		    is_larger(r, largest))
			largest = r;
	}
	return largest;
}

static void say_category(struct doc *d, const struct diff *diff, const struct diff_row *r)
{
	const struct diff_row *in =
		r->group == DIFF_MAIN ? largest_inside(&diff->table[DIFF_COSTS], r) : NULL;
	char inside[160] = "";

	if (in)
		text_append(inside, sizeof(inside), "", "; largest part: %s, %+.*f",
			    SAFE(in->title), diff_per[diff->per].decimals, in->m[0].change);
	say_cost(d, diff, "", r->title, &r->m[0], inside);
}

/* Adds a sentence about f, the first function of the table. At least one of its changes is significant. */
static void say_function(struct doc *d, const struct diff *diff, const struct diff_row *f)
{
	bool self = diff_is_apart(&f->m[0]);
	char title[SAFE_SIZE];

	snprintf(title, sizeof(title), "%s%s", f->title, self ? "" : " and what it calls");
	say_cost(d, diff, "function ", title, &f->m[self ? 0 : 1], "");
}

/*
 * Returns the logarithm of the factor by which a value grew, or of the inverse factor; -1 if no
 * change is significant.
 */
static double growth(const struct diff_row *r)
{
	const struct diff_change *c = &r->m[0];
	double before = c->side[DIFF_BEFORE].value, after = c->side[DIFF_AFTER].value;

	return diff_is_apart(c) && before > 0 && after > 0 ? fabs(log(after / before)) : -1;
}

/*
 * Returns the quantile with the largest relative change. By absolute change, a tail of milliseconds
 * would hide all others.
 */
static const struct diff_row *largest_time(const struct diff *diff, const struct diff_row *largest,
					   enum diff_subject subject)
{
	const struct diff_table *t = &diff->table[subject];

	for (size_t i = 0; i < t->n; i++) {
		const struct diff_row *r = &t->row[i];

		if (subject == DIFF_STAGES && r->id[0] == DIFF_WHOLE_PATH)
			continue;
		if (growth(r) >= 0 && (!largest || growth(r) > growth(largest)))
			largest = r;
	}
	return largest;
}

static void say_time(struct doc *d, const struct diff_row *r, bool is_latency)
{
	const struct diff_change *c = &r->m[0];
	double before = c->side[DIFF_BEFORE].value, after = c->side[DIFF_AFTER].value;
	char name[128];

	if (is_latency)
		snprintf(name, sizeof(name), "%s", latency_keys[r->id[0]]);
	else
		snprintf(name, sizeof(name), "from %s to %s", stages_keys[r->id[0]],
			 stages_keys[r->id[1]]);
	doc_note(d,
		 "Largest change: %s, %s, %s %% %s: from %s to %s; no significant change of cost.",
		 name, diff_quantile_titles[r->id[2]], DIGITS(fabs(100 * (after / before - 1)), 0),
		 diff_verdict[c->verdict].text, MEASURED(before, TEXT_NS),
		 MEASURED(after, TEXT_NS));
}

static void largest_change(struct doc *d, const struct diff *diff)
{
	const struct diff_table *costs = &diff->table[DIFF_COSTS];
	const struct diff_table *functions = &diff->table[DIFF_FUNCTIONS];
	const struct diff_row *category = largest_cost(costs);
	const struct diff_row *latency = largest_time(diff, NULL, DIFF_LATENCY);
	const struct diff_row *time = largest_time(diff, latency, DIFF_STAGES);

	if (category)
		say_category(d, diff, category);
	else if (functions->n && diff_row_is_apart(&functions->row[0]))
		say_function(d, diff, &functions->row[0]);
	else if (time)
		say_time(d, time, time == latency);
	else
		doc_note(d, costs->tested || functions->tested ? "No significant change of cost." :
								 "No cost could be compared.");
	doc_title(d, "");
}

/* ---- the two ----------------------------------------------------------------------------- */

static void side_for_people(struct doc *d, const char *which, const struct diff_side *s)
{
	const struct model_header *h = &s->m->header;
	const struct energy *e = &s->summary.energy;
	const char *exact = model_string(s->m, h->exact);
	const char *basis = interfaces_basis_text[s->summary.basis];
	char samples[64] = "no samples", packets[96] = "";

	if (h->sample_hz)
		snprintf(samples, sizeof(samples), "%s at %" PRIu64 " Hz",
			 COUNT(s->m->samples, "sample"), h->sample_hz);
	if (!isnan(s->summary.packets))
		snprintf(packets, sizeof(packets), ", %s on %.*s",
			 COUNT(s->summary.packets, "packet"), (int)strcspn(basis, ","), basis);
	doc_note(d, "%-7s %s: %s, %s, exact %s, %s%s", which, PART_TITLE(s->part),
		 MEASURED(1e9 * s->summary.ticks_s, TEXT_NS), COUNT(h->ncpus, "CPU"),
		 *exact ? SAFE(exact) : "-", samples, packets);
	if (!isnan(e->network_w.high))
		doc_note(d, "        %s W of packages and memory, of which the network %s to %s",
			 MEASURED(e->total_w, TEXT_PLAIN), MEASURED(e->network_w.low, TEXT_PLAIN),
			 MEASURED(e->network_w.high, TEXT_PLAIN));
}

static void side(struct doc *d, const char *which, const struct diff_side *s)
{
	const struct model *m = s->m;
	const struct model_header *h = &m->header;
	const struct energy *e = &s->summary.energy;

	side_for_people(d, which, s);
	doc_object(d, which);
	doc_part(d, s->part);
	doc_ended(d, m);
	doc_field(d, "seconds", s->summary.ticks_s, 6);
	doc_field_uint(d, "pieces", s->npieces);
	doc_model_string(d, "kernel", m, h->kernel);
	doc_model_string(d, "cpu_model", m, h->cpu_model);
	doc_field_uint(d, "cpus", h->ncpus);
	doc_model_string(d, "exact", m, h->exact);
	doc_field_uint(d, "sample_hz", h->sample_hz);
	doc_model_string(d, "sample_event", m, h->sample_event);
	doc_field_uint(d, "samples", m->samples);
	doc_field(d, "interface_packets", s->summary.packets, 0);
	doc_field_choice(d, "interface_basis", interfaces_basis_keys[s->summary.basis],
			 interfaces_basis_keys);
	doc_field(d, "package_and_dram_w", e->total_w, 6);
	doc_field(d, "network_low_w", e->network_w.low, 6);
	doc_field(d, "network_high_w", e->network_w.high, 6);
	doc_object_end(d);
}

static void notes(struct doc *d, const struct diff *diff)
{
	doc_array(d, "notes");
	for (size_t i = 0; i < diff->nnotes; i++) {
		doc_line(d, "note:", "%s", diff->note[i]);
		doc_field_text(d, NULL, diff->note[i]);
	}
	doc_array_end(d);
}

/* ---- how the hosts were set -------------------------------------------------------------- */

#define SETTINGS 50 /* number of settings that text shows */

/* Returns the value of a setting on a side, or NULL. */
static const char *set_to(char *dst, const struct diff *diff, const struct diff_setting *s,
			  enum diff_side_number side)
{
	if (!s->side[side])
		return NULL;
	if (!s->all)
		return setting_text(dst, SETTING_TEXT, diff->side[side]->m, s->side[side]);
	snprintf(dst, SETTING_TEXT, "is there");
	return dst;
}

static void setting(struct doc *d, const struct diff *diff, size_t i)
{
	const struct diff_setting *s = &diff->setting[i];
	enum diff_side_number any = s->side[DIFF_BEFORE] ? DIFF_BEFORE : DIFF_AFTER;
	const struct model *m = diff->side[any]->m;
	const char *name = model_string(m, s->side[any]->name);
	char before[SETTING_TEXT], after[SETTING_TEXT];
	const char *was = set_to(before, diff, s, DIFF_BEFORE);
	const char *is = set_to(after, diff, s, DIFF_AFTER);

	doc_row(d, 0, i < SETTINGS ? DOC_ALL : DOC_PROGRAMS);
	doc_string(d, model_string(m, s->side[any]->subject));
	doc_string(d, s->all ? "" : name);
	doc_string(d, s->all ? NULL : name);
	doc_string(d, was ? was : "-");
	doc_string(d, is ? is : "-");
	doc_string(d, was);
	doc_string(d, is);
	doc_row_end(d);
}

static void settings(struct doc *d, const struct diff *diff)
{
	static const struct doc_column column[] = {
		{ .key = "subject", .title = "of", .kind = DOC_STRING, .width = 20, .known = true },
		{ .title = "setting", .kind = DOC_STRING, .width = 28 },
		{ .key = "name",
		  .kind = DOC_STRING,
		  .about =
			  "name of the setting; null: the subject itself, such as an interface, is only in one of the recordings" },
		{ .title = "before", .kind = DOC_STRING, .width = 20 },
		{ .title = "after", .kind = DOC_STRING },
		{ .key = "before",
		  .kind = DOC_STRING,
		  .about =
			  "value in the earlier recording; null: the recording does not have the setting" },
		{ .key = "after",
		  .kind = DOC_STRING,
		  .about =
			  "value in the later recording; null: the recording does not have the setting" },
	};
	const struct doc_table table = { .key = "set_otherwise",
					 .about = "settings that differ between the two hosts",
					 .title = "Settings that differ",
					 .above = true,
					 DOC_COLUMNS_OF(column),
					 .only = diff->nsettings ? DOC_ALL : DOC_PROGRAMS };

	if (!doc_optional(d, diff->side[DIFF_BEFORE]->m->nsettings &&
				     diff->side[DIFF_AFTER]->m->nsettings))
		return;
	doc_table(d, &table);
	for (size_t i = 0; i < diff->nsettings; i++)
		setting(d, diff, i);
	doc_table_end(d);
	if (diff->nsettings)
		doc_title(d, "");
	if (diff->nsettings > SETTINGS)
		doc_note(d, "  %s: see --format=json", COUNT(diff->nsettings - SETTINGS, "other"));
}

/* ---- subjects ---------------------------------------------------------------------------- */

static bool has_visible(const struct diff_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (!t->row[i].hidden)
			return true;
	return false;
}

/* Returns whether both sides have a value that was measured in different ways. */
static bool has_other_way(const struct diff_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->row[i].m[0].verdict == DIFF_NOT_COMPARABLE)
			return true;
	return false;
}

static void costs(struct doc *d, const struct diff *diff)
{
	const struct diff_table *f = &diff->table[DIFF_FUNCTIONS];
	size_t shown = diff->o.all ? f->all : f->rows_apart;

	doc_field_uint(d, "categories_tested", diff->table[DIFF_COSTS].tested);
	diff_doc_table(d, diff, DIFF_COSTS);
	doc_field_uint(d, "functions_in_all", f->all);
	doc_field_uint(d, "functions_tested", f->tested);
	diff_doc_table(d, diff, DIFF_FUNCTIONS);
	if (f->n < shown)
		doc_note(d, "  %s", COUNT(shown - f->n, "other"));
	diff_doc_table(d, diff, DIFF_UNITS);
	if (diff->table[DIFF_UNITS].tested)
		doc_note(
			d,
			"  %zu of %zu unit costs changed significantly (corrected separately for multiple comparisons%s)",
			diff->table[DIFF_UNITS].apart, diff->table[DIFF_UNITS].tested,
			diff->per == DIFF_PER_PACKET || diff->per == DIFF_PER_GB ?
				"; network as in its row above" :
				"");
	if (has_other_way(&diff->table[DIFF_UNITS]))
		doc_note(d, "  no change: not measured in the same way before and after%s",
			 diff_side_has_samples(diff->side[DIFF_BEFORE]) &&
					 diff_side_has_samples(diff->side[DIFF_AFTER]) ?
				 "; --per=packet and --per=GB compare by samples" :
				 "");
	if (!doc_optional(d, diff->table[DIFF_PROGRAMS].there))
		return;
	diff_doc_table(d, diff, DIFF_PROGRAMS);
	if (has_visible(&diff->table[DIFF_PROGRAMS]))
		doc_note(
			d,
			"  measured only while BPF statistics were enabled; changes are not tested");
}

static void processes(struct doc *d, const struct diff *diff)
{
	if (!doc_optional(d, diff->table[DIFF_PROCESSES].there))
		return;
	diff_doc_table(d, diff, DIFF_PROCESSES);
	doc_note(
		d,
		"  times of processes are exact and have no confidence interval; they also change with the load, so changes are not tested");
	if (diff_doc_has_energy(diff))
		doc_note(
			d,
			"  W, low: share of the power above idle; high: share of all power; both by CPU time");
}

static bool has_received(const struct diff_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->row[i].m[DIFF_RECEIVED].side[DIFF_BEFORE].value > 0 ||
		    t->row[i].m[DIFF_RECEIVED].side[DIFF_AFTER].value > 0)
			return true;
	return false;
}

static void owners(struct doc *d, const struct diff *diff)
{
	double every = diff_doc_every(diff);

	if (!doc_optional(d, diff->table[DIFF_FATES].there))
		return;
	if (has_received(&diff->table[DIFF_PROCESSES]))
		diff_doc_receivers(d, diff);
	diff_doc_table(d, diff, DIFF_FATES);
	if (every > 1)
		doc_note(
			d,
			"  includes the driver's and GRO's time, distributed evenly. One softirq in %s was examined; +- is the 95 %% interval of this sampling. The variation of the load is unknown, so changes are not tested",
			NUM(every, 0));
	else
		doc_note(
			d,
			"  includes the driver's and GRO's time, distributed evenly. All softirqs were examined, so times are exact. The variation of the load is unknown, so changes are not tested");
}

static void latency(struct doc *d, const struct diff *diff)
{
	const struct diff_table *t = &diff->table[DIFF_LATENCY];

	if (!doc_optional(d, t->there))
		return;
	diff_doc_table(d, diff, DIFF_LATENCY);
	doc_note(
		d,
		"  %zu of %zu latency changes are significant (corrected for multiple comparisons); from, to: the 95 %% interval of the change",
		t->apart, t->tested);
}

static void stages(struct doc *d, const struct diff *diff)
{
	const struct diff_table *p = &diff->table[DIFF_PATHS], *s = &diff->table[DIFF_STAGES];

	if (doc_optional(d, p->there))
		diff_doc_table(d, diff, DIFF_PATHS);
	if (doc_optional(d, s->there))
		diff_doc_table(d, diff, DIFF_STAGES);
	if (s->there)
		doc_note(
			d,
			"  %zu of %zu changes of packet paths are significant (shares corrected for %zu comparisons, times for %zu)",
			p->apart + s->apart, p->tested + s->tested, p->tested, s->tested);
}

/* ---- all of it --------------------------------------------------------------------------- */

/* Notes the numbers of hidden rows, by reason. */

static void hidden(struct doc *d, const struct diff *diff)
{
	char text[160] = "";

	if (diff->within_noise)
		text_append(text, sizeof(text), ", ", "%s within noise",
			    COUNT(diff->within_noise, "row"));
	if (diff->not_alike)
		text_append(text, sizeof(text), ", ",
			    "%zu%s measured differently in the two recordings", diff->not_alike,
			    *text		? "" :
			    diff->not_alike > 1 ? " rows" :
						  " row");
	if (*text)
		doc_note(d, "%s; --all shows them.", text);
}

static void legend(struct doc *d, const struct diff *diff)
{
	const struct diff_table *t = diff->table;

	doc_title(d, "");
	hidden(d, diff);
	doc_note(d, "%zu of %zu %schanges are significant, marked + or -. The others are marked ~.",
		 t[DIFF_COSTS].apart + t[DIFF_FUNCTIONS].apart,
		 t[DIFF_COSTS].tested + t[DIFF_FUNCTIONS].tested,
		 t[DIFF_LATENCY].there || t[DIFF_STAGES].there ? "other " : "");
	doc_note(
		d,
		"Spread: the larger of the measurement error and the variation of the load between intervals, for each row separately.");
	doc_note(
		d,
		"Marks are corrected for multiple comparisons: without a change, 95 of 100 comparisons have no mark.");
}

static void counts(struct doc *d, const struct diff *diff)
{
	const struct diff_table *t = &diff->table[DIFF_COUNTS];

	if (!doc_optional(d, t->there))
		return;
	diff_doc_table(d, diff, DIFF_COUNTS);
	if (has_visible(t))
		doc_note(
			d,
			"  %zu of %zu counts changed significantly (corrected for multiple comparisons)",
			t->apart, t->tested);
}

static void worse(struct doc *d, const struct diff *diff)
{
	const struct diff_table *t = &diff->table[DIFF_COSTS];

	doc_field(d, "fail_above_percent", 100 * diff->o.above, 4);
	doc_array(d, "failed");
	for (size_t i = 0; i < t->n; i++)
		if (diff_is_watched(&t->row[i], diff->o.only) &&
		    diff_is_worse(&t->row[i].m[0], diff->o.above))
			doc_field_text(d, NULL, t->row[i].name);
	doc_array_end(d);
	doc_array(d, "unsure");
	for (size_t i = 0; i < t->n; i++)
		if (diff_must_be_known(&t->row[i], diff->o.only) &&
		    diff_is_unsure(&t->row[i].m[0], diff->o.above))
			doc_field_text(d, NULL, t->row[i].name);
	doc_array_end(d);
}

void diff_doc(struct doc *d, const struct diff *diff)
{
	doc_object(d, NULL);
	largest_change(d, diff);
	side(d, "before", diff->side[DIFF_BEFORE]);
	side(d, "after", diff->side[DIFF_AFTER]);
	doc_filter(d, diff->side[DIFF_BEFORE]->m);
	settings(d, diff);
	notes(d, diff);
	doc_note(d, "%s; change +- spread (95 %%)", diff_per[diff->per].title);
	doc_field_choice(d, "per", diff_per[diff->per].name, diff_per_names);
	doc_field_text(d, "unit", diff_per[diff->per].key);
	costs(d, diff);
	processes(d, diff);
	owners(d, diff);
	latency(d, diff);
	stages(d, diff);
	counts(d, diff);
	worse(d, diff);
	legend(d, diff);
	doc_object_end(d);
}

/* Builds the report for the schema, with one element in each array. */
int diff_describe(struct doc *d, const struct model *empty)
{
	/* The first rise is above the limit. For the second rise this is unknown. */
	struct diff_row network[] = { { .name = "network", .title = "" },
				      { .name = "network", .title = "" } };
	struct diff_side *side = calloc(1, sizeof(*side));
	struct diff *diff = calloc(1, sizeof(*diff));
	int err = side && diff ? 0 : -ENOMEM;

	network[0].m[0] = (struct diff_change){ .verdict = DIFF_MORE, .relative = 1 };
	network[1].m[0] = (struct diff_change){ .verdict = DIFF_SAME, .relative_ci95 = 1 };
	if (!err) {
		side->m = empty;
		side->part = d->part;
		diff->side[DIFF_BEFORE] = diff->side[DIFF_AFTER] = side;
		diff->o.above = 0.5;
		diff->table[DIFF_COSTS].row = network;
		diff->table[DIFF_COSTS].n = 2;
		diff->nnotes = 1;
		diff_doc(d, diff);
	}
	free(diff);
	free(side);
	return err;
}
