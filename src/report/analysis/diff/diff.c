// SPDX-License-Identifier: BSD-2-Clause
/*
 * Compares two recordings: the code that all subjects have in common, settings of the hosts, and notes.
 */
#include "diff.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <netcost/array.h>
#include <netcost/text_append.h>

#include "report/base/stats.h"
#include "report/base/text.h"

/* relative difference of mean packet sizes beyond which the loads are not the same */
#define OTHER_SIZE 0.1
/* fewest intervals; with fewer intervals, the variance of the load is uncertain */
#define FEW_PIECES 8

/* ---- settings ---------------------------------------------------------------------------- */

/* The settings of a side, by subject and name. */
struct sorted {
	const struct model *m;
	const struct model_setting **at;
	size_t n;
};

static int settings_by_name(const void *pa, const void *pb, void *m)
{
	return model_setting_compare(m, *(const struct model_setting *const *)pa, m,
				     *(const struct model_setting *const *)pb);
}

static int sort_settings(struct sorted *s, const struct model *m)
{
	*s = (struct sorted){ .m = m, .n = m->nsettings };
	if (array_resize(&s->at, s->n, sizeof(*s->at)))
		return -ENOMEM;
	for (size_t i = 0; i < s->n; i++)
		s->at[i] = &m->setting[i];
	qsort_r(s->at, s->n, sizeof(*s->at), settings_by_name, (void *)m);
	return 0;
}

static bool same_text(const struct sorted *a, model_str sa, const struct sorted *b, model_str sb)
{
	return !strcmp(model_string(a->m, sa), model_string(b->m, sb));
}

/* Returns true if a setting differs. A setting that could not be read does not count as different. */
static bool is_other(const struct sorted *a, const struct model_setting *sa, const struct sorted *b,
		     const struct model_setting *sb)
{
	if (!model_setting_known(a->m, sa) || !model_setting_known(b->m, sb))
		return false;
	return !same_text(a, sa->first, b, sb->first) || !same_text(a, sa->value, b, sb->value) ||
	       !same_text(a, sa->why, b, sb->why);
}

/*
 * Returns the length of the first two words of a subject. For example, "interface eth0 rx-0" is a part of "interface
 * eth0".
 */
static size_t whole_length(const char *subject)
{
	size_t first = strcspn(subject, " ");

	return subject[first] ? first + 1 + strcspn(subject + first + 1, " ") : first;
}

static bool same_whole(const struct sorted *a, size_t i, const struct sorted *b, size_t k)
{
	const char *sa = model_string(a->m, a->at[i]->subject);
	const char *sb = model_string(b->m, b->at[k]->subject);
	size_t n = whole_length(sa);

	return n == whole_length(sb) && !memcmp(sa, sb, n);
}

static bool is_interface(const struct sorted *s, size_t i)
{
	static const char word[] = "interface ";

	return !strncmp(model_string(s->m, s->at[i]->subject), word, strlen(word));
}

static void add_setting(struct diff *d, const struct model_setting *before,
			const struct model_setting *after, bool all)
{
	d->setting[d->nsettings++] = (struct diff_setting){ .side = { before, after }, .all = all };
}

/*
 * Adds row i of a side, which is missing on the other side. Row k is the next row of the other side in sort order. An
 * interface that only one side has is a single difference, even if it has many settings.
 */
static void only_in(struct diff *d, const struct sorted *s, size_t i, const struct sorted *other,
		    size_t k, bool before)
{
	const struct model_setting *setting = s->at[i];
	bool all = is_interface(s, i) && !(k < other->n && same_whole(s, i, other, k)) &&
		   !(k && same_whole(s, i, other, k - 1));

	if (!model_setting_known(s->m, setting) && !all)
		return;
	if (all && i && same_whole(s, i, s, i - 1))
		return;
	add_setting(d, before ? setting : NULL, before ? NULL : setting, all);
}

static void compare_settings(struct diff *d, const struct sorted *a, const struct sorted *b)
{
	size_t i = 0, k = 0;

	while (i < a->n || k < b->n) {
		int order = i == a->n ? 1 :
			    k == b->n ? -1 :
					model_setting_compare(a->m, a->at[i], b->m, b->at[k]);

		if (order < 0)
			only_in(d, a, i, b, k, true);
		else if (order > 0)
			only_in(d, b, k, a, i, false);
		else if (is_other(a, a->at[i], b, b->at[k]))
			add_setting(d, a->at[i], b->at[k], false);
		i += order <= 0;
		k += order >= 0;
	}
}

