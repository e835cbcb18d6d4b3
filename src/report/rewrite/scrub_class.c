// SPDX-License-Identifier: BSD-2-Clause
#include "scrub_class.h"

#include <string.h>

#include <netcost/messages.h>

const struct scrub_class_desc scrub_class_desc[TRACE_PRIVACIES] = {
#define X(NAME, name, prefix, doc) [TRACE_PRIVATE_##NAME] = { said_##name, prefix },
	TRACE_PRIVATE(X)
#undef X
};

static enum trace_privacy find_class(const char *name, size_t len)
{
	for (enum trace_privacy c = TRACE_PUBLIC + 1; c < TRACE_PRIVACIES; c++)
		if (strlen(scrub_class_desc[c].name) == len &&
		    !memcmp(scrub_class_desc[c].name, name, len))
			return c;
	return TRACE_PUBLIC;
}

bool scrub_parse_keep(const char *list, unsigned int *keep, const char **unknown, size_t *len)
{
	*keep = 0;
	for (const char *p = list;; p += *len + 1) {
		enum trace_privacy c;

		*len = strcspn(p, ",");
		c = find_class(p, *len);
		*unknown = p;
		if (c == TRACE_PUBLIC)
			return false;
		*keep |= 1u << c;
		if (!p[*len])
			return true;
	}
}
