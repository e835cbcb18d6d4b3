// SPDX-License-Identifier: BSD-2-Clause
#include "diff_quantile_doc.h"

const char *const diff_quantile_keys[] = {
#define X(name, key, title, share) key,
	DIST_QUANTILES(X)
#undef X
		NULL
};

const char *const diff_quantile_titles[] = {
#define X(name, key, title, share) title,
	DIST_QUANTILES(X)
#undef X
};

static void value(struct doc *d, const struct diff_quantile *v)
{
	doc_number(d, v->ns);
	doc_number(d, v->low_ns);
	doc_number(d, v->high_ns);
}

void diff_verdict_cells(struct doc *d, enum diff_verdict verdict)
{
	const struct diff_verdict_desc *v = &diff_verdict[verdict];

	doc_string(d, v->key);
	doc_colored(d, v->mark, v->color);
	doc_string(d, v->text);
}

void diff_quantile_cells(struct doc *d, enum dist_quantile quantile,
			 const struct diff_quantile_change *c)
{
	doc_string(d, diff_quantile_keys[quantile]);
	doc_string(d, diff_quantile_titles[quantile]);
	value(d, &c->before);
	value(d, &c->after);
	value(d, &c->change);
	doc_number(d, c->p);
	doc_number(d, c->p_adjusted);
	diff_verdict_cells(d, c->verdict);
}
