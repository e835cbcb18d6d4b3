// SPDX-License-Identifier: BSD-2-Clause
/* A comparison as text. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/analysis/diff/diff.h"
#include "model_text.h"
#include "report/analysis/diff/diff_side.h"
#include "report/base/escape.h"
#include "report/base/text.h"

struct page {
	FILE *out;
	const struct diff *d;
	bool colors;
};

/* ---- cells ------------------------------------------------------------------------------- */

/* "+1.234", "-" where it is not known. */
static char *signed_num(char *buf, size_t size, double v, int decimals)
{
	if (isnan(v))
		return text_num(buf, size, v, decimals);
	snprintf(buf, size, "%+.*f", decimals, v);
	return buf;
}

#define SIGNED(v, decimals) signed_num((char[TEXT_SIZE]){ 0 }, TEXT_SIZE, v, decimals)

/* "+10.0 +-  2.1"; what was nothing before has grown by no share of it. */
static char *relative(char *buf, size_t size, const struct diff_change *c)
{
	if (isnan(c->relative))
		snprintf(buf, size, "-");
	else if (isnan(c->relative_ci95))
		snprintf(buf, size, "%+7.1f +-     -", 100 * c->relative);
	else
		snprintf(buf, size, "%+7.1f +- %5.1f", 100 * c->relative, 100 * c->relative_ci95);
	return buf;
}

static void mark(const struct page *p, enum diff_verdict verdict)
{
	const struct diff_verdict_desc *v = &diff_verdict[verdict];

	if (p->colors && v->color)
		fprintf(p->out, " \033[%dm%s\033[0m", v->color, v->mark);
	else
		fprintf(p->out, " %s", v->mark);
}

static void change(const struct page *p, const struct diff_change *c)
{
	int decimals = diff_per[p->d->per].decimals;

	fprintf(p->out, " %9s %9s %9s +- %7s", NUM(c->before.value, decimals),
		NUM(c->after.value, decimals), SIGNED(c->change, decimals), NUM(c->ci95, decimals));
}

/* ---- the two ----------------------------------------------------------------------------- */

static void side(const struct page *p, const char *which, const struct diff_side *s)
{
	const struct model_header *h = &s->m->header;
	const char *exact = model_string(s->m, h->exact);

	fprintf(p->out, "%-7s %s: %s s, %" PRIu64 " CPUs, exact %s, ", which, PART_TITLE(s->part),
		NUM(s->summary.ticks_s, 1), h->ncpus, *exact ? SAFE(exact) : "-");
	if (h->sample_hz)
		fprintf(p->out, "%" PRIu64 " samples at %" PRIu64 " Hz", s->m->samples,
			h->sample_hz);
	else
		fputs("no samples", p->out);
	if (!isnan(s->summary.packets))
		fprintf(p->out, ", %s packets", NUM(s->summary.packets, 0));
	fputc('\n', p->out);
}

static void notes(const struct page *p)
{
	for (size_t i = 0; i < p->d->nnotes; i++) {
		int at = fprintf(p->out, "  note: ");

		text_wrap(p->out, at, at, p->d->note[i]);
		fputc('\n', p->out);
	}
}

/* ---- tables ------------------------------------------------------------------------------ */

static const char *how_of(const struct diff_change *c)
{
	enum split_how how = isnan(c->after.value) ? c->before.how : c->after.how;

	return split_how_name(how);
}

static void row(const struct page *p, const struct diff_row *r)
{
	const struct diff_verdict_desc *v = &diff_verdict[r->c.verdict];
	int indent = 2 + 2 * (int)r->depth;

	fprintf(p->out, "%*s%-*.*s", indent, "", 30 - indent, 40, r->title);
	change(p, &r->c);
	fprintf(p->out, " %17s", relative((char[TEXT_SIZE]){ 0 }, TEXT_SIZE, &r->c));
	mark(p, r->c.verdict);
	if (*v->text)
		fprintf(p->out, " %s", v->text);
	if (r->table == DIFF_MAIN && r->c.verdict > DIFF_NOT_COMPARABLE)
		fprintf(p->out, "%s%s", *v->text ? ", " : " ", how_of(&r->c));
	fputc('\n', p->out);
}

