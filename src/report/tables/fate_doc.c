// SPDX-License-Identifier: BSD-2-Clause
#include "fate_doc.h"

#include <stdio.h>

#include "report/base/doc.h"
#include "report/base/text.h"

const char *const fate_keys[] = {
#define X(id, name, key, title) [id] = key,
	NETCOST_FATES(X)
#undef X
		NULL
};

static const char *const fate_titles[] = {
#define X(id, name, key, title) [id] = title,
	NETCOST_FATES(X)
#undef X
};

const char *fate_text(char *dst, size_t size, enum netcost_fate fate, const char *what)
{
	snprintf(dst, size, "%s%s%s", fate_titles[fate],
		 !*what				? "" :
		 fate == NETCOST_FATE_FORWARDED ? " to " :
						  ": ",
		 SAFE(what));
	return dst;
}

void fate_cells(struct doc *d, enum netcost_fate fate, const char *what)
{
	doc_string(d, fate_keys[fate]);
	doc_string(d, *what ? what : NULL);
}
