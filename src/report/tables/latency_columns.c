// SPDX-License-Identifier: BSD-2-Clause
#include "latency_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/base/text.h"

void latency_columns(struct doc_column *to, const struct doc_column *from, size_t n,
		     const struct doc *d)
{
	memcpy(to, from, n * sizeof(*to));
	for (size_t i = 0; i < n; i++)
		if (to[i].only == DOC_HTML && d->wide)
			to[i].only = DOC_PEOPLE;
}

void latency_intervals(struct doc *d, const struct dist_summary *r, struct latency_texts *texts)
{
	for (int i = 0; i < DIST_QUANTILE_COUNT; i++) {
		char *text = texts->text[i];

		if (isnan(r->low_ns[i]) && isnan(r->high_ns[i]))
			snprintf(text, sizeof(texts->text[i]), "-");
		else
			snprintf(text, sizeof(texts->text[i]), "%s to %s",
				 NUM(r->low_ns[i] / 1000, 2), NUM(r->high_ns[i] / 1000, 2));
		doc_string(d, text);
	}
}
