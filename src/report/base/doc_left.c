// SPDX-License-Identifier: BSD-2-Clause
#include "doc_left.h"

#include <netcost/text_append.h>

bool doc_left_may_be(const struct doc_column *c)
{
	return c->title && c->kind != DOC_BAR && (!c->only || c->only & DOC_TEXT);
}

void doc_left_add(const struct doc *d, struct doc_column *c, char titles[DOC_LEFT_TITLES])
{
	text_append(titles, DOC_LEFT_TITLES, ", ", "%s", doc_text_title(d, c));
	c->title = NULL;
}

bool doc_left_add_rank(struct doc_left *l, const struct doc *d, struct doc_column *column, size_t n)
{
	uint8_t rank = 0;

	for (size_t i = 0; i < n; i++)
		if (doc_left_may_be(&column[i]) && column[i].spare > rank)
			rank = column[i].spare;
	for (size_t i = 0; rank && i < n; i++)
		if (doc_left_may_be(&column[i]) && column[i].spare == rank)
			doc_left_add(d, &column[i], l->no_room);
	return rank;
}

char *doc_left_text(char *buf, size_t size, const struct doc_left *l)
{
	const struct {
		const char *why, *titles;
	} list[] = { { "not measured", l->missing },
		     { "0 in all rows", l->zero },
		     { "no room for", l->no_room } };

	*buf = '\0';
	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		if (*list[i].titles)
			text_append(buf, size, "; ", "%s%s: %s", *buf ? "" : "  ", list[i].why,
				    list[i].titles);
	if (*buf)
		text_append(buf, size, "", " (--wide shows all)");
	return buf;
}