/* Makes the rows of the hosts' settings that differ. Returns 0 or -ENOMEM. */
static int take_settings(struct diff *d)
{
	const struct model *before = d->side[DIFF_BEFORE]->m, *after = d->side[DIFF_AFTER]->m;
	struct sorted a = { 0 }, b = { 0 };
	int err = 0;

	if (!before->nsettings || !after->nsettings)
		return 0;
	err = sort_settings(&a, before);
	if (!err)
		err = sort_settings(&b, after);
	if (!err)
		err = array_resize(&d->setting, a.n + b.n, sizeof(*d->setting));
	if (!err)
		compare_settings(d, &a, &b);
	free(a.at);
	free(b.at);
	return err;
}

/* ---- notes ------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void note(struct diff *d, const char *fmt, ...)
{
	va_list ap;

	if (d->nnotes == DIFF_NOTES)
		return;
	va_start(ap, fmt);
	vsnprintf(d->note[d->nnotes++], sizeof(d->note[0]), fmt, ap);
	va_end(ap);
}

static const char *or_unknown(const char *s)
{
	return *s ? s : "not known";
}

/* Adds a note if a text of the headers differs. */
static void header_note(struct diff *d, const char *what, model_str before, model_str after)
{
	const char *a = model_string(d->side[DIFF_BEFORE]->m, before),
		   *b = model_string(d->side[DIFF_AFTER]->m, after);

	if (strcmp(a, b))
		note(d, "%s: %.60s before, %.60s after", what, SAFE(or_unknown(a)),
		     SAFE(or_unknown(b)));
}

/*
 * Adds notes about probes that use different methods of measuring. Different methods have different costs, and may see
 * different calls.
 */
static void probe_notes(struct diff *d)
{
	const struct model *a = d->side[DIFF_BEFORE]->m, *b = d->side[DIFF_AFTER]->m;

	if (strcmp(model_string(a, a->header.exact), model_string(b, b->header.exact)))
		return; /* header_note() already noted this */

	for (size_t i = 0; i < a->nprobes; i++) {
		const struct model_probe *p = &a->probe[i];
		const struct model_probe *q = model_find_probe(b, p->of, p->number);
		const char *title = model_probe_of(p);

		if (q && title && strcmp(model_string(a, p->method), model_string(b, q->method)))
			note(d, "%s is counted by %.40s before and by %.40s after", title,
			     SAFE(model_string(a, p->method)), SAFE(model_string(b, q->method)));
	}
}

static void piece_note(struct diff *d, const char *which, const struct diff_side *s)
{
	if (s->npieces < 2)
		note(d,
		     "%s has fewer than 3 ticks: the variance is unknown, so no change is tested",
		     which);
	else if (s->npieces < FEW_PIECES)
		note(d,
		     "%s has only %zu ticks, so the variance of its load is uncertain; record for longer",
		     which, s->npieces + 1);
}

#define MISSES_MANY 0.1 /* share of the samples */

bool diff_misses_samples(const struct diff_side *s)
{
	return split_missing(&s->summary.split.all) > MISSES_MANY;
}

static void missing_note(struct diff *d, const char *which, const struct diff_side *s)
{
	if (diff_misses_samples(s))
		note(d,
		     "%s: %s %% of the samples expected in busy time are missing (%s lost). Confidence intervals are wider by that share; a longer recording does not make them narrower",
		     which, PERCENT(split_missing(&s->summary.split.all), 0),
		     NUM(s->summary.recording.samples_lost, 0));
}

static double mean_size(const struct diff_side *s)
{
	return known_ratio(s->summary.bytes, s->summary.packets);
}