static const char *title_of_leaf(const char *key)
{
	unsigned int l = 0;

	while (l + 1 < LEAF_COUNT && strcmp(leaf_desc[l].key, key))
		l++;
	return leaf_desc[l].title;
}

static void rows(const struct page *p)
{
	static const char *const titles[DIFF_TABLES] = {
		[DIFF_MAIN] = "Where the CPU time went",
		[DIFF_CATEGORY] = "What is inside, by samples",
		[DIFF_PART] = "Parts of the RX softirq, exact",
	};
	const struct diff_row *last = NULL;

	for (size_t i = 0; i < p->d->nrows; i++) {
		const struct diff_row *r = &p->d->row[i];

		if (!last || r->table != last->table)
			fprintf(p->out, "\n%-30s %9s %9s %20s %17s\n", titles[r->table], "before",
				"after", "change", "change, %");
		if (r->leaf && (!last || r->leaf != last->leaf))
			fprintf(p->out, "  %s\n", title_of_leaf(r->leaf));
		last = r;
		row(p, r);
	}
}

static void function_cell(const struct page *p, const struct diff_change *c)
{
	int decimals = diff_per[p->d->per].decimals;

	fprintf(p->out, " %8s %8s %8s +- %6s", NUM(c->before.value, decimals),
		NUM(c->after.value, decimals), SIGNED(c->change, decimals), NUM(c->ci95, decimals));
	mark(p, c->verdict);
}

static void functions(const struct page *p)
{
	const struct diff *d = p->d;

	if (!d->nfunctions)
		return;
	fprintf(p->out, "\nFunctions, by samples; self, and with what they call\n");
	fprintf(p->out, " %8s %8s %18s   %8s %8s %18s\n", "before", "after", "self change",
		"before", "after", "inclusive change");
	for (size_t i = 0; i < d->nshown; i++) {
		const struct diff_function *f = &d->function[i];

		function_cell(p, &f->self);
		function_cell(p, &f->inclusive);
		fprintf(p->out, "  %s", *f->name ? SAFE(f->name) : "[unknown]");
		if (*f->module)
			fprintf(p->out, " [%s]", SAFE(f->module));
		fputc('\n', p->out);
	}
	if (d->nshown < d->nfunctions)
		fprintf(p->out, "  %zu others\n", d->nfunctions - d->nshown);
}

/* ---- what it says ------------------------------------------------------------------------ */

static size_t told_apart(const struct diff *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->nrows; i++)
		n += d->row[i].c.verdict >= DIFF_MORE;
	for (size_t i = 0; i < d->nfunctions; i++)
		n += (d->function[i].self.verdict >= DIFF_MORE) +
		     (d->function[i].inclusive.verdict >= DIFF_MORE);
	return n;
}

static void legend(const struct page *p)
{
	const struct diff *d = p->d;
	size_t n = told_apart(d), tested = d->tested_rows + d->tested_functions;

	fprintf(p->out,
		"\n%zu of %zu changes are more than noise, marked + or -. The others are ~: ", n,
		tested);
	fputs("not told apart from noise.\n"
	      "An interval (95 %) is about its row alone. Marks are corrected for looking at many rows: where\n"
	      "nothing has changed 95 of 100 comparisons have none.\n",
	      p->out);
}

void diff_text(FILE *out, const struct diff *d, bool colors)
{
	const struct page p = { .out = out, .d = d, .colors = colors };

	side(&p, "before", d->before);
	side(&p, "after", d->after);
	text_filter(out, d->before->m);
	notes(&p);
	fprintf(out, "%s; change +- its 95 %% interval\n", diff_per[d->per].title);
	rows(&p);
	functions(&p);
	legend(&p);
}
