// SPDX-License-Identifier: BSD-2-Clause
#include "diff_largest_doc.h"

#include <math.h>

#include <netcost/text_append.h>

#include "diff_quantile_doc.h"
#include "report/analysis/diff/diff_shown.h"
#include "report/analysis/stages.h"
#include "report/base/doc.h"
#include "report/base/text.h"

/* ", 22.3 % more (spread 3.9)"; what was 0 before has grown by no percentage. */
static void add_relative(char *dst, size_t size, const struct diff_change *c)
{
	if (!isnan(c->relative))
		text_append(dst, size, "", ", %s %% %s (spread %s)",
			    NUM(fabs(100 * c->relative), 1), diff_verdict[c->verdict].text,
			    NUM(100 * c->relative_ci95, 1));
}

static void say_row(struct doc *d, const struct diff *diff, const struct diff_row *r)
{
	const struct diff_per_desc *per = &diff_per[diff->per];
	const struct diff_row *in = r->table == DIFF_MAIN ? diff_largest_inside(diff, r) : NULL;
	char relative[80] = "", inside[160] = "";

	add_relative(relative, sizeof(relative), &r->c);
	if (in)
		text_append(inside, sizeof(inside), "", "; of that most in %s, %+.*f",
			    SAFE(in->title), per->decimals, in->c.change);
	doc_note(d, "Largest change: %s%s: from %s to %s %s%s.", SAFE(r->title), relative,
		 NUM(r->c.before.value, per->decimals), NUM(r->c.after.value, per->decimals),
		 per->of, inside);
}

/* Functions are sorted: one that is told apart is the first. */
static void say_function(struct doc *d, const struct diff *diff)
{
	const struct diff_per_desc *per = &diff_per[diff->per];
	const struct diff_function *f = &diff->function[0];
	bool self = diff_is_told_apart(f->self.verdict);
	const struct diff_change *c = self ? &f->self : &f->inclusive;
	char relative[80] = "";

	add_relative(relative, sizeof(relative), c);
	doc_note(d, "Largest change: function %s%s%s: from %s to %s %s.",
		 *f->name ? SAFE(f->name) : "[unknown]", self ? "" : " and what it calls", relative,
		 NUM(c->before.value, per->decimals), NUM(c->after.value, per->decimals), per->of);
}

/* ---- times of packets -------------------------------------------------------------------- */

struct times {
	char name[128];
	const struct diff_quantile_change *c; /* NULL: none yet */
	double grown; /* to so many times what it was, or by so much shrunk: a logarithm */
};

static bool is_larger(const struct times *t, const struct diff_quantile_change *c)
{
	return diff_is_told_apart(c->verdict) && c->before.ns > 0 && c->after.ns > 0 &&
	       (!t->c || fabs(log(c->after.ns / c->before.ns)) > t->grown);
}

static void take(struct times *t, const struct diff_quantile_change *c)
{
	t->c = c;
	t->grown = fabs(log(c->after.ns / c->before.ns));
}

/* Of two things the one that grew, or shrank, by more of itself: a tail of ms would hide all others. */
static struct times largest_times(const struct diff *diff)
{
	struct times t = { .c = NULL };

	for (size_t i = 0; i < diff->latency.n; i++) {
		const struct diff_latency_row *r = &diff->latency.row[i];

		if (!is_larger(&t, &r->c))
			continue;
		take(&t, &r->c);
		snprintf(t.name, sizeof(t.name), "%s, %s", latency_keys[r->hook],
			 diff_quantile_titles[r->quantile]);
	}
	for (size_t i = 0; i < diff->stages.n; i++) {
		const struct diff_stages_row *r = &diff->stages.row[i];

		if (r->whole || !is_larger(&t, &r->c))
			continue;
		take(&t, &r->c);
		snprintf(t.name, sizeof(t.name), "from %s to %s, %s", stages_keys[r->from],
			 stages_keys[r->to], diff_quantile_titles[r->quantile]);
	}
	return t;
}

static void say_times(struct doc *d, const struct times *t)
{
	double change = t->c->after.ns / t->c->before.ns - 1;

	doc_note(
		d,
		"Largest change: %s, %s %% %s: from %s to %s us; no cost has changed by more than noise.",
		t->name, NUM(fabs(100 * change), 1), diff_verdict[t->c->verdict].text,
		NUM(t->c->before.ns / 1000, 2), NUM(t->c->after.ns / 1000, 2));
}

/* ---- all of it --------------------------------------------------------------------------- */

static void say_nothing(struct doc *d, const struct diff *diff)
{
	bool tested = diff->tested_rows || diff->tested_functions;

	doc_note(d,
		 tested ? "No cost has changed by more than noise." : "No cost could be compared.");
}

void diff_largest_doc(struct doc *d, const struct diff *diff)
{
	const struct diff_row *r = diff_largest(diff);
	const struct times t = largest_times(diff);

	if (r)
		say_row(d, diff, r);
	else if (diff->nfunctions && diff_function_is_told_apart(&diff->function[0]))
		say_function(d, diff);
	else if (t.c)
		say_times(d, &t);
	else
		say_nothing(d, diff);
	doc_title(d, "");
}