/* Adds notes about conditions that make a comparison per packet or per GB impossible or misleading. */
static void base_note(struct diff *d)
{
	const struct diff_side *a = d->side[DIFF_BEFORE], *b = d->side[DIFF_AFTER];
	double before = mean_size(a), after = mean_size(b);

	if (d->per != DIFF_PER_PACKET && d->per != DIFF_PER_GB)
		return;
	if (isnan(a->base) || isnan(b->base))
		note(d, "no packets were counted %s, so costs per packet and per GB are unknown",
		     !isnan(a->base) ? "after" :
		     isnan(b->base)  ? "in both" :
				       "before");
	else if (d->per == DIFF_PER_PACKET && fabs(after / before - 1) > OTHER_SIZE)
		note(d,
		     "packets have %s bytes on average before, %s after, and the cost of a packet depends on its size; see also --per=GB",
		     NUM(before, 0), NUM(after, 0));
}

static bool has_sample_cost(const struct diff_side *s)
{
	const struct model_probe_cost *c = &s->m->probe_cost[NETCOST_PROBE_SAMPLE];

	return c->there && !isnan(c->ns);
}

/* Adds a note if the recorder's own cost is taken out of the times of one side only. */
static void own_note(struct diff *d)
{
	const struct diff_side *a = d->side[DIFF_BEFORE], *b = d->side[DIFF_AFTER];
	bool own_a = !isnan(a->summary.split.all.leaf[LEAF_OWN].ns),
	     own_b = !isnan(b->summary.split.all.leaf[LEAF_OWN].ns);
	const char *what = NULL;
	bool after = own_a;

	if (own_a != own_b) {
		what = "recorder's own cost";
	} else if (own_a && diff_side_has_samples(a) && diff_side_has_samples(b) &&
		   has_sample_cost(a) != has_sample_cost(b)) {
		what = "cost of samples";
		after = has_sample_cost(a);
	}
	if (what)
		note(d,
		     "%s: the %s is unknown, so these times include it, but the times %s do not; --with-own-cost includes it in both",
		     after ? "after" : "before", what, after ? "before" : "after");
}

/* Returns the network's time in the summary of a side, in the unit of the costs, as text. */
static const char *network_of_summary(char *dst, size_t size, const struct diff_side *s)
{
	const struct split_value v = split_sum(&s->summary.split.all, LEAF_NETWORK);

	return text_within(dst, size, v.ns / s->base, v.ci95_ns / s->base, TEXT_PLAIN);
}

/* Adds a note if figures differ from those of the summaries, because samples are the only basis that both sides have. */
static void basis_note(struct diff *d)
{
	const struct diff_table *t = &d->table[DIFF_COSTS];
	char titles[160] = "", network[100] = "", a[TEXT_SIZE], b[TEXT_SIZE];

	for (size_t i = 0; i < t->n; i++) {
		if (!t->row[i].by_samples)
			continue;
		text_append(titles, sizeof(titles), ", ", "%s", t->row[i].title);
		if (!strcmp(t->row[i].name, "network"))
			snprintf(network, sizeof(network), ": network %s before, %s after",
				 network_of_summary(a, sizeof(a), d->side[DIFF_BEFORE]),
				 network_of_summary(b, sizeof(b), d->side[DIFF_AFTER]));
	}
	if (*titles)
		note(d,
		     "by samples alone, because not measured in the same way before and after: %s. The summaries may have other figures%s",
		     titles, network);
}

/* Adds notes about differences between the recordings themselves. */
static void take_notes(struct diff *d)
{
	const struct model_header *a = &d->side[DIFF_BEFORE]->m->header,
				  *b = &d->side[DIFF_AFTER]->m->header;

	header_note(d, "kernel", a->kernel, b->kernel);
	header_note(d, "machine", a->machine, b->machine);
	header_note(d, "CPU model", a->cpu_model, b->cpu_model);
	header_note(d, "samples by", a->sampler, b->sampler);
	header_note(d, "samples of", a->sample_event, b->sample_event);
	header_note(d, "exact counters", a->exact, b->exact);
	if (a->ncpus != b->ncpus)
		note(d, "CPUs: %" PRIu64 " before, %" PRIu64 " after", a->ncpus, b->ncpus);
	if (diff_side_has_samples(d->side[DIFF_BEFORE]) !=
	    diff_side_has_samples(d->side[DIFF_AFTER]))
		note(d, "only one of the recordings has samples: functions are not compared");
	if (!d->side[DIFF_BEFORE]->m->nsettings != !d->side[DIFF_AFTER]->m->nsettings)
		note(d, "only one of the recordings has host settings: settings are not compared");
	if (!d->side[DIFF_BEFORE]->m->records[TRACE_PROCESS_STATS] !=
	    !d->side[DIFF_AFTER]->m->records[TRACE_PROCESS_STATS])
		note(d,
		     "only one of the recordings has counters by process: processes are not compared");
	probe_notes(d);
	piece_note(d, "before", d->side[DIFF_BEFORE]);
	piece_note(d, "after", d->side[DIFF_AFTER]);
	missing_note(d, "before", d->side[DIFF_BEFORE]);
	missing_note(d, "after", d->side[DIFF_AFTER]);
	base_note(d);
	basis_note(d);
	own_note(d);
}

