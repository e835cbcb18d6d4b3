// SPDX-License-Identifier: BSD-2-Clause
#include "stages_columns.h"

#include "report/analysis/known.h"

void stages_quantiles(struct doc *d, const struct dist_summary *r, uint64_t sum_ns)
{
	for (int i = 0; i < DIST_QUANTILE_COUNT; i++) {
		doc_number(d, r->ns[i]);
		doc_number(d, r->low_ns[i]);
		doc_number(d, r->high_ns[i]);
	}
	doc_number(d, r->mean_ns);
	doc_number(d, (double)sum_ns);
}

void stages_cells(struct doc *d, enum stages_path path, const struct stages_step *step,
		  const struct stages_times *t, uint64_t way_ns)
{
	const struct dist *l = step ? &step->times : &t->whole[path];
	struct dist_summary r;

	dist_summarize(&r, l);
	doc_string(d, stages_path_keys[path]);
	doc_string(d, step ? stages_keys[step->from] : doc_is_for(d, DOC_PEOPLE) ? "all" : NULL);
	doc_string(d, step ? stages_keys[step->to] : doc_is_for(d, DOC_PEOPLE) ? "" : NULL);
	doc_number(d, r.count);
	stages_quantiles(d, &r, l->ns);
	doc_number(d, 100 * known_ratio((double)l->ns, (double)way_ns));
}
