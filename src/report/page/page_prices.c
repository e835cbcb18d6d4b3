// SPDX-License-Identifier: BSD-2-Clause
/* The page: what one more packet, byte, call and wake-up costs. */
#include <errno.h>
#include <stdlib.h>

#include "page.h"
#include "report/analysis/prices.h"
#include "report/tables/prices_doc.h"

int page_prices(const struct page *p, struct doc *d)
{
	struct prices *prices;
	int err;

	if (p->intervals->n < PRICES_LEAST) {
		doc_note(
			d, "%s",
			p->intervals->too_many ?
				"There are too many ticks; use --every for longer pieces of time." :
				"There are too few ticks to tell prices.");
		return 0;
	}
	prices = calloc(1, sizeof(*prices));
	if (!prices)
		return -ENOMEM;
	err = prices_make(prices, p->intervals, p->m);
	if (!err)
		prices_section(d, prices, p->m);
	free(prices);
	return err;
}