#define WRONG_AT_MOST 0.05

const struct diff_per_desc diff_per[DIFF_PERS] = {
	[DIFF_PER_CPU] = { "cpu", "percent_of_cpu_time", "share of the CPU time of all CPUs, %",
			   "% of CPU time", 3 },
	[DIFF_PER_PACKET] = { "packet", "ns_per_packet",
			      "CPU time per interface packet (rx + tx), ns",
			      "ns per interface packet", 1 },
	[DIFF_PER_GB] = { "GB", "cpu_ms_per_interface_gb",
			  "CPU time per interface GB (rx + tx), ms", "ms per interface GB", 1 },
	[DIFF_PER_SECOND] = { "second", "cpu_ms_per_second", "CPU time per second, ms",
			      "ms per second", 3 },
};

const char *const diff_per_names[DIFF_PERS + 1] = { "cpu", "packet", "GB", "second", NULL };

const struct diff_verdict_desc diff_verdict[DIFF_VERDICTS] = {
	[DIFF_NOT_MEASURED] = { "not_measured", " ", "measured in only one recording", 0 },
	[DIFF_NOT_COMPARABLE] = { "not_comparable", " ", "not measured in the same way", 0 },
	[DIFF_NOT_TESTED] = { "not_tested", "~", "too few samples or ticks", 2 },
	[DIFF_SAME] = { "not_told_apart", "~", "", 2 },
	[DIFF_MORE] = { "more", "+", "more", 31 },
	[DIFF_LESS] = { "less", "-", "less", 32 },
};

static const struct diff_subject_desc *const subjects[DIFF_SUBJECTS] = {
	[DIFF_COSTS] = &diff_costs,	    [DIFF_FUNCTIONS] = &diff_functions,
	[DIFF_UNITS] = &diff_units,	    [DIFF_PROGRAMS] = &diff_programs,
	[DIFF_PROCESSES] = &diff_processes, [DIFF_FATES] = &diff_fates,
	[DIFF_LATENCY] = &diff_latency,	    [DIFF_PATHS] = &diff_paths,
	[DIFF_STAGES] = &diff_stages,	    [DIFF_COUNTS] = &diff_counts,
};

/* ---- pairs ------------------------------------------------------------------------------- */

static int by_key(const struct diff_row *a, const struct diff_row *b)
{
	int order;

	if (a->group != b->group)
		return diff_numbers(a->group, b->group);
	if (a->kind != b->kind)
		return diff_numbers(a->kind, b->kind);
	for (size_t i = 0; i < sizeof(a->id) / sizeof(*a->id); i++)
		if (a->id[i] != b->id[i])
			return diff_numbers(a->id[i], b->id[i]);
	order = diff_strings(a->name, b->name);
	return order ? order : diff_strings(a->of, b->of);
}

/* Compares two rows by key, then by side and place. Rows with the same key are added up in this order. */
static int by_key_and_place(const void *pa, const void *pb)
{
	const struct diff_row *a = pa, *b = pb;
	int order = by_key(a, b);

	if (order)
		return order;
	return a->seen != b->seen ? diff_numbers(a->seen, b->seen) :
				    diff_numbers(a->place, b->place);
}

static void merge(struct diff_row *to, const struct diff_row *r, size_t measures)
{
	for (unsigned int side = 0; side < DIFF_SIDES; side++) {
		if (!(r->seen & 1u << side))
			continue;
		for (size_t i = 0; i < measures; i++)
			if (to->seen & 1u << side)
				diff_value_add(&to->m[i].side[side], &r->m[i].side[side]);
			else
				to->m[i].side[side] = r->m[i].side[side];
	}
	to->seen |= r->seen;
	to->not_alike |= r->not_alike;
	to->by_samples |= r->by_samples;
	if (r->place < to->place)
		to->place = r->place;
}

static void fill_absent(const struct diff_table *t, struct diff_row *r, size_t measures)
{
	for (unsigned int side = 0; side < DIFF_SIDES; side++)
		for (size_t i = 0; i < measures && !(r->seen & 1u << side); i++)
			r->m[i].side[side] = t->absent[side][i];
}

static void pair(struct diff_table *t, size_t measures)
{
	size_t n = 0;

	if (t->n)
		qsort(t->row, t->n, sizeof(*t->row), by_key_and_place);
	for (size_t i = 0; i < t->n; i++)
		if (n && !by_key(&t->row[n - 1], &t->row[i]))
			merge(&t->row[n - 1], &t->row[i], measures);
		else
			t->row[n++] = t->row[i];
	t->n = n;
	for (size_t i = 0; i < n; i++)
		fill_absent(t, &t->row[i], measures);
}

/* ---- one change -------------------------------------------------------------------------- */

static void compare_by_t(struct diff_change *c)
{
	const struct diff_value *a = &c->side[DIFF_BEFORE], *b = &c->side[DIFF_AFTER];
	const struct stats_change s =
		stats_compare(&(struct stats_value){ a->value, a->variance, a->df },
			      &(struct stats_value){ b->value, b->variance, b->df });

	c->change = s.change;
	c->ci95 = s.ci95;
	c->p = s.p;
	if (a->value > 0) {
		c->relative = s.relative;
		c->relative_ci95 = s.relative_ci95;
	}
}

/*
 * Computes the asymmetric confidence interval of the difference between two values that both have a confidence
 * interval, by Zou and Donner's method (MOVER). p is computed from the end of the interval that is nearer to "no
 * change".
 */
static void compare_intervals(struct diff_change *c)
{
	const struct diff_value *a = &c->side[DIFF_BEFORE], *b = &c->side[DIFF_AFTER];
	double half;

	c->change = b->value - a->value;
	c->low = c->change - hypot(b->value - b->low, a->high - a->value);
	c->high = c->change + hypot(b->high - b->value, a->value - a->low);
	half = c->change > 0 ? c->change - c->low : c->high - c->change;
	if (!isnan(half))
		c->p = half > 0 ? erfc(STATS_Z95 * fabs(c->change) / half / sqrt(2)) : 1;
}

static void subtract(struct diff_change *c)
{
	const struct diff_value *a = &c->side[DIFF_BEFORE], *b = &c->side[DIFF_AFTER];

	c->change = b->value - a->value;
	c->ci95 = hypot(a->ci95, b->ci95);
}

static void (*const compare_by[])(struct diff_change *c) = {
	[DIFF_TEST_T] = compare_by_t,
	[DIFF_TEST_INTERVAL] = compare_intervals,
	[DIFF_DIFFERENCE] = subtract
};

/*
 * Returns true if the two values are exact and equal. Such values need no test, and do not count in the correction of
 * the other tests.
 */
static bool is_exactly_equal(const struct diff_change *c)
{
	return c->change == 0 && c->side[DIFF_BEFORE].how != SPLIT_NOT_MEASURED &&
	       c->side[DIFF_BEFORE].variance == 0 && c->side[DIFF_AFTER].variance == 0;
}

static bool has_few_samples(const struct diff_change *c)
{
	return c->side[DIFF_BEFORE].samples + c->side[DIFF_AFTER].samples < DIFF_LEAST_SAMPLES;
}

/* Returns the verdict before p is corrected. */
static enum diff_verdict verdict_of(const struct diff_change *c, bool not_alike)
{
	if (isnan(c->side[DIFF_BEFORE].value) || isnan(c->side[DIFF_AFTER].value))
		return DIFF_NOT_MEASURED;
	if (not_alike)
		return DIFF_NOT_COMPARABLE;
	if (is_exactly_equal(c))
		return DIFF_SAME;
	return isnan(c->p) || has_few_samples(c) ? DIFF_NOT_TESTED : DIFF_SAME;
}

static void compare(struct diff_change *c, enum diff_test test, bool not_alike)
{
	c->change = c->ci95 = c->low = c->high = c->relative = c->relative_ci95 = NAN;
	c->p = c->p_adjusted = NAN;
	if (!not_alike)
		compare_by[test](c);
	c->verdict = verdict_of(c, not_alike);
	if (c->verdict != DIFF_SAME || is_exactly_equal(c))
		c->p = NAN;
}

/* ---- which changes are more than noise ---- */

static void judge(struct diff_table *t, struct diff_change *c, double p)
{
	c->p_adjusted = fmin(1, p);
	if (!(c->p_adjusted < WRONG_AT_MOST))
		return;
	c->verdict = c->change > 0 ? DIFF_MORE : DIFF_LESS;
	t->apart++;
}

static int correct(struct diff_table *t, const struct diff_subject_desc *s)
{
	size_t n = t->n * s->measures, k = 0;
	double *p = calloc(n + 1, sizeof(*p));
	int err = p ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < n; i++) {
		const struct diff_change *c = &t->row[i / s->measures].m[i % s->measures];

		if (!isnan(c->p))
			p[t->tested++] = c->p;
	}
	if (!err)
		err = stats_holm(p, t->tested);
	for (size_t i = 0; !err && i < n; i++) {
		struct diff_change *c = &t->row[i / s->measures].m[i % s->measures];

		if (!isnan(c->p))
			judge(t, c, p[k++] * s->families);
	}
	for (size_t i = 0; i < t->n; i++)
		t->rows_apart += diff_row_is_apart(&t->row[i]);
	free(p);
	return err;
}

/* ---- a subject --------------------------------------------------------------------------- */

static bool is_there(const struct diff_table *t, const struct diff_subject_desc *s)
{
	bool before = !s->has || s->has(t->side[DIFF_BEFORE]);
	bool after = !s->has || s->has(t->side[DIFF_AFTER]);

	return s->any ? before || after : before && after;
}

static int compare_rows(struct diff_table *t, const struct diff_subject_desc *s)
{
	int err = 0;

	pair(t, s->measures);
	if (s->finish && t->n)
		s->finish(t);
	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < s->measures; k++)
			compare(&t->row[i].m[k], s->test, t->row[i].not_alike);
	if (s->families)
		err = correct(t, s);
	if (t->n)
		qsort(t->row, t->n, sizeof(*t->row), s->order ? s->order : diff_by_place);
	t->all = t->n;
	if (s->cut && t->n > t->most)
		t->n = t->most;
	return err;
}

int diff_table_make(struct diff_table *t, enum diff_subject subject, const struct diff_side *before,
		    const struct diff_side *after, size_t most)
{
	const struct diff_subject_desc *s = subjects[subject];
	int err = 0;

	*t = (struct diff_table){ .subject = subject, .side = { before, after }, .most = most };
	for (size_t i = 0; i < DIFF_MEASURES; i++)
		t->absent[DIFF_BEFORE][i] = t->absent[DIFF_AFTER][i] = diff_nothing;
	t->there = is_there(t, s);
	for (enum diff_side_number side = 0; t->there && !err && side < DIFF_SIDES; side++)
		err = s->walk(t, side);
	if (!err)
		err = compare_rows(t, s);
	if (err)
		diff_table_free(t);
	return err;
}

void diff_table_free(struct diff_table *t)
{
	free(t->row);
	for (unsigned int side = 0; side < DIFF_SIDES; side++)
		free(t->owned[side]);
	*t = (struct diff_table){ 0 };
}

/* ---- rows that are hidden in text output ---- */

static bool is_asked_for(const struct diff *d, const struct diff_table *t, const struct diff_row *r)
{
	if (t->subject != DIFF_COSTS)
		return false;
	return !strcmp(r->name, "network") || (d->o.only && diff_is_watched(r, d->o.only));
}

/*
 * Hides rows whose changes are within noise. The function goes from the last row to the first, because a row stays
 * visible if a row below it in the tree stays visible.
 */
static void hide(struct diff *d, struct diff_table *t)
{
	size_t last = subjects[t->subject]->measures - 1;
	const struct diff_row *below = NULL; /* the last visited row that stays visible */

	for (size_t i = t->n; i-- > 0;) {
		struct diff_row *r = &t->row[i];
		bool is_part = below && below->group == r->group && below->of == r->of &&
			       below->depth > r->depth;

		r->hidden = !diff_row_is_apart(r) && !is_part && !is_asked_for(d, t, r);
		if (!r->hidden)
			below = r;
		else if (r->m[last].verdict >= DIFF_NOT_TESTED)
			d->within_noise++;
		else
			d->not_alike++;
	}
}

/* ---- the whole comparison ---- */

static struct diff_row *row_of(struct diff_table *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->row[i].name, name))
			return &t->row[i];
	return NULL;
}

/* The network's cost per packet or GB is a row of the costs and a unit cost. Both must have the same test result. */
static void answer_once(struct diff *d)
{
	static const unsigned int units[DIFF_PERS] = {
		[DIFF_PER_PACKET] = UNIT_NETWORK_PACKET, [DIFF_PER_GB] = UNIT_NETWORK_GB
	};
	struct diff_table *t = &d->table[DIFF_UNITS];
	const struct diff_row *cost = row_of(&d->table[DIFF_COSTS], "network");
	struct diff_row *unit = units[d->per] ? row_of(t, unit_cost[units[d->per]].key) : NULL;

	if (!unit || !cost || isnan(unit->m[0].p) || isnan(cost->m[0].p))
		return;
	t->apart += (size_t)diff_row_is_apart(cost) - (size_t)diff_row_is_apart(unit);
	unit->m[0].p = cost->m[0].p;
	unit->m[0].p_adjusted = cost->m[0].p_adjusted;
	unit->m[0].verdict = cost->m[0].verdict;
}

int diff_make(struct diff *d, const struct diff_side *before, const struct diff_side *after,
	      const struct diff_options *o)
{
	int err;

	*d = (struct diff){ .o = *o, .per = before->per, .side = { before, after } };
	err = take_settings(d);
	for (enum diff_subject s = 0; !err && s < DIFF_SUBJECTS; s++) {
		err = diff_table_make(&d->table[s], s, before, after, o->rows);
		if (!err && !o->all && subjects[s]->families && s != DIFF_UNITS)
			hide(d, &d->table[s]);
	}
	if (err) {
		diff_free(d);
		return err;
	}
	answer_once(d);
	take_notes(d);
	return err;
}

void diff_free(struct diff *d)
{
	for (enum diff_subject s = 0; s < DIFF_SUBJECTS; s++)
		diff_table_free(&d->table[s]);
	free(d->setting);
	d->setting = NULL;
}

#define VAGUE 0.9 /* so that the two also differ when they are rounded */

bool diff_is_vague(const struct diff_change *c)
{
	return c->relative_ci95 >= VAGUE * fabs(c->relative);
}

/* ---- for CI ------------------------------------------------------------------------------ */

bool diff_is_worse(const struct diff_change *c, double above)
{
	return c->verdict == DIFF_MORE && (isnan(c->relative) || c->relative > above);
}

bool diff_is_unsure(const struct diff_change *c, double above)
{
	return above > 0 && c->verdict >= DIFF_SAME && !diff_is_worse(c, above) &&
	       c->relative + c->relative_ci95 > above &&
	       (c->relative_ci95 > above || c->relative > above);
}

bool diff_must_be_known(const struct diff_row *r, const char *only)
{
	return only ? diff_is_watched(r, only) : !strcmp(r->name, "network");
}

static bool is_named(const char *key, const char *list)
{
	size_t n = strlen(key);

	for (;; list++) {
		size_t len = strcspn(list, ",");

		if (len == n && !memcmp(list, key, n))
			return true;
		list += len;
		if (!*list)
			return false;
	}
}

bool diff_is_watched(const struct diff_row *r, const char *only)
{
	if (only)
		return is_named(r->name, only);
	return r->group == DIFF_MAIN &&
	       is_named(r->name, "network,sock_send,sock_recv,rx_softirq,tx_softirq,hardirq_net,"
				 "other_network");
}
